import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { eventStream, type StreamSource } from "../../../server/http/listen/event_stream.ts";
import type { Route } from "../../../server/http/request/route.ts";
import { StreamSlots } from "../../../server/http/request/stream_slots.ts";
import { Topic } from "../../../server/topic.ts";
import { type Browser, cheapHash, type HttpOptions, HttpStage, type StageApp, until } from "../../support/app/http.ts";

const KEEPALIVE = 30_000;
const fail = (): never => {
  throw new Error("no source");
};

/** A stage with a stream of a topic's values at `/api/stream`. */
class StreamStage implements AsyncDisposable {
  readonly http: HttpStage;
  readonly topic: Topic<unknown>;
  readonly #readers: Reader[] = [];

  private constructor(http: HttpStage, topic: Topic<unknown>) {
    this.http = http;
    this.topic = topic;
  }

  static async open(options: HttpOptions = { auth: { mode: "none" } }, own?: StreamSource): Promise<StreamStage> {
    const topic = new Topic<unknown>({ n: 0 });
    const source = own ?? { subscribe: (changed) => topic.subscribe(changed), next: () => topic.value };
    const handle: Route<StageApp>["handle"] = (context, app) =>
      eventStream(context, app, { event: "progress", source });
    const route: Route<StageApp> = { method: "GET", path: "/api/stream", access: "signed-in", handle };
    return new StreamStage(await HttpStage.open({ ...options, routes: [route] }), topic);
  }

  async read(browser: Browser = this.http.browser()): Promise<Reader> {
    const hangUp = new AbortController();
    const answer = await browser.ask("/api/stream", { signal: hangUp.signal });
    const reader = new Reader(answer, hangUp);
    this.#readers.push(reader);
    return reader;
  }

  get open(): number {
    return this.http.app.streams.open;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const reader of this.#readers) reader.hangUp();
    await this.http[Symbol.asyncDispose]();
  }
}

/** The frames of one stream. */
class Reader {
  readonly answer: Response;
  readonly #hangUp: AbortController;
  readonly #body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #text = "";

  constructor(answer: Response, hangUp: AbortController) {
    this.answer = answer;
    this.#hangUp = hangUp;
    this.#body = answer.body?.getReader();
  }

  /** The next frame, or null at the end. */
  async next(): Promise<string | null> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const frame = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return frame;
      }
      const { done, value } = (await this.#body?.read()) ?? { done: true, value: undefined };
      if (done) return null;
      this.#text += new TextDecoder().decode(value);
    }
  }

  hangUp(): void {
    this.#hangUp.abort();
  }
}

const frame = (value: unknown) => `event: progress\ndata: ${JSON.stringify(value)}`;

describe("eventStream()", () => {
  test("begins with the present value, under the headers of a stream", async () => {
    await using stage = await StreamStage.open();
    const reader = await stage.read();
    const { headers, status } = reader.answer;
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await reader.next()).toBe(frame({ n: 0 }));
  });

  test("sends at most five frames a second, and always the last value", async () => {
    await using stage = await StreamStage.open();
    const reader = await stage.read();
    await reader.next();
    for (let round = 1; round <= 5; round++) {
      const asleep = stage.http.clock.asleep(200);
      for (let n = 1; n <= 100; n++) stage.topic.set({ round, n });
      await asleep;
      await stage.http.clock.advance(200);
      expect(await reader.next()).toBe(frame({ round, n: 100 }));
    }
    await stage.http.clock.advance(200);
    stage.topic.set({ n: "late" });
    expect(await reader.next()).toBe(frame({ n: "late" }));
  });

  test("sends a comment after thirty silent seconds, and after thirty more", async () => {
    await using stage = await StreamStage.open();
    const asleep = stage.http.clock.asleep(KEEPALIVE);
    const reader = await stage.read();
    await reader.next();
    await asleep;
    for (let time = 0; time < 2; time++) {
      const again = stage.http.clock.asleep(KEEPALIVE);
      await stage.http.clock.advance(KEEPALIVE);
      expect(await reader.next()).toBe(": keepalive");
      await again;
    }
    stage.topic.set({ n: 1 });
    expect(await reader.next()).toBe(frame({ n: 1 }));
  });

  test("asks its source for what is new only, and sends nothing when that is nothing", async () => {
    let lines: number[] = [1, 2];
    let changed = () => {};
    const source: StreamSource = {
      subscribe: (listener) => {
        changed = listener;
        return () => {};
      },
      next: () => (lines.length === 0 ? undefined : { lines: lines.splice(0) }),
    };
    await using stage = await StreamStage.open(undefined, source);
    const reader = await stage.read();
    expect(await reader.next()).toBe(frame({ lines: [1, 2] }));
    await stage.http.clock.advance(200);
    changed();
    lines = [3];
    changed();
    expect(await reader.next()).toBe(frame({ lines: [3] }));
  });

  test("answers HEAD without taking a slot", async () => {
    await using stage = await StreamStage.open({ auth: { mode: "none" }, streamLimit: 0 });
    const answer = await stage.http.browser().ask("/api/stream", { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
  });

  test("logs a source that breaks, and gives its slot back", async () => {
    const source: StreamSource = { subscribe: () => () => {}, next: () => fail() };
    await using stage = await StreamStage.open(undefined, source);
    const reader = await stage.read();
    expect(await reader.next()).toBeNull();
    expect(stage.open).toBe(0);
    expect(stage.http.warnings.join()).toContain("no source");
  });

  test("asks a client that does not read for nothing more, and lets it go after a minute", async () => {
    let asked = 0;
    let changed = () => {};
    const source: StreamSource = {
      subscribe: (listener) => {
        changed = listener;
        return () => {};
      },
      next: () => {
        asked++;
        return "x".repeat(1_000_000);
      },
    };
    await using stage = await StreamStage.open(undefined, source);
    const { port } = stage.http.listening;
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    try {
      socket.pause();
      socket.write("GET /api/stream HTTP/1.1\r\nHost: nas\r\n\r\n");
      await until(() => asked === 1);
      // The kernel buffers some frames at first; then nothing more is taken for twenty frames on end.
      let still = 0;
      for (let round = 0; still < 20 && round < 200; round++) {
        const before = asked;
        changed();
        await stage.http.clock.advance(200);
        still = asked === before ? still + 1 : 0;
      }
      expect(still).toBe(20);
      expect(stage.open).toBe(1);
      await stage.http.clock.advance(60_000);
      await until(() => stage.open === 0);
    } finally {
      socket.destroy();
    }
  });
});

describe("the slots", () => {
  test("are sixteen in all; the next stream is told to come back", async () => {
    await using stage = await StreamStage.open();
    const readers = await Promise.all(Array.from({ length: 16 }, () => stage.read()));
    for (const reader of readers) expect(await reader.next()).toBe(frame({ n: 0 }));
    const answer = await stage.http.browser().ask("/api/stream");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await answer.json()).toEqual({
      error: expect.any(String),
      code: "TOO_MANY_STREAMS",
      details: { limit: 16 },
    });
    readers[3]?.hangUp();
    await until(() => stage.open === 15);
    expect((await stage.read()).answer.status).toBe(200);
    expect((await stage.http.browser().ask("/api/stream")).status).toBe(503);
  });

  test("are free again at once when clients hang up, before and after they read", async () => {
    await using stage = await StreamStage.open();
    for (let round = 0; round < 5; round++) {
      const readers = await Promise.all(Array.from({ length: 16 }, () => stage.read()));
      await readers[0]?.next();
      for (const reader of readers) reader.hangUp();
      await until(() => stage.open === 0);
    }
  });

  test("are free again at once when connections end, so that one page after the other gets its stream", async () => {
    await using stage = await StreamStage.open({});
    const browser = await stage.http.signedIn();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    for (let view = 0; view < 24; view++) {
      const begun = Promise.withResolvers<string>();
      const socket = connect(stage.http.listening.port, "127.0.0.1", () =>
        socket.write(`GET /api/stream HTTP/1.1\r\nHost: nas\r\nCookie: ${cookie}\r\n\r\n`),
      );
      let text = "";
      socket.on("data", (data) => {
        text += data;
        if (/\n\n|^HTTP\/1.1 503/.test(text)) begun.resolve(text);
      });
      socket.on("error", begun.reject);
      expect(await begun.promise).toContain(frame({ n: 0 }));
      // Only the client's half is closed, as a browser does that reads no more: nothing is left for the slot to wait for.
      const left = stage.open;
      socket.end();
      await until(() => stage.open < left);
    }
    expect(stage.open).toBe(0);
  });

  test("are given back once, and never somebody else's", () => {
    const slots = new StreamSlots({ limit: 2 });
    const same = () => {};
    const [one] = [slots.take(same), slots.take(same)];
    one?.();
    one?.();
    expect(slots.open).toBe(1);
    slots.take(same);
    expect(() => slots.take(same)).toThrow("2 live views");
    one?.();
    expect(slots.open).toBe(2);
  });
});

describe("an open stream ends", () => {
  const login: HttpOptions = {};
  const rows: [name: string, end: (stage: StreamStage, browser: Browser) => Promise<unknown>][] = [
    ["when the password changes", async ({ http }) => http.changeAuth({ password_hash: await cheapHash("other") })],
    ["when the session secret is replaced", ({ http }) => http.changeAuth({ session_secret: "" })],
    [
      "when its session is signed out",
      async (_, browser) => browser.ask("/logout", { form: { csrf_token: await browser.token() } }),
    ],
    [
      "when the mode no longer lets it in",
      ({ http }) => http.changeAuth({ mode: "proxy", trusted_proxies: ["10.0.0.1"] }),
    ],
    [
      "when its session has lasted its time",
      async ({ http }) => {
        http.clock.jump(86_400_000);
        await http.clock.advance(KEEPALIVE);
      },
    ],
    ["when the service stops", ({ http }) => http.listening.stop()],
  ];
  for (const [name, end] of rows)
    test(name, async () => {
      await using stage = await StreamStage.open(login);
      const browser = await stage.http.signedIn();
      const asleep = stage.http.clock.asleep(KEEPALIVE);
      const reader = await stage.read(browser);
      await reader.next();
      await asleep;
      await end(stage, browser);
      expect(await reader.next()).toBeNull();
      expect(stage.open).toBe(0);
    });

  test("when nobody is signed in any more, but not when another session is signed out or another setting changes", async () => {
    await using stage = await StreamStage.open(login);
    const browser = await stage.http.signedIn();
    const other = await stage.http.signedIn();
    const reader = await stage.read(browser);
    await reader.next();
    await other.ask("/logout", { form: { csrf_token: await other.token() } });
    await stage.http.app.settings.patch("viewer", { speed_unit: "mph" });
    await stage.http.changeAuth({ username: "anna" });
    await stage.http.clock.advance(200);
    stage.topic.set({ n: 1 });
    expect(await reader.next()).toBe(frame({ n: 1 }));
  });

  test("and none begins for somebody who is not signed in", async () => {
    await using stage = await StreamStage.open(login);
    const answer = await stage.http.browser().ask("/api/stream");
    expect([answer.status, stage.open]).toEqual([401, 0]);
  });
});

describe("the streams of one session", () => {
  test("may be all, until another session asks: the oldest ends for it, and half of all stay", async () => {
    await using stage = await StreamStage.open({ streamLimit: 4 });
    const one = await stage.http.signedIn();
    const other = await stage.http.signedIn();
    const readers = [];
    for (let at = 0; at < 4; at++) readers.push(await stage.read(one));
    for (const reader of readers) expect(await reader.next()).toBe(frame({ n: 0 }));
    const fifth = await one.ask("/api/stream");
    expect([fifth.status, fifth.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await fifth.json()).toMatchObject({ code: "TOO_MANY_STREAMS", details: { limit: 4 } });
    for (const at of [0, 1]) {
      expect((await stage.read(other)).answer.status).toBe(200);
      expect(await readers[at]?.next()).toBeNull();
      expect(stage.open).toBe(4);
    }
    expect((await other.ask("/api/stream")).status).toBe(503);
    expect((await one.ask("/api/stream")).status).toBe(503);
    readers[2]?.hangUp();
    await until(() => stage.open === 3);
    expect((await stage.read(one)).answer.status).toBe(200);
  });

  test("are at most as many as are allowed to one, where such cannot be ended", () => {
    const slots = new StreamSlots({ limit: 4, sessionLimit: 2, name: "archives" });
    for (let at = 0; at < 2; at++) slots.take(() => {}, "one");
    expect(() => slots.take(() => {}, "one")).toThrow("2 archives are open already by you");
    for (let at = 0; at < 2; at++) slots.take(() => {}, "other");
    expect(() => slots.take(() => {}, "third")).toThrow("4 archives are open already.");
  });

  test("may be all where nobody has a session", async () => {
    await using stage = await StreamStage.open({ auth: { mode: "none" }, streamLimit: 4 });
    const browser = stage.http.browser();
    for (const status of [200, 200, 200, 200, 503]) expect((await stage.read(browser)).answer.status).toBe(status);
  });
});
