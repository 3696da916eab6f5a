import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
// Polling loads this when it first asks: here it is loaded before.
import "../../../islands/browser/fragment.ts";
import "../../../islands/browser/morph.ts";
import { startPolling } from "../../../islands/browser/poll.ts";
import { DomPage, settled } from "../../support/browser/dom.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const NOTE = '<p id="no-connection" hidden></p>';
const card = (text: string, more = "") =>
  `<div id="storage-card" data-poll="/hx/storage-card" data-every="5"${more}>${text}</div>`;

/** A service that answers with whatever the test says last. */
class Fragments {
  readonly asked: string[] = [];
  headers: unknown = {};
  answer: () => Response | Promise<Response> = () => new Response(card("fresh"));

  readonly get = async (path: string, init?: RequestInit): Promise<Response> => {
    this.asked.push(path);
    this.headers = init?.headers;
    return await this.answer();
  };
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    jest.advanceTimersByTime(1000);
    await settled();
  }
}

function start(body: string): { dom: DomPage; service: Fragments } {
  const dom = new DomPage(NOTE + body, { path: "/?from=phone" });
  const service = new Fragments();
  startPolling(dom.page, service.get);
  return { dom, service };
}

describe("polled cards", () => {
  test("are asked for every data-every seconds, and changed in place", async () => {
    const { dom, service } = start(card("drawn"));
    await using _ = dom;
    const element = dom.get("storage-card");
    await pass(4);
    expect(service.asked).toEqual([]);
    await pass(1);
    expect(service.asked).toEqual(["/hx/storage-card"]);
    expect(service.headers).toEqual({ "hx-request": "true", "hx-current-url": "http://dashdock.test/?from=phone" });
    expect(dom.get("storage-card")).toBe(element);
    expect(element.textContent).toBe("fresh");
    await pass(10);
    expect(service.asked).toHaveLength(3);
  });

  test("keep the focus, and what is written in them", async () => {
    const inside = (text: string) => `<b>${text}</b><button id="in">Again</button>`;
    const { dom, service } = start(card(inside("drawn")));
    await using _ = dom;
    service.answer = () => new Response(card(inside("fresh")));
    dom.get("in").focus();
    const button = dom.page.activeElement;
    await pass(5);
    expect(dom.get("storage-card").textContent).toBe("freshAgain");
    expect(dom.page.activeElement).toBe(button);
    expect(dom.get("in") === button).toBe(true);
  });

  test("are asked for at once when the page could not wait for them, but once only", async () => {
    const soon = card("drawn", " data-soon");
    const { dom, service } = start(soon);
    await using _ = dom;
    service.answer = () => new Response(soon);
    await pass(1);
    expect(service.asked).toHaveLength(1);
    await pass(3);
    expect(service.asked).toHaveLength(1);
    await pass(2);
    expect(service.asked).toHaveLength(2);
  });

  test("rest while the tab is hidden, and are asked for at once when it is shown again", async () => {
    const { dom, service } = start(card("drawn"));
    await using _ = dom;
    dom.hide(true);
    await pass(60);
    expect(service.asked).toEqual([]);
    dom.hide(false);
    await pass(1);
    expect(service.asked).toHaveLength(1);
    // Just seen: looking away and back asks nothing more.
    dom.hide(true);
    dom.hide(false);
    await pass(3);
    expect(service.asked).toHaveLength(1);
  });

  test("go where the service sends the page", async () => {
    const { dom, service } = start(card("drawn"));
    await using _ = dom;
    service.answer = () => new Response("", { status: 401, headers: { "hx-redirect": "/login?next=%2F" } });
    await pass(5);
    expect(dom.left).toEqual(["/login?next=%2F"]);
    expect(dom.get("storage-card").textContent).toBe("drawn");
  });

  test("rest while the session has ended but the page stays, and go on when there is one again", async () => {
    const { dom, service } = start(card("drawn"));
    await using _ = dom;
    const hold = (event: Event) => event.preventDefault();
    dom.page.addEventListener("signedout", hold);
    service.answer = () => new Response("", { status: 401, headers: { "hx-redirect": "/login" } });
    await pass(60);
    dom.hide(true);
    dom.hide(false);
    await pass(60);
    expect([service.asked.length, dom.left]).toEqual([1, []]);
    service.answer = () => new Response(card("fresh"));
    dom.page.dispatchEvent(dom.event("signedin"));
    await pass(6);
    expect(dom.get("storage-card").textContent).toBe("fresh");
    expect(service.asked).toHaveLength(3);
  });

  test("are asked for ever more seldom while the service is away, which the page says", async () => {
    const { dom, service } = start(card("drawn"));
    await using _ = dom;
    service.answer = () => Promise.reject(new TypeError("Failed to fetch"));
    const counts = [];
    // After one failure 10 seconds, then 15, 20, 25, 30, and never more than 30.
    for (const seconds of [5, 10, 15, 20, 25, 30, 30]) {
      await pass(seconds - 1);
      counts.push(service.asked.length);
      await pass(1);
    }
    expect(counts).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(service.asked).toHaveLength(7);
    expect(dom.get("no-connection").hidden).toBe(false);
    expect(dom.get("storage-card").textContent).toBe("drawn");
    service.answer = () => new Response(card("back"));
    await pass(30);
    expect(dom.get("no-connection").hidden).toBe(true);
    expect(dom.get("storage-card").textContent).toBe("back");
    const before = service.asked.length;
    await pass(5);
    expect(service.asked).toHaveLength(before + 1);
  });

  test("stay as they are when the service answers with an error or with something else", async () => {
    const { dom, service } = start(card("drawn"));
    await using _ = dom;
    for (const answer of [
      new Response("<h1>Something went wrong</h1>", { status: 500 }),
      new Response('<div id="other">x</div>'),
      new Response(""),
    ]) {
      service.answer = () => answer.clone();
      await pass(10);
    }
    expect(service.asked.length).toBeGreaterThanOrEqual(3);
    expect(dom.get("storage-card").textContent).toBe("drawn");
    expect(dom.get("no-connection").hidden).toBe(true);
  });

  test("are not asked for again before an answer has come", async () => {
    const { dom, service } = start(card("drawn"));
    await using _ = dom;
    const slow = Promise.withResolvers<Response>();
    service.answer = () => slow.promise;
    await pass(5);
    dom.hide(true);
    dom.hide(false);
    await pass(8);
    expect(service.asked).toHaveLength(1);
    slow.resolve(new Response(card("late")));
    await pass(1);
    expect(dom.get("storage-card").textContent).toBe("late");
    await pass(5);
    expect(service.asked.length).toBeGreaterThan(1);
  });

  test("inside of islands are left to the island", async () => {
    const { dom, service } = start(`<div data-island="job_panel">${card("drawn")}</div>`);
    await using _ = dom;
    await pass(20);
    expect(service.asked).toEqual([]);
  });
});
