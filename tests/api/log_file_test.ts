import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { startApp } from "../support/app/app.ts";
import { expectHeaders } from "../support/app/scenarios.ts";

describe("GET /api/logs/file", () => {
  test("hands out the whole log file to be saved, with the line written just before", async () => {
    await using running = await startApp();
    running.app.log.info("test", "the last line, with ü");
    const answer = await running.client.fetch("/api/logs/file");
    expect(answer.status).toBe(200);
    expectHeaders(answer.headers, {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": 'attachment; filename="dashdock.log"',
      "cache-control": "no-store",
    });
    const text = await answer.text();
    expect(text).toBe(await Bun.file(running.app.logFile.path).text());
    expect(text.trimEnd()).toEndWith(": INFO the last line, with ü");
  });

  test("tells its length without sending it", async () => {
    await using running = await startApp();
    const answer = await running.client.fetch("/api/logs/file", { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
  });

  test("is sent empty when it is empty", async () => {
    await using running = await startApp();
    await running.app.logFile.flush();
    await Bun.write(running.app.logFile.path, "");
    const answer = await running.client.fetch("/api/logs/file");
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
  });

  test("is not found when there is none", async () => {
    await using running = await startApp();
    await running.app.logFile.flush();
    await rm(running.app.logFile.path);
    const answer = await running.client.fetch("/api/logs/file");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({
      error: "No log file is written. The lines in memory are on the logs page.",
      code: "NOT_FOUND",
      details: {},
    });
  });

  test("is for those who are signed in", async () => {
    await using running = await startApp({ mode: "login", password: "a long enough password" });
    expect((await running.client.fetch("/api/logs/file")).status).toBe(401);
  });
});
