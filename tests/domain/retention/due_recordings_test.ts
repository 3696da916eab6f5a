import { describe, expect, test } from "bun:test";
import { baseOfMoment, momentKey, momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import {
  classOfMoment,
  contextByEvent,
  contextOf,
  deletionOrder,
  momentsOf,
  pastKeeping,
  toFree,
} from "../../../server/domain/retention/due_recordings.ts";
import { type Cutoffs, keepClassOf, sameCutoff } from "../../../server/domain/retention/keep_times.ts";
import { type AtHome, type PlanRules, planSync } from "../../../server/domain/sync/download_plan.ts";

const LONG_EVENTS: Cutoffs = { normal: "2026-05-01", event: null, parking: "2026-05-01", manual: "2026-05-01" };

/** Shelves of moments: by folder, keys as `20260101_120000_N`. */
function shelves(folders: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(folders).map(([path, keys]) => ({
    path,
    moments: new Map(keys.map((key) => [momentNumber(key), key] as const)),
  }));
}

/** Recordings to delete, as `folder/key`, sorted. */
function due(
  folders: Readonly<Record<string, readonly string[]>>,
  rules: { cutoffs?: Cutoffs; eventContext?: number } = {},
  { kept = [] as readonly string[] } = {},
): string[] {
  const { cutoffs = LONG_EVENTS, eventContext = 0 } = rules;
  const keptMoments = new Set(kept.map(momentNumber));
  const going = pastKeeping(
    shelves(folders),
    { cutoffs, eventContext },
    { isOurs: (folder) => folder !== "mine", isKept: (moment) => keptMoments.has(moment) },
  );
  return going.map(({ moment, folder }) => (folder === "" ? "" : `${folder}/`) + momentKey(moment)).sort();
}

/** A trip: one a minute from ten o'clock on, by type letters. */
function trip(types: string, day = "20260401", minute = 0): string[] {
  return [...types].map((type, at) => `${day}_10${String(minute + at).padStart(2, "0")}00_${type}`);
}

/** Minutes of those that go of a trip. */
function minutes(keys: readonly string[]): number[] {
  return keys.map((key) => Number(key.slice(11, 13)));
}

describe("what is past its keep time", () => {
  test.each(["N", "E", "I", "B", "O", "A", "T", "P", "M", "R", "X", "G", "D", "L", "Y", "F", "Z"])(
    "type %s goes by the day of its kind, and by no other",
    (type) => {
      const kind = keepClassOf(type);
      const keys = [`20260430_235959_${type}`, `20260501_000000_${type}`];
      expect(due({ "": keys }, { cutoffs: { ...sameCutoff(null), [kind]: "2026-05-01" } })).toEqual([keys[0] ?? ""]);
      expect(due({ "": keys }, { cutoffs: { ...sameCutoff("2026-05-01"), [kind]: null } })).toEqual([]);
    },
  );

  test("not what is kept, not where we may not delete, not without a clock; a copy in a folder of ours", () => {
    const key = "20260401_100000_N";
    const folders = { "": [key], "2026-04": [key, "20260401_100100_N"], mine: [key, "20260401_100200_N"] };
    expect(due(folders)).toEqual(["2026-04/20260401_100000_N", "2026-04/20260401_100100_N", key]);
    expect(due(folders, {}, { kept: [key] })).toEqual(["2026-04/20260401_100100_N"]);
    expect(due({ "": ["19700101_000000_N", "20091231_235959_P", "20100101_000000_N"] })).toEqual(["20100101_000000_N"]);
  });

  test.each([
    // Types of a trip, context, and the minutes that go.
    ["NNENN", 0, [0, 1, 3, 4]],
    ["NNENN", 1, [0, 4]],
    ["NNENN", 2, []],
    ["NNNNE", 2, [0, 1]],
    ["ENNNN", 10, []],
    ["NEENN", 1, [4]],
    ["NPEPN", 1, [0, 4]],
    ["NNMNN", 2, [0, 1, 2, 3, 4]],
  ] as const)("%s with %d around events: %p go", (types, eventContext, going) => {
    expect(minutes(due({ "": trip(types) }, { eventContext }))).toEqual([...going]);
  });

  test("context ends where the trip does, and not at midnight nor at a folder", () => {
    // Five minutes are a trip, a second more is none.
    const near = ["20260401_100000_N", "20260401_100500_E", "20260401_101000_N"];
    const far = ["20260402_100000_N", "20260402_100501_E", "20260402_101002_N"];
    expect(due({ "": [...near, ...far] }, { eventContext: 5 })).toEqual(["20260402_100000_N", "20260402_101002_N"]);
    const midnight = { "2026-04-01": ["20260401_235900_N"], "2026-04-02": ["20260402_000000_E", "20260402_000100_N"] };
    expect(due(midnight, { eventContext: 1 })).toEqual([]);
  });

  test("a chain of short breaks is one trip, as long as the count goes", () => {
    const keys = ["20260401_095600_N", "20260401_100000_N", "20260401_100400_N", "20260401_100800_E"];
    expect(due({ "": keys }, { eventContext: 2 })).toEqual(["20260401_095600_N"]);
    expect(due({ "": keys }, { eventContext: 3 })).toEqual([]);
  });

  test("an event that goes spares nothing; one that is kept does", () => {
    const cutoffs = sameCutoff("2026-05-01");
    const keys = trip("NEN");
    expect(due({ "": keys }, { cutoffs, eventContext: 1 })).toEqual(keys);
    expect(due({ "": keys }, { cutoffs, eventContext: 1 }, { kept: [keys[1] ?? ""] })).toEqual([]);
    // Kept, but no event: it stays alone.
    expect(due({ "": trip("NNN") }, { cutoffs, eventContext: 1 }, { kept: trip("NNN").slice(1, 2) })).toEqual([
      "20260401_100000_N",
      "20260401_100200_N",
    ]);
  });

  test("an event with a shorter time does not make what is around it go", () => {
    const cutoffs = { ...sameCutoff(null), event: "2026-05-01" };
    expect(due({ "": trip("NEN") }, { cutoffs, eventContext: 1 })).toEqual(["20260401_100100_E"]);
  });

  test("of one second there are several types: they are one step, and an event's own second is no context", () => {
    const keys = ["20260401_100000_N", "20260401_100000_P", "20260401_100100_E", "20260401_100100_N"];
    expect(due({ "": keys }, { eventContext: 1 })).toEqual(["20260401_100100_N"]);
  });
});

describe("the context of an event", () => {
  const keys = trip("NNENN");
  const sorted = momentsOf(shelves({ "": keys.slice(3), "2026": keys.slice(0, 3) }));

  test("is found wherever things lie, in order of time", () => {
    expect([...sorted].map(momentKey)).toEqual(keys);
    const isEvent = (moment: number) => classOfMoment(moment) === "event";
    const context = contextOf(sorted, isEvent, 1);
    expect(keys.filter((key) => context.has(baseOfMoment(momentNumber(key))))).toEqual([
      "20260401_100100_N",
      "20260401_100300_N",
    ]);
  });

  test("tells which event keeps one; an event that is not there keeps none", () => {
    const event = momentNumber(keys[2] ?? "");
    expect([...contextByEvent(sorted, [event], 2).values()]).toEqual([event, event, event, event]);
    expect(contextByEvent(sorted, [momentNumber("20260401_100230_E")], 2).size).toBe(0);
    expect(contextByEvent(sorted, [momentNumber("20270401_100230_E")], 2).size).toBe(0);
    expect(contextByEvent(new Float64Array(), [event], 2).size).toBe(0);
  });
});

describe("what a limit takes", () => {
  test("the oldest first; events, manual ones and what belongs to an event last", () => {
    const keys = [...trip("MNNEN"), ...trip("PN", "20260301"), ...trip("I", "20260201")];
    const all = shelves({ "": [...keys].reverse() }).flatMap(({ path, moments }) =>
      [...moments].map(([moment, set]) => ({ moment, folder: path, set })),
    );
    const context = contextOf(
      Float64Array.from(all.map(({ moment }) => moment)).sort(),
      (moment) => classOfMoment(moment) === "event",
      1,
    );
    const order = all.toSorted(deletionOrder(context)).map(({ set }) => set);
    expect(order).toEqual([
      "20260301_100000_P",
      "20260301_100100_N",
      "20260401_100100_N",
      "20260201_100000_I",
      "20260401_100000_M",
      "20260401_100200_N",
      "20260401_100300_E",
      "20260401_100400_N",
    ]);
    const taken = (bytes: number) => toFree(all.toSorted(deletionOrder(context)), bytes, () => 10).length;
    expect([0, 1, 10, 11, 80, 1000].map(taken)).toEqual([0, 1, 1, 2, 8, 8]);
  });
});

describe("what is fetched", () => {
  const RULES: PlanRules = {
    priority: "date",
    grouping: "none",
    include: [],
    exclude: [],
    skipMetadata: ["t", "3", "g"],
    cutoffs: LONG_EVENTS,
    eventContext: 1,
  };

  function plan(
    keys: readonly string[],
    { home = [] as readonly string[], deleted = [] as readonly string[], blocked = [] as readonly string[] },
    rules: Partial<PlanRules> = {},
  ) {
    const atHome: AtHome = {
      has: (moment) => home.includes(momentKey(moment)),
      isBlocked: (name) => blocked.includes(name.slice(0, 17)),
      isAbsent: () => false,
      isUnwanted: () => false,
      isDeleted: (moment) => deleted.includes(momentKey(moment)),
      moments: () => home.map(momentNumber),
      isUnknown: () => false,
    };
    const files = keys.map((key) => ({ name: `${key}F.mp4`, size: null }));
    return planSync(files, atHome, { ...RULES, ...rules });
  }
  const fetched = (...given: Parameters<typeof plan>) =>
    plan(...given).files.map(({ recording }) => recording.name.slice(0, 17));

  test("is by kind, with what is around events", () => {
    const keys = [...trip("NNENN"), ...trip("PM", "20260402"), "20260501_000000_N"];
    expect(fetched(keys, {})).toEqual([...trip("NNENN").slice(1, 4), "20260501_000000_N"]);
    expect(plan(keys, {}).leftOut).toMatchObject({ retention: 4, deleted: 0, selection: 0 });
    expect(fetched(keys, {}, { eventContext: 0 })).toEqual(["20260401_100200_E", "20260501_000000_N"]);
  });

  test("not what was deleted here; that is counted", () => {
    const keys = ["20260501_000000_N", "20260501_000100_N"];
    expect(fetched(keys, { deleted: keys.slice(0, 1) })).toEqual(keys.slice(1));
    expect(plan(keys, { deleted: keys.slice(0, 1) }).leftOut).toMatchObject({ deleted: 1, retention: 0 });
  });

  test.each([
    ["was deleted", { deleted: ["20260401_100200_E"] }, {}],
    ["cannot be had", { blocked: ["20260401_100200_E"] }, {}],
    ["is not wanted", {}, { exclude: ["E"] }],
  ])(
    "nothing that only an event keeps which %s: it would be deleted with the next pass, over and over",
    (_what, given, rules) => {
      expect(fetched(trip("NNENN"), given, rules)).toEqual([]);
    },
  );

  test("nothing that is not beside the event at home, where more is than on the card", () => {
    const home = ["20260401_100130_P", "20260401_100200_E", "20260401_100230_P"];
    expect(fetched(["20260401_100100_N", "20260401_100200_E", "20260401_100300_N"], { home })).toEqual([]);
    // With another one between it is there again.
    expect(fetched(["20260401_100100_N", "20260401_100200_E"], { home: home.slice(1) })).toEqual(["20260401_100100_N"]);
  });

  test("what an event at home keeps that the card has no longer", () => {
    expect(fetched(["20260401_100100_N"], { home: ["20260401_100200_E"] })).toEqual(["20260401_100100_N"]);
  });

  test("agrees with what a pass deletes: whatever is fetched stays", () => {
    // A small generator of its own, so that a failure can be repeated.
    let seed = 7;
    const dice = (sides: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * sides);
    };
    for (let round = 0; round < 300; round++) {
      const all: string[] = [];
      let minute = 0;
      while (minute < 60) {
        all.push(`20260401_10${String(minute).padStart(2, "0")}00_${"NNNPEMX".charAt(dice(7))}`);
        minute += 1 + dice(7);
      }
      const pick = (share: number) => all.filter(() => dice(10) < share);
      const home = pick(4);
      const listed = pick(7);
      const deleted = pick(2);
      const given = { home, deleted: deleted.filter((key) => !home.includes(key)), blocked: [] };
      const rules = { eventContext: dice(4), exclude: dice(3) === 0 ? ["P"] : [] };
      const brought = fetched(listed, given, rules);
      const gone = due({ "": [...new Set([...home, ...brought])] }, { eventContext: rules.eventContext });
      expect([round, brought.filter((key) => gone.includes(key))]).toEqual([round, []]);
    }
  });
});
