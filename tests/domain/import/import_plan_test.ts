import { describe, expect, test } from "bun:test";
import { readCardName } from "../../../server/domain/import/card_name.ts";
import {
  type CardFile,
  type ImportHome,
  type ImportRules,
  importOrder,
  planImport,
} from "../../../server/domain/import/import_plan.ts";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { endingOf } from "../../../server/domain/recordings/recording_name.ts";
import { sameCutoff } from "../../../server/domain/retention/keep_times.ts";

const RULES: ImportRules = {
  priority: "date",
  grouping: "none",
  include: [],
  exclude: [],
  skipMetadata: [],
  cutoffs: sameCutoff(null),
  eventContext: 0,
};

function file(path: string, size = 1000): CardFile {
  const read = readCardName(path.slice(path.lastIndexOf("/") + 1));
  if (read.kind !== "artifact") throw new Error(`${path} is no file of a recording`);
  return { path, name: read.name, size };
}

const at = (name: string) => `${momentNumber(name)} ${endingOf(name)}`;

/** Fate of files on a card, by path. */
function fates(
  files: readonly CardFile[],
  {
    home = [],
    deleted = [],
    unknown = [],
    rules = {},
  }: {
    home?: readonly string[];
    deleted?: readonly string[];
    unknown?: readonly string[];
    rules?: Partial<ImportRules>;
  } = {},
): Record<string, string> {
  const here = new Set(home.map(at));
  const index: ImportHome = {
    has: (moment, ending) => here.has(`${moment} ${ending}`),
    isDeleted: (moment) => deleted.some((name) => momentNumber(name) === moment),
    isUnwanted: () => false,
    isUnknown: (moment) => unknown.some((name) => momentNumber(name) === moment),
    moments: () => home.map(momentNumber),
    hasVideo: (key, direction) => home.some((name) => name.startsWith(key + direction) && name.endsWith(".mp4")),
  };
  const steps = planImport(files, index, { ...RULES, ...rules });
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { toCome, toCompare, left } = step.value;
  return Object.fromEntries([
    ...toCome.map(({ path, folder }) => [path, folder === "" ? "comes" : `comes to ${folder}`]),
    ...toCompare.map(({ path }) => [path, "is compared"]),
    ...left.map(({ file: { path }, cause }) => [path, cause]),
  ]);
}

const FRONT = "20260607_101500_NF.mp4";
const ALL = [FRONT, "20260607_101500_NR.mp4", "20260607_101500_NF.thm", "20260607_101500_N.gps"].map((name) =>
  file(name),
);

describe("planImport()", () => {
  test("takes a recording with its companions", () => {
    expect(fates(ALL)).toEqual({
      [FRONT]: "comes",
      "20260607_101500_NR.mp4": "comes",
      "20260607_101500_NF.thm": "comes",
      "20260607_101500_N.gps": "comes",
    });
  });

  test("sorts into the folders of the grouping", () => {
    expect(fates([file(FRONT)], { rules: { grouping: "daily" } })).toEqual({ [FRONT]: "comes to 2026-06-07" });
  });

  test("compares what is at home, also under the name of a companion with or without the upload letter", () => {
    const card = [file(FRONT), file("20260607_101500_NFL.thm"), file("20260607_101500_NL.gps")];
    expect(fates(card, { home: [FRONT, "20260607_101500_NF.thm", "20260607_101500_N.gps"] })).toEqual({
      [FRONT]: "is compared",
      "20260607_101500_NFL.thm": "is compared",
      "20260607_101500_NL.gps": "is compared",
    });
  });

  test("leaves what include, exclude and skipped companions leave out, with what belongs to it alone", () => {
    expect(
      fates([...ALL, file("20260607_101500_NR.thm")], { rules: { exclude: ["NR"], skipMetadata: ["g"] } }),
    ).toEqual({
      [FRONT]: "comes",
      "20260607_101500_NF.thm": "comes",
      "20260607_101500_NR.mp4": "selection",
      "20260607_101500_NR.thm": "selection",
      "20260607_101500_N.gps": "selection",
    });
  });

  test("leaves what is older than recordings are kept, but for what has no age", () => {
    const unset = "19990101_000000_NF.mp4";
    const rules = { cutoffs: sameCutoff("2026-06-08") };
    expect(fates([...ALL, file(unset)], { rules })).toEqual({
      ...Object.fromEntries(ALL.map(({ path }) => [path, "retention"])),
      [unset]: "comes",
    });
  });

  test("leaves what was deleted here, and what may lie in a folder that cannot be read", () => {
    const other = "20260608_101500_NF.mp4";
    expect(fates([file(FRONT), file(other)], { deleted: [FRONT], unknown: [other] })).toEqual({
      [FRONT]: "deleted",
      [other]: "unknown-home",
    });
  });

  test("leaves what is empty, and companions of which no video is here or at home", () => {
    const alone = [file("20260607_101500_NF.thm"), file("20260607_101500_N.gps")];
    const none = { "20260607_101500_NF.thm": "no-video", "20260607_101500_N.gps": "no-video" };
    expect(fates(alone)).toEqual(none);
    expect(fates([file(FRONT, 0), ...alone])).toEqual({ [FRONT]: "empty", ...none });
    // The thumbnail is of the other direction.
    expect(fates(alone, { home: ["20260607_101500_NR.mp4"] })).toEqual({
      "20260607_101500_NF.thm": "no-video",
      "20260607_101500_N.gps": "comes",
    });
  });
});

test("files of a card come in the order of a sync, companions behind the videos of their moment", () => {
  const names = [
    "20260608_101500_EF.mp4",
    "20260607_101500_N.gps",
    "20260607_101500_NR.mp4",
    "20260607_101500_NF.thm",
    "20260607_101500_NF.mp4",
  ];
  const sorted = (priority: "date" | "rdate" | "type") =>
    names
      .map((name) => file(name))
      .sort(importOrder(priority))
      .map(({ path }) => path);
  const [event, gps, rear, picture, front] = names as [string, string, string, string, string];
  expect(sorted("date")).toEqual([front, rear, picture, gps, event]);
  expect(sorted("rdate")).toEqual([event, front, rear, picture, gps]);
  expect(sorted("type")).toEqual([event, front, rear, picture, gps]);
});
