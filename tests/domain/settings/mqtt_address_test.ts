import { expect, test } from "bun:test";
import {
  authorityPathProblem,
  brokerAt,
  brokerProblem,
  topicPrefixProblem,
} from "../../../server/domain/settings/mqtt_address.ts";

test("an address of a broker is read with its usual port, or its own", () => {
  const rows = [
    ["mqtt://host", { isEncrypted: false, host: "host", port: 1883 }],
    ["mqtts://host", { isEncrypted: true, host: "host", port: 8883 }],
    ["mqtt://host:80", { isEncrypted: false, host: "host", port: 80 }],
    ["MQTTS://Host.Example:1/", { isEncrypted: true, host: "host.example", port: 1 }],
    ["mqtt://10.0.0.2:1884", { isEncrypted: false, host: "10.0.0.2", port: 1884 }],
    ["mqtts://[fd00::2]", { isEncrypted: true, host: "fd00::2", port: 8883 }],
    ["mqtt://[fd00::2]:1884", { isEncrypted: false, host: "fd00::2", port: 1884 }],
  ] as const;
  for (const [address, broker] of rows) expect([address, brokerAt(address)]).toEqual([address, broker]);
});

test("everything else is refused, and what may be a password is not repeated", () => {
  for (const wrong of [
    "",
    "host",
    "host:1883",
    "mqtt://",
    "mqtt://:1883",
    "mqtt://host:",
    "mqtt://host:0",
    "mqtt://host:65536",
    "mqtt://host/path",
    "mqtt://host?a=b",
    "mqtt://host#a",
    "mqtt://a b",
    "mqtt://host\n",
    "ws://host",
    "tcp://host",
    "https://host",
  ])
    expect([wrong, brokerProblem(wrong)]).toEqual([wrong, expect.stringContaining("is not the address of a broker")]);
  expect(brokerProblem("mqtt://user:secret@host")).not.toContain("secret");
});

test("the beginning of topics is no pattern, and no empty part", () => {
  for (const fine of ["dashdock", "home/car", "a b", "Küche 🚗", "a//b"])
    expect([fine, topicPrefixProblem(fine)]).toEqual([fine, null]);
  for (const wrong of ["", " ", "#", "a/#", "+", "a+b", "/a", "a/", "/", "a\0b", "a\nb", "$SYS/a"])
    expect([wrong, topicPrefixProblem(wrong)]).toEqual([wrong, expect.any(String)]);
});

test("the file of an authority has a whole path", () => {
  expect(authorityPathProblem("/etc/ssl/own.pem")).toBeNull();
  for (const wrong of ["", "own.pem", "./own.pem", "/a\0b"])
    expect([wrong, authorityPathProblem(wrong)]).toEqual([wrong, expect.any(String)]);
});
