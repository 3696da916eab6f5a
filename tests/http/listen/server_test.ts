import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { AppError } from "../../../server/domain/answers/errors.ts";
import { listen } from "../../../server/http/listen/server.ts";
import type { Route } from "../../../server/http/request/route.ts";
import { errorPage } from "../../../server/routes.ts";
import { HttpStage, SAMPLES, type StageApp } from "../../support/app/http.ts";

const TROUBLE: readonly Route<StageApp>[] = [
  { method: "GET", path: "/api/bug", access: "open", handle: () => fail("the cause") },
  { method: "GET", path: "/bug", access: "open", handle: () => fail("the cause") },
  { method: "GET", path: "/api/text", access: "open", handle: () => fail("text", false) },
  { method: "GET", path: "/api/busy", access: "open", handle: () => refuse("TOO_MANY_STREAMS") },
  { method: "GET", path: "/gone", access: "open", handle: () => refuse("NOT_FOUND", '<script>"&') },
  { method: "GET", path: "/vanished", access: "open", handle: () => new Response(Bun.file("/nowhere/at/all")) },
  {
    method: "GET",
    path: "/broken",
    access: "sign-in-page",
    handle: () => refuse("NOT_FOUND"),
    refuse: () => fail("refusing"),
  },
  {
    method: "POST",
    path: "/api/echo/:name",
    access: "open",
    handle: async (context) => Response.json([context.params["name"], await context.json()]),
  },
  {
    method: "GET",
    path: "/asset",
    access: "open",
    handle: () => new Response("x", { headers: { "cache-control": "public, max-age=31536000, immutable" } }),
  },
];

function fail(text: string, isError = true): never {
  throw isError ? new Error(text) : text;
}
function refuse(code: "NOT_FOUND" | "TOO_MANY_STREAMS", message = "no"): never {
  throw new AppError(code, message, { limit: 16 });
}

let stage: HttpStage;
beforeAll(async () => {
  stage = await HttpStage.open({ auth: { mode: "none" }, routes: [...SAMPLES, ...TROUBLE] });
});
afterAll(() => stage[Symbol.asyncDispose]());

/** Sends bytes as they are and collects what comes back. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(stage.listening.port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (data) => {
      answer += data;
      socket.end();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

const get = (path: string) => raw(`GET ${path} HTTP/1.1\r\nHost: nas\r\nConnection: close\r\n\r\n`);
const statusOf = (answer: string) => Number(/^HTTP\/1.1 ([0-9]{3})/.exec(answer)?.[1]);

describe("listen()", () => {
  const unknown = ["/nosuch", "/settings/", "//settings", "/%73ettings", "/login/", "/Settings", "/media", "/media/"];
  for (const path of unknown)
    test(`answers ${path} with a 404 page`, async () => {
      const answer = await get(path);
      expect(statusOf(answer)).toBe(404);
      expect(answer).toContain("<h1>Not found</h1>");
    });

  test("answers an unknown path under /api with JSON, whatever the method", async () => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await stage.browser().ask("/api/nosuch", { method });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ error: "There is no such endpoint", code: "NOT_FOUND", details: {} });
    }
  });

  test("answers a wrong method with what is possible", async () => {
    const answer = await stage.browser().ask("/api/act", { method: "GET" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, PATCH"]);
    expect(await answer.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
    for (const method of ["POST", "DELETE", "OPTIONS", "PROPFIND"]) {
      const page = await raw(`${method} /settings HTTP/1.1\r\nHost: nas\r\nConnection: close\r\n\r\n`);
      expect(statusOf(page)).toBe(405);
      expect(page.toLowerCase()).toContain("allow: get, head\r\n");
    }
  });

  test("answers HEAD for every GET, without a body", async () => {
    for (const [path, status] of [
      ["/", 200],
      ["/settings", 200],
      ["/healthz", 200],
      ["/login", 302],
      ["/media/a.mp4", 200],
      ["/nosuch", 404],
    ] as const) {
      const answer = await raw(`HEAD ${path} HTTP/1.1\r\nHost: nas\r\nConnection: close\r\n\r\n`);
      expect([path, statusOf(answer)]).toEqual([path, status]);
      expect(answer.split("\r\n\r\n")[1]).toBe("");
      expect(answer.toLowerCase()).toContain("content-security-policy:");
    }
  });

  test("has an orderly answer whatever a client calls it", async () => {
    const hosts = ["", "[", "a b", "%", "nas:99999", "a/b", "a?b", "x\\y", "a@b", "http://q"];
    for (const host of hosts)
      for (const [path, status] of [
        ["/healthz", 200],
        ["/login?next=%zz", 302],
        ["http://other.example/healthz", 200],
        ["/media/a.mp4", 200],
        ["/media/../settings", 404],
        ["//settings", 404],
      ] as const) {
        const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        // Hosts that are no name of this service are refused while it asks for no sign-in.
        const expected = host === "nas:99999" || path.endsWith("/healthz") ? status : 421;
        expect([host, path, statusOf(answer)]).toEqual([host, path, expected]);
        expect(answer.toLowerCase()).toContain("content-security-policy:");
      }
    expect(statusOf(await raw("GET /healthz HTTP/1.0\r\n\r\n"))).toBe(200);
  });

  test("hands the rest of a wildcard path over decoded once", async () => {
    const rows: [path: string, rest: string][] = [
      ["/media/2026-06-07/a_NF.mp4", "2026-06-07/a_NF.mp4"],
      ["/media/a%20b%252F.mp4", "a b%2F.mp4"],
      ["/media/%C3%BC.mp4?x=1", "ü.mp4"],
      ["/media/x/../a.mp4", "a.mp4"],
    ];
    for (const [path, rest] of rows) expect(await get(path)).toContain(JSON.stringify(rest));
  });

  const bad = ["%00", "a%00.mp4", "%ff", "%zz", "a//b", "a/", "..%2fsettings.json", "a%2F..%2Fb", "%2e%2e%2fx", ".."];
  for (const rest of bad)
    test(`answers /media/${rest} with 404`, async () => expect(statusOf(await get(`/media/${rest}`))).toBe(404));

  test("answers a path that leaves its wildcard with 404, not with what it leads to", async () => {
    for (const path of ["/media/../settings", "/media/%2e%2e/settings", "/media/../healthz"])
      expect(statusOf(await get(path))).toBe(404);
  });

  test("answers a parameter with a bad escape or NUL with 404", async () => {
    const browser = stage.browser();
    expect(await (await browser.ask("/api/echo/a%2Fb", { json: {} })).json()).toEqual(["a/b", {}]);
    for (const name of ["%00", "%ff", "%zz"])
      expect((await browser.ask(`/api/echo/${name}`, { json: {} })).status).toBe(404);
  });

  test("puts the security headers on every answer", async () => {
    for (const path of [
      "/",
      "/api/auth/me",
      "/nosuch",
      "/api/nosuch",
      "/api/bug",
      "/bug",
      "/media/a.mp4",
      "/api/busy",
    ]) {
      const { headers } = await stage.browser().ask(path);
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toBe("geolocation=(), microphone=(), camera=()");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("strict-transport-security")).toBeNull();
    }
  });

  test("lets nothing be cached, except what says otherwise itself", async () => {
    const cached = async (path: string) => (await stage.browser().ask(path)).headers.get("cache-control");
    for (const path of ["/", "/api/auth/me", "/nosuch", "/login"]) expect(await cached(path)).toBe("no-store");
    expect(await cached("/media/a.mp4")).toBe("private");
    expect(await cached("/asset")).toBe("public, max-age=31536000, immutable");
  });

  test("says nothing of an unexpected error but an id, under which the log has the cause", async () => {
    for (const path of ["/api/bug", "/api/text"]) {
      const answer = await stage.browser().ask(path);
      expect(answer.status).toBe(500);
      const body = await answer.json();
      expect(body).toEqual({
        error: expect.any(String),
        code: "INTERNAL",
        details: { request_id: expect.any(String) },
      });
      const line = stage.warnings.find((text) => text.includes(body.details.request_id));
      expect(line).toContain(path === "/api/bug" ? "GET /api/bug failed" : "text");
    }
    const page = await stage.browser().ask("/bug");
    const text = await page.text();
    expect([page.status, text.includes("cause"), /<code>[0-9a-f-]{36}<\/code>/.test(text)]).toEqual([500, false, true]);
    expect((await stage.browser().ask("/broken")).status).toBe(500);
  });

  test("escapes what it puts into an error page", async () => {
    const text = await (await stage.browser().ask("/gone")).text();
    expect(text).toContain("&lt;script>&quot;&amp;");
    expect(text).not.toMatch(/<script|style=|<style/);
  });

  test("says of a file that vanished under way that it is not there", async () => {
    const answer = await stage.browser().ask("/vanished");
    expect([answer.status, await answer.text(), answer.headers.get("cache-control")]).toEqual([404, "", "no-store"]);
    expect(answer.headers.get("content-security-policy")).toStartWith("default-src 'none'");
  });

  test("says when to come back", async () => {
    const answer = await stage.browser().ask("/api/busy");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await answer.json()).toEqual({ error: "no", code: "TOO_MANY_STREAMS", details: { limit: 16 } });
  });

  test("refuses a route that is listed twice", () => {
    const [route] = SAMPLES;
    if (!route) throw new Error("no sample");
    expect(() => listen(stage.app, [route, route], errorPage, { port: 0, host: "127.0.0.1" })).toThrow("listed twice");
  });

  test("throws when the port is taken", () => {
    const { port } = stage.listening;
    expect(() => listen(stage.app, [], errorPage, { port, host: "127.0.0.1" })).toThrow(/EADDRINUSE|in use/);
  });

  test("names where it listens", () => {
    expect(stage.listening.url).toBe(`http://127.0.0.1:${stage.listening.port}`);
    expect(stage.listening.port).toBeGreaterThan(0);
  });
});

describe("stop()", () => {
  test("waits for what is under way, and accepts nothing more", async () => {
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const slow: Route<StageApp> = {
      method: "GET",
      path: "/slow",
      access: "open",
      handle: async () => {
        begun.resolve();
        await finish.promise;
        return new Response("done");
      },
    };
    await using own = await HttpStage.open({ routes: [slow] });
    const answer = own.browser().ask("/slow");
    await begun.promise;
    const stopped = own.listening.stop();
    finish.resolve();
    expect(await (await answer).text()).toBe("done");
    await stopped;
    await expect(own.browser().ask("/slow")).rejects.toThrow();
  });

  test("cuts off what takes longer than three seconds", async () => {
    const begun = Promise.withResolvers<void>();
    const endless: Route<StageApp> = {
      method: "GET",
      path: "/endless",
      access: "open",
      handle: () => {
        begun.resolve();
        return new Promise<Response>(() => {});
      },
    };
    await using own = await HttpStage.open({ routes: [endless] });
    const answer = own
      .browser()
      .ask("/endless")
      .catch(() => "cut off");
    await begun.promise;
    const asleep = own.clock.asleep(3000);
    const stopped = own.listening.stop();
    await asleep;
    await own.clock.advance(3000);
    await stopped;
    expect(await answer).toBe("cut off");
  });
});
