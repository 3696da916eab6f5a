import { describe, expect, test } from "bun:test";
import { PlaybackPace, paceInWords } from "../../../server/domain/viewer/playback_pace.ts";

/** Last pace reported in so many seconds, with four looks a second. */
function toldAfter(seconds: number, timeAt: (second: number) => number, rate: number): number | null | undefined {
  const pace = new PlaybackPace();
  let last: number | null | undefined;
  for (let at = 0; at <= seconds * 4; at++) {
    const told = pace.see(at * 250, timeAt(at / 4), rate);
    if (told !== undefined) last = told;
  }
  return last;
}

describe("the pace of playing", () => {
  const rows: [what: string, seconds: number, timeAt: (second: number) => number, rate: number, told: number | null][] =
    [
      ["keeps up", 4, (second) => second * 16, 16, null],
      ["keeps up as far as anybody sees", 4, (second) => second * 14, 16, null],
      ["is less than wanted", 4, (second) => second * 6, 16, 6],
      ["is told only after three seconds", 2, (second) => second * 6, 16, null],
      ["counts no jump over a gap", 4, (second) => second * 16 + (second > 2 ? 1900 : 0), 16, null],
      ["counts no step back", 4, (second) => (second > 2 ? second * 16 - 40 : second * 16), 16, null],
      ["says nothing at the usual rate", 4, (second) => second * 0.5, 1, null],
      ["stands still", 4, () => 7, 4, 0],
    ];
  for (const [what, seconds, timeAt, rate, told] of rows)
    test(what, () => expect(toldAfter(seconds, timeAt, rate)).toBe(told));

  test("is measured anew with another rate and after a pause", () => {
    const pace = new PlaybackPace();
    for (let at = 0; at < 12; at++) pace.see(at * 250, at, 16);
    expect(pace.see(3000, 12, 8)).toBeNull();
    expect(pace.see(3250, 13, 8)).toBeUndefined();
    pace.forget();
    // An hour of pause is no slow playing.
    expect(pace.see(3_600_000, 13, 8)).toBeUndefined();
  });

  test("is told in a sentence", () => {
    expect(paceInWords(6.4, 16)).toBe("Playing at about 6×. The browser or the network cannot keep up with 16×.");
    expect(paceInWords(1.26, 2)).toContain("about 1.3×");
  });
});
