import { describe, expect, test } from "bun:test";
import {
  BesideTransfer,
  LimitedPace,
  type PaceLimits,
  ReadingHeldUp,
  SCRUB_LIMITS,
} from "../../../server/engine/checksums/reading_pace.ts";
import { FakeClock } from "../../support/app/clock.ts";

const never = new AbortController().signal;

/** Reads pieces as fast as the pace lets them be, each of which keeps the event loop busy for so long. */
async function read(clock: FakeClock, limits: PaceLimits, pieces: number, bytes: number, busyMs: number) {
  const pace = new LimitedPace(clock, () => limits, never);
  const began = clock.elapsed();
  for (let piece = 0; piece < pieces; piece++) {
    clock.pass(busyMs);
    let isOver = false;
    const waiting = Promise.resolve(pace.after(bytes, busyMs)).then(() => {
      isOver = true;
    });
    while (!isOver) {
      await clock.advance(1);
      await new Promise(setImmediate);
    }
    await waiting;
  }
  const seconds = (clock.elapsed() - began) / 1000;
  return { bytesPerSecond: (pieces * bytes) / seconds, share: (pieces * busyMs) / 1000 / seconds };
}

describe("the reading in the background", () => {
  test("takes at most 20 MB a second of a fast machine", async () => {
    const { bytesPerSecond } = await read(new FakeClock(), SCRUB_LIMITS, 100, 262_144, 0.2);
    expect(bytesPerSecond).toBeLessThanOrEqual(20_000_000);
    expect(bytesPerSecond).toBeGreaterThan(12_000_000);
  });

  test("takes at most a quarter of one core of a slow one", async () => {
    const { share } = await read(new FakeClock(), SCRUB_LIMITS, 50, 262_144, 20);
    expect(share).toBeLessThanOrEqual(0.25);
    expect(share).toBeGreaterThan(0.15);
  });

  test("waits while a run goes on, and gives up a file that is held open for too long", async () => {
    const clock = new FakeClock();
    let isHeld = true;
    const pace = new LimitedPace(
      clock,
      () => SCRUB_LIMITS,
      never,
      () => isHeld,
    );
    let free = 0;
    void pace.free().then(() => free++);
    await clock.advance(3_600_000);
    expect(free).toBe(0);
    isHeld = false;
    await clock.advance(1000);
    expect(free).toBe(1);
    isHeld = true;
    const held = Promise.resolve(pace.after(1, 0)).then(
      () => "went on",
      (error) => error,
    );
    await clock.advance(601_000);
    expect(await held).toBeInstanceOf(ReadingHeldUp);
  });

  test("ends at once when it is stopped", async () => {
    const clock = new FakeClock();
    const stopping = new AbortController();
    const pace = new LimitedPace(
      clock,
      () => SCRUB_LIMITS,
      stopping.signal,
      () => true,
    );
    const waiting = pace.free();
    stopping.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    expect(() => pace.after(1, 0)).toThrow("stopped");
  });
});

describe("beside a transfer", () => {
  test("little is read while the process is busy with it, more while the link is slow", () => {
    const clock = new FakeClock();
    let cpu = 0;
    const beside = new BesideTransfer(clock, () => cpu);
    const after = (share: number) => {
      clock.pass(1000);
      cpu += share * 1000;
      return beside.limits.share;
    };
    expect(beside.limits.share).toBe(0.01);
    expect([after(1.2), after(0.05), after(0.3), after(0.9)]).toEqual([0.01, 0.25, 0.25, 0.01]);
  });
});
