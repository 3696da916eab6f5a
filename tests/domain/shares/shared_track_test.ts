import { describe, expect, test } from "bun:test";
import { endsOf, type PlacedTrack, sharedTrack } from "../../../server/domain/shares/shared_track.ts";
import { trackOf } from "../../../server/domain/viewer/track.ts";

const METERS = 111_195;
/** Fixes a second apart, each so many metres north of a place. */
const north = (...meters: readonly number[]) =>
  trackOf(meters.map((more, t) => ({ t, lat: 48 + more / METERS, lon: 11, speed: 30 })));
const steps = (from: number, to: number, step = 50) =>
  Array.from({ length: (to - from) / step + 1 }, (_, at) => from + at * step);
const home = { lat: 48, lon: 11 };
const shown = (tracks: readonly PlacedTrack[], hidden = [home], seconds = 1000, radius = 500) =>
  sharedTrack(tracks, { seconds, hidden, radius }).map((stretch) =>
    stretch.map(([, lat]) => Math.round((lat - 48) * METERS)),
  );

describe("the track of a link", () => {
  test("begins behind 500 m, also where the car comes back", () => {
    const there = steps(0, 800);
    const track = north(...there, ...there.toReversed());
    expect(shown([{ offset: 0, track }])).toEqual([[...steps(550, 800), ...steps(550, 800).toReversed()]]);
  });

  test("is broken where a stretch is left out, and where there are no fixes", () => {
    const past = { lat: 48 + 1000 / METERS, lon: 11 };
    expect(shown([{ offset: 0, track: north(...steps(0, 2000)) }], [past])).toEqual([steps(0, 450), steps(1550, 2000)]);
    const [one, other] = [north(...steps(0, 200)), north(...steps(250, 400))];
    expect(
      shown(
        [
          { offset: 0, track: one },
          { offset: 5, track: other },
        ],
        [],
      ),
    ).toEqual([steps(0, 400)]);
    expect(
      shown(
        [
          { offset: 0, track: one },
          { offset: 50, track: other },
        ],
        [],
      ),
    ).toEqual([steps(0, 200), steps(250, 400)]);
  });

  test("is of the span alone, and no radius makes the left out part smaller", () => {
    const track = north(...steps(0, 1000));
    expect(shown([{ offset: -4, track }], [], 10)).toEqual([steps(200, 700)]);
    expect(shown([{ offset: 0, track }], [home], 1000, 10)).toEqual([steps(550, 1000)]);
    expect(shown([{ offset: 0, track }], [home], 1000, 580)).toEqual([steps(600, 1000)]);
    expect(shown([])).toEqual([]);
  });

  test("knows the ends of a trip by its first and last fix", () => {
    expect(endsOf([null, north(), north(0, 100), null, north(150, 200), north()])).toEqual([
      { lat: 48, lon: 11 },
      { lat: 48 + 200 / METERS, lon: 11 },
    ]);
    expect(endsOf([null, north()])).toEqual([]);
  });
});
