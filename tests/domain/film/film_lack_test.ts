import { expect, test } from "bun:test";
import { lackInWords } from "../../../server/domain/film/film_lack.ts";

for (const [ends, hours, words] of [
  ["before", 24, "The recording at 15:04:05 is damaged. The film ends before it."],
  ["after", 12, "The recording at 3:04:05\u00a0pm is damaged. The film ends after it."],
  [null, 12, "The recording at 3:04:05\u00a0pm is damaged."],
] as const)
  test(`says ${words}`, () => {
    const lack = { key: "20261120_150405_N", words: "is damaged", ends };
    expect(lackInWords(lack, { hours, order: "dmy" })).toBe(words);
  });
