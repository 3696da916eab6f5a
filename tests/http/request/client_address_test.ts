import { describe, expect, test } from "bun:test";
import {
  clientAddress,
  guesserOf,
  isNear,
  isPublic,
  isWithin,
  mayBeProxy,
  networkOf,
} from "../../../server/http/request/client_address.ts";

describe("clientAddress()", () => {
  const rows: [name: string, peer: string, forwarded: string | null, trusts: boolean, expected: string][] = [
    ["the peer, when no proxy is trusted", "10.0.0.9", "1.2.3.4", false, "10.0.0.9"],
    ["the peer, when there is no header", "10.0.0.9", null, true, "10.0.0.9"],
    ["what the proxy added", "10.0.0.9", "1.2.3.4", true, "1.2.3.4"],
    ["the last element, because the client wrote the others", "10.0.0.9", "6.6.6.6, 1.2.3.4", true, "1.2.3.4"],
    ["the peer, when the last element is no address", "10.0.0.9", "1.2.3.4, unknown", true, "10.0.0.9"],
    ["the peer, when the last element is empty", "10.0.0.9", "1.2.3.4,", true, "10.0.0.9"],
    ["an address without its port", "10.0.0.9", "1.2.3.4:5678", true, "1.2.3.4"],
    ["IPv6 without brackets and port", "10.0.0.9", "[fd00::7]:5678", true, "fd00::7"],
    ["IPv6 as it is", "10.0.0.9", "fd00::7", true, "fd00::7"],
    ["IPv4 that came in through an IPv6 socket", "::ffff:10.0.0.9", null, false, "10.0.0.9"],
    ["without the zone of a peer", "fe80::1%eth0", null, false, "fe80::1"],
    ["without words in place of a zone", "10.0.0.9", "fe80::1%eth0 failed. Signed in from 10.0.0.1", true, "fe80::1"],
    ["without words behind IPv4", "10.0.0.9", "1.2.3.4%is fine", true, "1.2.3.4"],
    ["the same in hexadecimal", "::ffff:a00:9", null, false, "10.0.0.9"],
  ];
  for (const [name, peer, forwarded, trusts, expected] of rows)
    test(`is ${name}`, () => expect(clientAddress(peer, forwarded, trusts)).toBe(expected));
});

describe("isWithin()", () => {
  const yes: [address: string, networks: string[]][] = [
    ["10.0.0.1", ["10.0.0.1"]],
    ["10.0.0.1", [" 10.0.0.0/24 "]],
    ["10.0.0.1", ["0.0.0.0/0"]],
    ["::ffff:10.0.0.1", ["10.0.0.0/8"]],
    ["10.0.0.1", ["::ffff:10.0.0.0/104"]],
    ["10.0.0.1", ["not-an-ip", "10.0.0.1/33", "10.0.0.1"]],
    ["fd00::1", ["fd00::/8"]],
    ["fd00::1", ["FD00:0:0:0:0:0:0:1"]],
    ["fe80::1%eth0", ["fe80::/10"]],
    ["::1", ["::1/128"]],
    ["2001:db8::1", ["::/0"]],
  ];
  for (const [address, networks] of yes)
    test(`finds ${address} in ${networks.join(" or ")}`, () => expect(isWithin(address, networks)).toBe(true));

  const no: [address: string, networks: string[]][] = [
    ["10.0.1.1", ["10.0.0.0/24"]],
    ["::1", ["127.0.0.1"]],
    ["127.0.0.1", ["::1", "::/0"]],
    ["", ["0.0.0.0/0"]],
    ["garbage", ["0.0.0.0/0"]],
    ["10.0.0.1", []],
    ["10.0.0.1", ["10.0.0.0/24/1", "10.0.0.0/", "10.0.0.0/x", "10.0.0/8", "/8", ""]],
    ["10.0.0.1", ["::ffff:10.0.0.0/95"]],
    ["1::2::3", ["::/0"]],
    ["1:2:3:4:5:6:7:8:9", ["::/0"]],
    ["010.0.0.1", ["10.0.0.1"]],
  ];
  for (const [address, networks] of no)
    test(`does not find "${address}" in ${networks.join(" or ") || "nothing"}`, () =>
      expect(isWithin(address, networks)).toBe(false));
});

describe("guesserOf()", () => {
  const same: [string, string][] = [
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"],
    ["::ffff:10.0.0.1", "10.0.0.1"],
  ];
  for (const [one, other] of same)
    test(`takes ${one} and ${other} for one`, () => expect(guesserOf(one)).toBe(guesserOf(other)));

  const different: [string, string][] = [
    ["2001:db8:1:2::1", "2001:db8:1:3::1"],
    ["10.0.0.1", "10.0.0.2"],
    ["10.0.0.1", "::a00:1"],
  ];
  for (const [one, other] of different)
    test(`tells ${one} and ${other} apart`, () => expect(guesserOf(one)).not.toBe(guesserOf(other)));
});

describe("isNear() and isPublic()", () => {
  const rows: [address: string, near: boolean, isOfTheInternet: boolean][] = [
    ["127.0.0.1", true, false],
    ["127.9.9.9", true, false],
    ["::1", true, false],
    ["10.255.0.1", true, false],
    ["172.16.0.1", true, false],
    ["172.31.255.255", true, false],
    ["172.32.0.1", false, true],
    ["192.168.1.2", true, false],
    ["192.169.1.2", false, true],
    ["169.254.3.4", true, false],
    ["fd00::1", true, false],
    ["fe80::1%eth0", true, false],
    ["::ffff:192.168.1.2", true, false],
    ["::ffff:c0a8:102", true, false],
    ["::ffff:8.8.8.8", false, true],
    ["::192.168.1.2", false, true],
    ["100.64.0.1", false, false],
    ["203.0.113.9", false, true],
    ["2001:db8::1", false, true],
    ["0.0.0.0", false, false],
    ["::", false, false],
    ["", false, false],
    ["garbage", false, false],
    ["10.0.0.1, 8.8.8.8", false, false],
  ];
  for (const [address, near, isOfTheInternet] of rows)
    test(`"${address}"`, () => expect([isNear(address), isPublic(address)]).toEqual([near, isOfTheInternet]));
});

describe("mayBeProxy()", () => {
  const rows: [peer: string, named: string[], expected: boolean][] = [
    ["127.0.0.1", [], true],
    ["192.168.1.2", ["10.0.0.1"], true],
    ["203.0.113.9", [], false],
    ["203.0.113.9", ["203.0.113.0/24"], true],
    ["::ffff:203.0.113.9", ["203.0.113.9"], true],
    ["2001:db8::1", ["fd00::/8"], false],
    ["", [], false],
  ];
  for (const [peer, named, expected] of rows)
    test(`${peer || "nothing"} with ${named.join(", ") || "none named"}`, () =>
      expect(mayBeProxy(peer, named)).toBe(expected));
});

describe("networkOf()", () => {
  test("is the /48 of an IPv6 address, and null for IPv4 however it is written", () => {
    expect(networkOf("2001:db8:1:2::1")).toBe(networkOf("2001:db8:1:ffff::1"));
    expect(networkOf("2001:db8:1:2::1")).not.toBe(networkOf("2001:db8:2:2::1"));
    expect([networkOf("10.0.0.1"), networkOf("::ffff:10.0.0.1"), networkOf("garbage")]).toEqual([null, null, null]);
  });
});
