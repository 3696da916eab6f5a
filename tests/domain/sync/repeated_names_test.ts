import { describe, expect, test } from "bun:test";
import { repeatable } from "../../../server/domain/sync/repeated_names.ts";

const [UNSET, EARLY, OLD, MIDDLE, NEW] = [
  "19700101_000010",
  "20250101_000010",
  "20260607_101500",
  "20260607_101600",
  "20260607_101700",
].map((base) => `${base}_NF.mp4`) as [string, string, string, string, string];

function asked(listed: readonly string[], before: readonly string[] | null, isNamed = true): string[] {
  const dated = (before ?? []).filter((name) => name !== UNSET);
  const has = before === null || !isNamed ? null : (name: string) => before.includes(name);
  return [...repeatable(listed, { newest: dated.toSorted().at(-1) ?? null, has })];
}

describe("names that may have been given again", () => {
  const rows: [what: string, listed: string[], before: string[] | null, asked: string[]][] = [
    ["none where the list goes on", [OLD, MIDDLE, NEW], [OLD, MIDDLE], []],
    ["none where the oldest have been overwritten", [MIDDLE, NEW], [OLD, MIDDLE], []],
    ["none of the first list that is known", [OLD, NEW], null, []],
    ["those of a clock that was never set, always", [UNSET, OLD, NEW], [UNSET, OLD], [UNSET]],
    ["all, where nothing is as new as before and nothing is new", [OLD, MIDDLE], [OLD, MIDDLE, NEW], [OLD, MIDDLE]],
    ["from the first that is new on, where that is behind the newest", [OLD, MIDDLE, NEW], [OLD, NEW], [MIDDLE, NEW]],
    ["from a clock's beginning on, where it began anew", [EARLY, OLD, NEW], [OLD, NEW], [EARLY, OLD, NEW]],
    ["from there on also where the newest is gone", [EARLY, OLD], [OLD, NEW], [EARLY, OLD]],
    ["none where only the unset ones are left", [UNSET], [UNSET, OLD], [UNSET]],
  ];
  for (const [what, listed, before, expected] of rows)
    test(`are ${what}`, () => expect(asked(listed, before)).toEqual(expected));

  test("are all behind a newest that is gone, also where the names before are not known", () => {
    expect(asked([OLD, MIDDLE], [NEW], false)).toEqual([OLD, MIDDLE]);
    expect(asked([OLD, MIDDLE, NEW], [MIDDLE], false)).toEqual([]);
  });
});
