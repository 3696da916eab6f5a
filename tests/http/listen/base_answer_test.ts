import { describe, expect, test } from "bun:test";
import { baseAnswer, baseMarkup } from "../../../server/http/listen/base_answer.ts";

const BASE = { path: "/dashcam", isTold: false, isFrame: false };
const HTML = { "content-type": "text/html; charset=utf-8" };

describe("markup below a base", () => {
  const rows: [name: string, before: string, after: string][] = [
    [
      "leads below it with links, forms and files",
      '<a href="/">x</a><form action="/login"></form><img src="/media/a.thm"><video poster="/x" src="/y"></video>',
      '<a href="/dashcam/">x</a><form action="/dashcam/login"></form><img src="/dashcam/media/a.thm"><video poster="/dashcam/x" src="/dashcam/y"></video>',
    ],
    [
      "leaves what leads elsewhere",
      '<a href="#x"></a><a href="https://a.example/"></a><a href="//a.example"></a><a href="?x=1"></a><a href="F.mp4"></a>',
      '<a href="#x"></a><a href="https://a.example/"></a><a href="//a.example"></a><a href="?x=1"></a><a href="F.mp4"></a>',
    ],
    [
      "leaves texts, and data for scripts",
      '<p> href=&quot;/x</p><b data-poll="/hx/state" data-props="{&quot;href&quot;:&quot;/x&quot;}"></b>',
      '<p> href=&quot;/x</p><b data-poll="/hx/state" data-props="{&quot;href&quot;:&quot;/x&quot;}"></b>',
    ],
    [
      "names it to the scripts of a whole page",
      '<!doctype html><html lang="en"><p>&lt;html</p></html>',
      '<!doctype html><html data-base="/dashcam" lang="en"><p>&lt;html</p></html>',
    ],
  ];
  for (const [name, before, after] of rows) test(name, () => expect(baseMarkup(before, BASE.path)).toBe(after));
});

describe("an answer below a base", () => {
  test("leads below it with its headers", async () => {
    for (const name of ["location", "hx-redirect"]) {
      const to = async (address: string) =>
        (await baseAnswer(new Response(null, { status: 302, headers: { [name]: address } }), BASE)).headers.get(name);
      expect([await to("/login?next=/"), await to("https://a.example/"), await to("//a.example")]).toEqual([
        "/dashcam/login?next=/",
        "https://a.example/",
        "//a.example",
      ]);
    }
  });

  test("keeps its status, its headers and its other bodies as they are", async () => {
    const video = new Response("video", { status: 206, headers: { "content-type": "video/mp4", etag: "x" } });
    expect(await baseAnswer(video, BASE)).toBe(video);
    const page = await baseAnswer(new Response("<a href='/'>", { status: 404, headers: { ...HTML, etag: "x" } }), BASE);
    expect([page.status, page.headers.get("etag"), await page.text()]).toEqual([404, "x", "<a href='/'>"]);
  });

  test("may be in a frame of Home Assistant's page, and in no other", async () => {
    const policy = "default-src 'none'; frame-ancestors 'none'";
    const made = () => new Response("<p>", { headers: { ...HTML, "content-security-policy": policy } });
    const policyOf = async (isFrame: boolean) =>
      (await baseAnswer(made(), { ...BASE, isFrame })).headers.get("content-security-policy");
    expect(await policyOf(true)).toBe("default-src 'none'; frame-ancestors 'self'");
    expect(await policyOf(false)).toBe(policy);
  });
});
