import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type Clock, systemClock } from "../../server/clock.ts";
import type { Scope } from "../../server/domain/keys/access_key.ts";
import type { ListedKey, MadeKey } from "../../server/domain/keys/key_schema.ts";
import { WRONG_GUESS_MS } from "../../server/http/auth/guess_count.ts";
import { type AppOptions, type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";

setDefaultTimeout(30_000);

const PASSWORD = "correct horse battery";
const WRONG = `dd_${"0".repeat(43)}`;

/** Wrong keys are answered late, for which no test waits. */
const QUICK: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms > 1000 && ms <= 1500 ? 0 : ms, signal),
};

const locked = async (options: AppOptions = {}) => {
  const app = await startApp({ mode: "login", password: PASSWORD, clock: QUICK, ...options });
  if (options.mode === undefined) await app.client.signIn("admin", PASSWORD);
  else await app.client.open("/");
  return app;
};
const make = async (app: RunningApp, scope: Scope, name: string = scope) =>
  (await (await app.client.send("POST", "/api/keys", { name, scope })).json()) as MadeKey;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const ask = (app: RunningApp, path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${app.url}${path}`, { redirect: "manual", ...init, headers });
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];

let app: RunningApp;
beforeAll(async () => {
  app = await locked();
});
afterAll(() => app[Symbol.asyncDispose]());

describe("POST /api/keys", () => {
  test("makes a key that is told once, and listed without it", async () => {
    const answer = await app.client.send("POST", "/api/keys", { name: " Homepage ", scope: "read" });
    const made = (await answer.json()) as MadeKey;
    expect([answer.status, made]).toEqual([
      201,
      {
        id: expect.any(String),
        name: "Homepage",
        scope: "read",
        key: expect.stringMatching(/^dd_[0-9A-Za-z]{43}$/),
        made_at: expect.any(String),
      },
    ]);
    const { keys } = (await (await app.client.fetch("/api/keys")).json()) as { keys: ListedKey[] };
    expect(keys.find(({ id }) => id === made.id)).toEqual({
      id: made.id,
      name: "Homepage",
      scope: "read",
      hint: `${made.key.slice(0, 7)}…`,
      made_at: made.made_at,
      last_used: null,
      last_from: null,
    });
    const digits = made.key.slice(7);
    const file = readFileSync(join(app.folder, "config", "keys.json"), "utf8");
    const log = await (await app.client.fetch("/api/logs/recent")).text();
    expect([JSON.stringify(keys), file, log].map((text) => text.includes(digits))).toEqual([false, false, false]);
  });

  for (const [name, body, path] of [
    ["no name", { scope: "read" }, "name"],
    ["an empty name", { name: "  ", scope: "read" }, "name"],
    ["a long name", { name: "x".repeat(101), scope: "read" }, "name"],
    ["a name that is no text", { name: 1, scope: "read" }, "name"],
    ["no scope", { name: "x" }, "scope"],
    ["a scope that is none", { name: "x", scope: "admin" }, "scope"],
    ["a field that it does not know", { name: "x", scope: "read", key: WRONG }, "key"],
  ] as const)
    test(`refuses ${name}`, async () => {
      const answer = await app.client.send("POST", "/api/keys", body);
      const told = (await answer.json()) as { code: string; details: { field_errors: { path: string }[] } };
      expect([answer.status, told.code, told.details.field_errors.map((one) => one.path)]).toEqual([
        422,
        "VALIDATION_ERROR",
        [path],
      ]);
    });

  test("makes 50 keys at most, also of those that are asked for at the same moment", async () => {
    await using full = await locked();
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => full.client.send("POST", "/api/keys", { name: "x", scope: "read" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(50).fill(201), ...Array(10).fill(422)]);
  });
});

describe("a key", () => {
  test("opens what its scope says by either header, without a cookie or a token, and says where it was used", async () => {
    const { key, id } = await make(app, "sync", "phone");
    for (const headers of [bearer(key), { authorization: `bearer  ${key} ` }, { "x-api-key": key }]) {
      const answer = await ask(app, "/api/auth/me", headers);
      expect(await answer.json()).toEqual({ username: "phone", mode: "login", role: "key", scope: "sync" });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const paused = await ask(app, "/api/schedule/pause", bearer(key), { method: "POST" });
    expect([paused.status, paused.headers.getSetCookie()]).toEqual([200, []]);
    expect((await ask(app, "/api/schedule/resume", { "x-api-key": key }, { method: "POST" })).status).toBe(200);
    const { keys } = (await (await app.client.fetch("/api/keys")).json()) as { keys: ListedKey[] };
    expect(keys.find((one) => one.id === id)).toMatchObject({
      last_used: expect.any(String),
      last_from: "127.0.0.1",
    });
  });

  test("reaches no page, no fragment and no link, whatever its scope", async () => {
    const { key } = await make(app, "recordings");
    for (const path of ["/", "/settings", "/login", "/first-run", "/hx/storage-card", "/help/sign-in", "/s/none"])
      expect([path, ...(await codeOf(await ask(app, path, bearer(key))))]).toEqual([path, 403, "SCOPE"]);
  });

  test("counts where a cookie comes along, right or wrong", async () => {
    const { key } = await make(app, "metrics");
    const cookie = `dashdock_session=${app.client.cookie("dashdock_session")}`;
    expect((await ask(app, "/api/settings", { cookie })).status).toBe(200);
    expect(await codeOf(await ask(app, "/api/settings", { cookie, ...bearer(key) }))).toEqual([403, "SCOPE"]);
    await using other = await locked();
    const own = `dashdock_session=${other.client.cookie("dashdock_session")}`;
    expect(await codeOf(await ask(other, "/api/settings", { cookie: own, ...bearer(WRONG) }))).toEqual([
      401,
      "AUTH_REQUIRED",
    ]);
  });

  test("says which scope was needed", async () => {
    const { key } = await make(app, "read", "Homepage");
    const answer = await ask(app, "/api/sync/now", bearer(key), { method: "POST" });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      {
        error: "The key “Homepage” has the scope “read”. It needs a key with the scope “sync”.",
        code: "SCOPE",
        details: { scope: "read", needed: ["sync"] },
      },
    ]);
  });

  test("in an address is refused, also beside a session that holds", async () => {
    const { key } = await make(app, "read");
    for (const path of ["/api/status", "/metrics", "/", "/healthz", "/api/nope"])
      for (const query of [`?key=${key}`, `?x=1&access_token=${key}`])
        expect((await app.client.fetch(path + query)).status).toBe(401);
    expect(await codeOf(await ask(app, `/api/status?api_key=${key}`))).toEqual([401, "AUTH_REQUIRED"]);
    expect(await codeOf(await ask(app, `/api/status?api_key=${key}`, bearer(key)))).toEqual([401, "AUTH_REQUIRED"]);
  });

  test("ends with DELETE /api/keys/ID, which knows each key once", async () => {
    const { key, id } = await make(app, "read");
    expect((await ask(app, "/api/status", bearer(key))).status).toBe(200);
    const gone = await app.client.send("DELETE", `/api/keys/${id}`);
    expect([gone.status, await gone.text()]).toEqual([204, ""]);
    expect(await codeOf(await ask(app, "/api/status", bearer(key)))).toEqual([401, "AUTH_REQUIRED"]);
    expect(await codeOf(await app.client.send("DELETE", `/api/keys/${id}`))).toEqual([404, "KEY_NOT_FOUND"]);
  });

  test("ends its open stream, and no other, when it is revoked", async () => {
    const [one, other] = [await make(app, "read", "one"), await make(app, "read", "other")];
    const open = async ({ key }: MadeKey) => {
      const { body } = await ask(app, "/api/sync/progress/stream", bearer(key));
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      expect((await reader.read()).done).toBe(false);
      return reader;
    };
    const [first, second] = [await open(one), await open(other)];
    await app.client.send("DELETE", `/api/keys/${one.id}`);
    while (!(await first.read()).done);
    expect(app.app.streams.open).toBe(1);
    await second.cancel();
  });

  test("that is sent twice counts once, and two that differ are none", async () => {
    await using other = await locked();
    const [one, two] = [await make(other, "read"), await make(other, "sync")];
    const sent = (lines: readonly string[]) => raw(other, "/api/auth/me", lines);
    expect(await sent([`Authorization: Bearer ${one.key}`, `X-API-Key: ${one.key}`])).toBe(200);
    expect(await sent([`Authorization: Bearer ${one.key}`, `X-API-Key: ${two.key}`])).toBe(401);
    expect(await sent([`X-API-Key: ${one.key}`, `X-API-Key: ${two.key}`])).toBe(401);
    // A line that is folded goes on in the next: refused, or read as one, but never half of it.
    expect([400, 401]).toContain(await sent(["Authorization: Bearer", ` ${WRONG}`]));
    expect([400, 401]).toContain(await sent([`Authorization: Bearer ${WRONG}`, ` X-API-Key: ${one.key}`]));
  });

  for (const mode of ["none", "proxy"] as const)
    test(`is judged in the mode ${mode}, too`, async () => {
      await using other = await locked();
      const { key } = await make(other, "read");
      await other.app.settings.update((latest) => ({
        ...latest,
        auth: { ...latest.auth, mode, trusted_proxies: ["192.0.2.1"] },
      }));
      expect((await ask(other, "/api/status", bearer(key))).status).toBe(200);
      expect(await codeOf(await ask(other, "/api/settings", bearer(key)))).toEqual([403, "SCOPE"]);
      expect(await codeOf(await ask(other, "/api/status", bearer(WRONG)))).toEqual([401, "AUTH_REQUIRED"]);
    });

  test("opens nothing while no password is chosen", async () => {
    await using other = await locked();
    const { key } = await make(other, "read");
    await other.app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, password_hash: "" } }));
    expect((await ask(other, "/api/status", bearer(key))).status).toBe(401);
  });

  test("is no other service’s token: a proxy that signs people in may send one", async () => {
    await using other = await locked();
    await other.app.settings.update((latest) => ({
      ...latest,
      auth: { ...latest.auth, mode: "proxy", trusted_proxies: ["127.0.0.1"] },
    }));
    const headers = { ...bearer("eyJhbGciOi.eyJzdWIi.c2ln"), "x-remote-user": "mia" };
    const answer = await ask(other, "/api/auth/me", headers);
    expect(await answer.json()).toEqual({ username: "mia", mode: "proxy", role: "admin" });
    expect((await ask(other, "/api/auth/me", { ...headers, "x-api-key": "eyJ" })).status).toBe(401);
  });

  test("works by the names that a sign-in works by", async () => {
    await using open = await locked({ mode: "none" });
    const { key } = await make(open, "read");
    for (const mode of ["none", "login"] as const) {
      await open.app.settings.update((latest) => ({ ...latest, auth: { ...latest.auth, mode } }));
      const { status } = await ask(open, "/api/status", { ...bearer(key), host: "evil.example" });
      expect([mode, status]).toEqual([mode, mode === "none" ? 421 : 200]);
    }
  });

  test("answers HEAD as GET, and other methods as without it", async () => {
    const { key } = await make(app, "recordings");
    for (const [method, path, status] of [
      ["HEAD", "/api/status", 200],
      ["HEAD", "/api/settings", 403],
      ["HEAD", "/api/logs/file", 403],
      ["OPTIONS", "/api/settings", 405],
      ["TRACE", "/api/settings", 405],
      ["DELETE", "/api/recordings/20260607_101500_N", 403],
      ["PATCH", "/api/settings/auth", 403],
    ] as const)
      expect([method, path, (await rawStatus(app, method, path, [`X-API-Key: ${key}`])) === status]).toEqual([
        method,
        path,
        true,
      ]);
  });
});

describe("a wrong key", () => {
  test("locks its address as wrong passwords do, also for keys that are right; the lock ends by itself", async () => {
    const clock = new FakeClock(Date.now());
    await using other = await locked({ clock });
    const { key } = await make(other, "read");
    const guesses = Array.from({ length: 1000 }, (_, at) => {
      const text = `dd_${String(at).padStart(43, "0")}`;
      return ask(other, "/api/status", at % 2 === 0 ? bearer(text) : { "x-api-key": text });
    });
    const statuses: number[] = [];
    for (const guess of guesses) void guess.then(({ status }) => statuses.push(status));
    while (statuses.length < 990) await new Promise(setImmediate);
    await clock.advance(1500);
    await Promise.all(guesses);
    expect([statuses.filter((one) => one === 401).length, statuses.filter((one) => one === 429).length]).toEqual([
      10, 990,
    ]);
    const late = await ask(other, "/api/status", bearer(key));
    expect([late.status, Number(late.headers.get("retry-after")) > 800]).toEqual([429, true]);
    // A browser that has signed in goes on.
    expect((await other.client.fetch("/api/status")).status).toBe(200);
    await clock.advance(900_000);
    expect((await ask(other, "/api/status", bearer(key))).status).toBe(200);
  });

  test("is counted although right ones come in between", async () => {
    const clock = new FakeClock(Date.now());
    await using other = await locked({ clock });
    const { key } = await make(other, "read");
    for (let at = 0; at < 10; at++) {
      expect((await ask(other, "/api/status", bearer(key))).status).toBe(200);
      const guess = ask(other, "/api/status", bearer(WRONG));
      await clock.untilSleeping(WRONG_GUESS_MS);
      await clock.advance(WRONG_GUESS_MS);
      expect((await guess).status).toBe(401);
    }
    expect((await ask(other, "/api/status", bearer(key))).status).toBe(429);
  });

  test("of ten kilobytes, of nothing or of foreign letters is answered as any other", async () => {
    const clock = new FakeClock(Date.now());
    await using other = await locked({ clock });
    for (const text of ["x".repeat(10_000), "", `dd_${"٣".repeat(21)}`, "dd_"]) {
      const answer = raw(other, "/api/status", [`X-API-Key: ${text}`]);
      await clock.untilSleeping(WRONG_GUESS_MS);
      await clock.advance(WRONG_GUESS_MS);
      expect([text.slice(0, 4), await answer]).toEqual([text.slice(0, 4), 401]);
    }
  });
});

describe("/metrics", () => {
  test("takes a key of any scope in place of its token, and stays off while it is off", async () => {
    await using other = await locked();
    const keys = [await make(other, "metrics"), await make(other, "sync")];
    const statusOf = async (headers: Record<string, string>) => (await ask(other, "/metrics", headers)).status;
    for (const { key } of keys) expect(await statusOf(bearer(key))).toBe(404);
    await other.app.settings.patch("metrics", { scrape: true, scrape_token: "collectors-token-0123456789" });
    for (const { key } of keys) expect(await statusOf(bearer(key))).toBe(200);
    expect(await statusOf({ "x-api-key": keys[0]?.key ?? "" })).toBe(200);
    expect(await statusOf(bearer("collectors-token-0123456789"))).toBe(200);
    expect([await statusOf(bearer("another token")), await statusOf({})]).toEqual([401, 401]);
    expect(await statusOf(bearer(WRONG))).toBe(401);
    await other.app.settings.patch("metrics", { scrape_token: null });
    // A collector that goes on sending the token of before reads what everyone may read; a revoked key does not.
    expect([
      await statusOf({}),
      await statusOf(bearer("collectors-token-0123456789")),
      await statusOf(bearer(WRONG)),
    ]).toEqual([200, 200, 401]);
  });
});

/** Status of a request whose headers are sent as they are written. */
function raw(running: RunningApp, path: string, lines: readonly string[]): Promise<number> {
  return rawStatus(running, "GET", path, lines);
}

function rawStatus(running: RunningApp, method: string, path: string, lines: readonly string[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const { port } = new URL(running.url);
  const socket = connect(Number(port), "127.0.0.1", () =>
    socket.write(
      `${[`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...lines].join("\r\n")}\r\n\r\n`,
    ),
  );
  socket.once("data", (data) => {
    resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(data.toString("latin1"))?.[1]));
    socket.destroy();
  });
  socket.on("error", reject);
  socket.on("close", () => resolve(0));
  return promise;
}
