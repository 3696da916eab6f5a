import { describe, expect, test } from "bun:test";
import { nextPage, pageOf, signInPath } from "../../../server/http/auth/return_path.ts";

describe("nextPage()", () => {
  const allowed = ["/", "/settings", "/viewer?date=2026-06-07", "/viewer#t=3", "/%5Ce", "/a/b", "/loginish", "/apiary"];
  for (const wanted of allowed) test(`allows ${wanted}`, () => expect(nextPage(wanted)).toBe(wanted));

  const refused = [
    ...["", "//e", "///e", "////e", "/\\e", "\\/e", "\\\\e", "/\t/e", "/\n/e", "\t//e", " //e", "/ /e"],
    ...["http://e", "https:e", "https://e/settings", "javascript:alert(1)", "data:text/html,x", "settings", "?x", "e"],
    ...["/.//e", "/x/..//e", "/./\\e", "/%2e//e", "/.%2E//e", "/\u0000", "/\u007f", `/${"a".repeat(3000)}`],
    ...["/login", "/login?next=/settings", "/login/", "/logout", "/first-run", "/api/auth/me", "/api", "/hx/card"],
    ...["/x/../login", "/./logout", "/%2e/api/act"],
  ];
  for (const wanted of refused)
    test(`refuses ${JSON.stringify(wanted.slice(0, 40))}`, () => expect(nextPage(wanted)).toBe("/"));

  test("leads to the dashboard when nothing is wanted", () => expect(nextPage(null)).toBe("/"));
  test("writes other letters as a header can carry them", () => expect(nextPage("/ü")).toBe("/%C3%BC"));
});

describe("signInPath()", () => {
  const rows: [wanted: string, expected: string][] = [
    ["/", "/login?next=/"],
    ["/settings", "/login?next=/settings"],
    ["/viewer?date=2026-06-07&x=1", "/login?next=/viewer%3Fdate%3D2026-06-07%26x%3D1"],
    ["/settings#auth", "/login?next=/settings%23auth"],
    ["/logout", "/login?next=/"],
    ["//evil.example", "/login?next=/"],
  ];
  for (const [wanted, expected] of rows)
    test(`leads back to ${wanted}`, () => expect(signInPath(wanted)).toBe(expected));
});

describe("pageOf()", () => {
  const url = new URL("http://nas:8080/hx/card?x=1");
  const rows: [name: string, current: string | null, isFragment: boolean, expected: string][] = [
    ["the path and query of a page", "http://nas:8080/other", false, "/hx/card?x=1"],
    ["the page that shows a fragment, with its hash", "http://nas:8080/viewer?key=a#t=3", true, "/viewer?key=a#t=3"],
    ["the dashboard, when the page is not named", null, true, "/"],
    ["the dashboard, when the page makes no sense", "http://[", true, "/"],
  ];
  for (const [name, current, isFragment, expected] of rows)
    test(`is ${name}`, () => expect(pageOf(url, current, { isFragment, base: "" })).toBe(expected));

  test("is the page within the service, below whatever base the browser shows it", () => {
    const of = (current: string) => pageOf(url, current, { isFragment: true, base: "/dashcam" });
    expect([of("http://nas:8080/dashcam/viewer?key=a#t=3"), of("http://nas:8080/other/viewer")]).toEqual([
      "/viewer?key=a#t=3",
      "/other/viewer",
    ]);
  });
});
