import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { listen } from "../../../islands/browser/stream.ts";
import { DomPage, settled } from "../../support/browser/dom.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** An EventSource that says what the test says. */
class Source extends EventTarget {
  readonly url: string;
  isClosed = false;

  constructor(url: string) {
    super();
    this.url = url;
  }

  close(): void {
    this.isClosed = true;
  }

  say(data: unknown): void {
    this.dispatchEvent(new MessageEvent("logs", { data: JSON.stringify(data) }));
  }

  fail(): void {
    this.dispatchEvent(new Event("error"));
  }
}

/** A page that listens, its sources and what it has heard. */
class Listener implements AsyncDisposable {
  readonly dom = new DomPage('<p id="no-connection" hidden></p>', { path: "/logs?level=error" });
  readonly sources: Source[] = [];
  readonly heard: unknown[] = [];
  readonly asked: string[] = [];
  url: string | (() => string) = "/api/logs/stream";
  answer: () => Promise<Response> = () => Promise.resolve(new Response("{}"));
  stop = () => {};

  start(): this {
    this.stop = listen(
      {
        url: this.url,
        event: "logs",
        page: this.dom.page,
        open: (url) => {
          const source = new Source(url);
          this.sources.push(source);
          return source as unknown as EventSource;
        },
        ask: (url) => {
          this.asked.push(url);
          return this.answer();
        },
      },
      (data) => this.heard.push(data),
    );
    return this;
  }

  get last(): Source {
    const last = this.sources.at(-1);
    if (!last) throw new Error("nothing has been opened");
    return last;
  }

  get isAway(): boolean {
    return !this.dom.get("no-connection").hidden;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.dom[Symbol.asyncDispose]();
  }
}

describe("listen()", () => {
  test("hands on the data of each event", async () => {
    await using listener = new Listener().start();
    expect(listener.last.url).toBe("/api/logs/stream");
    listener.last.say({ lines: [1] });
    listener.last.say({ lines: [2] });
    expect(listener.heard).toEqual([{ lines: [1] }, { lines: [2] }]);
  });

  test("closes while the tab is hidden, and opens again when it is shown", async () => {
    await using listener = new Listener().start();
    const first = listener.last;
    listener.dom.hide(true);
    expect(first.isClosed).toBe(true);
    jest.advanceTimersByTime(600_000);
    expect(listener.sources).toHaveLength(1);
    listener.dom.hide(false);
    expect(listener.sources).toHaveLength(2);
    expect(listener.last.isClosed).toBe(false);
  });

  test("asks anew each time where to open", async () => {
    await using listener = new Listener();
    let after = 0;
    listener.url = () => `/api/logs/stream?after=${after}`;
    listener.start();
    after = 7;
    listener.dom.hide(true);
    listener.dom.hide(false);
    expect(listener.sources.map(({ url }) => url)).toEqual(["/api/logs/stream?after=0", "/api/logs/stream?after=7"]);
  });

  test("opens nothing in a tab that begins hidden until it is shown", async () => {
    await using listener = new Listener();
    listener.dom.hide(true);
    listener.start();
    expect(listener.sources).toEqual([]);
    listener.dom.hide(false);
    expect(listener.sources).toHaveLength(1);
  });

  test("opens again after an error, each time later up to half a minute, and soon again once an event has come", async () => {
    await using listener = new Listener().start();
    const waits = [2, 4, 8, 16, 30, 30];
    for (const [count, seconds] of waits.entries()) {
      listener.last.fail();
      jest.advanceTimersByTime(seconds * 1000 - 1);
      expect(listener.sources).toHaveLength(count + 1);
      jest.advanceTimersByTime(1);
      expect(listener.sources).toHaveLength(count + 2);
    }
    listener.last.say({});
    listener.last.fail();
    jest.advanceTimersByTime(2000);
    expect(listener.sources).toHaveLength(waits.length + 2);
    expect(listener.sources.filter(({ isClosed }) => !isClosed)).toEqual([listener.last]);
  });

  test("does not open again by itself in a tab that was hidden meanwhile", async () => {
    await using listener = new Listener().start();
    listener.last.fail();
    listener.dom.hide(true);
    jest.advanceTimersByTime(60_000);
    expect(listener.sources).toHaveLength(1);
  });

  test("leads to sign-in and back when the session has ended", async () => {
    await using listener = new Listener().start();
    listener.answer = () => Promise.resolve(new Response("{}", { status: 401 }));
    listener.last.fail();
    await settled();
    expect(listener.asked).toEqual(["/api/auth/me"]);
    expect(listener.dom.left).toEqual(["/login?next=%2Flogs%3Flevel%3Derror"]);
  });

  test("says that the service is away, until an event comes", async () => {
    await using listener = new Listener().start();
    listener.answer = () => Promise.reject(new TypeError("Failed to fetch"));
    listener.last.fail();
    await settled();
    expect(listener.isAway).toBe(true);
    expect(listener.dom.left).toEqual([]);
    jest.advanceTimersByTime(2000);
    expect(listener.isAway).toBe(true);
    listener.last.say({});
    expect(listener.isAway).toBe(false);
  });

  test("does not call the service away when only the stream broke", async () => {
    await using listener = new Listener().start();
    listener.last.fail();
    await settled();
    expect([listener.isAway, listener.dom.left]).toEqual([false, []]);
  });

  test("stops for good when it is stopped", async () => {
    await using listener = new Listener().start();
    const { last } = listener;
    listener.stop();
    expect(last.isClosed).toBe(true);
    last.fail();
    listener.dom.hide(true);
    listener.dom.hide(false);
    jest.advanceTimersByTime(60_000);
    expect(listener.sources).toHaveLength(1);
    expect(listener.asked).toEqual([]);
  });
});
