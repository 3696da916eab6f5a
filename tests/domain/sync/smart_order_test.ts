import { describe, expect, test } from "bun:test";
import { parseRecording, type RecordingName, secondsOf } from "../../../server/domain/recordings/recording_name.ts";
import { orderKeyOf } from "../../../server/domain/sync/download_order.ts";
import { isAtRisk, type RiskBoundary, smartReason } from "../../../server/domain/sync/smart_order.ts";

const recording = (name: string): RecordingName => {
  const parsed = parseRecording(`${name}.mp4`);
  if (parsed === null) throw new Error(`${name} names no recording`);
  return parsed;
};

/** The same for all parts of a card. @param base `YYYYMMDD_HHMMSS` */
const boundaryAt = (base: string | null): RiskBoundary | null => {
  if (base === null) return null;
  const seconds = secondsOf(base);
  return { driving: seconds, parking: seconds, events: seconds };
};

/** Sorts from several first orders, which must not count. */
function sorted(names: readonly string[], before: string | null): string[] {
  const order = { priority: "smart", atRiskBefore: boundaryAt(before) } as const;
  const sort = (given: readonly string[]) =>
    given
      .map(recording)
      .sort((one, other) => orderKeyOf(order, one) - orderKeyOf(order, other))
      .map(({ stem }) => stem);
  const result = sort(names);
  expect(sort(names.toReversed())).toEqual(result);
  expect(sort(names.toSorted())).toEqual(result);
  return result;
}

describe("the order `smart`", () => {
  const rows: { what: string; before: string | null; order: readonly string[] }[] = [
    {
      what: "at risk first, oldest first, events and manual before all others; then those, driving, parking, newest first",
      before: "20260605_000000",
      order: [
        "20260603_080000_EF",
        "20260604_235959_MF",
        "20260601_080000_PF",
        "20260602_080000_NF",
        "20260608_080000_MF",
        "20260607_090000_EF",
        "20260605_000000_TF",
        "20260608_120000_NF",
        "20260606_120000_NF",
        "20260608_130000_PF",
        "20260605_130000_PF",
      ],
    },
    {
      what: "while it is unknown what is at risk, the kinds alone",
      before: null,
      order: ["20260608_080000_EF", "20260601_080000_MF", "20260607_080000_NF", "20260608_090000_PF"],
    },
    {
      what: "cameras of a moment together, front first, forwards and backwards",
      before: "20260602_000000",
      order: [
        "20260601_080000_NF",
        "20260601_080000_NR",
        "20260601_080100_NF",
        "20260601_080100_NR",
        "20260605_080000_NF",
        "20260605_080000_NR",
        "20260605_080000_NI",
        "20260604_080000_NF",
        "20260604_080000_NO",
      ],
    },
    {
      what: "events of all letters that are kept as events, geofences and unknown letters with the drives",
      before: null,
      order: [
        ..."EIBOATM".split("").map((type, at) => `20260607_10${30 - at}00_${type}F`),
        ..."NRXGDLYFZ".split("").map((type, at) => `20260608_10${30 - at}00_${type}F`),
        "20260609_100000_PF",
      ],
    },
    {
      what: "a clock that was never set may be as old as it says",
      before: "20260605_000000",
      order: ["19700101_000000_NF", "20260604_080000_PF", "20260606_080000_EF"],
    },
    { what: "all at risk", before: "21000101_000000", order: ["20260602_080000_EF", "20260601_080000_PF"] },
    { what: "nothing at risk", before: "19800101_000000", order: ["20260602_080000_EF", "20260601_080000_PF"] },
  ];
  test.each(rows)("$what", ({ before, order }) => {
    expect(sorted(order, before)).toEqual([...order]);
  });
});

test("what does not last for some visits: events come before all others, drives and parking before those that last", () => {
  const at = (base: string) => boundaryAt(base) ?? { driving: 0, parking: 0, events: 0 };
  const order = {
    priority: "smart",
    atRiskBefore: {
      ...at("20260602_000000"),
      later: { ...at("20260604_000000"), parking: secondsOf("20260603_000000") },
    },
  } as const;
  const names = [
    "20260602_080000_EF",
    "20260603_070000_MF",
    "20260601_080000_NF",
    "20260606_080000_EF",
    "20260602_090000_PF",
    "20260602_100000_NF",
    "20260603_080000_NF",
    "20260606_080000_NF",
    "20260605_080000_NF",
    "20260606_080000_PF",
    "20260603_090000_PF",
  ];
  const inOrder = names.map(recording).sort((one, other) => orderKeyOf(order, one) - orderKeyOf(order, other));
  expect(inOrder.map(({ stem }) => stem)).toEqual(names);
  // At risk are those alone that do not last until the next visit has ended.
  const reasons = inOrder.map(({ name, type }) => smartReason({ seconds: secondsOf(name), type }, order.atRiskBefore));
  expect(reasons.slice(0, 6)).toEqual(["event", "event", "at_risk", "event", "parking", "driving"]);
  expect(reasons.slice(6)).toEqual(["driving", "driving", "driving", "parking", "parking"]);
});

/** Facts by which it has its reason. */
const facts = (name: string) => ({ seconds: secondsOf(name), type: recording(name).type });

test("the moment of the boundary itself is not at risk any more, and each has the reason for its place", () => {
  const boundary = boundaryAt("20260605_120000");
  const at = (name: string) => smartReason(facts(name), boundary);
  expect(isAtRisk(facts("20260605_115959_NF"), boundary)).toBe(true);
  expect(isAtRisk(facts("20260605_120000_NF"), boundary)).toBe(false);
  expect(isAtRisk(facts("20260605_115959_NF"), null)).toBe(false);
  expect([at("20260605_115959_EF"), at("20260605_120000_EF"), at("20260605_120000_MR")]).toEqual([
    "at_risk",
    "event",
    "event",
  ]);
  expect([at("20260605_120000_NF"), at("20260605_120000_PF"), at("20260605_120000_ZF")]).toEqual([
    "driving",
    "parking",
    "driving",
  ]);
});

test("parts of the card with a boundary of their own are told apart by their letters", () => {
  const boundary = { driving: 0, parking: secondsOf("20260605_120000"), events: secondsOf("20260604_120000") };
  const isRisky = (name: string) => isAtRisk(facts(name), boundary);
  expect(["20260605_110000_PF", "20260605_130000_PF", "20260601_110000_NF"].map(isRisky)).toEqual([true, false, false]);
  expect(["20260604_110000_EF", "20260604_110000_MR", "20260604_130000_EF"].map(isRisky)).toEqual([true, true, false]);
});
