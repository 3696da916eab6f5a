import { expect, test } from "bun:test";
import { cardRows, type RowFacts } from "../../../server/domain/card/card_rows.ts";
import { USUAL_FORMAT } from "../../../server/domain/text/time_format.ts";

const NONE: RowFacts = {
  names: { coming: [], unreadable: [], unknown: [] },
  current: null,
  failures: new Map(),
  thisYear: 2026,
  format: USUAL_FORMAT,
};

function rows(facts: Partial<Omit<RowFacts, "names">> & { readonly names: Partial<RowFacts["names"]> }) {
  const names = { ...NONE.names, ...facts.names };
  return cardRows({ ...NONE, ...facts, names }).map(({ recorded, type, state, says, files }) => [
    recorded.replaceAll(/\s/g, " "),
    type,
    state,
    says.replaceAll(/\s/g, " "),
    files.length,
  ]);
}

function minutes(from: number, to: number, type = "N"): string[] {
  return Array.from({ length: to - from }, (_, at) =>
    ["F", "R"].map((direction) => `20261121_07${String(from + at).padStart(2, "0")}00_${type}${direction}.mp4`),
  ).flat();
}

test("what is to come is put together by drive and kind, the newest first", () => {
  const later = minutes(40, 42);
  expect(rows({ names: { coming: [...minutes(14, 19), ...minutes(16, 17, "E"), ...later].sort() } })).toEqual([
    ["Sat 21 Nov, 07:40 to 07:41", "N", "coming", "4 recordings", 0],
    ["Sat 21 Nov, 07:16", "E", "coming", "2 recordings", 0],
    ["Sat 21 Nov, 07:14 to 07:18", "N", "coming", "10 recordings", 0],
  ]);
});

test("what comes just now stands first and apart, with how far it is", () => {
  const current = { name: "20261121_071500_NR.mp4", words: "61 of 152 MB" };
  expect(rows({ names: { coming: minutes(14, 20) }, current })).toEqual([
    ["Sat 21 Nov, 07:15", "N", "now", "61 of 152 MB", 0],
    ["Sat 21 Nov, 07:14 to 07:19", "N", "coming", "11 recordings", 0],
  ]);
});

test("what cannot be read is a row for each moment, with why and how many times it was tried", () => {
  const failures = new Map([
    ["20261119_180300_MF.mp4", { sentence: "The camera answered with an error.", tries: 4 }],
    ["20261118_081100_NF.mp4", { sentence: "It broke off.", tries: 1 }],
  ]);
  const unreadable = [
    "20261118_081100_NF.mp4",
    "20261118_081100_NR.mp4",
    "20261119_180300_MF.mp4",
    "20261120_080000_NI.mp4",
  ];
  expect(rows({ names: { unreadable }, failures })).toEqual([
    ["Fri 20 Nov, 08:00", "N", "unreadable", "Interior. The camera could not deliver it.", 1],
    ["Thu 19 Nov, 18:03", "M", "unreadable", "Front. The camera answered with an error. 4 tries.", 1],
    ["Wed 18 Nov, 08:11", "N", "unreadable", "It broke off. One try.", 2],
  ]);
});

test("a span over midnight names both days, and a year that is not this one", () => {
  const names = ["20251231_235900_NF.mp4", "20260101_000000_NF.mp4"];
  expect(rows({ names: { unknown: names } })).toEqual([
    ["Wed 31 Dec 2025, 23:59 to Thu 1 Jan, 00:00", "N", "unknown", "2 recordings", 0],
  ]);
});
