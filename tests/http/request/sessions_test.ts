import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Log } from "../../../server/log.ts";
import { SessionRevocations } from "../../../server/store/config/session_revocations.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { type Browser, cheapHash, HttpStage, PASSWORD, SAMPLES } from "../../support/app/http.ts";

const HOUR = 3_600_000;
const COOKIE = "dashdock_session";

const isIn = async (browser: Browser) => (await browser.ask("/api/auth/me")).status === 200;

describe("a session", () => {
  test("is a cookie that scripts cannot read, other sites cannot send and a browser keeps as long as it holds", async () => {
    await using stage = await HttpStage.open();
    const answer = await stage.browser().signIn("admin", PASSWORD);
    expect(answer.status).toBe(302);
    // The form was opened without cookies, so this is another browser's token.
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^dashdock_session=[\w-]+\.[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^dashdock_device=[\w.-]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test("is marked Secure behind a trusted proxy", async () => {
    await using stage = await HttpStage.open({ trustProxy: true });
    const browser = stage.browser();
    const [visitor] = (await browser.ask("/login")).headers.getSetCookie();
    const given = (await browser.signIn("admin", PASSWORD)).headers.getSetCookie();
    expect([visitor, ...given]).toEqual(Array(3).fill(expect.stringMatching(/; Secure$/)));
  });

  test("ends after its lifetime, however busy it is", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    for (let hour = 1; hour < 24; hour++) {
      stage.clock.jump(HOUR);
      expect(await isIn(browser)).toBe(true);
    }
    stage.clock.jump(HOUR);
    expect(await isIn(browser)).toBe(false);
    expect((await browser.ask("/", {})).status).toBe(404);
  });

  test("survives a clock that is set back a little, not one that was far ahead", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    stage.clock.jump(-HOUR / 60);
    expect(await isIn(browser)).toBe(true);
    stage.clock.jump(-HOUR);
    expect(await isIn(browser)).toBe(false);
  });

  test("is refused when anything in it is changed", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    const cookie = browser.cookies.get(COOKIE) ?? "";
    const [payload = "", signature = ""] = cookie.split(".");
    const read: Record<string, unknown> = JSON.parse(Buffer.from(payload, "base64url").toString());
    expect(Object.keys(read)).toEqual(["id", "user", "role", "issued", "password"]);
    const forged = (change: Record<string, unknown>) =>
      Buffer.from(JSON.stringify({ ...read, ...change })).toString("base64url");
    const wrong = [
      ...["", ".", "x.y", payload, `${payload}.`, `.${signature}`, `${cookie}.x`, `${cookie}x`, "e30.e30"],
      `${forged({ issued: Number(read["issued"]) + HOUR })}.${signature}`,
      `${forged({ user: "eve" })}.${signature}`,
      `${forged({ role: read["role"] === "admin" ? "viewer" : "admin" })}.${signature}`,
      `${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
    ];
    for (const value of wrong) {
      browser.cookies.set(COOKIE, value);
      expect([value, await isIn(browser)]).toEqual([value, false]);
    }
    browser.cookies.set(COOKIE, cookie);
    expect(await isIn(browser)).toBe(true);
  });

  test("is a fresh one with each sign-in, which ends the one before", async () => {
    await using stage = await HttpStage.open();
    const browser = stage.browser();
    const csrf_token = await browser.token("/login");
    const form = { csrf_token, username: "admin", password: PASSWORD };
    await browser.ask("/login", { form });
    const before = browser.cookies.get(COOKIE) ?? "";
    expect((await browser.ask("/login", { form })).status).toBe(302);
    expect(await isIn(browser)).toBe(true);
    const copy = stage.browser();
    copy.cookies.set(COOKIE, before);
    expect(await isIn(copy)).toBe(false);
  });

  test("takes what the browser kept along when it is signed out", async () => {
    await using stage = await HttpStage.open();
    const answer = await (await stage.signedIn()).act("/logout");
    expect(answer.headers.get("clear-site-data")).toBe('"cache"');
  });

  test("is found beside a cookie of the same name that somebody else set", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    browser.cookies.set("other", `1; ${COOKIE}=rubbish; ${COOKIE}x=1`);
    const cookie = browser.cookies.get(COOKIE) ?? "";
    browser.cookies.delete(COOKIE);
    browser.cookies.set(COOKIE, cookie);
    expect(await isIn(browser)).toBe(true);
  });

  test("ends when the password is changed by whatever way, and not when the name is", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    await stage.changeAuth({ username: "anna" });
    expect(await isIn(browser)).toBe(true);
    await stage.changeAuth({ password_hash: await cheapHash(PASSWORD) });
    expect(await isIn(browser)).toBe(false);
  });

  test("ends when the session secret is replaced", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    await stage.changeAuth({ session_secret: "" });
    expect(await isIn(browser)).toBe(false);
  });

  test("ends when the password is taken away", async () => {
    await using stage = await HttpStage.open({ routes: SAMPLES });
    const browser = await stage.signedIn();
    await stage.changeAuth({ password_hash: "" });
    expect(await isIn(browser)).toBe(false);
    expect((await browser.ask("/")).headers.get("location")).toBe("/first-run");
  });
});

describe("signing out", () => {
  const signOut = async (browser: Browser) => browser.ask("/logout", { form: { csrf_token: await browser.token() } });

  test("ends this session on the server, so a copy of its cookie is worth nothing", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    const other = await stage.signedIn();
    const copy = browser.cookies.get(COOKIE) ?? "";
    const answer = await signOut(browser);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/login"]);
    expect(browser.cookies.has(COOKIE)).toBe(false);
    browser.cookies.set(COOKIE, copy);
    expect([await isIn(browser), await isIn(other)]).toEqual([false, true]);
  });

  test("lasts through a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "http-"));
    try {
      let browser: Browser;
      let kept: string;
      let copy: string;
      {
        await using stage = await HttpStage.open({ folder });
        browser = await stage.signedIn();
        kept = (await stage.signedIn()).cookies.get(COOKIE) ?? "";
        copy = browser.cookies.get(COOKIE) ?? "";
        await signOut(browser);
        expect(statSync(join(folder, "sessions-revoked.json")).mode & 0o777).toBe(0o600);
      }
      await using stage = await HttpStage.open({ folder });
      const again = stage.browser();
      again.cookies.set(COOKIE, copy);
      expect(await isIn(again)).toBe(false);
      again.cookies.set(COOKIE, kept);
      expect(await isIn(again)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("is possible in the modes without sessions, and ends the session that is left from before", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    const copy = browser.cookies.get(COOKIE) ?? "";
    await stage.changeAuth({ mode: "none" });
    expect((await signOut(browser)).headers.get("location")).toBe("/login");
    await stage.changeAuth({ mode: "login" });
    browser.cookies.set(COOKIE, copy);
    expect(await isIn(browser)).toBe(false);
  });
});

describe("Revocations", () => {
  async function inFolder(action: (path: string, clock: FakeClock, log: Log) => Promise<void>): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "revocations-"));
    const clock = new FakeClock();
    try {
      await action(join(folder, "sessions-revoked.json"), clock, new Log(clock));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  test("forgets a session once it would have ended anyway", () =>
    inFolder(async (path, clock, log) => {
      const revocations = await SessionRevocations.open({ path, clock, log });
      const now = clock.now();
      await revocations.add({ id: "a", issued: now, until: now + HOUR });
      clock.jump(HOUR);
      await revocations.add({ id: "b", issued: now + 1, until: now + 2 * HOUR });
      expect(JSON.parse(readFileSync(path, "utf8")).sessions).toEqual([
        { id: "b", issued: now + 1, until: now + 2 * HOUR },
      ]);
    }));

  test("stays small, and revives nobody for it", () =>
    inFolder(async (path, clock, log) => {
      const revocations = await SessionRevocations.open({ path, clock, log });
      const now = clock.now();
      const adding = Array.from({ length: 1001 }, (_, index) =>
        revocations.add({ id: `s${index}`, issued: now + index, until: now + HOUR }),
      );
      await Promise.all(adding);
      const again = await SessionRevocations.open({ path, clock, log });
      for (const list of [revocations, again]) {
        expect(Array.from({ length: 1001 }, (_, index) => list.has(`s${index}`, now + index))).not.toContain(false);
        expect(list.has("other", now + 100)).toBe(true);
        expect(list.has("other", now + 600)).toBe(false);
      }
      expect(JSON.parse(readFileSync(path, "utf8")).sessions).toHaveLength(501);
    }));

  for (const text of ["", "{", "[]", "{}", '{"ended_until":0,"sessions":[{"id":1}]}'])
    test(`ends all sessions when the file says ${JSON.stringify(text)}`, () =>
      inFolder(async (path, clock, log) => {
        writeFileSync(path, text);
        const revocations = await SessionRevocations.open({ path, clock, log });
        expect(revocations.has("a", clock.now())).toBe(true);
        expect(revocations.has("a", clock.now() + 1)).toBe(false);
        expect(log.lines.map(({ message }) => message).join()).toContain("everyone has to sign in again");
        expect((await SessionRevocations.open({ path, clock, log })).has("a", clock.now())).toBe(true);
      }));

  test("ends a session all the same when the file cannot be written", () =>
    inFolder(async (path, clock, log) => {
      const revocations = await SessionRevocations.open({ path: join(path, "nowhere", "file"), clock, log });
      await revocations.add({ id: "a", issued: clock.now(), until: clock.now() + HOUR });
      expect(revocations.has("a", clock.now())).toBe(true);
      expect(existsSync(path)).toBe(false);
      expect(log.lines.map(({ level }) => level)).toEqual(["WARNING"]);
    }));
});
