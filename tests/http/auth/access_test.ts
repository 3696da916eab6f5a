import { describe, expect, test } from "bun:test";
import type { Settings } from "../../../server/domain/settings/settings.ts";
import { type Asked, type HttpOptions, HttpStage, SAMPLES } from "../../support/app/http.ts";

type Auth = Partial<Settings["auth"]>;

interface Row {
  readonly name: string;
  readonly path: string;
  readonly asked?: Asked;
  readonly status: number;
  readonly headers?: Record<string, string | null>;
  readonly contains?: string;
}

const FRAGMENT = { "hx-request": "true", "hx-current-url": "http://nas:8080/settings?tab=auth" };
const AUTH_REQUIRED = '{"error":"authentication required","code":"AUTH_REQUIRED","details":{}}';

async function check(options: HttpOptions, rows: readonly Row[]): Promise<void> {
  await using stage = await HttpStage.open({ routes: SAMPLES, ...options });
  for (const { name, path, asked, status, headers = {}, contains = "" } of rows) {
    const answer = await stage.browser().ask(path, asked);
    const found = Object.fromEntries(Object.keys(headers).map((key) => [key, answer.headers.get(key)]));
    expect({ name, status: answer.status, headers: found }).toEqual({ name, status, headers });
    expect(await answer.text()).toContain(contains);
  }
}

describe("mode login, nobody signed in", () => {
  const rows: readonly Row[] = [
    { name: "API", path: "/api/auth/me", status: 401, headers: { "hx-redirect": null }, contains: AUTH_REQUIRED },
    { name: "API change", path: "/api/act", asked: { json: {} }, status: 401, contains: AUTH_REQUIRED },
    {
      name: "API change with a foreign token",
      path: "/api/act",
      asked: { json: {}, headers: { "x-csrftoken": "x" } },
      status: 401,
      contains: AUTH_REQUIRED,
    },
    { name: "dashboard", path: "/", status: 302, headers: { location: "/login?next=/" } },
    {
      name: "page",
      path: "/settings?tab=auth",
      status: 302,
      headers: { location: "/login?next=/settings%3Ftab%3Dauth" },
    },
    {
      name: "fragment",
      path: "/hx/card",
      asked: { headers: FRAGMENT },
      status: 401,
      headers: { "hx-redirect": "/login?next=/settings%3Ftab%3Dauth", location: null },
    },
    {
      name: "fragment of an unnamed page",
      path: "/hx/card",
      asked: { headers: { "hx-request": "true" } },
      status: 401,
      headers: { "hx-redirect": "/login?next=/" },
    },
    {
      name: "fragment asked as a page",
      path: "/hx/card",
      status: 302,
      headers: { location: "/login?next=/" },
    },
    { name: "media", path: "/media/a.mp4", status: 401, headers: { location: null } },
    {
      name: "sign-out",
      path: "/logout",
      asked: { form: {} },
      status: 302,
      headers: { location: "/login?next=/" },
    },
    { name: "probe", path: "/healthz", status: 200 },
    { name: "sign-in page", path: "/login", status: 200, contains: 'name="password"' },
    { name: "first-run page", path: "/first-run", status: 302, headers: { location: "/login" } },
    { name: "unknown path", path: "/nosuch", status: 404 },
  ];
  test("sends programs, fragments, pages and players each their own answer", () => check({}, rows));

  test("does not believe the header of a proxy", () =>
    check({ auth: { trusted_proxies: ["127.0.0.1"] } }, [
      { name: "API", path: "/api/auth/me", asked: { headers: { "x-remote-user": "eve" } }, status: 401 },
    ]));
});

describe("mode login, no password yet", () => {
  const location = "/first-run";
  const rows: readonly Row[] = [
    { name: "API", path: "/api/auth/me", status: 401, contains: AUTH_REQUIRED },
    { name: "API change", path: "/api/act", asked: { json: {} }, status: 401, contains: AUTH_REQUIRED },
    { name: "dashboard", path: "/", status: 302, headers: { location } },
    { name: "page", path: "/settings", status: 302, headers: { location } },
    {
      name: "fragment",
      path: "/hx/card",
      asked: { headers: FRAGMENT },
      status: 401,
      headers: { "hx-redirect": location, location: null },
    },
    { name: "media", path: "/media/a.mp4", status: 401, headers: { location: null } },
    { name: "sign-in page", path: "/login", status: 302, headers: { location } },
    { name: "sign-in", path: "/login", asked: { form: { username: "admin" } }, status: 302, headers: { location } },
    { name: "sign-out", path: "/logout", asked: { form: {} }, status: 302, headers: { location } },
    { name: "first-run page", path: "/first-run", status: 200, contains: 'name="confirm"' },
    { name: "probe", path: "/healthz", status: 200 },
    { name: "unknown path", path: "/nosuch", status: 404 },
    { name: "unknown API path", path: "/api/nosuch", status: 404 },
  ];
  test("leads to the first-run page", () => check({ password: null }, rows));
});

describe("mode none", () => {
  const rows: readonly Row[] = [
    {
      name: "API",
      path: "/api/auth/me",
      status: 200,
      contains: '{"username":"anonymous","mode":"none","role":"admin"}',
    },
    { name: "page", path: "/", status: 200, contains: "page for anonymous" },
    { name: "media", path: "/media/a.mp4", status: 200 },
    { name: "API change without token", path: "/api/act", asked: { json: {} }, status: 403, contains: "CSRF_FAILED" },
    { name: "sign-in page", path: "/login", status: 302, headers: { location: "/" } },
  ];
  test("lets everyone in, but not without a token", () => check({ auth: { mode: "none" } }, rows));
  test("needs no password", async () => {
    await check({ auth: { mode: "none" }, password: null }, rows);
    await check({ auth: { mode: "none" }, password: null }, [{ name: "wizard", path: "/first-run", status: 200 }]);
  });
});

describe("mode proxy", () => {
  const auth = (more: Auth = {}): Auth => ({ mode: "proxy", trusted_proxies: ["127.0.0.0/8"], ...more });
  const named = (name: string, header = "x-remote-user") => ({ headers: { [header]: name } });
  const me = (name: string) => `{"username":"${name}","mode":"proxy","role":"admin"}`;

  test("lets in whom a trusted proxy names", async () => {
    await check({ auth: auth() }, [
      { name: "API", path: "/api/auth/me", asked: named("anna"), status: 200, contains: me("anna") },
      { name: "page", path: "/", asked: named(" anna "), status: 200, contains: "page for anna" },
      { name: "sign-in page", path: "/login", asked: named("anna"), status: 302, headers: { location: "/" } },
    ]);
    const renamed = auth({ proxy_user_header: "Remote-User", trusted_proxies: [" ::ffff:127.0.0.1 "] });
    await check({ auth: renamed, password: null }, [
      { name: "other header", path: "/api/auth/me", asked: named("anna", "remote-user"), status: 200 },
      { name: "usual header", path: "/api/auth/me", asked: named("anna"), status: 401 },
    ]);
  });

  test("lets in nobody who is named twice: one of them may be the client's own word", async () => {
    await check({ auth: auth() }, [
      { name: "joined", path: "/api/auth/me", asked: named("anna, admin"), status: 401 },
      { name: "alone", path: "/api/auth/me", asked: named("anna"), status: 200 },
    ]);
    await using stage = await HttpStage.open({ auth: auth(), routes: SAMPLES });
    const headers = new Headers([
      ["x-remote-user", "anna"],
      ["x-remote-user", "admin"],
    ]);
    expect((await fetch(`${stage.listening.url}/api/auth/me`, { headers })).status).toBe(401);
  });

  const refused: readonly Row[] = [
    { name: "API", path: "/api/auth/me", status: 401, headers: { location: null }, contains: AUTH_REQUIRED },
    { name: "API change", path: "/api/act", asked: { json: {} }, status: 401, contains: AUTH_REQUIRED },
    { name: "page", path: "/", status: 401, headers: { location: null }, contains: "Sign-in happens at the proxy" },
    { name: "media", path: "/media/a.mp4", status: 401, headers: { location: null } },
    {
      name: "fragment",
      path: "/hx/card",
      asked: { headers: FRAGMENT },
      status: 401,
      headers: { "hx-redirect": null },
    },
    { name: "sign-in page", path: "/login", status: 401 },
    { name: "first-run page", path: "/first-run", status: 401 },
    { name: "probe", path: "/healthz", status: 200 },
  ];
  const with_user = refused.map((row) => ({
    ...row,
    asked: { ...row.asked, headers: { ...row.asked?.headers, "x-remote-user": "eve" } },
  }));
  test("turns away whom nobody names", async () => {
    await check({ auth: auth() }, refused);
    await check({ auth: auth() }, [
      { name: "blank", path: "/api/auth/me", asked: named(" "), status: 401 },
      { name: "empty", path: "/api/auth/me", asked: named(""), status: 401 },
    ]);
  });
  test("turns away whom somebody else names", () =>
    check({ auth: auth({ trusted_proxies: ["10.0.0.1"] }) }, with_user));
  test("turns everyone away while no proxy is trusted, also without a password", () =>
    check({ auth: auth({ trusted_proxies: [] }), password: null }, with_user));
  test("turns everyone away while no header is named", () =>
    check({ auth: auth({ proxy_user_header: "" }) }, with_user));
  test("never takes a forwarded address for the proxy", () =>
    check({ auth: auth({ trusted_proxies: ["10.0.0.1"] }), trustProxy: true }, [
      {
        name: "forwarded",
        path: "/api/auth/me",
        asked: { headers: { "x-remote-user": "eve", "x-forwarded-for": "10.0.0.1" } },
        status: 401,
      },
    ]));
});

describe("the mode", () => {
  test("is read at every request", async () => {
    await using stage = await HttpStage.open({ routes: SAMPLES });
    const browser = await stage.signedIn();
    expect(await (await browser.ask("/api/auth/me")).json()).toEqual({
      username: "admin",
      mode: "login",
      role: "admin",
    });
    await stage.changeAuth({ mode: "none" });
    expect(await (await browser.ask("/api/auth/me")).json()).toEqual({
      username: "anonymous",
      mode: "none",
      role: "admin",
    });
    await stage.changeAuth({ mode: "proxy", trusted_proxies: ["10.0.0.1"] });
    expect((await browser.ask("/api/auth/me")).status).toBe(401);
    await stage.changeAuth({ mode: "login" });
    expect((await browser.ask("/api/auth/me")).status).toBe(200);
  });
});

describe("behind a trusted proxy", () => {
  test("asks browsers to stay with HTTPS, when the proxy says that this is HTTPS", async () => {
    const hsts = async (trustProxy: boolean, proto: string) => {
      await using stage = await HttpStage.open({ trustProxy });
      const answer = await stage.browser().ask("/login", { headers: { "x-forwarded-proto": proto } });
      return answer.headers.get("strict-transport-security");
    };
    expect(await hsts(true, "https")).toBe("max-age=31536000");
    expect(await hsts(true, "https, http")).toBeNull();
    expect(await hsts(true, "http")).toBeNull();
    expect(await hsts(false, "https")).toBeNull();
  });
});
