import { expect, test } from "bun:test";
import { answersOf, type FetchedVideo, rateOfRun } from "../../../server/domain/card/fetch_answers.ts";

function fetched(...answers: FetchedVideo["answer"][]): FetchedVideo[] {
  return answers.map((answer, at) => ({ name: `20260607_10150${at}_NF.mp4`, answer, bytes: 8e6, seconds: 2 }));
}

test.each([
  [["whole", "error", "empty"], 3],
  [["error", "error"], 2],
  // A camera in trouble, not a card.
  [["error", "error", "error"], 0],
  [["error", "error", "error", "whole"], 4],
  [["empty", "empty", "empty"], 3],
  [[], 0],
] as const)("a run that got %p tells %d answers", (answers, count) => {
  expect(answersOf(fetched(...answers))).toHaveLength(count);
});

test("the rate of a run is the median of its videos, without the small ones", () => {
  const at = (bytes: number, seconds: number): FetchedVideo => ({ name: "", answer: "whole", bytes, seconds });
  expect(rateOfRun([])).toBeNull();
  expect(rateOfRun([at(999_999, 1)])).toBeNull();
  expect(rateOfRun([at(5e6, 0)])).toBeNull();
  expect(rateOfRun([{ ...at(5e6, 1), answer: "error" }])).toBeNull();
  expect(rateOfRun([at(1e6, 1), at(20e6, 2), at(12e6, 1), at(500, 1)])).toBe(10e6);
});
