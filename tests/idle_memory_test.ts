import { afterAll, afterEach, expect, spyOn, test } from "bun:test";
import { IdleMemory } from "../server/idle_memory.ts";
import { startApp } from "./support/app/app.ts";
import { FakeClock } from "./support/app/clock.ts";

const shrink = spyOn(Bun, "shrink").mockImplementation(() => {});
afterEach(() => shrink.mockClear());
afterAll(() => shrink.mockRestore());

const nothing = async () => {};

test("memory is given back once, after ten idle seconds", async () => {
  const clock = new FakeClock();
  await new IdleMemory(clock).during(nothing);
  await clock.advance(9_999);
  expect(shrink).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(shrink).toHaveBeenCalledTimes(1);
  await clock.advance(60_000);
  expect(shrink).toHaveBeenCalledTimes(1);
});

test("idle seconds begin with the end of the last work, also of one that failed", async () => {
  const clock = new FakeClock();
  const memory = new IdleMemory(clock);
  await memory.during(nothing);
  await clock.advance(6_000);
  await expect(memory.during(() => Promise.reject(new Error("it failed")))).rejects.toThrow("it failed");
  await clock.advance(6_000);
  expect(shrink).not.toHaveBeenCalled();
  await clock.advance(4_000);
  expect(shrink).toHaveBeenCalledTimes(1);
});

test("nothing is given back while any work goes on, whichever began first", async () => {
  const clock = new FakeClock();
  const memory = new IdleMemory(clock);
  const start = Promise.withResolvers<void>();
  const run = Promise.withResolvers<void>();
  const starting = memory.during(() => start.promise);
  const running = memory.during(() => run.promise);
  start.resolve();
  await starting;
  await clock.advance(60_000);
  expect([clock.sleeping, shrink.mock.calls.length]).toEqual([0, 0]);
  run.resolve();
  await running;
  await clock.advance(10_000);
  expect(shrink).toHaveBeenCalledTimes(1);
});

test("what ends after the close waits for nothing", async () => {
  const clock = new FakeClock();
  const memory = new IdleMemory(clock);
  const work = Promise.withResolvers<void>();
  const working = memory.during(() => work.promise);
  memory.close();
  work.resolve();
  await working;
  expect(clock.sleeping).toBe(0);
});

test("what asks right after a run finds its code compiled; a close waits for nothing", async () => {
  const clock = new FakeClock("2026-06-07T10:21:00Z");
  await using it = await startApp({ clock, settings: { retention: { keep: "" } } });
  await it.client.open("/");
  await it.client.send("POST", "/api/sync/now", {});
  expect((await it.synced()).state).toBe("completed");
  expect(shrink).not.toHaveBeenCalled();
  // The run tells that it is completed before all that belongs to it has ended.
  await clock.untilSleeping(10_000);
  await clock.advance(10_000);
  expect(shrink).toHaveBeenCalledTimes(1);
  await it.client.send("POST", "/api/sync/now", {});
  await it.synced();
  await it.stop();
  await clock.advance(60_000);
  expect(shrink).toHaveBeenCalledTimes(1);
});
