import { describe, expect, test } from "bun:test";
import { momentKey } from "../../../server/domain/recordings/moment_number.ts";
import { sameCutoff } from "../../../server/domain/retention/keep_times.ts";
import { type AtHome, type Plan, type PlanRules, planSync } from "../../../server/domain/sync/download_plan.ts";
import { EVERYTHING, NOWHERE } from "../../support/camera/plans.ts";

const FRONT = "20260607_101500_NF.mp4";
const REAR = "20260607_101500_NR.mp4";
const FLAGGED = "20260607_101500_NFL.mp4";

/** Plans for these names, all companions wanted unless letters say which are not. */
function plan(listed: readonly string[], home: Partial<AtHome> = {}, skipMetadata: readonly string[] = []) {
  return planSync(
    listed.map((name) => ({ name, size: null })),
    { ...NOWHERE, ...home },
    { ...EVERYTHING, skipMetadata },
  );
}

/** All names under which the files of one kind would be asked for. */
function namesOf(kind: string, listed: readonly string[]): (readonly string[])[] {
  return plan(listed)
    .files.filter((file) => file.kind === kind)
    .map(({ names }) => names);
}

/** Everything planned, by the name asked for first. */
function firstNames(listed: readonly string[], home: Partial<AtHome> = {}, skip: readonly string[] = []): string[] {
  return plan(listed, home, skip).files.map(({ names }) => names[0]);
}

/** True for a file of the moment that `name` belongs to, when these are the files there are. */
const among =
  (...names: string[]) =>
  (name: string, ending: string) =>
    names.includes(name.slice(0, 17) + ending);
const atHome =
  (...names: string[]) =>
  (moment: number, ending: string) =>
    names.includes(momentKey(moment) + ending);

const only = (...names: string[]) => ({ has: atHome(...names) });

describe("companions", () => {
  test("the directions of a moment share telemetry, which counts once", () => {
    expect(firstNames([FRONT, REAR])).toEqual([
      FRONT,
      "20260607_101500_NF.thm",
      "20260607_101500_N.3gf",
      "20260607_101500_N.gps",
      REAR,
      "20260607_101500_NR.thm",
    ]);
  });

  test("it counts once even when the moment's recordings do not stand together", () => {
    const later = ["20260607_101530_NF.mp4", "20260607_101600_NF.mp4"];
    const listed = [FRONT, REAR, ...later];
    const names = firstNames(listed);
    expect(names.filter((name) => name.endsWith(".mp4"))).toEqual([FRONT, REAR, ...later]);
    expect(names.filter((name) => name === "20260607_101500_N.gps")).toHaveLength(1);
    expect(plan(listed).present).toBe(0);
  });

  test("shared telemetry that is at home counts as present once", () => {
    const planned = plan([FRONT, REAR], only("20260607_101500_N.gps", "20260607_101500_N.3gf"));
    expect(planned.present).toBe(2);
    expect(planned.files).toHaveLength(4);
  });

  test("two types in the same second have telemetry of their own", () => {
    expect(namesOf("gps", [FRONT, "20260607_101500_EF.mp4"])).toHaveLength(2);
  });

  test("each letter of skip_metadata leaves out its kind, also before counting what is at home", () => {
    const kinds = (skip: readonly string[]) => plan([FRONT], {}, skip).files.map(({ kind }) => kind);
    expect(kinds(["t"])).toEqual(["mp4", "3gf", "gps"]);
    expect(kinds(["3"])).toEqual(["mp4", "thm", "gps"]);
    expect(kinds(["g"])).toEqual(["mp4", "thm", "3gf"]);
    expect(kinds(["g", "t", "3"])).toEqual(["mp4"]);
    expect(kinds(["x"])).toEqual(["mp4", "thm", "3gf", "gps"]);
    expect(plan([FRONT], only("20260607_101500_NF.thm"), ["t"]).present).toBe(0);
  });
});

describe("companions of a flagged recording", () => {
  const plain = ["20260607_101500_N.gps", "20260607_101500_NL.gps"];

  test("are tried under the plain name first when the listing shows neither", () => {
    expect(namesOf("gps", [FLAGGED])).toEqual([plain]);
    expect(namesOf("thm", [FLAGGED])).toEqual([["20260607_101500_NF.thm", "20260607_101500_NFL.thm"]]);
  });

  test("are tried first under the name that the listing shows", () => {
    expect(namesOf("gps", [FLAGGED, "20260607_101500_NL.gps"])).toEqual([plain.toReversed()]);
    expect(namesOf("gps", [FLAGGED, "20260607_101500_N.gps"])).toEqual([plain]);
    expect(namesOf("gps", [FLAGGED, ...plain])).toEqual([plain]);
    expect(namesOf("thm", [FLAGGED, "20260607_101500_NFL.thm"])).toEqual([
      ["20260607_101500_NFL.thm", "20260607_101500_NF.thm"],
    ]);
  });

  test("take their size from the name that is asked for first", () => {
    const { files } = planSync(
      [
        { name: FLAGGED, size: null },
        { name: "20260607_101500_NL.gps", size: 4321 },
      ],
      NOWHERE,
      { ...EVERYTHING, skipMetadata: ["t", "3"] },
    );
    expect(files[1]).toMatchObject({ names: plain.toReversed() });
  });

  test("are at home, or blocked, under either spelling", () => {
    for (const name of plain) {
      expect(plan([FLAGGED], only(name)).present).toBe(1);
      expect(plan([FLAGGED], { isBlocked: among(name) }).blocked).toBe(1);
    }
  });

  test("are shared with the unflagged directions of the moment", () => {
    expect(namesOf("gps", [FLAGGED, REAR])).toHaveLength(1);
    expect(namesOf("gps", [FLAGGED, REAR, "20260607_101500_NL.gps"])).toHaveLength(1);
    expect(namesOf("gps", [FRONT, "20260607_101500_NRL.mp4"])).toHaveLength(1);
  });

  test("no file is asked for twice: a recording and its low-resolution copy have one thumbnail", () => {
    const names = firstNames([FRONT, "20260607_101500_NFS.mp4"]);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });
});

describe("what needs no transfer", () => {
  test("is counted as present or blocked and left out; present wins", () => {
    const planned = plan([FRONT, REAR], {
      has: atHome(FRONT),
      isBlocked: among(FRONT, REAR),
    });
    expect(planned).toMatchObject({ present: 1, blocked: 1, recordingsSelected: 2 });
    expect(planned.files.map(({ names }) => names[0])).toEqual([
      "20260607_101500_NF.thm",
      "20260607_101500_N.3gf",
      "20260607_101500_N.gps",
      "20260607_101500_NR.thm",
    ]);
  });

  test("a flagged video is another file than the plain one", () => {
    expect(firstNames([FLAGGED], only(FRONT))).toContain(FLAGGED);
    expect(firstNames([FRONT], only(FLAGGED))).toContain(FRONT);
  });

  test("companions are fetched though their video is at home or blocked", () => {
    expect(plan([FRONT], only(FRONT)).files).toHaveLength(3);
    expect(plan([FRONT], { isBlocked: among(FRONT) }).files).toHaveLength(3);
  });

  test("everything at home is an empty plan", () => {
    expect(plan([FRONT, REAR], { has: () => true })).toMatchObject({ files: [], present: 6, blocked: 0 });
  });
});

describe("what the rules skip", () => {
  const LISTED = [
    "20260607_101500_NF.mp4",
    "20260607_101500_NR.mp4",
    "20260607_101600_PF.mp4",
    "20260607_101700_NF.mp4",
  ];
  const planned = (rules: Partial<PlanRules>, home: Partial<AtHome> = {}) =>
    planSync(
      LISTED.map((name) => ({ name, size: null })),
      { ...NOWHERE, ...home },
      { ...EVERYTHING, exclude: ["NR", "P"], ...rules },
    );
  const names = (plan: Plan) => plan.files.map((file) => file.names[0].slice(9));

  test("brings its thumbnails and GPS where the camera has them only as long as the video, behind all that is chosen", () => {
    const plan = planned({ metadataOfSkipped: true });
    expect(names(plan)).toEqual([
      ...["101500_NF.mp4", "101500_NF.thm", "101500_N.3gf", "101500_N.gps"],
      ...["101700_NF.mp4", "101700_NF.thm", "101700_N.3gf", "101700_N.gps"],
      ...["101600_PF.thm", "101600_P.gps"],
    ]);
    expect(plan.leftOut).toMatchObject({ selection: 2 });
    expect(plan).toMatchObject({ recordingsSelected: 2, present: 0, absent: 0 });
  });

  test("brings nothing otherwise, nor what is skipped by its kind, is at home, absent, unwanted or too old", () => {
    const none = ["101500_NF.mp4", "101700_NF.mp4"];
    const videos = (plan: Plan) => names(plan).filter((name) => !/^10(15|17)00_N.?\.(thm|3gf|gps)$/.test(name));
    expect(videos(planned({}))).toEqual(none);
    const isOn = { metadataOfSkipped: true };
    expect(videos(planned({ ...isOn, skipMetadata: ["t", "g"] }))).toEqual(none);
    expect(
      videos(planned(isOn, { has: (moment, ending) => momentKey(moment).includes("_P") && ending !== "F.mp4" })),
    ).toEqual(none);
    expect(videos(planned(isOn, { isAbsent: (name) => name.includes("_P") }))).toEqual(none);
    expect(videos(planned({ ...isOn, cutoffs: sameCutoff("2026-06-08") }))).toEqual([]);
    expect(
      videos(planned({ ...isOn, exclude: ["NR"] }, { isUnwanted: (moment) => momentKey(moment).includes("_P") })),
    ).toEqual(none);
  });
});
