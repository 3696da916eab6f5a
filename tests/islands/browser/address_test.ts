import { afterEach, expect, test } from "bun:test";
import { h, options } from "preact";
import { reached } from "../../../islands/browser/address.ts";
import { leaveForSignIn, send } from "../../../islands/browser/client.ts";
import { fetchFragment } from "../../../islands/browser/fragment.ts";
import { ownPath } from "../../../islands/browser/own_path.ts";
import { asked } from "../../../islands/browser/page_camera.ts";
import { startLinks } from "../../../islands/browser/start_links.ts";
import { DomPage } from "../../support/browser/dom.ts";

const before = options.vnode;
afterEach(() => {
  if (before === undefined) delete options.vnode;
  else options.vnode = before;
});

function pageBelow(base: string, camera?: string): DomPage {
  const dom = new DomPage("", { path: `${base}/viewer?key=1#t` });
  if (base !== "") dom.page.documentElement.dataset["base"] = base;
  if (camera !== undefined) dom.page.documentElement.dataset["camera"] = camera;
  return dom;
}

test("an address is reached below the base of the page, and its path is read without it", async () => {
  await using dom = pageBelow("/dashcam");
  const { page } = dom;
  expect(reached("/viewer?key=1", page)).toBe("/dashcam/viewer?key=1");
  expect(ownPath(page.location, page)).toBe("/viewer");
  await using plain = pageBelow("");
  expect([reached("/viewer", plain.page), ownPath(plain.page.location, plain.page)]).toEqual(["/viewer", "/viewer"]);
});

test("a base of the name of a page is put before that page, too", async () => {
  await using dom = pageBelow("/viewer");
  expect([reached("/viewer/x", dom.page), ownPath(dom.page.location, dom.page)]).toEqual([
    "/viewer/viewer/x",
    "/viewer",
  ]);
});

test("what is asked for has the camera of the page and its base", async () => {
  await using dom = pageBelow("/dashcam", "van");
  expect(asked("/api/status", dom.page)).toBe("/dashcam/api/status?camera=van");
});

test("the API is asked below it for addresses without it, a part of the page likewise", async () => {
  for (const base of ["/dashcam", ""]) {
    await using dom = pageBelow(base);
    const seen: unknown[] = [];
    const ask = async (path: string, init: RequestInit = {}) => {
      seen.push([path, new Headers(init.headers).get("accept")]);
      return new Response(path.includes("/hx/") ? "<p>" : "{}");
    };
    await send("GET /api/status", undefined, undefined, { page: dom.page, ask });
    await fetchFragment({ page: dom.page, ask }, "/hx/state", new AbortController().signal);
    expect(seen).toEqual([
      [`${base}/api/status`, "application/json;base=no"],
      [`${base}/hx/state`, null],
    ]);
  }
});

test("sign-in is below it, and leads back to the page within the service", async () => {
  await using dom = pageBelow("/dashcam");
  leaveForSignIn(dom.page);
  expect(dom.left).toEqual([`/dashcam/login?next=${encodeURIComponent("/viewer?key=1#t")}`]);
});

test("elements that islands draw lead below it, links to pages of the camera as well", async () => {
  await using dom = pageBelow("/dashcam", "van");
  startLinks(dom.page);
  const propsOf = (type: string, props: object) => h(type, props).props as object;
  expect(propsOf("a", { href: "/stats", class: "b" })).toEqual({ href: "/dashcam/stats?camera=van", class: "b" });
  expect(propsOf("a", { href: "#x" })).toEqual({ href: "#x" });
  expect(propsOf("video", { src: "/media/a.mp4", poster: "/media/a.thm" })).toEqual({
    src: "/dashcam/media/a.mp4",
    poster: "/dashcam/media/a.thm",
  });
  expect(propsOf("img", { src: "blob:x" })).toEqual({ src: "blob:x" });
  expect(propsOf("form", { action: "/login" })).toEqual({ action: "/dashcam/login" });
  const Part = ({ href }: { readonly href: string }) => h("a", { href });
  expect(h(Part, { href: "/stats" }).props.href).toBe("/stats");
});

test("elements stay as they are on a page of one camera with a host of its own", async () => {
  await using dom = pageBelow("");
  startLinks(dom.page);
  expect(options.vnode).toBe(before as never);
});
