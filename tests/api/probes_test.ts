import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openApp } from "../../server/app.ts";
import { listen } from "../../server/http/listen/server.ts";
import { needsSignIn } from "../../server/http/request/route.ts";
import { errorPage, ROUTES } from "../../server/routes.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { Client } from "../support/app/client.ts";
import { temporaryPlace } from "../support/app/process.ts";
import { ALWAYS, expectHeaders, play, refused, type Scenario } from "../support/app/scenarios.ts";

setDefaultTimeout(20_000);

const JSON_TYPE = { "content-type": "application/json", "cache-control": "no-store" };
const HTML_TYPE = { "content-type": "text/html; charset=utf-8" };
const MEGABYTE = 1024 * 1024;

let running: RunningApp;
let locked: RunningApp;
beforeAll(async () => {
  running = await startApp();
  await running.client.open("/");
  locked = await startApp({ mode: "login", password: "a long enough password" });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await locked[Symbol.asyncDispose]();
});

/** Addresses that also refuse with JSON; pictures of streets are fetched by a script. */
/** Addresses whose files players ask for: they follow no way to a sign-in. */
const isForPlayers = (path: string) => path.startsWith("/media/") || path === "/links/:id/:part";
const isForPrograms = (path: string) =>
  ["/api/", "/film/", "/tiles/", "/map/file.pmtiles"].some((start) => path.startsWith(start));
/** A path of the table with something in the place of its variable parts. */
const sample = (path: string) =>
  path.replace(":section", "sync").replace(":key", "20260607_101500_N").replace("*", "20260607_101500_NF.mp4");

const rows: Scenario[] = [
  { name: "GET /healthz", ask: ["GET", "/healthz"], status: 200, headers: JSON_TYPE, is: { status: "ok" } },
  { name: "HEAD /healthz", ask: ["HEAD", "/healthz"], status: 200, headers: JSON_TYPE },
  { name: "GET /readyz", ask: ["GET", "/readyz"], status: 200, is: { status: "ready", settings_loaded: true } },
  { name: "POST /healthz", ask: ["POST", "/healthz"], status: 405, headers: { allow: "GET, HEAD", ...HTML_TYPE } },
  {
    name: "an unknown path below /api",
    ask: ["GET", "/api/nope"],
    status: 404,
    headers: JSON_TYPE,
    has: refused("NOT_FOUND", {}),
  },
  { name: "an unknown path with POST", ask: ["POST", "/api/nope", {}], status: 404, has: refused("NOT_FOUND", {}) },
  { name: "/api itself", ask: ["GET", "/api/"], status: 404, has: refused("NOT_FOUND", {}) },
  { name: "a slash too many", ask: ["GET", "/api/settings/"], status: 404, has: refused("NOT_FOUND", {}) },
  {
    name: "an unknown page",
    ask: ["GET", "/nope"],
    status: 404,
    headers: HTML_TYPE,
    says: ["Not found", /<html lang="en">/],
    lacks: ["NOT_FOUND", "    at "],
  },
  {
    name: "an unknown page whose name is markup",
    ask: ["GET", "/<script>alert(1)</script>"],
    status: 404,
    lacks: ["alert(1)"],
  },
  {
    name: "a method the endpoint does not have",
    ask: ["PUT", "/api/settings/sync", {}],
    status: 405,
    headers: { allow: "PATCH", ...JSON_TYPE },
    has: refused("METHOD_NOT_ALLOWED", { allowed: ["PATCH"] }),
  },
  {
    name: "a body over 1 MiB",
    ask: ["PATCH", "/api/settings/sync", `{"affinity_key": "${"x".repeat(MEGABYTE)}"}`],
    status: 413,
    has: refused("BODY_TOO_LARGE", { limit: MEGABYTE }),
  },
  {
    name: "a change without the token",
    ask: ["POST", "/api/schedule/pause", {}, { "x-csrftoken": "" }],
    status: 403,
    has: refused("CSRF_FAILED", {}),
  },
  {
    name: "a change with another browser's token",
    ask: ["POST", "/api/schedule/pause", {}, { "x-csrftoken": "0".repeat(64) }],
    status: 403,
    has: refused("CSRF_FAILED", {}),
  },
];

describe("on the way to an endpoint:", () => {
  for (const row of rows) test(row.name, () => play(running.client, row));

  test("a form over 1 MiB", async () => {
    const form = await running.client.submit("/login", { username: "x".repeat(MEGABYTE) });
    expect(form.status).toBe(413);
    expectHeaders(form.headers, { ...ALWAYS, ...HTML_TYPE });
    await form.body?.cancel();
  });
});

describe("every endpoint of the table", () => {
  test("that answers GET answers HEAD alike, without a body", async () => {
    for (const { path } of ROUTES.filter(({ method }) => method === "GET")) {
      const get = await running.client.fetch(sample(path));
      await get.body?.cancel();
      const head = await running.client.fetch(sample(path), { method: "HEAD" });
      const type = (answer: Response) => answer.headers.get("content-type");
      expect([path, head.status, type(head), await head.text()]).toEqual([path, get.status, type(get), ""]);
      expectHeaders(head.headers, ALWAYS);
    }
  });

  test("refuses every other method with 405, and names those it has", async () => {
    for (const path of new Set(ROUTES.map((route) => route.path))) {
      const has = ROUTES.filter((route) => route.path === path).map(({ method }) => method as string);
      const allow = has.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((other) => !has.includes(other))) {
        const answer = await running.client.send(method, sample(path));
        const type = isForPrograms(path) ? "application/json" : "text/html; charset=utf-8";
        expect([path, method, answer.status]).toEqual([path, method, 405]);
        expectHeaders(answer.headers, { ...ALWAYS, allow: allow.join(", "), "content-type": type });
        await answer.body?.cancel();
      }
    }
  });

  test("that is not for everybody turns away who is not signed in, in the form that fits", async () => {
    for (const { method, path } of ROUTES.filter(({ access }) => needsSignIn(access))) {
      const stranger = new Client(locked.url);
      const answer = await stranger.send(method, sample(path));
      const told = await answer.text();
      const where = answer.headers.get("location");
      if (isForPrograms(path)) {
        expect([path, answer.status]).toEqual([path, 401]);
        expect(JSON.parse(told)).toEqual({ error: "authentication required", code: "AUTH_REQUIRED", details: {} });
      } else if (isForPlayers(path)) expect([path, answer.status, where]).toEqual([path, 401, null]);
      else expect([path, answer.status, where]).toEqual([path, 302, expect.stringMatching(/^\/login(\?next=|$)/)]);

      const fragment = await stranger.send(method, sample(path), undefined, { "hx-request": "true" });
      if (!isForPrograms(path) && !isForPlayers(path))
        expect([path, fragment.status, fragment.headers.get("hx-redirect")]).toEqual([
          path,
          401,
          expect.stringMatching(/^\/login/),
        ]);
      await fragment.body?.cancel();
    }
  });

  test("that changes something wants the token of its browser, and changes nothing without", async () => {
    const before = JSON.stringify(running.app.settings.current);
    // Who has a link has no session, and thus no token: nothing of the service's changes by it.
    for (const { method, path } of ROUTES.filter(({ method, access }) => method !== "GET" && access !== "link")) {
      const answer = await running.client.send(method, sample(path), {}, { "x-csrftoken": "wrong" });
      expect([method, path, answer.status]).toEqual([method, path, 403]);
      await answer.body?.cancel();
    }
    expect(JSON.stringify(running.app.settings.current)).toBe(before);
    expect(running.app.job.snapshot.state).toBe("idle");
  });

  test("is listed once", () => {
    const names = ROUTES.map(({ method, path }) => `${method} ${path}`);
    expect(names).toEqual([...new Set(names)]);
  });
});

describe("while it starts and stops", () => {
  test("it is up but not ready, and only the probes answer", async () => {
    await using place = await temporaryPlace();
    await using app = await openApp({ configDir: place.at("config"), destination: place.at("recordings"), env: {} });
    const listening = listen(app, ROUTES, errorPage, { port: 0, host: "127.0.0.1" });
    try {
      const client = new Client(listening.url);
      const starting = { status: 503, is: { status: "starting", settings_loaded: false } };
      await play(client, { name: "up", ask: ["GET", "/healthz"], status: 200, is: { status: "ok" } });
      await play(client, { name: "starting", ask: ["GET", "/readyz"], ...starting });
      const early = { status: 503, headers: { "retry-after": "1" } };
      await play(client, { name: "early", ask: ["GET", "/api/settings"], ...early, has: refused("STARTING", {}) });
      await play(client, { name: "page", ask: ["GET", "/"], ...early, says: ["starting"] });
      await app.openStores();
      await play(client, { name: "ready", ask: ["GET", "/readyz"], status: 200 });
      await app.close();
      await play(client, { name: "stopping", ask: ["GET", "/readyz"], ...starting });
    } finally {
      await listening.stop();
    }
  });
});
