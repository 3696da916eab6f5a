import { describe, expect, test } from "bun:test";
import { secondsBetween } from "../../../server/domain/recordings/clock_change.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

/** In Berlin clocks leave out 02:00 to 03:00 on the 29th of March, and repeat it on the 25th of October. */
const BERLIN = new ZoneTime("Europe/Berlin");
const at = (text: string) => Date.parse(`2026-${text}Z`) / 1000;

describe("secondsBetween()", () => {
  for (const [name, from, to, zone, seconds] of [
    ["the hour that is left out did not pass", "03-29T01:59:59", "03-29T03:00:00", BERLIN, 1],
    ["a break around it is as long as it was", "03-29T01:30:00", "03-29T04:00:00", BERLIN, 5400],
    ["a camera that films within it does not change its clock", "03-29T02:10:00", "03-29T03:10:00", BERLIN, 3600],
    ["and has no gap at its end", "03-29T02:59:59", "03-29T03:00:00", BERLIN, 1],
    ["nor at its beginning", "03-29T01:59:59", "03-29T02:00:00", BERLIN, 1],
    ["an hour of another day passed", "03-28T01:59:59", "03-28T03:00:00", BERLIN, 3601],
    ["an hour that is repeated cannot be told from the first", "10-25T01:30:00", "10-25T03:30:00", BERLIN, 7200],
    ["without a zone names say how much passed", "03-29T01:59:59", "03-29T03:00:00", null, 3601],
  ] as const)
    test(name, () => {
      expect(secondsBetween(at(from), at(to), zone)).toBe(seconds);
    });
});
