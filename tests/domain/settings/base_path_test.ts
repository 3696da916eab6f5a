import { describe, expect, test } from "bun:test";
import { withBase, withoutBase } from "../../../server/domain/settings/base_address.ts";
import { basePathProblem, isBasePath } from "../../../server/domain/settings/base_path.ts";
import { addressForOthers } from "../../../server/domain/settings/public_address.ts";

describe("isBasePath()", () => {
  const good = [
    ...["/dashcam", "/a", "/home/dashcam", "/api/hassio_ingress/a1-_~.B", "/...", "/.well-known", "/a.b"],
    `/${"a".repeat(199)}`,
  ];
  for (const path of good) test(`takes ${path.slice(0, 40)}`, () => expect(isBasePath(path)).toBe(true));

  const bad = [
    ...["", "/", "dashcam", "/dashcam/", "//dashcam", "/dash//cam", "//evil.example", "/\\evil"],
    ...["/.", "/..", "/./dashcam", "/dashcam/..", "/a/../b", "/a/./b"],
    ...["/%64ashcam", "/a%2fb", "/%2e%2e", "/dash cam", "/dash\tcam", "/dashcam\n", "/dashcam\r\nx: y"],
    ...["/dashcam?x", "/dashcam#x", "/a:b", "/a,b", "/a, /b", "/a;b", '/a"b', "/<a>", "/dàsh", "http://evil/x", "/*"],
    `/${"a".repeat(200)}`,
  ];
  for (const path of bad)
    test(`does not take ${JSON.stringify(path.slice(0, 40))}`, () => {
      expect(isBasePath(path)).toBe(false);
      expect(basePathProblem(path) === null).toBe(path === "");
    });
});

describe("addresses below a base", () => {
  const rows: [address: string, expected: string][] = [
    ["/", "/dashcam/"],
    ["/viewer?key=1#t", "/dashcam/viewer?key=1#t"],
    ["/dashcam", "/dashcam/dashcam"],
    ["//other.example/x", "//other.example/x"],
    ["https://other.example/", "https://other.example/"],
    ["#here", "#here"],
    ["?x=1", "?x=1"],
    ["blob:x", "blob:x"],
    ["", ""],
  ];
  for (const [address, expected] of rows)
    test(`make ${expected} of ${JSON.stringify(address)}`, () => expect(withBase(address, "/dashcam")).toBe(expected));

  test("stay as they are without one", () => {
    expect(rows.map(([address]) => withBase(address, ""))).toEqual(rows.map(([address]) => address));
    expect(withoutBase("/viewer", "")).toBe("/viewer");
  });

  test("lose it once, and only the whole of it", () => {
    expect(
      ["/dashcam/viewer", "/dashcam/", "/dashcam", "/dashcam2/viewer", "/viewer", "/dashcam/dashcam/x"].map((path) =>
        withoutBase(path, "/dashcam"),
      ),
    ).toEqual(["/viewer", "/", "/dashcam", "/dashcam2/viewer", "/viewer", "/dashcam/x"]);
  });
});

describe("the address for others", () => {
  const rows: [url: string | null, base: string, expected: string | null][] = [
    [null, "/dashcam", null],
    ["https://cam.example", "", "https://cam.example"],
    ["https://cam.example/", "/dashcam", "https://cam.example/dashcam"],
    ["https://cam.example/dashcam", "/dashcam", "https://cam.example/dashcam"],
    ["https://cam.example/other/", "/dashcam", "https://cam.example/other/"],
  ];
  for (const [url, base, expected] of rows)
    test(`is ${expected} for ${url} and the base ${JSON.stringify(base)}`, () => {
      const found = addressForOthers({ web: { public_url: url, base_path: base } });
      expect(found?.replace(/^(https:\/\/[^/]*)\/$/, "$1") ?? null).toBe(expected);
    });
});
