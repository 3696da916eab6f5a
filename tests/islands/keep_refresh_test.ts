import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { signal } from "@preact/signals";
import { refreshOnReturn } from "../../islands/settings/keep/refresh.ts";
import type { KeepStanding } from "../../islands/settings/keep/shared.ts";
import { DomPage, settled } from "../support/dom.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const standing = (bytes: number): KeepStanding => ({
  kept: { entries: [], count: 0, amount: { recordings: 0, bytes: 0 } },
  trash: { recordings: 0, bytes, next: null, parts: [] },
  state: { held: null, problem: null, kept: { recordings: 0, bytes: 0 } },
  disk: null,
});

/** A page of settings that is looked at again, with a service that answers or not. */
async function lookAgain(dom: DomPage, ask: (path: string) => Promise<Response>) {
  const keep = { standing: signal(standing(1)), round: signal(0) };
  refreshOnReturn({ page: dom.page, ask }, keep);
  dom.hide(true);
  dom.hide(false);
  jest.advanceTimersByTime(1);
  await settled();
  return keep;
}

describe("how keeping and deleting stands", () => {
  test("is taken from the page as it would come now, when it is looked at again", async () => {
    await using dom = new DomPage('<p id="no-connection"></p>', { path: "/settings" });
    const fresh = Bun.escapeHTML(JSON.stringify({ deleting: { standing: standing(2) } }));
    const page = `<!doctype html><html><body><div data-island="settings_form" data-props="${fresh}"></div></body></html>`;
    const keep = await lookAgain(dom, async (path) => new Response(path === "/settings" ? page : "{}"));
    expect(keep.standing.value).toEqual(standing(2));
    expect(keep.round.value).toBe(1);
    expect(dom.get("no-connection").hidden).toBe(true);
  });

  test("stays as it is while the service is away, which the page goes on saying", async () => {
    await using dom = new DomPage('<p id="no-connection"></p>', { path: "/settings" });
    const keep = await lookAgain(dom, () => Promise.reject(new TypeError("Failed to fetch")));
    expect(keep.standing.value).toEqual(standing(1));
    expect(dom.get("no-connection").hidden).toBe(false);
  });
});
