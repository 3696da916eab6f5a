import { describe, expect, test } from "bun:test";
import { type Browser, HttpStage, PASSWORD } from "../support/app/http.ts";

const NEW = "another good passphrase";
const COOKIE = "dashdock_session";

const isIn = async (browser: Browser) => (await browser.ask("/api/auth/me")).status === 200;
const change = (browser: Browser, current_password: unknown, new_password: unknown) =>
  browser.act("/api/auth/password", { current_password, new_password });

describe("GET /api/auth/me", () => {
  test("tells name and mode", async () => {
    await using stage = await HttpStage.open();
    const answer = await (await stage.signedIn()).ask("/api/auth/me");
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toEqual({ username: "admin", mode: "login", role: "admin" });
  });
});

describe("POST /api/auth/password", () => {
  test("ends every other session and keeps the caller's, with its token", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    const other = await stage.signedIn();
    const old = browser.cookies.get(COOKIE) ?? "";
    const token = await browser.token();
    const answer = await change(browser, PASSWORD, NEW);
    expect([answer.status, await answer.json()]).toEqual([200, { applied: true }]);
    expect([await isIn(browser), await isIn(other)]).toEqual([true, false]);
    const copy = stage.browser();
    copy.cookies.set(COOKIE, old);
    expect(await isIn(copy)).toBe(false);
    expect((await stage.browser().signIn("admin", NEW)).status).toBe(302);
    const headers = { "x-csrftoken": token };
    expect((await browser.ask("/api/auth/sessions", { method: "DELETE", headers })).status).toBe(200);
  });

  test("does not lengthen the caller's session", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    stage.clock.jump(23 * 3_600_000);
    const answer = await change(browser, PASSWORD, NEW);
    expect(answer.headers.getSetCookie().join()).toContain("Max-Age=3600;");
    stage.clock.jump(3_600_000);
    expect(await isIn(browser)).toBe(false);
  });

  const rows: [name: string, body: unknown, status: number, expected: Record<string, unknown>][] = [
    ["an array", [], 400, { code: "INVALID_BODY" }],
    ["null", null, 400, { code: "INVALID_BODY" }],
    ["a scalar", "x", 400, { code: "INVALID_BODY" }],
    [
      "a number as the new password",
      { current_password: PASSWORD, new_password: 123456789012 },
      422,
      {
        code: "VALIDATION_ERROR",
        details: { field_errors: [{ path: "new_password", message: "new_password must be a string" }] },
      },
    ],
    [
      "no strings at all",
      { current_password: null, new_password: [] },
      422,
      {
        code: "VALIDATION_ERROR",
        details: { field_errors: [{ path: "current_password" }, { path: "new_password" }] },
      },
    ],
    [
      "a wrong current password before a weak new one",
      { current_password: "wrong", new_password: "x" },
      401,
      { code: "INVALID_CURRENT_PASSWORD", details: {} },
    ],
    ["nothing", {}, 401, { code: "INVALID_CURRENT_PASSWORD" }],
    [
      "a weak password",
      { current_password: PASSWORD, new_password: "eleven char" },
      422,
      { code: "WEAK_PASSWORD", details: { field_errors: [{ path: "new_password" }] } },
    ],
    [
      "an endless password",
      { current_password: PASSWORD, new_password: "x".repeat(1025) },
      422,
      { code: "VALIDATION_ERROR" },
    ],
  ];
  for (const [name, body, status, expected] of rows)
    test(`refuses ${name}`, async () => {
      await using stage = await HttpStage.open();
      const before = stage.app.settings.current;
      const answer = await (await stage.signedIn()).act("/api/auth/password", body);
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ error: expect.any(String), ...expected });
      expect(stage.app.settings.current).toBe(before);
    });

  test("shares the count of failures with the sign-in, and is locked before anything else is looked at", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    for (let time = 0; time < 10; time++) expect((await change(browser, "wrong", NEW)).status).toBe(401);
    for (const body of [{ current_password: PASSWORD, new_password: NEW }, [], { current_password: 1 }]) {
      const answer = await browser.act("/api/auth/password", body);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "900"]);
      expect(await answer.json()).toMatchObject({ code: "RATE_LIMITED", details: { retry_after_seconds: 900 } });
    }
    expect((await stage.browser().signIn("admin", PASSWORD)).status).toBe(429);
  });

  test("takes one of two changes that start from the same password", async () => {
    await using stage = await HttpStage.open();
    const one = await stage.signedIn();
    const other = await stage.signedIn();
    const answers = await Promise.all([change(one, PASSWORD, NEW), change(other, PASSWORD, `${NEW} 2`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test("asks for the password also in a mode that asks nobody to sign in", async () => {
    await using stage = await HttpStage.open({ auth: { mode: "none" } });
    const browser = stage.browser();
    expect((await change(browser, "wrong", NEW)).status).toBe(401);
    const answer = await change(browser, PASSWORD, NEW);
    expect([answer.status, browser.cookies.has(COOKIE)]).toEqual([200, false]);
  });

  test("has no password to change before the first run", async () => {
    await using stage = await HttpStage.open({ auth: { mode: "none" }, password: null });
    expect((await change(stage.browser(), "", NEW)).status).toBe(401);
  });
});

describe("DELETE /api/auth/sessions", () => {
  test("ends all sessions at once, the caller's too", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    const other = await stage.signedIn();
    const cookie = browser.cookies.get(COOKIE) ?? "";
    const secret = stage.app.settings.current.auth.session_secret;
    const answer = await browser.act("/api/auth/sessions", {}, "DELETE");
    expect([answer.status, await answer.json()]).toEqual([200, { rotated: true, restart_required: false }]);
    expect(browser.cookies.has(COOKIE)).toBe(false);
    browser.cookies.set(COOKIE, cookie);
    expect([await isIn(browser), await isIn(other)]).toEqual([false, false]);
    expect(stage.app.settings.current.auth.session_secret).toMatch(/^[0-9a-f]{64}$/);
    expect(stage.app.settings.current.auth.session_secret).not.toBe(secret);
    expect((await browser.signIn("admin", PASSWORD)).status).toBe(302);
  });

  test("needs no body, and works in every mode", async () => {
    await using stage = await HttpStage.open({ auth: { mode: "none" } });
    const browser = stage.browser();
    const headers = { "x-csrftoken": await browser.token() };
    expect((await browser.ask("/api/auth/sessions", { method: "DELETE", headers })).status).toBe(200);
  });
});
