import { expect, test } from "bun:test";
import { type ListComparison, verdictOf } from "../../../server/domain/coverage/list_verdict.ts";

const LIST: ListComparison = {
  known: 100,
  before: 100,
  now: 100,
  kept: 90,
  ofOtherCard: 0,
  back: 0,
  hasOlder: false,
  isOdd: false,
  endsBefore: false,
  shortLists: 0,
};

test.each([
  ["the camera has recorded over the oldest", {}, "good"],
  ["nothing has changed", { kept: 100 }, "good"],
  ["the very first list", { known: 0, before: null, kept: 0 }, "good"],
  ["a list that is empty", { now: 0, kept: 0 }, "suspect"],
  ["a list that is empty, the very first", { known: 0, before: null, now: 0, kept: 0 }, "suspect"],
  ["a list that is cut off", { isOdd: true }, "suspect"],
  ["a list without the newest", { endsBefore: true }, "suspect"],
  ["a card of older recordings that were there before", { kept: 0, back: 9, endsBefore: true }, "good"],
  ["a list of less than half, with some that were there", { now: 49, kept: 49 }, "short"],
  ["the second one of less than half", { now: 49, kept: 49, shortLists: 1 }, "short"],
  ["the third one of less than half", { now: 49, kept: 49, shortLists: 2 }, "formatted"],
  ["a list as long as the last good one, of a card that is known to hold more", { known: 250, kept: 100 }, "good"],
  ["what lists of no good kind have shown", { known: 9, before: null, now: 3, kept: 3 }, "short"],
  ["a list of half", { now: 50, kept: 50 }, "good"],
  ["the camera has recorded over all", { kept: 0 }, "good"],
  ["the camera has recorded over all, a fifth less of other lengths", { kept: 0, now: 80 }, "good"],
  ["a card that was formatted", { kept: 0, now: 3 }, "formatted"],
  ["a card that was formatted some drives ago", { kept: 0, now: 79 }, "formatted"],
  ["a card with older recordings that were never seen", { kept: 0, hasOlder: true }, "other_card"],
  ["a smaller card with older ones", { kept: 0, now: 10, hasOlder: true }, "other_card"],
  ["a card that was in the camera before", { kept: 0, ofOtherCard: 5, hasOlder: true }, "returned"],
  ["the same after a card of which no list came", { known: 0, before: null, kept: 0, ofOtherCard: 5 }, "returned"],
  ["a card that had shown only part of itself", { kept: 5, ofOtherCard: 50 }, "same_card"],
  ["recordings that had been missing", { kept: 0, now: 3, back: 3 }, "good"],
] as const)("%s", (_, more, verdict) => {
  expect(verdictOf({ ...LIST, ...more })).toBe(verdict);
});
