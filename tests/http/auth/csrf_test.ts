import { describe, expect, test } from "bun:test";
import { HttpStage, PASSWORD, SAMPLES } from "../../support/app/http.ts";

const DAY = 86_400_000;

describe("the CSRF token", () => {
  test("opens every kind of change for the browser it was made for, as header or form field", async () => {
    await using stage = await HttpStage.open({ routes: SAMPLES });
    const browser = await stage.signedIn();
    const token = await browser.token();
    const headers = { "x-csrftoken": token };
    expect((await browser.ask("/api/act", { json: {}, headers })).status).toBe(200);
    expect((await browser.ask("/api/act", { method: "PATCH", json: {}, headers })).status).toBe(200);
    expect((await browser.ask("/api/act", { form: { csrf_token: token } })).status).toBe(200);
    expect((await browser.ask("/api/act", { method: "POST", headers })).status).toBe(200);
    const multipart = new FormData();
    multipart.set("csrf_token", token);
    const sent = new Response(multipart);
    const type = sent.headers.get("content-type") ?? "";
    const body = new Uint8Array(await sent.arrayBuffer());
    expect((await browser.ask("/api/act", { body, headers: { "content-type": type } })).status).toBe(200);
  });

  test("is asked for in every mode and by every change", async () => {
    for (const mode of ["login", "none", "proxy"] as const) {
      await using stage = await HttpStage.open({ auth: { trusted_proxies: ["127.0.0.1"] }, routes: SAMPLES });
      const browser = await stage.signedIn({ "x-remote-user": "anna" });
      await stage.changeAuth({ mode });
      const token = await browser.token();
      for (const [path, method] of [
        ["/api/act", "POST"],
        ["/api/act", "PATCH"],
        ["/api/auth/sessions", "DELETE"],
      ] as const) {
        for (const wrong of [undefined, "", "x", token.slice(1), `${token}x`]) {
          const headers = wrong === undefined ? {} : { "x-csrftoken": wrong };
          const answer = await browser.ask(path, { method, json: {}, headers });
          expect([mode, method, answer.status]).toEqual([mode, method, 403]);
          expect(await answer.json()).toEqual({ error: expect.any(String), code: "CSRF_FAILED", details: {} });
        }
        const answer = await browser.ask(path, { method, json: {}, headers: { "x-csrftoken": token } });
        expect([mode, method, answer.status]).toEqual([mode, method, 200]);
      }
    }
  });

  test("of another browser is refused", async () => {
    for (const mode of ["login", "none"] as const) {
      await using stage = await HttpStage.open({ routes: SAMPLES });
      const one = await stage.signedIn();
      const other = await stage.signedIn();
      await stage.changeAuth({ mode });
      const headers = { "x-csrftoken": await one.token() };
      expect(await other.token()).not.toBe(await one.token());
      expect((await other.ask("/api/act", { json: {}, headers })).status).toBe(403);
      const empty = stage.browser();
      expect((await empty.ask("/api/act", { json: {}, headers })).status).toBe(mode === "login" ? 401 : 403);
    }
  });

  test("from before the sign-in does not open what is behind it", async () => {
    await using stage = await HttpStage.open({ routes: SAMPLES });
    const browser = stage.browser();
    const before = await browser.token("/login");
    await browser.signIn("admin", PASSWORD);
    expect((await browser.ask("/api/act", { json: {}, headers: { "x-csrftoken": before } })).status).toBe(403);
  });

  test("reads otherwise on each page, holds wherever it was shown, and does not expire", async () => {
    await using stage = await HttpStage.open({ auth: { mode: "none" }, routes: SAMPLES });
    const browser = stage.browser();
    const token = await browser.token();
    await stage.clock.advance(400 * DAY);
    const later = await browser.token();
    // Not a part of it either: pages are compressed, and their lengths tell what stands in all of them.
    const parts = (text: string) =>
      [...text].map((_, at) => text.slice(at, at + 6)).filter((part) => part.length === 6);
    expect(parts(later).filter((part) => token.includes(part))).toEqual([]);
    for (const one of [token, later])
      expect((await browser.ask("/api/act", { json: {}, headers: { "x-csrftoken": one } })).status).toBe(200);
    const text = await (await stage.browser().ask("/first-run")).text();
    await stage.changeAuth({ mode: "login", password_hash: "" });
    expect(text).not.toContain(token);
    const login = await (await stage.browser().ask("/first-run")).text();
    const [, meta] = /<meta name="csrf-token" content="([^"]+)"/.exec(login) ?? [];
    expect(login).toContain(`name="csrf_token" value="${meta}"`);
  });

  test("ends with the session secret", async () => {
    await using stage = await HttpStage.open({ auth: { mode: "none" }, routes: SAMPLES });
    const browser = stage.browser();
    const headers = { "x-csrftoken": await browser.token() };
    await stage.changeAuth({ session_secret: "" });
    expect((await browser.ask("/api/act", { json: {}, headers })).status).toBe(403);
  });

  test("is bound to a cookie that scripts cannot read and other sites cannot send", async () => {
    await using stage = await HttpStage.open();
    const [cookie] = (await stage.browser().ask("/login")).headers.getSetCookie();
    expect(cookie).toMatch(/^dashdock_visitor=[0-9a-f-]{36}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test("is not made from a visitor's name that we did not give", async () => {
    await using stage = await HttpStage.open({ auth: { mode: "none" } });
    const browser = stage.browser();
    browser.cookies.set("dashdock_visitor", "<script>");
    await browser.token();
    expect(browser.cookies.get("dashdock_visitor")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("a form without its token", () => {
  test("comes back with a message, what was typed and a fresh token", async () => {
    await using stage = await HttpStage.open({ routes: SAMPLES });
    const browser = stage.browser();
    const form = { username: 'anna"', password: PASSWORD, next: "/settings" };
    const answer = await browser.ask("/login", { form });
    expect(answer.status).toBe(403);
    const text = await answer.text();
    for (const part of ['role="alert"', 'value="anna&quot;"', 'name="next" value="/settings"'])
      expect(text).toContain(part);
    expect(text).not.toContain(PASSWORD);
    const [, csrf_token = ""] = /name="csrf_token" value="([^"]+)"/.exec(text) ?? [];
    const again = await browser.ask("/login", { form: { ...form, username: "admin", csrf_token } });
    expect([again.status, again.headers.get("location")]).toEqual([302, "/settings"]);
  });

  test("is refused with a page where there is no form to show", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    const answer = await browser.ask("/logout", { form: {} });
    expect([answer.status, (await answer.text()).includes("Not accepted")]).toEqual([403, true]);
    expect((await browser.ask("/api/auth/me")).status).toBe(200);
  });

  test("says why, when the browser threw the cookie away", async () => {
    await using stage = await HttpStage.open({ trustProxy: true });
    const answer = await stage.browser().ask("/login", { form: { username: "admin" } });
    expect(await answer.text()).toContain("https://");
  });
});
