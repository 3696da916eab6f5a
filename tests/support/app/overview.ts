import { describe, expect, test } from "bun:test";
import type { Failures } from "../../../server/domain/runs/failure_reason.ts";
import { type LeftOut, nothingLeftOut, type Run } from "../../../server/domain/runs/run.ts";
import type { OverviewFacts } from "../../../server/domain/status/overview.ts";
import { summaryOf } from "../../../server/domain/status/status_summary.ts";
import type { RecordingCounts } from "../../../server/domain/sync/recording_counts.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { nothingDeleted } from "./deletion.ts";
import { runAt } from "./history.ts";

/** 07:51 on Saturday in Sydney. */
export const NOW = Date.parse("2026-11-20T20:51:00Z");

/** Ended six minutes ago. */
export function run(changes: Partial<Run> = {}, failures: Partial<Failures> = {}): Run {
  return runAt(NOW / 1000 - 360, { ...changes, failures });
}

export const UNUSABLE = { section: "retention", sentence: "It cannot be used." };
/** The camera was not there. */
export const OFFLINE = run({ success: false }, { timeout: 1 });

/** All 412 recordings on the camera are at home. */
export function counts(changes: Partial<RecordingCounts> = {}): RecordingCounts {
  const all = { on_camera: 412, chosen: 412, home: 412, waiting: 0, growing: 0, waiting_files: 0 };
  return { ...all, left_out: nothingLeftOut(), ...changes };
}

/** Counts with so many videos of them missing; their companions are here. */
export function waiting(recordings: number): RecordingCounts {
  return counts({ home: 412 - recordings, waiting: recordings, waiting_files: recordings });
}

export function leftOut(by: Partial<LeftOut>): LeftOut {
  return { ...nothingLeftOut(), ...by };
}

function summary(changes: Partial<OverviewFacts>) {
  const last = changes.last_run === undefined ? run() : changes.last_run;
  const {
    mood: level,
    sentence,
    detail,
    more = "",
  } = summaryOf({
    now: NOW,
    zone: new ZoneTime("Australia/Sydney"),
    address: "192.168.1.64",
    other_camera: null,
    paused: false,
    looks: null,
    next_at: NOW + 540_000,
    last_run: last,
    last_reached: last,
    unsaved: null,
    ledger: null,
    damaged_files: 0,
    checksums: null,
    last_known: null,
    disk_used: null,
    counts: last === null || changes.last_reached === null ? null : counts(),
    plan: null,
    drive: null,
    last_seen_at: NOW - 540_000,
    reachable: true,
    folder: "there",
    destination: "known",
    root: "/recordings",
    unreadable: [],
    unusable_settings: [],
    recordings: 19_121,
    retention: nothingDeleted(),
    keep: KEEP,
    ...changes,
  });
  return [level, `${sentence} ${`${detail} ${more}`.trim()}`.trim().replace(/[\u00a0\u202f]/g, " ")];
}

export const KEEP: OverviewFacts["keep"] = {
  keep: "2w",
  keep_event: "",
  keep_parking: "",
  keep_manual: "always",
  max_gb: null,
  max_percent: null,
  max_used_disk_percent: 90,
};

/** Sentence for a service without any problem. */
export const SAFE = "All 412 recordings on the camera are safe here. The camera is at home.";

/** Facts, and the mood and the words of their summary. */
type SummaryRow = readonly [name: string, changes: Partial<OverviewFacts>, mood: string, words: string];

/** Tests what is said of these. */
export function describeSummary(rows: readonly SummaryRow[]): void {
  describe("summaryOf()", () => {
    for (const [name, changes, mood, words] of rows) test(name, () => expect(summary(changes)).toEqual([mood, words]));
  });
}
