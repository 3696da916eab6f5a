import { describe, expect, test } from "bun:test";
import { spanOptions, wantedSpan } from "../../../../islands/viewer/export/span_options.ts";
import { JourneyClock } from "../../../../server/domain/viewer/journey_clock.ts";
import type { ViewerRecording } from "../../../../server/domain/viewer/viewer_schema.ts";

const [FIRST, EVENT, THIRD, LAST] = [
  "20261120_080000_N",
  "20261120_080100_E",
  "20261120_080200_N",
  // After a gap of two minutes.
  "20261120_080500_N",
] as const;
const CLOCK = new JourneyClock([FIRST, EVENT, THIRD, LAST].map((key) => ({ key, duration_seconds: 60 })));
const clip = (key: string, t: number | null = null) =>
  ({
    base_filename: key.slice(0, 15),
    type: key.slice(16),
    strongest: t === null ? null : { t },
  }) as unknown as ViewerRecording;
const told = (recording: ViewerRecording, time = 0, clock = CLOCK) =>
  spanOptions(clock, recording, time).map(({ name, range: { from, to } }) => [name, from, to]);

describe("parts to save", () => {
  test("begin with what happened, one minute before and after, as far as the trip goes", () => {
    expect(told(clip(EVENT, 25.5))).toEqual([
      ["Event ± 1 min", 25.5, 145.5],
      ["This clip", 60, 120],
      ["Whole trip", 0, 360],
    ]);
    // Where no moment is known, all of the clip is what happened.
    expect(told(clip(EVENT))[0]).toEqual(["Event ± 1 min", 0, 180]);
  });

  test("of another clip are the clip, what is seen, and the trip, each once", () => {
    expect(told(clip(LAST), 330)).toEqual([
      ["This clip", 300, 360],
      ["Here ± 1 min", 270, 360],
      ["Whole trip", 0, 360],
    ]);
    const alone = new JourneyClock([{ key: FIRST, duration_seconds: 60 }]);
    expect(told(clip(FIRST), 30, alone)).toEqual([["This clip", 0, 60]]);
    expect(told(clip("20261121_080000_N"))).toEqual([]);
  });
});

test("a part is asked for by name where it is a whole clip or trip, else by its ends", () => {
  for (const [from, to, wanted] of [
    [0, 360, { kind: "trip", key: FIRST }],
    [60, 120.04, { kind: "clip", key: EVENT }],
    [25.5, 145.5, { kind: "range", from: FIRST, to: THIRD, fromSeconds: 25.5, toSeconds: 25.5 }],
    [200, 290, null],
  ] as const)
    expect([from, to, wantedSpan(CLOCK, { from, to })]).toEqual([from, to, wanted]);
});
