import { describe, expect, test } from "bun:test";
import type { NetworkInterfaceInfo } from "node:os";
import { Reach } from "../../../server/http/request/reach.ts";

const V4 = { netmask: "", mac: "", internal: false, family: "IPv4" } as const;
const V6 = { netmask: "", mac: "", internal: false, family: "IPv6", scopeid: 0 } as const;

function reachOf(...cidrs: string[]): Reach {
  const addresses = cidrs.map((cidr): NetworkInterfaceInfo => {
    const [address = ""] = cidr.split("/");
    return cidr.includes(":") ? { ...V6, address, cidr } : { ...V4, address, cidr };
  });
  return new Reach({ interfaces: () => ({ eth0: addresses, gone: undefined }) });
}

describe("Reach", () => {
  const rows: [host: string, own: string[], expected: string | null][] = [
    ["127.0.0.1", ["203.0.113.5/24"], null],
    ["localhost", ["203.0.113.5/24"], null],
    ["0.0.0.0", ["127.0.0.1/8", "192.168.1.5/24"], null],
    ["0.0.0.0", ["127.0.0.1/8", "203.0.113.5/24"], "203.0.113.5"],
    ["::", ["203.0.113.5/24"], "203.0.113.5"],
    ["0.0.0.0", ["100.64.0.7/10"], null],
    ["::", ["2001:db8:1::5/64"], null],
    ["2001:db8:1::5", ["2001:db8:1::5/64"], "2001:db8:1::5"],
    ["203.0.113.5", [], "203.0.113.5"],
  ];
  for (const [host, own, expected] of rows)
    test(`listening on ${host} with ${own.join(", ") || "no address"}`, () => {
      const reach = reachOf(...own);
      expect(reach.listensOn).toBeNull();
      reach.listens(host);
      expect(reach.listensOn).toBe(expected);
    });

  test("remembers the first that came from the internet, and takes no neighbour for one", () => {
    const reach = reachOf("192.168.1.5/24", "2001:db8:1::5/64");
    for (const peer of ["127.0.0.1", "192.168.1.9", "2001:db8:1::77", "fe80::1%eth0", "100.100.1.1", "", "x"])
      reach.note(peer);
    expect(reach.cameFrom).toBeNull();
    for (const peer of ["2001:db8:2::77", "203.0.113.9"]) reach.note(peer);
    expect(reach.cameFrom).toBe("2001:db8:2::77");
  });
});
