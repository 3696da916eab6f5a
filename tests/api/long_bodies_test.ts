import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ROUTES } from "../../server/routes.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { LONG_BODIES } from "../support/long_bodies.ts";

const CHANGES = ROUTES.filter(({ method }) => method !== "GET");

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
  await running.client.open("/");
});
afterAll(() => running[Symbol.asyncDispose]());

// How long the loop is held is measured by `bun tests/bench/run.ts --only bodies`.
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
});
