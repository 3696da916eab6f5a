import { describe, expect, test } from "bun:test";
import {
  type CardFacts,
  type CardParts,
  isSafeToFormat,
  LEFT_ON_CARD,
  LIST_HOLDS_SECONDS,
  leftOutIn,
  listedIn,
  REASONS_AGAINST,
  type ReasonAgainst,
  reasonsAgainst,
} from "../../../server/domain/card/safe_to_format.ts";

const NOTHING_LEFT = { retention: 0, selection: 0, deleted: 0, unwanted: 0, given_up: 0 };
const PARTS: CardParts = { home: 386, not_checked: 0, coming: 0, unreadable: 0, unknown: 0, left_out: NOTHING_LEFT };
const SAFE: CardFacts = {
  listAge: 120,
  isListWhole: true,
  hasLeft: false,
  isRecording: false,
  isQuestionOpen: false,
  parts: PARTS,
};

/** Each is safe but for one thing. */
const UNSAFE: Readonly<Record<ReasonAgainst, readonly CardFacts[]>> = {
  question: [{ ...SAFE, isQuestionOpen: true }],
  no_list: [{ ...SAFE, listAge: null }],
  old_list: [LIST_HOLDS_SECONDS + 0.001, 86_400, -1, Number.NaN, Number.POSITIVE_INFINITY].map((listAge) => ({
    ...SAFE,
    listAge,
  })),
  has_left: [{ ...SAFE, hasLeft: true }],
  home_unknown: [{ ...SAFE, parts: null }],
  ledger_unknown: [{ ...SAFE, isQuestionOpen: null }],
  list_cut: [{ ...SAFE, isListWhole: false }],
  empty: [{ ...SAFE, parts: { ...PARTS, home: 0 } }],
  unreadable: [{ ...SAFE, parts: { ...PARTS, unreadable: 1 } }],
  coming: [{ ...SAFE, parts: { ...PARTS, coming: 1 } }],
  unknown: [{ ...SAFE, parts: { ...PARTS, unknown: 1 } }],
  recording: [{ ...SAFE, isRecording: true }],
  not_checked: [{ ...SAFE, parts: { ...PARTS, home: 385, not_checked: 1 } }],
};

describe("The card may be formatted", () => {
  test("when all that the rules want is at home with its checksum, and the list is fresh", () => {
    expect(reasonsAgainst(SAFE)).toEqual([]);
    expect(isSafeToFormat(SAFE)).toBe(true);
    expect(isSafeToFormat({ ...SAFE, listAge: 0 })).toBe(true);
    expect(isSafeToFormat({ ...SAFE, listAge: LIST_HOLDS_SECONDS })).toBe(true);
  });

  test.each(LEFT_ON_CARD.map((why) => [why] as const))("whatever is left out: %s", (why) => {
    const parts = { ...PARTS, left_out: { ...NOTHING_LEFT, [why]: 26 } };
    expect(isSafeToFormat({ ...SAFE, parts })).toBe(true);
    expect(isSafeToFormat({ ...SAFE, parts: { ...parts, home: 0 } })).toBe(true);
    expect([leftOutIn(parts), listedIn(parts)]).toEqual([26, 412]);
  });

  // Without the line of a reason, its facts are safe: this fails then.
  test.each(REASONS_AGAINST.map((reason) => [reason] as const))("but not with this alone: %s", (reason) => {
    expect(UNSAFE[reason].length).toBeGreaterThan(0);
    for (const facts of UNSAFE[reason]) {
      expect(reasonsAgainst(facts)).toEqual([reason]);
      expect(isSafeToFormat(facts)).toBe(false);
    }
  });

  test("and each reason is told in the order of the list, however many there are", () => {
    const all = { ...SAFE, listAge: null, isQuestionOpen: true, isRecording: true, isListWhole: false, hasLeft: true };
    const parts = { ...PARTS, coming: 1, unreadable: 1, unknown: 1, not_checked: 1 };
    const told = reasonsAgainst({ ...all, parts });
    expect(told).toEqual(REASONS_AGAINST.filter((reason) => told.includes(reason)));
    expect(told).toHaveLength(REASONS_AGAINST.length - 4);
  });
});
