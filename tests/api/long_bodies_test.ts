import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { ROUTES } from "../../server/routes.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { LONG_BODIES } from "../support/app/long_bodies.ts";

const CHANGES = ROUTES.filter(({ method }) => method !== "GET");

const INVALID = { code: "INVALID_BODY" };

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
  await running.client.open("/");
});
afterAll(() => running[Symbol.asyncDispose]());

// `bun tests/bench/run.ts --only bodies` measures the time that the loop is held.
describe("a body of a mebibyte", () => {
  for (const { name, type, body } of LONG_BODIES)
    test(`of ${name} is answered in short by every route that takes one`, async () => {
      for (const { method, path } of CHANGES) {
        // These answer for the whole machine, and take no body.
        if (path === "/api/sync/now" || path === "/logout") continue;
        for (const section of path.includes(":section") ? ["sync", "auth", "connection", "web"] : [""]) {
          const url = path.replace(":section", section).replace(":key", "20260607_101500_N");
          const answer = await running.client.send(method, url, body, { "content-type": type });
          const text = await answer.text();
          expect([method, url, answer.status < 500, text.length < 250_000]).toEqual([method, url, true, true]);
        }
      }
    });

  test("is taken apart once by every route, and not at all when it has more parts than any request", async () => {
    const parse = spyOn(JSON, "parse");
    try {
      for (const { name, type, body } of LONG_BODIES) {
        const parts = (body.match(/[[{]/g)?.length ?? 0) > 1000 || (body.match(/:/g)?.length ?? 0) > 20_000;
        for (const { method, path } of CHANGES) {
          if (path === "/api/sync/now" || path === "/logout") continue;
          const url = path.replace(":section", "sync").replace(":key", "20260607_101500_N");
          parse.mockClear();
          const answer = await running.client.send(method, url, body, { "content-type": type });
          const times = parse.mock.calls.filter(([text]) => typeof text === "string" && text.length > 65_536).length;
          expect([name, method, url, times <= (parts ? 0 : 1)]).toEqual([name, method, url, true]);
          if (times === 0 && parts && answer.status === 400) expect(await answer.json()).toMatchObject(INVALID);
          else await answer.body?.cancel();
        }
      }
    } finally {
      parse.mockRestore();
    }
  });
});
