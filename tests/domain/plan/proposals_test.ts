import { expect, test } from "bun:test";
import { proposalsOf } from "../../../server/domain/plan/proposals.ts";

const BACKLOG = { recorded_per_day: 14e9, home_per_day: 9e9, parking_per_day: 6e9, sentence: "" };
const SYNC = { priority: "date", include: [], exclude: [] } as const;

const rows: [
  what: string,
  plan: Parameters<typeof proposalsOf>[0],
  sync: Parameters<typeof proposalsOf>[1],
  ids: string[],
][] = [
  ["nothing where nothing is lost", { smart_gain: 0, backlog: null }, { ...SYNC, include: [], exclude: [] }, []],
  [
    "the order that saves something",
    { smart_gain: 2, backlog: null },
    { ...SYNC, include: [], exclude: [] },
    ["smart"],
  ],
  [
    "not the order that is in force",
    { smart_gain: 2, backlog: null },
    { priority: "smart", include: [], exclude: [] },
    [],
  ],
  [
    "what ends a backlog",
    { smart_gain: 0, backlog: BACKLOG },
    { ...SYNC, include: [], exclude: [] },
    ["parking_last", "without_parking"],
  ],
  [
    "all, the order first",
    { smart_gain: 1, backlog: BACKLOG },
    { ...SYNC, include: [], exclude: [] },
    ["smart", "parking_last", "without_parking"],
  ],
  [
    "not parking last where it is",
    { smart_gain: 0, backlog: BACKLOG },
    { priority: "type", include: [], exclude: [] },
    ["without_parking"],
  ],
  [
    "nothing about parking that is left out",
    { smart_gain: 0, backlog: BACKLOG },
    { ...SYNC, include: [], exclude: ["P"] },
    [],
  ],
  [
    "nor where it is not chosen",
    { smart_gain: 0, backlog: BACKLOG },
    { ...SYNC, include: ["N", "E"], exclude: [] },
    [],
  ],
  [
    "but where it is chosen",
    { smart_gain: 0, backlog: BACKLOG },
    { ...SYNC, include: ["N", "PF"], exclude: [] },
    ["parking_last", "without_parking"],
  ],
  [
    "nothing about parking where none is recorded",
    { smart_gain: 0, backlog: { ...BACKLOG, parking_per_day: 0 } },
    { ...SYNC, include: [], exclude: [] },
    [],
  ],
];

test.each(rows)("a plan proposes %s", (_what, plan, sync, ids) => {
  expect(proposalsOf(plan, sync).map(({ id }) => id)).toEqual(ids as ReturnType<typeof proposalsOf>[number]["id"][]);
});

test("a proposal says what it brings and what it costs", () => {
  const said = proposalsOf({ smart_gain: 2, backlog: BACKLOG }, { ...SYNC, include: [], exclude: [] });
  expect(said.map(({ sentence }) => sentence.replaceAll("\u00a0", " "))).toEqual([
    "With what is at risk first, 2 recordings more would come home in time.",
    "With parking last, drives and events come first, and up to 6 GB of parking a day may be lost.",
    "Without parking, 6 GB of parking a day never come home.",
  ]);
});
