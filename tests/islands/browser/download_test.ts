import { describe, expect, test } from "bun:test";
import { askBeforeDownloads } from "../../../islands/browser/download.ts";
import { DomPage, settled } from "../../support/browser/dom.ts";

const BODY = `<a id="file" href="/media/a.mp4" download><b id="name">a.mp4</b></a><a id="page" href="/stats">Stats</a>
<div id="toasts"></div>`;
const ANSWERS = {
  fine: () => Response.json({ user: "admin" }),
  ended: () => Response.json({ error: "Sign in first.", code: "AUTH_REQUIRED" }, { status: 401 }),
  away: () => {
    throw new TypeError("no network");
  },
} as const;

/** A page whose questions are answered so, what it asked, and what the browser was left to do. */
function started(answer: keyof typeof ANSWERS) {
  const dom = new DomPage(BODY, { path: "/viewer?key=k" });
  const asked: string[] = [];
  const downloaded: string[] = [];
  askBeforeDownloads(dom.page, async (path) => {
    asked.push(path);
    return ANSWERS[answer]();
  });
  dom.page.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    if (!event.defaultPrevented) downloaded.push(link?.id ?? "");
    event.preventDefault();
  });
  return { dom, asked, downloaded };
}

describe("askBeforeDownloads()", () => {
  test("downloads what was clicked once it is known that a user is signed in", async () => {
    const { dom, asked, downloaded } = started("fine");
    await using _ = dom;
    dom.get("name").click();
    expect(downloaded).toEqual([]);
    await settled();
    expect(asked).toEqual(["/api/auth/me"]);
    expect(downloaded).toEqual(["file"]);
    dom.get("file").click();
    await settled();
    expect(downloaded).toEqual(["file", "file"]);
    expect(asked).toHaveLength(2);
  });

  test("leads to sign-in when the session has ended, and downloads nothing", async () => {
    const { dom, downloaded } = started("ended");
    await using _ = dom;
    dom.get("file").click();
    await settled();
    expect(dom.left).toEqual(["/login?next=%2Fviewer%3Fkey%3Dk"]);
    expect(downloaded).toEqual([]);
    expect(dom.get("toasts").textContent).toBe("");
  });

  test("says why nothing comes when the service does not answer", async () => {
    const { dom, downloaded } = started("away");
    await using _ = dom;
    dom.get("file").click();
    await settled();
    expect(dom.get("toasts").textContent).toContain("Dashdock does not answer");
    expect(downloaded).toEqual([]);
  });

  test("leaves other links, and clicks that open elsewhere, to the browser", async () => {
    const { dom, asked, downloaded } = started("fine");
    await using _ = dom;
    dom.get("page").click();
    const event = dom.event("click");
    Object.defineProperties(event, { ctrlKey: { value: true }, button: { value: 0 } });
    dom.get("file").dispatchEvent(event);
    expect(downloaded).toEqual(["page", "file"]);
    expect(asked).toEqual([]);
  });
});
