import { describe, expect, test } from "bun:test";
import { AppError } from "../../../server/domain/answers/errors.ts";
import { SignInThrottle } from "../../../server/http/auth/sign_in_throttle.ts";
import { FakeClock } from "../../support/app/clock.ts";

const MINUTE = 60_000;

function start(): { clock: FakeClock; throttle: SignInThrottle; fail: (times: number, address?: string) => number } {
  const clock = new FakeClock();
  const throttle = new SignInThrottle({ clock });
  /** Number of guesses that were let through. */
  const fail = (times: number, address = "10.0.0.1") => {
    let passed = 0;
    for (let time = 0; time < times; time++) if (refusal(() => throttle.begin(address)) === null) passed++;
    return passed;
  };
  return { clock, throttle, fail };
}

function refusal(action: () => unknown): AppError | null {
  try {
    action();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

describe("Throttle", () => {
  test("lets ten guesses through and refuses the eleventh for fifteen minutes", async () => {
    const { clock, throttle, fail } = start();
    expect(fail(9)).toBe(9);
    expect(refusal(() => throttle.check("10.0.0.1"))).toBeNull();
    expect(fail(1)).toBe(1);
    const refused = refusal(() => throttle.begin("10.0.0.1"));
    expect(refused?.code).toBe("RATE_LIMITED");
    expect(refused?.details).toEqual({ retry_after_seconds: 900 });
    expect(refused?.message).toContain("15 minutes");
    await clock.advance(14 * MINUTE);
    expect(refusal(() => throttle.check("10.0.0.1"))?.message).toContain("1 minute.");
    await clock.advance(MINUTE);
    expect(fail(20)).toBe(10);
  });

  test("counts exactly ten of fifty guesses made at one moment", () => expect(start().fail(50)).toBe(10));

  test("does not lengthen the lock by what is tried meanwhile", async () => {
    const { clock, fail } = start();
    fail(11);
    await clock.advance(14 * MINUTE);
    expect(fail(5)).toBe(0);
    await clock.advance(2 * MINUTE);
    expect(fail(1)).toBe(1);
  });

  test("forgets failures after ten minutes", async () => {
    const { clock, throttle, fail } = start();
    fail(9);
    await clock.advance(10 * MINUTE);
    expect(fail(9)).toBe(9);
    expect(refusal(() => throttle.check("10.0.0.1"))).toBeNull();
  });

  test("starts afresh after a right password, also the tenth", () => {
    const { throttle, fail } = start();
    fail(9);
    throttle.begin("10.0.0.1").succeed();
    expect(fail(50)).toBe(10);
  });

  test("takes back a guess that could not be checked", () => {
    const { throttle, fail } = start();
    fail(9);
    const attempt = throttle.begin("10.0.0.1");
    attempt.withdraw();
    attempt.withdraw();
    expect(fail(5)).toBe(1);
  });

  test("counts an IPv6 network of 64 bits as one guesser and others apart", () => {
    const { fail } = start();
    expect(fail(6, "2001:db8:1:2::1") + fail(6, "2001:db8:1:2::ffff")).toBe(10);
    expect(fail(1, "2001:db8:1:3::1")).toBe(1);
    expect(fail(6, "::ffff:10.0.0.7") + fail(6, "10.0.0.7")).toBe(10);
  });

  test("counts an IPv6 network of 48 bits as well: thirty guesses, and what one got right frees no other", () => {
    const { throttle, fail } = start();
    const from = (index: number) => `2001:db8:1:${index.toString(16)}::1`;
    for (let index = 0; index < 29; index++) expect(fail(1, from(index))).toBe(1);
    throttle.begin(from(0)).succeed();
    expect(throttle.standingOf(from(100))).toEqual({ triesLeft: 1, lockedSeconds: 0, of: "address" });
    expect(fail(3, from(100))).toBe(1);
    expect(throttle.standingOf(from(200))).toEqual({ triesLeft: 0, lockedSeconds: 900, of: "address" });
    expect(fail(1, "2001:db8:2::1")).toBe(1);
    expect(fail(1, "10.0.0.1")).toBe(1);
  });

  test("lets a browser that has signed in before guess from a locked address, and counts it by itself", async () => {
    const { clock, throttle, fail } = start();
    expect(fail(20)).toBe(10);
    await clock.advance(MINUTE);
    for (let time = 0; time < 9; time++) throttle.begin("10.0.0.1", "phone");
    expect(throttle.standingOf("10.0.0.1", "phone")).toEqual({ triesLeft: 1, lockedSeconds: 0, of: "browser" });
    throttle.begin("10.0.0.1", "phone").succeed();
    expect(throttle.standingOf("10.0.0.1", "phone").triesLeft).toBe(10);
    expect(throttle.standingOf("10.0.0.1", "laptop").triesLeft).toBe(10);
    // Guesses of one browser, also right ones, change nothing for the others.
    expect(throttle.standingOf("10.0.0.1").lockedSeconds).toBe(840);
  });

  test("counts what such a browser guesses for its address as well, while that is open", () => {
    const { throttle } = start();
    for (let time = 0; time < 9; time++) throttle.begin("10.0.0.1", "phone");
    expect(throttle.standingOf("10.0.0.1")).toEqual({ triesLeft: 1, lockedSeconds: 0, of: "address" });
    throttle.begin("10.0.0.1", "phone").withdraw();
    throttle.begin("10.0.0.1", "phone").succeed();
    expect(throttle.standingOf("10.0.0.1").triesLeft).toBe(10);
    for (let time = 0; time < 10; time++) throttle.begin("10.0.0.1", "phone");
    expect([throttle.standingOf("10.0.0.1").lockedSeconds, throttle.standingOf("10.0.0.2").lockedSeconds]).toEqual([
      900, 0,
    ]);
    expect(refusal(() => throttle.check("10.0.0.1", "laptop"))).toBeNull();
  });

  test("gives a browser ten guesses in all: locked after them, and one like any other when the lock is over", async () => {
    const { clock, throttle } = start();
    for (let time = 0; time < 10; time++) {
      throttle.begin("10.0.0.1", "stolen");
      await clock.advance(MINUTE);
    }
    expect(throttle.standingOf("10.0.0.2", "stolen")).toEqual({ triesLeft: 0, lockedSeconds: 840, of: "browser" });
    expect(refusal(() => throttle.begin("10.0.0.3", "stolen"))?.code).toBe("RATE_LIMITED");
    await clock.advance(60 * MINUTE);
    expect(throttle.isSpent("stolen")).toBe(true);
    for (let time = 0; time < 10; time++) throttle.begin("10.0.0.4", "stolen");
    expect(throttle.standingOf("10.0.0.4", "stolen")).toMatchObject({ lockedSeconds: 900, of: "address" });
  });

  test("is slow after two hundred failures from anywhere, for as long as so many are recent", async () => {
    const { clock, throttle, fail } = start();
    for (let index = 0; index < 199; index++) fail(1, `10.3.0.${index}`);
    throttle.begin("10.3.1.1").withdraw();
    throttle.begin("10.3.1.2").succeed();
    throttle.begin("10.3.1.3", "phone").succeed();
    expect(throttle.isSlow).toBe(false);
    await clock.advance(MINUTE);
    fail(1, "10.3.1.4");
    expect(throttle.isSlow).toBe(true);
    await clock.advance(9 * MINUTE);
    expect(throttle.isSlow).toBe(false);
  });

  test("has thirty-two places for those who wait while it is slow, and none is needed by a known browser", () => {
    const { throttle, fail } = start();
    expect(throttle.wait(null)).toBeNull();
    for (let index = 0; index < 200; index++) fail(1, `10.3.0.${index}`);
    const places = Array.from({ length: 32 }, () => throttle.wait(null));
    expect(refusal(() => throttle.wait(null))?.details).toEqual({ retry_after_seconds: 5 });
    expect(throttle.wait("phone")).toBeNull();
    places[3]?.();
    expect(throttle.wait(null)).not.toBeNull();
    expect(refusal(() => throttle.wait(null))?.code).toBe("RATE_LIMITED");
  });

  test("starts afresh for all with a new password", () => {
    const { throttle, fail } = start();
    for (let index = 0; index < 30; index++) fail(10, `10.0.1.${index}`);
    for (let index = 0; index < 3; index++) fail(10, `2001:db8:1:${index}::1`);
    expect([fail(1, "10.0.1.1"), fail(1, "2001:db8:1:9::1"), throttle.isSlow]).toEqual([0, 0, true]);
    throttle.forget();
    expect([fail(20, "10.0.1.1"), fail(1, "2001:db8:1:9::1"), throttle.isSlow]).toEqual([10, 1, false]);
  });

  test("remembers thirty thousand networks no better than ten thousand", () => {
    const { throttle, fail } = start();
    for (let index = 0; index < 30_000; index++) fail(1, `2001:${(index >> 8).toString(16)}:${index & 255}::1`);
    expect(throttle.size).toBe(10_000);
    expect(throttle.isSlow).toBe(true);
  });

  test("remembers ten thousand addresses at most; the one that was quiet longest goes first", () => {
    const { throttle, fail } = start();
    fail(9, "10.1.0.2");
    fail(10, "10.1.0.1");
    fail(1, "10.1.0.2");
    for (let index = 0; index < 9_999; index++) fail(1, `10.2.${index >> 8}.${index & 255}`);
    expect(throttle.size).toBe(10_000);
    expect(fail(1, "10.1.0.2")).toBe(0);
    expect(fail(1, "10.1.0.1")).toBe(1);
  });
});
