import { expect, test } from "bun:test";
import { FrameSteps } from "../../../../islands/viewer/player/frame_steps.ts";

/** A video with so many pictures a second that stands in a pause, and tells which of them it shows. */
class Film {
  readonly steps = new FrameSteps();
  readonly #seconds: number;
  #at: number;

  constructor(perSecond: number, at: number) {
    this.#seconds = 1 / perSecond;
    this.#at = at;
  }

  /** The number of the picture that is seen. */
  get picture(): number {
    return Math.floor(this.#at / this.#seconds + 1e-9);
  }

  press(by: number): void {
    for (let to: number | null = this.steps.wanted(by, this.#at); to !== null; ) {
      this.#at = to;
      to = this.steps.seen(this.picture * this.#seconds, null);
    }
  }
}

test.each([1, 10, 15, 25, 30, 60])("one press goes one picture on or back at %p pictures a second", (perSecond) => {
  // The film stands at the beginning of a picture, and in the middle of one.
  for (const at of [10, 10 + 0.5 / perSecond]) {
    const film = new Film(perSecond, at);
    const first = film.picture;
    const seen = [1, 1, -1, 1, -1, -1].map((by) => {
      film.press(by);
      return film.picture - first;
    });
    expect(seen).toEqual([1, 2, 1, 2, 1, 0]);
  }
});

test("presses that come before their picture add up", () => {
  const steps = new FrameSteps();
  steps.seen(2, 0.04);
  expect(steps.wanted(1, 2)).toBeCloseTo(2.06);
  expect(steps.wanted(1, 2.06)).toBeCloseTo(2.1);
  expect(steps.seen(2.08, null)).toBeNull();
  expect(steps.wanted(-1, 2.1)).toBeCloseTo(2.06);
});

test("what was seen before a seek is no place to step from", () => {
  const steps = new FrameSteps();
  steps.seen(2, 0.04);
  expect(steps.wanted(1, 30)).toBeCloseTo(30.06);
});

test("pictures that come late, of the seek before a step, take it no farther", () => {
  const steps = new FrameSteps();
  steps.seen(0.2, 0.04);
  expect(steps.wanted(1, 5.1)).toBeCloseTo(5.16);
  for (const late of [0.24, 5.08, 5.08, 9.96]) expect(steps.seen(late, null, true)).toBeNull();
  // The seek has ended, and the same picture is still there.
  expect(steps.seen(5.08, null)).toBeCloseTo(5.2);
  expect(steps.seen(5.16, null, true)).toBeNull();
  // The step has ended with it: what comes now is no answer to it.
  expect(steps.seen(5.16, null)).toBeNull();
});
