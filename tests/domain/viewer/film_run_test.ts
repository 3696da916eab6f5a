import { describe, expect, test } from "bun:test";
import type { Film } from "../../../server/domain/film/film_schema.ts";
import { clipsOfRun, partIn, runOf } from "../../../server/domain/viewer/film_run.ts";
import { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import { recording } from "../../support/app/recording_list.ts";

const keyAt = (clock: string) => `20260607_${clock}_N`;
const KEYS = ["101500", "101512", "101524", "101536"].map(keyAt);
const [FIRST = "", SECOND = "", THIRD = "", FOURTH = ""] = KEYS;

/** A clip of 12 seconds of these cameras. */
function clip(key: string, over: object = {}, directions = "FR") {
  const of = (value: (direction: string) => string) =>
    Object.fromEntries([...directions].map((direction) => [direction, value(direction)]));
  return {
    ...recording(key, {
      duration_seconds: 12,
      videos: of((direction) => `/media/${key}${direction}.mp4`),
      codecs: of(() => "avc"),
      ...over,
    }),
    offset_seconds: 0,
  };
}

function runFrom(segments: ReturnType<typeof clip>[], canPlay: (codec: string) => boolean = () => true) {
  const clock = new JourneyClock(segments.map((one) => ({ ...one, key: keyOf(one) })));
  const [first] = segments;
  return first ? clipsOfRun({ segments }, clock, first, canPlay) : [];
}

describe("clipsOfRun()", () => {
  const away = { state: "waiting", directions: ["R"], position: 1, seconds: 9, stills: {} };
  const rows: [name: string, segments: ReturnType<typeof clip>[], keys: readonly string[]][] = [
    ["all that follow each other", KEYS.map((key) => clip(key)), KEYS],
    ["a pause in which the camera changes files", [clip(FIRST), clip(keyAt("101513"))], [FIRST, keyAt("101513")]],
    ["up to a gap", [clip(FIRST), clip(SECOND), clip(FOURTH)], [FIRST, SECOND]],
    [
      "up to a clip that films what is filmed already",
      [clip(FIRST), clip(SECOND), clip(keyAt("101520"))],
      [FIRST, SECOND],
    ],
    ["up to a clip without a camera", [clip(FIRST), clip(SECOND), clip(THIRD, {}, "F")], [FIRST, SECOND]],
    [
      "up to a clip with a camera that is still coming",
      [clip(FIRST), clip(SECOND), clip(THIRD, { coming: away }, "F")],
      [FIRST, SECOND],
    ],
    [
      "up to a clip that nothing is known of yet",
      [clip(FIRST), clip(SECOND), clip(THIRD, { codecs: null })],
      [FIRST, SECOND],
    ],
    ["no clip alone", [clip(FIRST), clip(SECOND, {}, "F")], []],
    ["none of four cameras, for which browsers have too few connections", KEYS.map((key) => clip(key, {}, "FIOR")), []],
  ];
  for (const [name, segments, keys] of rows) test(name, () => expect(runFrom(segments)).toEqual(keys));

  test("none that the browser cannot play", () => {
    const segments = KEYS.map((key, at) => clip(key, { codecs: { F: at < 2 ? "avc" : "hevc", R: "avc" } }));
    expect(runFrom(segments, (codec) => codec !== "hevc")).toEqual([FIRST, SECOND]);
    expect(runFrom(segments)).toEqual(KEYS);
  });
});

/** A film in which these clips begin at these seconds. */
function film(
  direction: string,
  begins: readonly (readonly [key: string, at: number, from?: number])[],
  seconds: number,
): Film {
  const places = begins.map(([key, at, from = 0]) => ({ key, at, from }));
  return { direction, seconds, bytes: 1, clips: places.length, gaps: [], places, starts_at: null, cannot: null };
}

describe("runOf()", () => {
  const whole = [
    [FIRST, 0],
    [SECOND, 12],
    [THIRD, 24.05],
  ] as const;
  const keys = [FIRST, SECOND, THIRD];
  const rows: [name: string, films: Film[], keys: readonly string[] | null][] = [
    ["all that lie in it", [film("F", whole, 36)], keys],
    ["lengths of cameras that differ a little", [film("F", whole, 36), film("R", whole, 35.95)], keys],
    ["up to lengths that differ more", [film("F", whole, 36), film("R", whole, 35)], [FIRST, SECOND]],
    [
      "up to a clip that is not in the film",
      [
        film(
          "F",
          [
            [FIRST, 0],
            [SECOND, 12],
          ],
          24,
        ),
      ],
      [FIRST, SECOND],
    ],
    [
      "up to a clip that is left out",
      [
        film(
          "F",
          [
            [FIRST, 0],
            [SECOND, 12],
            [FOURTH, 24],
          ],
          36,
        ),
      ],
      [FIRST, SECOND],
    ],
    [
      "not from a clip that begins in its middle",
      [
        film(
          "F",
          [
            [FIRST, 0, 3],
            [SECOND, 9],
          ],
          21,
        ),
      ],
      null,
    ],
    ["not where one camera has a single clip", [film("F", whole, 36), film("R", [[FIRST, 0]], 12)], null],
    ["not without films", [], null],
  ];
  for (const [name, films, expected] of rows)
    test(name, () => expect(runOf(keys, films)?.keys ?? null).toEqual(expected as string[] | null));

  test("tells the part of each clip in the film of each camera", () => {
    const run = runOf(keys, [film("F", whole, 36), film("R", whole, 36.02)]);
    const address = `/film/R.mp4?from=${FIRST}&to=${THIRD}`;
    expect(partIn(run, SECOND, "R")).toEqual({ address, part: { from: 12, to: 24.05 } });
    expect(partIn(run, THIRD, "R")).toEqual({ address, part: { from: 24.05, to: 36.02 } });
    expect([partIn(run, FOURTH, "R"), partIn(run, FIRST, "I"), partIn(null, FIRST, "F")]).toEqual([null, null, null]);
  });
});
