import { describe, expect, test } from "bun:test";
import { noteMatches } from "../../../server/domain/viewer/note_search.ts";

describe("a note is found", () => {
  const rows: readonly (readonly [typed: string, note: string, isFound: boolean])[] = [
    ["deer", "A deer on the road", true],
    ["ROAD  deer", "A deer on the road", true],
    ["cafe", "Café am Markt", true],
    ["Straße", "die STRASSE", false],
    ["straße", "STRAßE", true],
    ["deer fox", "A deer on the road", false],
    ["eer", "A deer on the road", true],
    ["", "A deer on the road", false],
    ["   ", "A deer on the road", false],
    ["事故", "昨日の事故", true],
  ];
  for (const [typed, note, isFound] of rows)
    test(`by ${JSON.stringify(typed)} in ${JSON.stringify(note)}: ${isFound ? "yes" : "no"}`, () => {
      expect(noteMatches(note, typed)).toBe(isFound);
    });
});
