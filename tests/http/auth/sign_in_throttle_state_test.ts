import { expect, test } from "bun:test";
import { SignInThrottle } from "../../../server/http/auth/sign_in_throttle.ts";
import { FakeClock } from "../../support/app/clock.ts";

const MINUTE = 60_000;

test("Throttle tells how many guesses are left and how long a lock lasts, and counts nothing by telling", async () => {
  const clock = new FakeClock();
  const throttle = new SignInThrottle({ clock });
  const standing = (address = "10.0.0.1") => {
    const { triesLeft, lockedSeconds } = throttle.standingOf(address);
    return [triesLeft, lockedSeconds];
  };
  for (let left = 10; left > 0; left--) {
    expect([standing(), standing()]).toEqual([
      [left, 0],
      [left, 0],
    ]);
    throttle.begin("10.0.0.1");
  }
  expect(standing()).toEqual([0, 900]);
  expect(standing("10.0.0.2")).toEqual([10, 0]);
  await clock.advance(14 * MINUTE + 500);
  expect(standing()).toEqual([0, 60]);
  await clock.advance(MINUTE);
  expect(standing()).toEqual([10, 0]);
  expect(throttle.size).toBe(1);
});

test("Throttle gives the tries back after ten minutes, after success and when a guess is withdrawn", async () => {
  const clock = new FakeClock();
  const throttle = new SignInThrottle({ clock });
  const left = () => throttle.standingOf("10.0.0.1").triesLeft;
  throttle.begin("10.0.0.1");
  await clock.advance(5 * MINUTE);
  const second = throttle.begin("10.0.0.1");
  expect(left()).toBe(8);
  await clock.advance(5 * MINUTE);
  expect(left()).toBe(9);
  second.withdraw();
  expect(left()).toBe(10);
  throttle.begin("10.0.0.1");
  throttle.begin("10.0.0.1").succeed();
  expect(left()).toBe(10);
});
