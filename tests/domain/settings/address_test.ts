import { describe, expect, test } from "bun:test";
import { addressProblem, networkProblem } from "../../../server/domain/settings/address.ts";
import { tidyAddress } from "../../../server/domain/settings/tidy_address.ts";

describe("addressProblem()", () => {
  test("accepts hosts and addresses with and without a port", () => {
    for (const address of ["", "dashcam", "cam_1.lan", "10.0.0.1", "cam:80", "[::1]", "[fd00::20]:8080", "a1.b2"]) {
      expect(addressProblem(address)).toBeNull();
    }
  });
  test("refuses everything else", () => {
    const bad = [
      "http://cam",
      "cam/x",
      "a b",
      " cam",
      "u:p@cam",
      "::1",
      "cam:0",
      "cam:65536",
      "cam:",
      "10.0.0.256",
      "1.2.3",
      "[1.2.3.4]",
      "[fe80::1%eth0]",
      "-cam",
      "a..b",
      "cam?x",
      "cam#x",
      "[::1",
      "cam\n",
    ];
    for (const address of bad) expect(addressProblem(address)).toContain("is not an address");
  });
  test("names the host of an address with a path", () => {
    for (const [typed, host] of [
      ["192.168.1.20/x", "192.168.1.20"],
      ["http://cam.lan:8080/Record/x.mp4", "cam.lan:8080"],
      ["192.168.1.20//", "192.168.1.20"],
    ] as const)
      expect(addressProblem(tidyAddress(typed))).toEndWith(
        `is not an address: write "${host}", without http:// or a path`,
      );
  });
  test("does not repeat credentials", () => expect(addressProblem("admin:hunter2@cam")).not.toContain("hunter2"));
});

describe("tidyAddress()", () => {
  const rows: [typed: string, address: string][] = [
    ["cam", "cam"],
    [" 192.168.1.20:8080\n", "192.168.1.20:8080"],
    ["http://192.168.1.20", "192.168.1.20"],
    ["HTTPS://cam.lan:8080/blackvue_vod.cgi?a=b", "cam.lan:8080"],
    // With another path it is refused: who typed that may have meant something else.
    ["192.168.1.20/x", "192.168.1.20/x"],
    ["http://cam.lan/Record/x.mp4", "cam.lan/Record/x.mp4"],
    ["cam/blackvue_vod.cgi/x", "cam/blackvue_vod.cgi/x"],
    ["http://[fd00::20]:8080/", "[fd00::20]:8080"],
    ["cam/", "cam"],
    ["http://", ""],
    // Texts that are no such address are shown as they were typed.
    ["ftp://cam", "ftp://cam"],
    ["http:///x", "/x"],
    ["http://user@cam/", "user@cam"],
  ];
  for (const [typed, address] of rows)
    test(`reads ${JSON.stringify(typed)} as ${JSON.stringify(address)}`, () =>
      expect(tidyAddress(typed)).toBe(address));
});

describe("networkProblem()", () => {
  test("accepts addresses and ranges, host bits and blanks around them included", () => {
    for (const network of [
      "10.0.0.1",
      " 10.0.0.0/24 ",
      "10.0.0.5/24",
      "0.0.0.0/0",
      "::1",
      "fd00::/8",
      "::ffff:10.0.0.1",
    ]) {
      expect(networkProblem(network)).toBeNull();
    }
  });
  test("refuses everything else", () => {
    for (const network of [
      "",
      "proxy",
      "10.0.0",
      "10.0.0.0/33",
      "::1/129",
      "10.0.0.0/",
      "10.0.0.0/8/8",
      "10.0.0.0/a",
    ]) {
      expect(networkProblem(network)).toContain("neither an IP address nor a range");
    }
  });
});
