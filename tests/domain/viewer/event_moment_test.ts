import { expect, test } from "bun:test";
import { eventBeside, landingOf } from "../../../server/domain/viewer/event_moment.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import { recording } from "../../support/app/recording_list.ts";

const at = (t: number | null) => ({ t, g: 1, push: null, from_knots: null, to_knots: null });
/** Its strongest moment is after so many seconds. */
const event = (key: string, t: number | null) => recording(key, { strongest: at(t) });

test("an event is begun three seconds before what happened, never before its clip, any other clip at its start", () => {
  expect([14.26, 3, 1.5, 0, null].map((t) => landingOf({ strongest: at(t) }))).toEqual([11.3, 0, 0, 0, 0]);
  expect(landingOf(recording("20260607_101500_N"))).toBe(0);
});

test("the event beside what is seen is found by where it is begun, on and back", () => {
  const [first, second, third] = ["20260607_101500_E", "20260607_101600_E", "20260607_101700_E"] as const;
  const events = [event(third, 10), event(first, 33), event(second, null)];
  const rows: [seen: string, seconds: number, by: 1 | -1, found: string | undefined][] = [
    [first, 0, 1, first],
    [first, 30, 1, second],
    [first, 29.9, 1, second],
    [first, 30, -1, undefined],
    [second, 0, -1, first],
    // While it plays a step back leads to where it was begun, and another one to the event before.
    [second, 1.5, -1, first],
    [second, 9, -1, second],
    [third, 7, -1, second],
    [third, 7, 1, undefined],
    ["20260607_101650_N", 5, 1, third],
    ["20260607_101650_N", 5, -1, second],
  ];
  for (const [key, seconds, by, found] of rows) {
    const next = eventBeside(events, { key, seconds }, by);
    expect([key, seconds, by, next && keyOf(next)]).toEqual([key, seconds, by, found]);
  }
});
