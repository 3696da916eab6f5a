import { afterAll, afterEach, expect, spyOn, test } from "bun:test";
import { IdleMemory } from "../server/idle_memory.ts";
import { startApp } from "./support/app.ts";
import { FakeClock } from "./support/clock.ts";

const shrink = spyOn(Bun, "shrink").mockImplementation(() => {});
afterEach(() => shrink.mockClear());
afterAll(() => shrink.mockRestore());

test("memory is given back once, after ten idle seconds", async () => {
  const clock = new FakeClock();
  const memory = new IdleMemory(clock);
  memory.idle();
  await clock.advance(9_999);
  expect(shrink).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(shrink).toHaveBeenCalledTimes(1);
  await clock.advance(60_000);
  expect(shrink).toHaveBeenCalledTimes(1);
});

test("idle seconds begin anew with each end of work, and none are counted while there is some", async () => {
  const clock = new FakeClock();
  const memory = new IdleMemory(clock);
  memory.idle();
  await clock.advance(6_000);
  memory.idle();
  await clock.advance(6_000);
  expect(shrink).not.toHaveBeenCalled();
  memory.busy();
  await clock.advance(60_000);
  expect([clock.sleeping, shrink.mock.calls.length]).toEqual([0, 0]);
  memory.idle();
  await clock.advance(10_000);
  expect(shrink).toHaveBeenCalledTimes(1);
});

test("what asks right after a run finds its code compiled; a close waits for nothing", async () => {
  const clock = new FakeClock("2026-06-07T10:21:00Z");
  await using it = await startApp({ clock, settings: { retention: { keep: "" } } });
  await it.client.open("/");
  await it.client.send("POST", "/api/sync/now", {});
  expect((await it.synced()).state).toBe("completed");
  expect(shrink).not.toHaveBeenCalled();
  await clock.advance(10_000);
  expect(shrink).toHaveBeenCalledTimes(1);
  await it.client.send("POST", "/api/sync/now", {});
  await it.synced();
  await it.stop();
  await clock.advance(60_000);
  expect(shrink).toHaveBeenCalledTimes(1);
});
