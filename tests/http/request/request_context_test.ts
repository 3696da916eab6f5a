import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Route } from "../../../server/http/request/route.ts";
import { HttpStage, SAMPLES, type StageApp } from "../../support/app/http.ts";

const MIB = 1024 * 1024;

const ECHO: Route<StageApp> = {
  method: "POST",
  path: "/api/echo",
  access: "open",
  handle: async (context) => Response.json(await context.json()),
};

let stage: HttpStage;
beforeAll(async () => {
  stage = await HttpStage.open({ auth: { mode: "none" }, routes: [...SAMPLES, ECHO] });
});
afterAll(() => stage[Symbol.asyncDispose]());

describe("the body of a request", () => {
  const rows: [name: string, body: string, type: string | null][] = [
    ["an array", "[]", "application/json"],
    ["a scalar", "1", "application/json"],
    ["null", "null", "application/json"],
    ["broken", "{", "application/json"],
    ["empty", "", "application/json"],
    ["not UTF-8", '{"a":"\xff"}', "application/json"],
    ["of another type", "{}", "text/plain"],
    ["a form", "a=1", "application/x-www-form-urlencoded"],
  ];
  for (const [name, body, type] of rows)
    test(`is refused when it is ${name}`, async () => {
      const bytes = Uint8Array.from(body, (letter) => letter.charCodeAt(0));
      const headers = type === null ? {} : { "content-type": type };
      const answer = await stage.browser().ask("/api/echo", { body: bytes, method: "POST", headers });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: "INVALID_BODY", details: {} });
    });

  test("is taken as JSON with a charset, and up to one mebibyte", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    const body = JSON.stringify({ a: "x".repeat(MIB - 8) });
    expect(body).toHaveLength(MIB);
    const answer = await stage.browser().ask("/api/echo", { body, headers });
    expect(answer.status).toBe(200);
  });

  test("is refused when it is longer, announced or not, and whether it is read or not", async () => {
    const browser = stage.browser();
    const headers = { "content-type": "application/json", "x-csrftoken": await browser.token() };
    const body = "x".repeat(10 * MIB);
    for (const path of ["/api/echo", "/api/act", "/login"]) {
      const answer = await browser.ask(path, { body, headers });
      expect([path, answer.status]).toEqual([path, 413]);
      if (path !== "/login") expect(await answer.json()).toMatchObject({ code: "BODY_TOO_LARGE" });
    }
    const chunks = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 3; index++) controller.enqueue(new Uint8Array(MIB));
        controller.close();
      },
    });
    const answer = await fetch(`${stage.listening.url}/api/echo`, { method: "POST", body: chunks, headers });
    expect(answer.status).toBe(413);
  });
});
