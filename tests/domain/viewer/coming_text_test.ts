import { describe, expect, test } from "bun:test";
import { comingInWords, comingSentence, hereInWords, ordinal } from "../../../server/domain/viewer/coming_text.ts";
import type { ComingVideos } from "../../../server/domain/viewer/viewer_schema.ts";

const coming = (changes: Partial<ComingVideos>): ComingVideos => {
  return { state: "waiting", directions: ["F"], position: null, seconds: null, stills: {}, ...changes };
};
const plain = (words: string) => words.replaceAll("\u00a0", " ");

test("a place in a queue is told as people count", () => {
  const words = [1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111].map(ordinal);
  expect(words.join(" ")).toBe("Next 2nd 3rd 4th 11th 12th 13th 21st 22nd 103rd 111th");
});

describe("what is still on the camera in words", () => {
  const half = { percent: 64.9, seconds: 30 };
  const rows: [ComingVideos, typeof half | null, line: string, what: string, more: string][] = [
    [coming({}), null, "Still on the camera", "Still on the camera.", ""],
    [coming({ position: 3 }), null, "3rd", "Still on the camera.", "3rd in the queue."],
    [
      coming({ position: 3, seconds: 240 }),
      null,
      "3rd, about 4 min",
      "Still on the camera.",
      "3rd in the queue, about 4 min.",
    ],
    [
      coming({ position: 1, seconds: 0 }),
      null,
      "Next, about 1 s",
      "Still on the camera.",
      "Next in the queue, about 1 s.",
    ],
    [coming({ state: "now" }), null, "Coming now", "Coming now.", ""],
    [coming({ state: "now", seconds: 90 }), null, "Coming now, about 2 min", "Coming now.", "About 2 min."],
    [coming({ state: "now", seconds: 90 }), half, "64 %, about 30 s", "Coming now.", "64 %, about 30 s."],
    [coming({ state: "unwanted" }), null, "Not needed", "Not needed.", "It is left on the camera."],
  ];
  for (const [one, arrival, line, what, more] of rows)
    test(`says ${line} and ${what} ${more}`, () => {
      expect(plain(comingInWords(one, arrival))).toBe(line);
      const sentence = comingSentence(one, arrival);
      expect([sentence.what, plain(sentence.more)]).toEqual([what, more]);
    });
});

test("a trip tells how much of it is here", () => {
  expect(hereInWords(12, 30)).toBe("12 of 30 here");
});
