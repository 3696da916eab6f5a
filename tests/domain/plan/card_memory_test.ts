import { describe, expect, test } from "bun:test";
import {
  afterList,
  type CardMemory,
  cardPartOf,
  EMPTY_CARD_MEMORY,
  type ListedMoments,
  overwritingBetween,
  slotOf,
  withOtherCard,
} from "../../../server/domain/plan/card_memory.ts";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { secondsOf } from "../../../server/domain/recordings/recording_name.ts";

/** A list of these keys in their order, as front and rear. */
function listed(...keys: readonly string[]): ListedMoments {
  const moments = keys
    .map(momentNumber)
    .sort((one, other) => one - other)
    .flatMap((moment) => [moment, moment]);
  return { size: moments.length, momentAt: (index) => moments[index] ?? 0 };
}

const N = (minute: number) => `20261121_08${String(minute).padStart(2, "0")}00_N`;
const P = (minute: number) => `20261121_09${String(minute).padStart(2, "0")}00_P`;
const E = (minute: number) => `20261121_07${String(minute).padStart(2, "0")}00_E`;
const NOW = secondsOf("20261121_100000");

const minutesOn = ({ days }: CardMemory, hour: number, part: "driving" | "parking") =>
  days.map(({ minutes }) => minutes[slotOf(hour, part)]);

describe("what is gone from a card", () => {
  test.each<[string, ListedMoments, ListedMoments, ReturnType<typeof overwritingBetween>]>([
    ["nothing, when all is still there", listed(N(1), N(2)), listed(N(1), N(2), N(3)), "nothing"],
    ["nothing, when there was nothing", listed(), listed(N(1)), "nothing"],
    ["the oldest of all", listed(N(1), N(2), P(1)), listed(N(2), P(1), P(2)), "oldest first"],
    ["the oldest of all, parking too", listed(P(1), P(2), P(3)), listed(P(3), P(4)), "oldest first"],
    ["the oldest driving, though an event is older", listed(E(1), N(1), N(2)), listed(E(1), N(2), N(3)), "by part"],
    ["all, as after formatting", listed(N(1), N(2)), listed(N(5)), null],
    ["all, and as much is there again", listed(N(1), N(2)), listed(N(5), N(6)), "all"],
    ["all, as of an empty card", listed(N(1), N(2)), listed(), null],
    ["something in the middle", listed(N(1), N(2), N(3)), listed(N(1), N(3), N(4)), null],
  ])("%s", (_name, before, list, seen) => {
    expect(overwritingBetween(before, list)).toBe(seen);
  });
});

describe("what is known of a card", () => {
  const first = afterList(EMPTY_CARD_MEMORY, null, listed(N(1), N(2), P(1)), NOW);

  test("begins with the first list, and counts front and rear once", () => {
    expect(first).toMatchObject({ until: NOW, holds: null, newest: { driving: secondsOf("20261121_080200") } });
    expect([minutesOn(first, 8, "driving"), minutesOn(first, 9, "parking")]).toEqual([[2], [1]]);
  });

  test("counts every recording once, also when the list comes again", () => {
    const again = afterList(first, listed(N(1), N(2), P(1)), listed(N(1), N(2), P(1), P(2)), NOW + 60);
    expect(minutesOn(again, 9, "parking")).toEqual([2]);
    expect(minutesOn(again, 8, "driving")).toEqual([2]);
  });

  test("has how much the card holds once it was seen to overwrite", () => {
    const full = afterList(first, listed(N(1), N(2), P(1)), listed(N(2), P(1), P(2)), NOW + 60);
    expect(full).toMatchObject({ holds: { driving: 1, parking: 2, events: 0 }, isByPart: false });
    const all = afterList({ ...full, isByPart: true }, listed(N(1), N(2)), listed(P(3), P(4)), NOW + 90);
    expect(all).toMatchObject({ holds: { driving: 0, parking: 2, events: 0 }, isByPart: true });
    const formatted = afterList(full, listed(N(2), P(1), P(2)), listed(P(5)), NOW + 120);
    expect(formatted.holds).toEqual({ driving: 1, parking: 2, events: 0 });
    // In another one there may be less room, or more.
    expect(withOtherCard(formatted)).toEqual({ ...formatted, holds: null, isByPart: false });
    const larger = afterList(formatted, listed(P(5)), listed(P(5), P(6), P(7), P(8)), NOW + 180);
    expect(larger.holds).toEqual({ driving: 0, parking: 4, events: 0 });
  });

  test("forgets what is older than eight weeks", () => {
    const later = afterList(first, null, listed(N(1), P(1)), NOW + 57 * 86_400);
    expect(later.days.flatMap(({ minutes }) => minutes)).toEqual([]);
  });

  test.each([
    ["was never set", "19700101_000100_N"],
    ["is days ahead", "20261124_080000_N"],
  ])("takes nothing from a clock that %s", (_name, key) => {
    expect(afterList(EMPTY_CARD_MEMORY, null, listed(key), NOW)).toMatchObject({
      days: [],
      newest: EMPTY_CARD_MEMORY.newest,
    });
  });

  test("goes on after a clock that was months ahead is right again", () => {
    const ahead = afterList(EMPTY_CARD_MEMORY, null, listed("20270301_080000_N"), secondsOf("20270301_090000"));
    const right = afterList(ahead, null, listed(N(1)), NOW);
    const next = afterList(right, null, listed(N(1), "20261121_110000_N"), NOW + 7200);
    expect(minutesOn(next, 11, "driving").at(-1)).toBe(1);
  });
});

describe("what was seen of a day", () => {
  const hours = (memory: CardMemory) => memory.days.map(({ seen }) => seen.map((seconds) => seconds / 3600));
  const at = (time: string) => secondsOf(`20261121_${time}`);
  const begun = afterList(EMPTY_CARD_MEMORY, null, listed(N(0), P(30)), at("100000"));

  test.each<[string, string, number[]]>([
    ["goes back to the oldest of each part", "20261121_093000_P", [2, 0.5, 2]],
    ["goes back to the oldest of all when that is no longer than a part pauses", "20261121_090000_P", [2, 2, 2]],
  ])("%s", (_name, parked, seen) => {
    expect(hours(afterList(EMPTY_CARD_MEMORY, null, listed(N(0), parked), at("100000")))).toEqual([seen]);
  });

  test("is nothing on an empty card", () => {
    expect(hours(afterList(EMPTY_CARD_MEMORY, null, listed(), at("100000")))).toEqual([]);
  });

  test.each<[string, Partial<CardMemory>, string[], number[]]>([
    ["goes on from list to list", {}, [N(0), P(30), P(45)], [5, 3.5, 5]],
    ["goes on when all of a part is gone that was older than the rest", {}, [P(30), P(45)], [5, 3.5, 5]],
    ["begins anew when nothing of before is left", {}, ["20261121_120000_N", "20261121_123000_P"], [3, 1.5, 3]],
    ["ends where nothing is listed", {}, [], [2, 0.5, 2]],
    ["goes on for each part by itself", { isByPart: true }, ["20261121_120000_N", P(30)], [3, 3.5, 5]],
    ["goes on with what has the part for itself, and is gone", { isByPart: true }, [P(30)], [5, 3.5, 5]],
  ])("%s", (_name, known, keys, seen) => {
    expect(hours(afterList({ ...begun, ...known }, null, listed(...keys), at("130000")))).toEqual([seen]);
  });

  test("is no more than the day when the clock goes through it again", () => {
    const again = [at("230000"), at("010000"), at("230000")].reduce(
      (memory, now) => afterList(memory, null, listed("20261120_200000_N", P(0), N(0)), now),
      begun,
    );
    expect(Math.max(...hours(again).flat())).toBeLessThanOrEqual(24);
  });

  test("does not begin with a few that stayed from long ago", () => {
    const minutes = Array.from({ length: 60 }, (_, minute) => N(minute));
    const memory = afterList(EMPTY_CARD_MEMORY, null, listed("20261101_080000_N", ...minutes), at("100000"));
    expect(hours(memory)).toEqual([[2, 2, 2]]);
    expect(minutesOn(memory, 8, "driving")).toEqual([60]);
  });

  test("stays as it was while our own clock is far behind", () => {
    expect(afterList(begun, listed(N(0), P(0)), listed(N(0), P(0)), secondsOf("19700101_000000"))).toEqual(begun);
  });
});

test.each([
  ["20261121_080000_N", "driving"],
  ["20261121_080000_P", "parking"],
  ["20261121_080000_E", "events"],
  ["20261121_080000_I", "events"],
  ["20261121_080000_M", "events"],
] as const)("%s counts as %s", (key, part) => {
  expect(cardPartOf(momentNumber(key))).toBe(part);
});
