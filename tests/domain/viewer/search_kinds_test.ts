import { describe, expect, test } from "bun:test";
import { isEvent } from "../../../server/domain/retention/keep_times.ts";
import { meansKept, soughtKinds } from "../../../server/domain/viewer/search_kinds.ts";

const TYPES = { N: 100, P: 40, E: 3, B: 2, I: 1, M: 0 };

describe("a kind that is being typed", () => {
  const rows: readonly [text: string, kinds: readonly string[]][] = [
    ["ev", ["Events 6 BEI"]],
    ["events", ["Events 6 BEI"]],
    ["park", ["Parking impact 1 I", "Parking 40 P"]],
    ["parking imp", ["Parking impact 1 I"]],
    ["brak", ["Hard braking 2 B"]],
    ["hard", ["Hard braking 2 B"]],
    ["manual", []],
    ["p", []],
    ["", []],
    ["deer", []],
  ];
  for (const [text, kinds] of rows)
    test(`is found: ${text}`, () => {
      const found = soughtKinds(text, TYPES, isEvent);
      expect(found.map(({ title, count, filter }) => `${title} ${count} ${filter.types.join("")}`)).toEqual([...kinds]);
    });

  test("may be what has a bookmark", () => {
    expect(["kept", "Prot", "book", "k", "keep on"].map(meansKept)).toEqual([true, true, true, false, false]);
  });
});
