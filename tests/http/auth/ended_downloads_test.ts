import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type RunningApp, startApp } from "../../support/app/app.ts";
import { Browser, cheapHash, PASSWORD, until } from "../../support/app/http.ts";

setDefaultTimeout(30_000);

const KEY = "20260607_101500_N";
/** More than the system takes from a program on behalf of a client that reads nothing. */
const BYTES = 60_000_000;
const WAYS: readonly (readonly [name: string, path: string, more?: string])[] = [
  ["a video", `/media/${KEY}F.mp4`],
  ["a part of a video", `/media/${KEY}F.mp4`, "Range: bytes=1000-\r\n"],
  ["an archive", `/api/viewer/export/zip?key=${KEY}`],
];

let app: RunningApp;
beforeEach(async () => {
  app = await startApp({ mode: "login", password: PASSWORD });
  mkdirSync(app.destination, { recursive: true });
  const video = join(app.destination, `${KEY}F.mp4`);
  writeFileSync(video, "");
  truncateSync(video, BYTES);
  await app.app.library.refresh();
});
afterEach(() => app[Symbol.asyncDispose]());

async function signedIn(): Promise<Browser> {
  const browser = new Browser(app.url, {});
  expect((await browser.signIn("admin", PASSWORD)).status).toBe(302);
  return browser;
}

/** A client that has taken the beginning of an answer, and nothing more until it is told to. */
class SlowReader {
  bytes = 0;
  isClosed = false;
  readonly #socket;

  private constructor(path: string, cookies: string, more: string, begun: () => void) {
    const { port } = new URL(app.url);
    this.#socket = connect(Number(port), "127.0.0.1", () =>
      this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookies}\r\n${more}\r\n`),
    );
    this.#socket.on("data", (data) => {
      if (this.bytes === 0) {
        expect(data.toString("latin1")).toMatch(/^HTTP\/1\.1 20[06] /);
        this.#socket.pause();
        begun();
      }
      this.bytes += data.length;
    });
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => {
      this.isClosed = true;
    });
  }

  static async open({ cookies }: Browser, path: string, more = ""): Promise<SlowReader> {
    const text = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const begun = Promise.withResolvers<void>();
    const reader = new SlowReader(path, text, more, begun.resolve);
    await begun.promise;
    return reader;
  }

  /** Takes what is still to come. @returns true when that was all of it */
  async rest(): Promise<boolean> {
    this.#socket.resume();
    await until(() => this.isClosed || this.bytes >= BYTES - 1000, 20_000);
    this.#socket.destroy();
    return this.bytes >= BYTES - 1000;
  }
}

const ENDS: readonly (readonly [name: string, end: (browser: Browser) => Promise<unknown>])[] = [
  [
    "the password is changed",
    async () => {
      const password_hash = await cheapHash("another horse battery staple");
      await app.app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, password_hash } }));
    },
  ],
  [
    "all sessions are ended",
    async (browser) => {
      const headers = { "x-csrftoken": await browser.token("/") };
      expect((await browser.ask("/api/auth/sessions", { method: "DELETE", headers })).status).toBeLessThan(300);
    },
  ],
];

describe("what is on its way", () => {
  for (const [what, path, more] of WAYS) {
    for (const [name, end] of ENDS)
      test(`is cut off, ${what}, when ${name}`, async () => {
        const browser = await signedIn();
        const reader = await SlowReader.open(await signedIn(), path, more);
        await end(browser);
        expect(await reader.rest()).toBe(false);
      });

    test(`is cut off, ${what}, when its own session is signed out, and another's goes on`, async () => {
      const browser = await signedIn();
      const other = await signedIn();
      const readers = [await SlowReader.open(browser, path, more), await SlowReader.open(other, path, more)] as const;
      expect((await browser.ask("/logout", { form: { csrf_token: await browser.token("/") } })).status).toBe(302);
      expect(await readers[0].rest()).toBe(false);
      expect(await readers[1].rest()).toBe(true);
      await until(() => app.app.downloads.open === 0);
    });
  }

  for (const [what, path, more = ""] of WAYS)
    test(`is cut off, ${what}, when its key is revoked, and another's goes on`, async () => {
      const made = [await app.app.keys.make("one", "recordings"), await app.app.keys.make("other", "recordings")];
      const open = (at: number) =>
        SlowReader.open(new Browser(app.url, {}), path, `${more}X-API-Key: ${made[at]?.text}\r\n`);
      const readers = [await open(0), await open(1)] as const;
      await app.app.keys.revoke(made[0]?.key.id ?? "");
      expect(await readers[0].rest()).toBe(false);
      expect(await readers[1].rest()).toBe(true);
    });

  test("is cut off for all who came without a sign-in when one is asked for from now on", async () => {
    await app.app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, mode: "none" } }));
    const reader = await SlowReader.open(new Browser(app.url, {}), `/media/${KEY}F.mp4`);
    await app.app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, mode: "login" } }));
    expect(await reader.rest()).toBe(false);
  });

  test("goes on when other settings change", async () => {
    const reader = await SlowReader.open(await signedIn(), `/media/${KEY}F.mp4`);
    await app.app.settings.patch("viewer", { speed_unit: "mph" });
    expect(await reader.rest()).toBe(true);
  });
});
