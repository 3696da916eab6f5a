import { expect, test } from "bun:test";
import { filmTimeAt, spanTimeAt } from "../../../server/domain/shares/film_clock.ts";

/** Two clips beside each other, of which the first is longer than their names tell, and one behind a gap. */
const film = {
  seconds: 10,
  places: [
    { at: 0, time: -0.5 },
    { at: 4.1, time: 3.5 },
    { at: 6, time: 9 },
  ],
};

for (const [time, at, back] of [
  [-9, 0, -0.5],
  [-0.5, 0, -0.5],
  [0, 0.5, 0],
  [3.4, 3.9, 3.4],
  [3.5, 4.1, 3.5],
  [5, 5.6, 5],
  [5.5, 6, 9],
  [8, 6, 9],
  [9, 6, 9],
  [12, 9, 12],
  [99, 10, 13],
] as const)
  test(`at ${time} s of the span a film with a gap is at ${at} s`, () => {
    expect(filmTimeAt(film, time)).toBeCloseTo(at, 6);
    expect(spanTimeAt(film, filmTimeAt(film, time))).toBeCloseTo(back, 6);
  });

test("a film without recordings is at its beginning", () => {
  expect([filmTimeAt({ seconds: 0, places: [] }, 5), spanTimeAt({ places: [], seconds: 0 }, 5)]).toEqual([0, 0]);
});
