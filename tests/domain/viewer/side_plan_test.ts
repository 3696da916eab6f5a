import { describe, expect, test } from "bun:test";
import { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import {
  filmTimeAt,
  type SideFilm,
  sideClock,
  sidePlan,
  sideRate,
  tripTimeAt,
  videoTimeAt,
} from "../../../server/domain/viewer/side_plan.ts";

/** Recordings at these seconds after eight o'clock, of a minute each. */
const key = (seconds: number) =>
  `20261120_${new Date((8 * 3600 + seconds) * 1000).toISOString().slice(11, 19).replaceAll(":", "")}_N`;
const clockOf = (...seconds: readonly number[]) =>
  new JourneyClock(seconds.map((at) => ({ key: key(at), duration_seconds: 60 })));
/** Film of recordings at these seconds, each from some second of its own on, to its end at 60 s. */
function film(direction: string, ...places: readonly (readonly [recording: number, from: number])[]): SideFilm {
  let at = 0;
  const put = places.map(([recording, from]) => {
    const place = { key: key(recording), at, from };
    at += 60 - from;
    return place;
  });
  return { direction, seconds: at, places: put };
}

describe("sidePlan()", () => {
  test("shows cameras of the same recordings at the same times", () => {
    const { pieces, stretches, seconds } = sidePlan(
      [film("F", [0, 0], [60, 0]), film("R", [0, 0], [60, 0])],
      clockOf(0, 60),
    );
    expect(seconds).toBe(120);
    expect(stretches).toEqual([{ at: 0, trip: 0, seconds: 120 }]);
    expect(pieces[0]).toEqual([
      { at: 0, film: 0, seconds: 60 },
      { at: 60, film: 60, seconds: 60 },
    ]);
    expect(pieces[1]).toEqual(pieces[0] ?? []);
  });

  test("goes on with one camera where another has no recording", () => {
    const { pieces, seconds } = sidePlan(
      [film("F", [0, 0], [60, 0], [120, 0]), film("R", [0, 0], [120, 0])],
      clockOf(0, 60, 120),
    );
    expect(seconds).toBe(180);
    expect(pieces[1]).toEqual([
      { at: 0, film: 0, seconds: 60 },
      { at: 120, film: 60, seconds: 60 },
    ]);
  });

  test("leaves out times that no camera recorded", () => {
    const plan = sidePlan([film("F", [0, 0], [300, 0]), film("R", [300, 0])], clockOf(0, 300));
    expect(plan.stretches).toEqual([
      { at: 0, trip: 0, seconds: 60 },
      { at: 60, trip: 300, seconds: 60 },
    ]);
    expect(plan.pieces[1]).toEqual([{ at: 60, film: 0, seconds: 60 }]);
    expect([59, 60, 75].map((time) => tripTimeAt(plan, time))).toEqual([59, 300, 315]);
  });

  test("shows what was recorded twice once", () => {
    // The second recording begins with the ten last seconds of the first one.
    const plan = sidePlan([film("F", [0, 0], [50, 0])], clockOf(0, 50));
    expect(plan.seconds).toBe(110);
    expect(plan.pieces[0]).toEqual([
      { at: 0, film: 0, seconds: 60 },
      { at: 60, film: 70, seconds: 50 },
    ]);
  });

  test("begins with the camera that begins first", () => {
    const { pieces, stretches } = sidePlan([film("F", [0, 30]), film("R", [0, 29])], clockOf(0));
    expect(stretches).toEqual([{ at: 0, trip: 29, seconds: 31 }]);
    expect(pieces.map(([piece]) => piece?.at)).toEqual([1, 0]);
  });

  test("is empty without recordings that the clock knows", () => {
    expect(sidePlan([film("F", [600, 0])], clockOf(0))).toEqual({ seconds: 0, stretches: [], pieces: [[]] });
    expect(sidePlan([], clockOf(0)).seconds).toBe(0);
  });
});

describe("times of the video, the film and the trip", () => {
  const { pieces } = sidePlan([film("F", [0, 0], [300, 0]), film("R", [0, 0], [60, 0], [300, 0])], clockOf(0, 60, 300));
  const front = pieces[0] ?? [];
  const rows: readonly (readonly [what: string, time: number, film: number | null])[] = [
    ["within a recording", 30, 30],
    ["the last picture stays a moment", 60.5, 60],
    ["then there is none", 61.5, null],
    ["until the next recording", 120, 60],
    ["within that", 150, 90],
    ["the last one stays at the end", 180, 120],
  ];
  for (const [what, time, seconds] of rows)
    test(what, () => {
      expect(filmTimeAt(front, time)).toBe(seconds);
    });

  test("before the first picture there is none", () => {
    expect([filmTimeAt([{ at: 2, film: 0, seconds: 5 }], 1), filmTimeAt([], 1)]).toEqual([null, null]);
  });

  test("sound is heard where its film is seen, and not where it was cut", () => {
    const cut = sidePlan([film("F", [0, 0], [50, 0])], clockOf(0, 50)).pieces[0] ?? [];
    expect([10, 59.9, 65, 70, 119].map((time) => videoTimeAt(cut, time))).toEqual([10, 59.9, null, 60, 109]);
  });
});

describe("sideClock()", () => {
  test("is that of the telemetry, with recordings that are in the films only", () => {
    const segment = { offset_seconds: 0, track: null, force: null, rest: null };
    const clock = sideClock([film("F", [0, 0], [60, 0], [120, 0])], {
      segments: [
        { ...segment, key: key(0), duration_seconds: 60 },
        { ...segment, key: key(60), duration_seconds: null },
      ],
    });
    expect(clock.segments.map((one) => [one.key, one.offset, one.length, one.isGuess])).toEqual([
      [key(0), 0, 60, false],
      [key(60), 60, 60, false],
      [key(120), 120, 60, false],
    ]);
  });
});

describe("sideRate()", () => {
  const rows: readonly (readonly [recorded: number, made: number])[] = [
    [30, 30],
    [29.97, 29.97],
    [27.5, 27.5],
    [60, 30],
    [59.94, 29.97],
    [50, 25],
    [120, 30],
    [5, 5],
    [0.2, 1],
    [0, 30],
    [Number.NaN, 30],
  ];
  for (const [recorded, made] of rows)
    test(`${recorded} pictures a second become ${made}`, () => {
      expect(sideRate(recorded)).toBe(made);
    });
});
