import { describe, expect, test } from "bun:test";
import { returningKeysText } from "../../../server/domain/backup/returning_keys_text.ts";

describe("returningKeysText()", () => {
  const rows: readonly (readonly [names: readonly string[], named: string])[] = [
    [["A"], "The key “A”, which is not here now, works"],
    [["A", "B", "C", "D"], "The keys “A”, “B”, “C”, “D”, which are not here now, work"],
    [["A", "B", "C", "D", "E"], "The keys “A”, “B”, “C”, 2 others, which are not here now, work"],
  ];
  for (const [names, named] of rows)
    test(`names ${names.length}`, () => {
      expect(returningKeysText(names)).toBe(
        `${named} again. Revoke ${names.length === 1 ? "it" : "them"} afterwards if ${names.length === 1 ? "it" : "they"} should not.`,
      );
    });
});
