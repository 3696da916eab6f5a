import { describe, expect, test } from "bun:test";
import { parseBody } from "../../../server/http/request/json_body.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const fields = (count: number) => `{${Array.from({ length: count }, (_, index) => `"f${index}":0`).join(",")}}`;

describe("parseBody()", () => {
  test("takes the longest lists that settings have, of what holds most colons", () => {
    const networks = Array(1000).fill("2001:db8:1:2:3:4:5:6/128");
    const sent = { trusted_proxies: networks, more: networks, mode: "proxy" };
    expect(parseBody(bytes(JSON.stringify(sent)))).toEqual(sent);
    const keys = Array.from({ length: 40_000 }, (_, index) => `20260607_101500_N${index}`);
    expect(parseBody(bytes(JSON.stringify({ keys })))).toEqual({ keys });
  });

  const rows: [name: string, most: string, more: string][] = [
    ["fields", fields(20_000), fields(20_001)],
    ["colons in texts", `{"a":"${":".repeat(19_999)}"}`, `{"a":"${":".repeat(20_000)}"}`],
    ["colons behind blanks", `{"a"${" ".repeat(1000)}:0}`, fields(20_001).replaceAll(":", " \n:")],
    ["nested lists", `${"[".repeat(1000)}${"]".repeat(1000)}`, `${"[".repeat(1001)}${"]".repeat(1001)}`],
    ["nested objects", `${'{"a":'.repeat(1000)}0${"}".repeat(1000)}`, `${'{"a":'.repeat(1001)}0${"}".repeat(1001)}`],
    ["lists and objects together", `[${"[],".repeat(499)}${"{},".repeat(499)}0]`, `[${"[],{},".repeat(500)}0]`],
    ["openings without an end", "[]", "[".repeat(1_000_000)],
  ];
  for (const [name, most, more] of rows)
    test(`looks into no text with too many ${name}`, () => {
      expect(parseBody(bytes(most))).toBeDefined();
      expect(() => parseBody(bytes(more))).toThrow("too many parts");
    });

  test("takes nothing that is no JSON, or no UTF-8", () => {
    for (const text of ["", "{", "{'a':1}", "nul"]) expect(() => parseBody(bytes(text))).toThrow();
    expect(() => parseBody(Uint8Array.of(0x22, 0xff, 0x22))).toThrow();
  });
});
