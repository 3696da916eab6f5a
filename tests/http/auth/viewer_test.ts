import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Clock, systemClock } from "../../../server/clock.ts";
import { needsSignIn } from "../../../server/http/request/route.ts";
import { ROUTES } from "../../../server/routes.ts";
import { type RunningApp, startApp } from "../../support/app/app.ts";
import { Client } from "../../support/app/client.ts";
import { Browser, cheapHash, HttpStage, PASSWORD, SAMPLES } from "../../support/app/http.ts";

setDefaultTimeout(30_000);

const VIEWER_PASSWORD = "another horse battery";
/** Wrong passwords are answered late, for which no test waits. */
const QUICK: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms > 1000 && ms <= 1500 ? 0 : ms, signal),
};

const start = async () => {
  const app = await startApp({ mode: "login", password: PASSWORD, clock: QUICK });
  const viewer_password_hash = await cheapHash(VIEWER_PASSWORD);
  await app.app.settings.update((latest) => ({
    ...latest,
    auth: { ...latest.auth, viewer_username: "guest", viewer_password_hash },
  }));
  return app;
};
const signedIn = async (app: RunningApp, name = "guest", password = VIEWER_PASSWORD) => {
  const client = new Client(app.url);
  expect((await client.signIn(name, password)).status).toBe(302);
  return client;
};
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];
const me = async (client: Client) => (await (await client.fetch("/api/auth/me")).json()) as Record<string, string>;

let app: RunningApp;
let guest: Client;
beforeAll(async () => {
  app = await start();
  guest = await signedIn(app);
});
afterAll(() => app[Symbol.asyncDispose]());

/** Paths of routes with nonsense in their parts. */
const filled = (path: string) => path.replace("*", "20000101_000000_NF.mp4").replace(/:\w+/g, "none");

describe("the account to watch only", () => {
  test("signs in beside the admin, each with the own name and password alone", async () => {
    expect(await me(guest)).toEqual({ username: "guest", mode: "login", role: "viewer" });
    const admin = await signedIn(app, "admin", PASSWORD);
    expect(await me(admin)).toEqual({ username: "admin", mode: "login", role: "admin" });
    for (const [name, password] of [
      ["guest", PASSWORD],
      ["admin", VIEWER_PASSWORD],
      ["", VIEWER_PASSWORD],
      ["Guest", VIEWER_PASSWORD],
    ] as const)
      expect([name, (await new Client(app.url).signIn(name, password)).status]).toEqual([name, 401]);
  });

  test("is refused by every route that changes something, and by settings, keys and logs", async () => {
    const wrong: unknown[] = [];
    const reads = ["look", "read", "recordings"];
    for (const { method, path, access } of ROUTES.filter((route) => needsSignIn(route.access))) {
      if (path === "/logout") continue;
      const answer = await guest.send(method, filled(path));
      const text = answer.status === 403 ? await answer.text() : "";
      await answer.body?.cancel().catch(() => {});
      const isRefused = text.includes("READ_ONLY") || text.includes("You may look and save here, and change nothing");
      const isOurs = /^\/(api\/)?(settings|keys|logs?|folders|camera\/secret)\b/.test(path);
      if (isRefused !== (method !== "GET" || isOurs || !reads.includes(access)))
        wrong.push([method, path, answer.status]);
      if (method !== "GET" && !isRefused) wrong.push([method, path, "changes"]);
    }
    expect(wrong).toEqual([]);
    app.app.streams.close();
  });

  test("is refused by odd methods, too, and by HEAD of what it may not read", async () => {
    for (const [method, path, status] of [
      ["HEAD", "/api/settings", 403],
      ["HEAD", "/logs", 403],
      ["HEAD", "/api/status", 200],
      ["OPTIONS", "/api/settings", 405],
      ["PUT", "/api/settings", 405],
    ] as const)
      expect([method, path, (await guest.fetch(path, { method })).status]).toEqual([method, path, status]);
  });

  test("sees pages with no button and no form that would change something", async () => {
    await app.app.job.ended();
    for (const path of [
      "/",
      "/viewer",
      "/stats",
      "/stats/card",
      "/stats/coverage",
      "/trash",
      "/links",
      "/help/viewer",
    ]) {
      const answer = await guest.fetch(path);
      const html = await answer.text();
      const forms = [...html.matchAll(/<form method="post" action="([^"]*)"/g)].map(([, to]) => to);
      const found = [...html.matchAll(/<button[^>]*data-(?:action|proposal|hint|receipt)[^>]*>/g)].map(([tag]) => tag);
      expect([path, [...new Set(forms)], found]).toEqual([path, ["/logout"], []]);
      expect([path, /<a[^>]*href="\/(settings|logs)"/.test(html), html.includes('data-role="viewer"')]).toEqual([
        path,
        false,
        true,
      ]);
    }
    const card = await (await guest.fetch("/hx/sync/status-card")).text();
    const admin = await signedIn(app, "admin", PASSWORD);
    const whole = await (await admin.fetch("/hx/sync/status-card")).text();
    expect([card.includes("data-action"), whole.includes('data-action="sync-now"')]).toEqual([false, true]);
  });

  test("ends its sessions and streams when it gets another password, and leaves those of the admin", async () => {
    await using own = await start();
    const [first, admin] = [await signedIn(own), await signedIn(own, "admin", PASSWORD)];
    const { body } = await first.fetch("/api/sync/progress/stream");
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    expect((await reader.read()).done).toBe(false);
    const set = await admin.send("POST", "/api/auth/viewer", { username: "guest", password: "a third long password" });
    expect([set.status, await set.json()]).toEqual([200, { applied: true }]);
    while (!(await reader.read()).done);
    expect([(await first.fetch("/api/status")).status, (await admin.fetch("/api/status")).status]).toEqual([401, 200]);
    const again = await signedIn(own, "guest", "a third long password");
    await admin.send("POST", "/api/auth/viewer", { username: "", password: "" });
    expect((await again.fetch("/api/status")).status).toBe(401);
    expect((await new Client(own.url).signIn("guest", "a third long password")).status).toBe(401);
    expect((await new Client(own.url).signIn("", "a third long password")).status).toBe(401);
  });

  test("ends when the admin's password changes: all sessions but the caller's do", async () => {
    await using own = await start();
    const [client, admin] = [await signedIn(own), await signedIn(own, "admin", PASSWORD)];
    const wanted = { current_password: PASSWORD, new_password: "a third long password" };
    expect((await admin.send("POST", "/api/auth/password", wanted)).status).toBe(200);
    expect([(await client.fetch("/api/status")).status, (await admin.fetch("/api/status")).status]).toEqual([401, 200]);
  });

  test("may not pass as the admin by a cookie that was changed", async () => {
    const cookie = guest.cookie("dashdock_session") ?? "";
    const [payload = "", signature = ""] = cookie.split(".");
    const written = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
    expect(written["role"]).toBe("viewer");
    for (const more of [{ role: "admin" }, { role: undefined }]) {
      const forged = Buffer.from(JSON.stringify({ ...written, ...more })).toString("base64url");
      const thief = new Client(app.url);
      thief.setCookie("dashdock_session", `${forged}.${signature}`);
      expect((await thief.fetch("/api/settings")).status).toBe(401);
    }
  });

  test("gives nobody more guesses at the admin's password", async () => {
    await using own = await start();
    const client = new Client(own.url);
    for (let at = 0; at < 9; at++) expect((await client.signIn("admin", `wrong ${at}`)).status).toBe(401);
    // Its own password neither ends the count nor makes the browser one that is counted by itself.
    expect((await client.signIn("guest", VIEWER_PASSWORD)).status).toBe(302);
    expect(client.cookie("dashdock_device")).toBeUndefined();
    await client.submit("/logout", {});
    expect((await client.signIn("admin", "wrong again")).status).toBe(401);
    expect((await client.signIn("admin", PASSWORD)).status).toBe(429);
    expect((await client.signIn("guest", VIEWER_PASSWORD)).status).toBe(429);
  });
});

describe("POST /api/auth/viewer", () => {
  for (const [name, body, status, code, path] of [
    ["the admin's own name", { username: " admin ", password: VIEWER_PASSWORD }, 422, "VALIDATION_ERROR", "username"],
    ["a name with a line break", { username: "a\nb", password: VIEWER_PASSWORD }, 422, "VALIDATION_ERROR", "username"],
    ["a short password", { username: "guest", password: "short" }, 422, "WEAK_PASSWORD", "password"],
    ["no password", { username: "guest" }, 422, "WEAK_PASSWORD", "password"],
    ["a name that is no text", { username: 1, password: VIEWER_PASSWORD }, 422, "VALIDATION_ERROR", "username"],
  ] as const)
    test(`refuses ${name}`, async () => {
      const admin = await signedIn(app, "admin", PASSWORD);
      const answer = await admin.send("POST", "/api/auth/viewer", body);
      const told = (await answer.json()) as { code: string; details: { field_errors: { path: string }[] } };
      expect([answer.status, told.code, told.details.field_errors[0]?.path]).toEqual([status, code, path]);
    });

  test("is for the admin alone, and no password of it is ever told", async () => {
    expect(await codeOf(await guest.send("POST", "/api/auth/viewer", { username: "" }))).toEqual([403, "READ_ONLY"]);
    expect(await codeOf(await guest.send("POST", "/api/auth/password", {}))).toEqual([403, "READ_ONLY"]);
    const admin = await signedIn(app, "admin", PASSWORD);
    const text = await (await admin.fetch("/api/settings")).text();
    expect([text.includes("argon2"), JSON.parse(text).auth.viewer_username]).toEqual([false, "guest"]);
    const patched = await admin.send("PATCH", "/api/settings/auth", { viewer_password_hash: "" });
    expect(await codeOf(patched)).toEqual([422, "SETTINGS_INVALID"]);
    expect(await codeOf(await admin.send("PATCH", "/api/settings/auth", { viewer_username: "admin" }))).toEqual([
      422,
      "SETTINGS_INVALID",
    ]);
  });
});

describe("a proxy that names groups", () => {
  const auth = {
    mode: "proxy",
    trusted_proxies: ["127.0.0.0/8"],
    proxy_groups_header: "Remote-Groups",
    proxy_admin_group: "family",
  } as const;
  for (const [groups, role] of [
    ["family", "admin"],
    ["guests, family ,x", "admin"],
    ["Family", "viewer"],
    ["family2", "viewer"],
    ["guests", "viewer"],
    ["", "viewer"],
    [null, "viewer"],
  ] as const)
    test(`makes a user of ${groups === null ? "no header" : JSON.stringify(groups)} ${role}`, async () => {
      await using stage = await HttpStage.open({ routes: SAMPLES });
      await stage.changeAuth(auth);
      const browser = new Browser(stage.listening.url, {
        "x-remote-user": "mia",
        ...(groups !== null && { "remote-groups": groups }),
      });
      expect(((await (await browser.ask("/api/auth/me")).json()) as { role: string }).role).toBe(role);
      const { status } = await browser.ask("/settings");
      expect([
        status,
        (await browser.ask("/first-run", { form: { password: "a third long password" } })).status,
      ]).toEqual(role === "admin" ? [200, 302] : [403, 403]);
    });

  test("decides nothing while no group is set, and cannot be asked for without its header", async () => {
    await using stage = await HttpStage.open({ routes: SAMPLES });
    await stage.changeAuth({ ...auth, proxy_admin_group: "" });
    const browser = new Browser(stage.listening.url, { "x-remote-user": "mia" });
    expect(((await (await browser.ask("/api/auth/me")).json()) as { role: string }).role).toBe("admin");
    await expect(stage.changeAuth({ proxy_groups_header: "", proxy_admin_group: "family" })).rejects.toThrow(
      "proxy_groups_header",
    );
  });
});
