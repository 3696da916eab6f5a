import { expect, test } from "bun:test";
import { everyInWords, isAwaited, looksSentence } from "../../../server/domain/status/looks_text.ts";

test.each([
  [15, "every 15\u00a0s"],
  [30, "every 30\u00a0s"],
  [60, "every 1\u00a0min"],
  [90, "every 90\u00a0s"],
  [600, "every 10\u00a0min"],
])("%d seconds", (seconds, words) => {
  expect(everyInWords({ seconds })).toBe(words);
  expect(looksSentence({ seconds })).toBe(`Dashdock looks for the camera ${words}.`);
});

test("a camera is awaited while it is looked for and not here", () => {
  const looks = (camera: "here" | "away" | "unknown") => ({ camera, seconds: 30, next_at: null });
  expect([null, looks("here"), looks("away"), looks("unknown")].map(isAwaited)).toEqual([false, false, true, true]);
});
