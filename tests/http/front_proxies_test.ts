import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { type Behind, type FrontProxy, PROXIES, startCaddy, startNginx } from "../support/app/front_proxy.ts";
import { Frames } from "../support/browser/frames.ts";

setDefaultTimeout(60_000);

const PASSWORD = "a long enough password";
const VIDEO = new Uint8Array(3_000_000).map((_, at) => (at * 7) % 251);
const NAME = "20260607_101500_NF.mp4";

interface Front {
  readonly name: keyof typeof PROXIES;
  readonly start: (behind: Behind) => Promise<FrontProxy>;
  readonly plain: string;
  readonly signIn: string;
}
const FRONTS: readonly Front[] = [
  { name: "nginx", start: startNginx, plain: "nginx.conf", signIn: "nginx-sign-in.conf" },
  { name: "Caddy", start: startCaddy, plain: "Caddyfile", signIn: "Caddyfile-sign-in" },
];

for (const { name } of FRONTS)
  if (PROXIES[name] === null)
    console.log(`No ${name} found: its tests are skipped. On Debian: apt-get install nginx-light caddy (as root).`);

/** Knows one browser by its cookie, and answers as Authelia does to nginx and to Caddy. */
function pretendAuthelia(): Bun.Server<undefined> {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const [, session = ""] = /\bauthelia_session=(\w+)/.exec(request.headers.get("cookie") ?? "") ?? [];
      if (session === "ada") return new Response(null, { headers: { "Remote-User": "ada" } });
      // Let in without a name, as by a rule "bypass".
      if (session === "bypass") return new Response(null);
      const asked = request.headers.get("x-original-url") ?? request.headers.get("x-forwarded-uri") ?? "";
      const location = `https://auth.example.org/?rd=${encodeURIComponent(asked)}`;
      const status = new URL(request.url).pathname.endsWith("auth-request") ? 401 : 302;
      return new Response(null, { status, headers: { location } });
    },
  });
}

for (const { name, start, plain } of FRONTS)
  describe.skipIf(PROXIES[name] === null)(`behind ${name}, as ${plain} sets it up`, () => {
    let app: RunningApp;
    let front: FrontProxy;
    beforeAll(async () => {
      app = await startApp({ mode: "login", password: PASSWORD, env: { SERVICE_TRUST_PROXY: "1" } });
      mkdirSync(app.destination, { recursive: true });
      writeFileSync(join(app.destination, NAME), VIDEO);
      front = await start({ file: plain, service: app.listening.port, signIn: 0 });
      await front.client.signIn("admin", PASSWORD);
    });
    afterAll(async () => {
      await front[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    });

    test("one signs in, and the session's cookie is for HTTPS only", async () => {
      expect(await (await front.client.fetch("/api/auth/me")).json()).toEqual({
        username: "admin",
        mode: "login",
        role: "admin",
      });
      const login = await front.visitor().fetch("/login");
      expect(login.headers.getSetCookie().join()).toContain("; Secure");
    });

    test("events arrive when they happen", async () => {
      await using frames = await Frames.open(front.client, "/api/sync/progress/stream");
      // A proxy that gathers would hold this one back until it has more, which comes only after the next request.
      expect((await frames.next())?.data["state"]).toBe("idle");
      expect((await front.client.send("POST", "/api/sync/now")).status).toBe(202);
      await frames.until(({ state }) => state === "completed");
    });

    test("a player gets the part of a video it asks for", async () => {
      const answer = await front.client.fetch(`/media/${NAME}`, { headers: { range: "bytes=1000000-2000000" } });
      expect([answer.status, answer.headers.get("content-range")]).toEqual([206, "bytes 1000000-2000000/3000000"]);
      expect(Buffer.compare(new Uint8Array(await answer.arrayBuffer()), VIDEO.slice(1_000_000, 2_000_001))).toBe(0);
      const whole = await front.client.fetch(`/media/${NAME}`);
      expect([whole.status, whole.headers.get("content-length")]).toEqual([200, "3000000"]);
      expect(Buffer.compare(new Uint8Array(await whole.arrayBuffer()), VIDEO)).toBe(0);
    });

    test("a ZIP tells its length to HEAD, comes whole, and goes on where it broke off", async () => {
      await app.app.library.refresh();
      const path = `/api/viewer/export/zip?key=${NAME.slice(0, 17)}`;
      const whole = await front.client.fetch(path);
      const bytes = new Uint8Array(await whole.arrayBuffer());
      const head = await front.client.fetch(path, { method: "HEAD" });
      expect([whole.status, Number(head.headers.get("content-length"))]).toEqual([200, bytes.length]);
      const etag = whole.headers.get("etag") ?? "";
      const rest = await front.client.fetch(path, { headers: { range: "bytes=1000-", "if-range": etag } });
      expect(rest.status).toBe(206);
      expect(Buffer.compare(new Uint8Array(await rest.arrayBuffer()), bytes.slice(1000))).toBe(0);
    });

    test("the largest request that is read goes through, and a larger one is refused as such", async () => {
      const most = await front.client.send("PATCH", "/api/settings/viewer", `{}${" ".repeat(1024 * 1024 - 2)}`);
      expect(most.status).toBe(200);
      const more = await front.client.send("PATCH", "/api/settings/viewer", `{}${" ".repeat(1024 * 1024)}`);
      expect(more.status).toBe(413);
    });

    test("a backup that is restored goes through, as large as it may be", async () => {
      const backup = await front.client.send("POST", "/api/restore", " ".repeat(100 * 1024 * 1024));
      expect([backup.status, (await backup.json()).code]).toEqual([422, "BACKUP_UNUSABLE"]);
    });

    test("a change from a page of this very service goes through, one from another site does not", async () => {
      const patch = (headers: Record<string, string>) =>
        front.client.send("PATCH", "/api/settings/viewer", { speed_unit: "mph" }, headers);
      expect((await patch({ origin: front.url })).status).toBe(200);
      const foreign = await patch({ origin: "https://elsewhere.example.org" });
      expect([foreign.status, (await foreign.json()).code]).toEqual([403, "CSRF_FAILED"]);
      expect((await patch({ "sec-fetch-site": "cross-site" })).status).toBe(403);
      const unencrypted = front.url.replace("https:", "http:");
      expect((await patch({ origin: unencrypted })).status).toBe(403);
      // A client cannot say which host the page is from.
      const named = { origin: "https://elsewhere.example.org", "x-forwarded-host": "elsewhere.example.org" };
      expect((await patch(named)).status).toBe(403);
    });

    test("Dashdock knows that the browser came over HTTPS, and not otherwise", async () => {
      const form = { method: "POST", body: new URLSearchParams({ username: "admin" }) };
      const told = async (answer: Response) => [answer.status, (await answer.text()).includes("Open it with https://")];
      expect(await told(await front.visitor().fetch("/login", form))).toEqual([403, false]);
      expect(await told(await fetch(`${app.url}/login`, form))).toEqual([403, true]);
    });

    test("the client's address is the one that the proxy saw, whatever the client says", async () => {
      const guessed = "203.0.113.7";
      for (let time = 0; time < 10; time++) app.app.throttle.begin(guessed);
      const page = await front.visitor().fetch("/login", { headers: { "x-forwarded-for": guessed } });
      expect([page.status, (await page.text()).includes("Too many failed attempts")]).toEqual([200, false]);
    });
  });

for (const { name, start, signIn } of FRONTS)
  describe.skipIf(PROXIES[name] === null)(`with the sign-in in front of ${name}, as ${signIn} sets it up`, () => {
    let app: RunningApp;
    let front: FrontProxy;
    const authelia = pretendAuthelia();
    beforeAll(async () => {
      app = await startApp({
        mode: "proxy",
        settings: { auth: { trusted_proxies: ["127.0.0.1"], proxy_user_header: "Remote-User" } },
        env: { SERVICE_TRUST_PROXY: "1" },
      });
      front = await start({ file: signIn, service: app.listening.port, signIn: authelia.port ?? 0 });
    });
    afterAll(async () => {
      await front[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
      await authelia.stop(true);
    });
    const as = (who: string, more: Record<string, string> = {}) => ({ cookie: `authelia_session=${who}`, ...more });

    test("who is not signed in is sent to the sign-in, whatever name the client gives itself", async () => {
      for (const headers of [as("nobody"), as("nobody", { "remote-user": "eve", "x-remote-user": "eve" })]) {
        const answer = await front.client.fetch("/viewer", { headers });
        expect([answer.status, answer.headers.get("location")]).toEqual([
          302,
          expect.stringMatching(/^https:\/\/auth\.example\.org\/\?rd=.*viewer$/),
        ]);
      }
    });

    test("who is signed in is known by the name that the sign-in gives, not by the client's", async () => {
      for (const headers of [as("ada"), as("ada", { "remote-user": "eve" })]) {
        const me = await front.client.fetch("/api/auth/me", { headers });
        expect(await me.json()).toEqual({ username: "ada", mode: "proxy", role: "admin" });
      }
    });

    test("who is let in without a name does not get the one that the client gives itself", async () => {
      const me = await front.client.fetch("/api/auth/me", { headers: as("bypass", { "remote-user": "eve" }) });
      // Caddy 2.6 then sends the name of its own variable.
      const { username } = await me.json();
      expect([undefined, "{http.reverse_proxy.header.Remote-User}"]).toContain(username);
    });

    test("a page's changes and its events go through", async () => {
      front.client.setCookie("authelia_session", "ada");
      await using frames = await Frames.open(front.client, "/api/sync/progress/stream");
      expect((await frames.next())?.data["state"]).toBe("idle");
      await front.client.open("/");
      const origin = { origin: front.url };
      expect((await front.client.send("PATCH", "/api/settings/viewer", { speed_unit: "mph" }, origin)).status).toBe(
        200,
      );
    });
  });

describe.skipIf(PROXIES.nginx === null)("with nginx in front", () => {
  test.each(["nginx.conf", "nginx-sign-in.conf"])("who writes http:// is led to https:// (%s)", async (file) => {
    await using front = await startNginx({ file, service: 1, signIn: 1 });
    const answer = await fetch(`${front.plainUrl}/viewer?only=kept`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([301, "https://localhost/viewer?only=kept"]);
  });
});

describe.skipIf(PROXIES.nginx === null)("behind a proxy that passes on no Host", () => {
  test("a change is refused with the sentence that says so", async () => {
    await using app = await startApp({ mode: "login", password: PASSWORD, env: { SERVICE_TRUST_PROXY: "1" } });
    const edit = (text: string) => text.replace(/^.*proxy_set_header (X-Forwarded-)?Host .*\n/gm, "");
    await using front = await startNginx({ file: "nginx.conf", service: app.listening.port, signIn: 0, edit });
    await front.client.signIn("admin", PASSWORD);
    const answer = await front.client.send("POST", "/api/sync/now", undefined, { origin: front.url });
    expect(answer.status).toBe(403);
    expect((await answer.json()).error).toContain("it has to pass on the Host header as it was");
  });
});

describe.skipIf(PROXIES.nginx === null)("behind a proxy while no sign-in is asked for", () => {
  test("the service answers by a name of the internet only when it is told that name", async () => {
    await using app = await startApp({ env: { SERVICE_TRUST_PROXY: "1" } });
    await using front = await startNginx({ file: "nginx.conf", service: app.listening.port, signIn: 0 });
    const headers = { host: "dashdock.example.org" };
    expect((await front.client.fetch("/api/status", { headers })).status).toBe(421);
    await app.app.settings.update((latest) => ({ ...latest, web: { ...latest.web, allowed_hosts: [headers.host] } }));
    expect((await front.client.fetch("/api/status", { headers })).status).toBe(200);
  });
});
