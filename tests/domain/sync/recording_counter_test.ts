import { describe, expect, test } from "bun:test";
import { momentKey, momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { directionOf, groupOf } from "../../../server/domain/recordings/recording_name.ts";
import { sameCutoff } from "../../../server/domain/retention/keep_times.ts";
import { nothingLeftOut } from "../../../server/domain/runs/run.ts";
import {
  type CameraList,
  CameraListBuilder,
  isBelievable,
  MARK_BITS,
} from "../../../server/domain/sync/camera_list.ts";
import { type PlannedFile, planSync } from "../../../server/domain/sync/download_plan.ts";
import { ExpectedSizes, sizeClassOf } from "../../../server/domain/sync/expected_sizes.ts";
import { RecordingCounter } from "../../../server/domain/sync/recording_counter.ts";
import { type RecordingCounts, shareHome } from "../../../server/domain/sync/recording_counts.ts";
import type { HomeIndex, WantedRules } from "../../../server/domain/sync/wanted_files.ts";
import { Dice } from "../../torture/dice.ts";

const OWNER = { address: "192.168.1.64", destination: "/recordings" };
const RULES: WantedRules = {
  include: [],
  exclude: [],
  skipMetadata: [],
  cutoffs: sameCutoff(null),
  eventContext: 0,
};

/** Each class of videos has a size of its own, and the companions but one. */
const SIZES = new ExpectedSizes({
  sizes: Object.fromEntries(
    ["NF", "NR", "NI", "NFS", "EF", "ER", "PF", "MR", "thm", "gps"].map((of, at) => [of, { bytes: 1 << at, files: 1 }]),
  ),
  pace: null,
});

/** Names without `.mp4`, each with what the camera said of it. */
function listOf(names: readonly string[], marks: Readonly<Record<string, number>> = {}, unknown = 0): CameraList {
  const builder = new CameraListBuilder(OWNER, names.length);
  builder.unknown = unknown;
  for (const name of names) if (!builder.add(`${name}.mp4`, marks[name] ?? 0)) throw new Error(`${name} is refused`);
  return builder.list();
}

interface Place {
  readonly home?: readonly string[];
  readonly deleted?: readonly string[];
  readonly unreadable?: (key: string) => boolean;
}

function homeOf({ home = [], deleted = [], unreadable = () => false }: Place): HomeIndex {
  const there = new Set(home);
  const gone = new Set(deleted.map(momentNumber));
  return {
    has: (moment, ending) => there.has(momentKey(moment) + ending),
    isUnwanted: () => false,
    isDeleted: (moment) => gone.has(moment),
    isUnknown: (moment) => unreadable(momentKey(moment)),
    moments: () => home.map(momentNumber),
  };
}

function count(list: CameraList, place: Place = {}, rules: Partial<WantedRules> = {}): RecordingCounts {
  const counter = new RecordingCounter(list, { ...RULES, ...rules }, homeOf(place));
  while (!counter.proceed(3));
  return counter.counts;
}

/** One moment of two directions, and a parked one. */
const THREE = ["20260607_101500_NF", "20260607_101500_NR", "20260608_101500_PF"];
const ALL_OF_FIRST = ["NF.mp4", "NR.mp4", "NF.thm", "NR.thm", "N.gps", "N.3gf"].map((end) => `20260607_101500_${end}`);

type Row = [
  name: string,
  list: CameraList,
  place: Place,
  rules: Partial<WantedRules>,
  counts: Partial<Omit<RecordingCounts, "left_out">>,
  leftOut?: Partial<RecordingCounts["left_out"]>,
];
const ROWS: readonly Row[] = [
  ["an empty card", listOf([]), {}, {}, { on_camera: 0, chosen: 0, home: 0, waiting: 0, waiting_files: 0 }],
  [
    "nothing is at home",
    listOf(THREE),
    {},
    {},
    { on_camera: 3, chosen: 3, home: 0, waiting: 3, waiting_files: 3 + 3 + 2 * 2 },
  ],
  [
    "all of a moment is",
    listOf(THREE),
    { home: ALL_OF_FIRST },
    {},
    { chosen: 3, home: 2, waiting: 1, waiting_files: 4 },
  ],
  [
    "a video is at home and its companions are not",
    listOf(THREE.slice(0, 1)),
    { home: ["20260607_101500_NF.mp4"] },
    {},
    { chosen: 1, home: 1, waiting: 0, waiting_files: 3 },
  ],
  [
    "companions are not wanted",
    listOf(THREE),
    { home: ["20260607_101500_NF.mp4"] },
    { skipMetadata: ["t", "3", "g"] },
    { chosen: 3, home: 1, waiting: 2, waiting_files: 2 },
  ],
  [
    "the camera does not have some companions",
    listOf(THREE, {
      "20260607_101500_NF": MARK_BITS.thm | MARK_BITS.gps,
      "20260607_101500_NR": MARK_BITS.gps,
      "20260608_101500_PF": MARK_BITS.thm | MARK_BITS.gps | MARK_BITS["3gf"],
    }),
    {},
    {},
    { waiting: 3, waiting_files: 3 + 1 + 1 },
  ],
  [
    "one is being recorded, and one has no video",
    listOf(THREE, { "20260607_101500_NF": MARK_BITS.gone, "20260608_101500_PF": MARK_BITS.growing }),
    {},
    {},
    { on_camera: 2, chosen: 2, home: 0, waiting: 1, growing: 1, waiting_files: 2 },
  ],
  [
    "what had no video has come since",
    listOf(THREE, { "20260607_101500_NF": MARK_BITS.gone, "20260608_101500_PF": MARK_BITS.growing }),
    { home: [...ALL_OF_FIRST, "20260608_101500_PF.mp4"] },
    { skipMetadata: ["t", "3", "g"] },
    { on_camera: 3, chosen: 3, home: 3, waiting: 0, growing: 0, waiting_files: 0 },
  ],
  [
    "a moment was deleted here",
    listOf(THREE),
    { deleted: ["20260607_101500_N"] },
    {},
    { on_camera: 3, chosen: 1, home: 0, waiting: 1, waiting_files: 4 },
    { deleted: 2 },
  ],
  [
    "of a moment that was deleted here one direction is at home all the same",
    listOf(THREE),
    { deleted: ["20260607_101500_N"], home: ["20260607_101500_NF.mp4"] },
    {},
    { on_camera: 3, chosen: 2, home: 1, waiting: 1, waiting_files: 4 },
    { deleted: 1 },
  ],
  [
    "settings leave out some",
    listOf(THREE, {}, 2),
    { home: ALL_OF_FIRST },
    { include: ["N"], exclude: ["NR"] },
    { on_camera: 3, chosen: 1, home: 1, waiting: 0, waiting_files: 0 },
    { selection: 2, unknown: 2 },
  ],
  [
    "some are older than is kept",
    listOf(THREE),
    {},
    { cutoffs: { ...sameCutoff("2026-06-08"), normal: "2026-06-08" } },
    { on_camera: 3, chosen: 1, waiting: 1 },
    { retention: 2 },
  ],
  [
    "an event spares what was recorded around it",
    listOf(["20260607_101500_EF", "20260607_101600_NF", "20260607_120000_NF"]),
    {},
    { cutoffs: { ...sameCutoff("2026-06-08"), event: null }, eventContext: 1 },
    { on_camera: 3, chosen: 2, waiting: 2 },
    { retention: 1 },
  ],
  [
    "a folder cannot be read",
    listOf(THREE),
    { home: ["20260607_101500_NF.mp4"], unreadable: (key) => key.startsWith("20260607") },
    {},
    { chosen: 3, home: 1, waiting: 1, waiting_files: 4 },
    { unreadable: 2 },
  ],
  [
    "a recording and its low-resolution copy have one thumbnail",
    listOf(["20260607_101500_NF", "20260607_101500_NFS"]),
    {},
    {},
    { chosen: 2, waiting: 2, waiting_files: 5 },
  ],
];

describe("RecordingCounter", () => {
  for (const [name, list, place, rules, counts, leftOut] of ROWS)
    test(name, () => {
      const found = count(list, place, rules);
      expect(found).toMatchObject({ ...counts, left_out: { ...nothingLeftOut(), ...leftOut } });
      const unknown = found.chosen - found.home - found.waiting - found.growing;
      expect(unknown).toBeWithin(0, found.left_out.unreadable + 1);
    });

  const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);
  test.each(SEEDS)("says what a plan would choose and fetch, and stays right as things come and go (%i)", (seed) => {
    const dice = new Dice(seed);
    const names = namesBy(dice);
    const possible = names.flatMap((name) => {
      const group = groupOf(name);
      return [`${name}.mp4`, `${group}${directionOf(name)}.thm`, `${group}.gps`, `${group}.3gf`];
    });
    const there = new Set(dice.some(possible, possible.length));
    const deleted = new Set(dice.some(names, 4).map(momentNumber));
    const unwanted = new Set(dice.some(names, 4).map(momentNumber));
    const rules: WantedRules = {
      include: dice.chance(0.3) ? ["N", "EF", "PR"] : [],
      exclude: dice.chance(0.3) ? ["NR"] : [],
      skipMetadata: dice.some(["t", "3", "g"], 2),
      cutoffs: dice.chance(0.5)
        ? { ...sameCutoff("2026-06-08"), event: dice.chance(0.5) ? null : "2026-06-07" }
        : sameCutoff(null),
      eventContext: dice.whole(0, 2),
    };
    const unreadable = dice.chance(0.3) ? "20260608" : "none";
    const home: HomeIndex = {
      has: (moment, ending) => there.has(momentKey(moment) + ending),
      isUnwanted: (moment) => unwanted.has(moment),
      isDeleted: (moment) => deleted.has(moment),
      isUnknown: (moment) => momentKey(moment).startsWith(unreadable),
      moments: () => [],
    };
    const counter = new RecordingCounter(listOf(names, {}, 1), rules, home);
    while (!counter.proceed(dice.whole(1, 5)));
    for (let round = 0; round < 5; round++) {
      const plan = planSync(
        [...names.map((name) => ({ name: `${name}.mp4`, size: null })), { name: "other.mp4", size: null }],
        { ...home, isBlocked: () => false, isAbsent: () => false },
        { ...rules, priority: "date", grouping: "none" },
      );
      const { counts } = counter;
      expect([counts.on_camera, counts.chosen, counts.left_out]).toEqual([
        plan.recordingsSeen,
        plan.recordingsSelected,
        plan.leftOut,
      ]);
      expect(counts.waiting_files).toBe(plan.files.length);
      expect(counts.waiting).toBe(plan.files.filter(({ kind }) => kind === "mp4").length);
      const sum = (total: number, { kind, names: [name] }: PlannedFile) =>
        total + (SIZES.of(sizeClassOf(name, kind)) ?? 0);
      expect(counter.bytes(SIZES)).toBe(plan.files.reduce(sum, 0));
      const changed = dice.some(possible, 3);
      for (const name of changed) {
        if (!there.delete(name)) there.add(name);
        counter.update(momentNumber(name));
      }
      // Recordings that are not listed change nothing.
      counter.update(momentNumber("20200101_000000_N"));
    }
  });
});

/** Recordings of a few days, some of them events, in the order of their names. */
function namesBy(dice: Dice): string[] {
  const names = new Set<string>();
  for (let at = dice.whole(0, 40); at > 0; at--) {
    const base = `2026060${dice.whole(6, 9)}_10${dice.whole(10, 20)}00_${dice.pick(["N", "E", "P", "M"])}`;
    for (const direction of dice.some(["F", "R", "I"], 3)) names.add(base + direction);
  }
  return [...names].sort();
}

describe("the bytes of what waits", () => {
  const bytes = (sizes: ExpectedSizes, place: Place = {}) => {
    const counter = new RecordingCounter(listOf([...THREE, "20260609_101500_NFS"]), RULES, homeOf(place));
    while (!counter.proceed(3));
    return counter.bytes(sizes);
  };
  test("are those of each file by its class, a low-resolution copy apart", () => {
    const NF = 1;
    const NR = 2;
    const NFS = 8;
    const PF = 64;
    const thm = 256;
    const gps = 512;
    expect(bytes(SIZES)).toBe(NF + NR + NFS + PF + 4 * thm + 3 * gps);
  });
  test("are unknown while nothing is known of the videos, and nothing where none is missing", () => {
    expect(bytes(new ExpectedSizes())).toBeNull();
    const home = ["20260608_101500_PF.mp4", "20260609_101500_NFS.mp4", ...ALL_OF_FIRST];
    expect(bytes(new ExpectedSizes(), { home })).toBe(0);
  });
});

describe("shareHome()", () => {
  const SHARES: readonly [chosen: number, home: number, share: number][] = [
    [0, 0, 100],
    [80, 0, 0],
    [48, 10, (100 * 10) / 48],
    [48, 48, 100],
  ];
  test.each(SHARES)("of %i chosen with %i at home is %f", (chosen, home, share) => {
    expect(shareHome({ chosen, home })).toBe(share);
  });
});

describe("isBelievable()", () => {
  const BEFORE = listOf(THREE);
  const NEWEST = "20260608_101500_PF.mp4";
  const HEARD: readonly [
    name: string,
    files: number,
    strange: number,
    newest: string,
    before: CameraList | null,
    wasEmpty: boolean,
    is: boolean,
  ][] = [
    ["the first list", 0, 0, "", null, false, true],
    ["after an empty one", 0, 0, "", listOf([]), false, true],
    ["a good one", 3, 0, "", BEFORE, false, true],
    ["an empty one after a full one", 0, 0, "", BEFORE, false, false],
    ["a second empty one after a full one", 0, 0, "", BEFORE, true, true],
    ["one that is cut off", 2, 1, "", BEFORE, false, false],
    ["one with a strange line that goes to the newest", 4, 1, NEWEST, BEFORE, false, true],
  ];
  test.each(HEARD)("%s", (_, files, strange, newest, before, wasEmpty, is) => {
    expect(isBelievable({ files, strange, has: (name) => name === newest }, before, wasEmpty)).toBe(is);
  });
});

describe("a camera's list", () => {
  test("takes names in their order only, and no more than it was made for", () => {
    const builder = new CameraListBuilder(OWNER, 2);
    expect(builder.add("20260607_101500_NR.mp4", 0)).toBe(true);
    for (const name of ["20260607_101500_NR.mp4", "20260607_101500_NF.mp4", "20260231_101500_NF.mp4", "x.mp4"])
      expect([name, builder.add(name, 0)]).toEqual([name, false]);
    expect(builder.add("20260607_101600_NFL.mp4", 99)).toBe(false);
    expect(builder.add("20260607_101600_NFL.mp4", MARK_BITS.gone)).toBe(true);
    expect(builder.add("20260607_101700_NF.mp4", 0)).toBe(false);
    const list = builder.list();
    expect([list.size, list.nameAt(0), list.nameAt(1)]).toEqual([
      2,
      "20260607_101500_NR.mp4",
      "20260607_101600_NFL.mp4",
    ]);
    expect([list.marksOf("20260607_101600_NFL.mp4"), list.marksOf("20260607_101600_NF.mp4")]).toEqual([
      MARK_BITS.gone,
      0,
    ]);
    expect([list.rangeOf(momentNumber("20260607_101600_N")), list.rangeOf(0)]).toEqual([
      [1, 2],
      [0, 0],
    ]);
    expect([list.mark(1, "gone", false), list.mark(1, "gone", false), list.marksAt(1)]).toEqual([true, false, 0]);
  });
});

describe("a recording of which it is not known whether it is the one at home", () => {
  test("waits, and is none that is shown as still to come", () => {
    const home = homeOf({ home: ["20260607_101500_NF.mp4"] });
    for (const [mark, isWaiting] of [
      [MARK_BITS.unsure, true],
      [0, false],
    ] as const) {
      const counter = new RecordingCounter(listOf(["20260607_101500_NF"], { "20260607_101500_NF": mark }), RULES, home);
      while (!counter.proceed(3));
      const coming: number[] = [];
      counter.eachComing((at) => coming.push(at));
      expect([counter.counts.waiting, counter.counts.home, coming]).toEqual([isWaiting ? 1 : 0, isWaiting ? 0 : 1, []]);
    }
  });
});
