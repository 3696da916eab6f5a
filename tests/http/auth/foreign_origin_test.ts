import { describe, expect, test } from "bun:test";
import { ROUTES } from "../../../server/routes.ts";
import { startApp } from "../../support/app/app.ts";
import { type HttpOptions, HttpStage, SAMPLES } from "../../support/app/http.ts";

const EVIL = { host: "evil.example:8080" };

describe("a name that somebody pointed here", () => {
  const doors: [name: string, options: HttpOptions][] = [
    ["mode none", { auth: { mode: "none" } }],
    ["no password yet", { password: null }],
  ];
  for (const [name, options] of doors)
    test(`is refused in ${name}, whatever is asked for`, async () => {
      await using stage = await HttpStage.open({ routes: SAMPLES, ...options });
      const browser = stage.browser(EVIL);
      for (const path of [
        "/",
        "/login",
        "/first-run",
        "/api/auth/me",
        "/hx/card",
        "/media/a",
        "/nosuch",
        "/api/nosuch",
      ]) {
        const answer = await browser.ask(path);
        expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, 421, []]);
        expect(await answer.text()).toContain("web.allowed_hosts");
      }
      const api = await browser.ask("/api/act", { json: {} });
      expect(await api.json()).toEqual({
        error: expect.stringContaining("by its IP address"),
        code: "HOST_NOT_ALLOWED",
        details: { host: "evil.example:8080" },
      });
      const form = { username: "admin", password: "correct horse battery", confirm: "correct horse battery" };
      expect((await browser.ask("/first-run", { form })).status).toBe(421);
      expect((await browser.ask("/healthz")).status).toBe(200);
    });

  test("is refused by every route of the service but three", async () => {
    await using running = await startApp();
    for (const { method, path } of ROUTES) {
      const answer = await fetch(running.url + path.replace(/:\w+|\*/g, "x"), { method, headers: EVIL });
      const isRefused = answer.status === 421;
      expect([method, path, isRefused]).toEqual([method, path, !["/healthz", "/readyz", "/metrics"].includes(path)]);
      await answer.body?.cancel();
    }
  });

  test("is heard where people sign in, and where a proxy signs them in", async () => {
    await using stage = await HttpStage.open({ routes: SAMPLES });
    expect((await stage.browser(EVIL).ask("/login")).status).toBe(200);
    await stage.changeAuth({ mode: "proxy", trusted_proxies: ["127.0.0.1"] });
    expect((await stage.browser({ ...EVIL, "x-remote-user": "anna" }).ask("/")).status).toBe(200);
  });

  test("is heard as soon as it is allowed, and when it is the machine's own", async () => {
    await using stage = await HttpStage.open({ auth: { mode: "none" }, routes: SAMPLES });
    expect((await stage.browser({ host: "NAS.example.com:8080" }).ask("/")).status).toBe(200);
    await stage.app.settings.patch("web", { allowed_hosts: ["Evil.Example"] });
    expect((await stage.browser(EVIL).ask("/")).status).toBe(200);
  });

  test("is not printed back at length", async () => {
    await using stage = await HttpStage.open({ auth: { mode: "none" }, routes: SAMPLES });
    const answer = await stage.browser({ host: `${"x".repeat(5000)}.example` }).ask("/api/act");
    expect([answer.status, (await answer.text()).length < 700]).toEqual([421, true]);
  });
});

describe("a change that a foreign page has sent", () => {
  const own = "http://nas:8080";
  const rows: [name: string, headers: Record<string, string>, status: number][] = [
    ["a program", {}, 200],
    ["a page of ours", { origin: own }, 200],
    ["a page of ours, in capitals", { origin: own, host: "NAS:8080" }, 200],
    ["a page of ours behind HTTPS", { origin: "https://nas", host: "nas" }, 200],
    ["a page of ours behind HTTPS with its port named", { origin: "https://nas", host: "nas:443" }, 200],
    [
      "a page of ours behind a proxy with its own Host",
      { origin: "https://x.org", "sec-fetch-site": "same-origin" },
      200,
    ],
    ["another site", { "sec-fetch-site": "cross-site" }, 403],
    ["another site that shows our origin", { "sec-fetch-site": "cross-site", origin: own }, 403],
    ["a foreign origin", { origin: "http://evil.example" }, 403],
    ["another port", { origin: "http://nas:9090" }, 403],
    ["a neighbour of the same site", { origin: "http://evil.nas:8080", "sec-fetch-site": "same-site" }, 403],
    ["no origin", { origin: "null" }, 403],
    ["no origin on the same page", { origin: "null", "sec-fetch-site": "same-origin" }, 403],
    ["nonsense", { origin: "nas:8080" }, 403],
    ["a forwarded name nobody vouches for", { origin: "http://x.org", "x-forwarded-host": "x.org" }, 403],
  ];
  for (const mode of ["login", "none"] as const)
    for (const [name, headers, status] of rows)
      test(`in mode ${mode}, from ${name}: ${status}`, async () => {
        await using stage = await HttpStage.open({ routes: SAMPLES });
        const browser = await stage.signedIn({ host: "nas:8080" });
        await stage.changeAuth({ mode });
        const token = await browser.token();
        const answer = await browser.ask("/api/act", { json: {}, headers: { "x-csrftoken": token, ...headers } });
        const { code } = (await answer.json()) as { code?: string };
        expect([answer.status, code]).toEqual([status, status === 403 ? "CSRF_FAILED" : undefined]);
        expect((await browser.ask("/api/auth/me", { headers })).status).toBe(200);
      });

  test("is measured by the forwarded name behind a proxy that is trusted", async () => {
    await using stage = await HttpStage.open({ routes: SAMPLES, auth: { mode: "none" }, trustProxy: true });
    const browser = stage.browser({ host: "nas:8080" });
    const headers = { "x-csrftoken": await browser.token(), origin: "https://x.org", "x-forwarded-host": "x.org" };
    expect((await browser.ask("/api/act", { json: {}, headers })).status).toBe(200);
  });

  const schemes: [proto: string, origin: string, status: number][] = [
    ["https", "https://nas:8080", 200],
    ["HTTPS", "https://nas:8080", 200],
    ["http, https", "https://nas:8080", 200],
    ["https", "http://nas:8080", 403],
    ["http", "https://nas:8080", 403],
    ["http", "http://nas:8080", 200],
  ];
  for (const [proto, origin, status] of schemes)
    test(`by ${origin} when the proxy says ${proto}: ${status}`, async () => {
      await using stage = await HttpStage.open({ routes: SAMPLES, auth: { mode: "none" }, trustProxy: true });
      const browser = stage.browser({ host: "nas:8080", "x-forwarded-proto": proto });
      const headers = { "x-csrftoken": await browser.token(), origin };
      expect((await browser.ask("/api/act", { json: {}, headers })).status).toBe(status);
    });

  test("is measured by its name alone where no proxy tells the scheme", async () => {
    await using stage = await HttpStage.open({ routes: SAMPLES, auth: { mode: "none" } });
    const browser = stage.browser({ host: "nas:8080", "x-forwarded-proto": "http" });
    const headers = { "x-csrftoken": await browser.token(), origin: "https://nas:8080" };
    expect((await browser.ask("/api/act", { json: {}, headers })).status).toBe(200);
  });

  test("comes back as the form with a message", async () => {
    await using stage = await HttpStage.open();
    const answer = await stage.browser({ origin: "http://evil.example" }).signIn("admin", "x");
    expect([answer.status, (await answer.text()).includes("another site")]).toEqual([403, true]);
  });
});
