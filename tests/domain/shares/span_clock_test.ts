import { describe, expect, test } from "bun:test";
import { SpanClock, skipOf } from "../../../server/domain/shares/span_clock.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const at = (text: string) => Date.parse(`2026-${text}Z`) / 1000;
/** In Berlin clocks leave out 02:00 to 03:00 on the 29th of March, and repeat it on the 25th of October. */
const BERLIN = new ZoneTime("Europe/Berlin");

describe("the clock of a link", () => {
  const starts = at("03-29T01:59:30");
  const walls = ["03-29T01:59:00", "03-29T03:00:00", "03-29T03:01:00"].map(at);

  test("leaves out what the camera's clock left out", () => {
    const skip = skipOf(starts, walls, BERLIN);
    expect(skip).toEqual({ at: 30, seconds: 3600 });
    const clock = new SpanClock(starts, skip);
    for (const [time, wall] of [
      [0, "03-29T01:59:30"],
      [29, "03-29T01:59:59"],
      [30, "03-29T03:00:00"],
      [90, "03-29T03:01:00"],
    ] as const)
      expect([time, clock.wallAt(time), clock.timeAtWall(at(wall))]).toEqual([time, at(wall), time]);
    // Times that nothing was recorded at.
    expect(clock.timeAtWall(at("03-29T02:30:00"))).toBe(30);
  });

  for (const [what, from, then, zone] of [
    ["on another day", "03-28T01:59:30", "03-28T03:00:00", BERLIN],
    ["without a zone", "03-29T01:59:30", "03-29T03:00:00", null],
    ["of a camera that went through the hour", "03-29T01:59:30", "03-29T02:00:00", BERLIN],
    ["in autumn", "10-25T01:59:30", "10-25T03:00:00", BERLIN],
  ] as const)
    test(`leaves out nothing ${what}`, () => {
      expect(skipOf(at(from), [at(then)], zone)).toBeNull();
      const clock = new SpanClock(at(from), null);
      expect([clock.wallAt(5), clock.timeAtWall(at(then))]).toEqual([at(from) + 5, at(then) - at(from)]);
    });
});
