import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { signal } from "@preact/signals";
import { refreshOnReturn } from "../../../../islands/settings/keep/refresh.ts";
import type { ConsentState } from "../../../../islands/settings/keep/shared.ts";
import { DomPage, settled } from "../../../support/browser/dom.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const standing = (bytes: number): ConsentState => ({
  kept: { entries: [], count: 0, amount: { recordings: 0, bytes: 0 } },
  trash: { recordings: 0, bytes, next: null, parts: [] },
  state: { held: null, problem: null, kept: { recordings: 0, bytes: 0 } },
  disk: null,
});

async function pass(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  await settled();
}

/** The page of settings as it would come now. */
function pageOf(now: ConsentState): string {
  const props = Bun.escapeHTML(JSON.stringify({ drawn: { standing: now } }));
  return `<!doctype html><html><body><div data-island="settings_form" data-props="${props}"></div></body></html>`;
}

/** A page of settings that is looked at again, with a service that answers or not. */
async function lookAgain(dom: DomPage, ask: (path: string) => Promise<Response>) {
  const keep = { standing: signal(standing(1)), round: signal(0) };
  refreshOnReturn({ page: dom.page, ask }, keep);
  dom.hide(true);
  dom.hide(false);
  await pass(1);
  return keep;
}

describe("how keeping and deleting stands", () => {
  test("is taken from the page as it would come now, when it is looked at again", async () => {
    await using dom = new DomPage('<p id="no-connection"></p>', { path: "/settings" });
    const keep = await lookAgain(dom, async (path) => new Response(path === "/settings" ? pageOf(standing(2)) : "{}"));
    expect(keep.standing.value).toEqual(standing(2));
    expect(keep.round.value).toBe(1);
    expect(dom.get("no-connection").hidden).toBe(true);
  });

  test("is waited for where a large library takes long to read", async () => {
    await using dom = new DomPage('<p id="no-connection" hidden></p>', { path: "/settings" });
    const slow = Promise.withResolvers<Response>();
    const keep = await lookAgain(dom, async (path) => (path === "/settings" ? slow.promise : new Response("{}")));
    await pass(30_000);
    slow.resolve(new Response(pageOf(standing(2))));
    await pass(0);
    expect(keep.standing.value).toEqual(standing(2));
    expect(dom.get("no-connection").hidden).toBe(true);
  });

  test("stays as it is while the service is away, which the page goes on saying", async () => {
    await using dom = new DomPage('<p id="no-connection"></p>', { path: "/settings" });
    const keep = await lookAgain(dom, () => Promise.reject(new TypeError("Failed to fetch")));
    expect(keep.standing.value).toEqual(standing(1));
    expect(dom.get("no-connection").hidden).toBe(false);
  });
});
