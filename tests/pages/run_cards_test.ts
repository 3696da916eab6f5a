import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { DayOfRunsCard } from "../../islands/cards/day_of_runs.tsx";
import { LastRunCard } from "../../islands/cards/last_run.tsx";
import { NextScheduledCard } from "../../islands/cards/next_scheduled.tsx";
import type { Failures } from "../../server/domain/runs/failure_reason.ts";
import type { Run } from "../../server/domain/runs/run.ts";
import type { DayOfRuns, RunCounts, RunKind, RunSlot } from "../../server/domain/runs/runs_of_day.ts";
import type { LastRun, NextScheduled } from "../../server/domain/status/card_data.ts";
import { BUSY, describeCards, NOW, poll, SYDNEY, snapshot } from "../support/app/cards.ts";
import { runAt } from "../support/app/history.ts";

/** Ended at 07:45 in Sydney, six minutes ago, after 38 s. */
function stored(changes: Partial<Run> = {}, failures: Partial<Failures> = {}, before: Run | null = null): LastRun {
  const ended = runAt(NOW / 1000 - 360, { ...changes, failures });
  return { kind: "stored", run: ended, started_at: (ended.ts - ended.durationSeconds) * 1000, before, ...SYDNEY };
}

const ANOTHER = {
  cause: "other-camera",
  message: "another camera answers at 192.168.1.64; It is a DR970X-2CH with the Wi-Fi name “Truck-5F”",
} as const;

const NEXT: NextScheduled = {
  at: NOW + 540_000,
  paused: false,
  on_arrival: false,
  cron_expression: "*/15 * * * *",
  timezone: "UTC",
  words: "Every 15 minutes",
  ...SYDNEY,
};

const last = (props: LastRun) => renderToString(h(LastRunCard, { ...props, poll }));
const next = (changes: Partial<NextScheduled> = {}) =>
  renderToString(h(NextScheduledCard, { ...NEXT, ...changes, poll }));

const runCounts = (counts: Partial<RunCounts>): RunCounts => ({
  bad: 0,
  stopped: 0,
  new: 0,
  ok: 0,
  away: 0,
  ...counts,
});
const slotOf = (worst: RunKind, beside: RunSlot["beside"] = null): RunSlot => ({
  worst,
  beside,
  counts: runCounts({ [worst]: 1, ...(beside && { [beside]: 2 }) }),
});
const day = (changes: Partial<DayOfRuns> = {}) =>
  renderToString(h(DayOfRunsCard, { slots: [], counts: runCounts({}), ...SYDNEY, ...changes, poll }));

describeCards([
  {
    name: "last run: live",
    html: last({ kind: "live", snapshot: { ...BUSY, started_at_wall: (NOW - 540_000) / 1000 }, ...SYDNEY }),
    has: ["is-busy", "Running now", "64 recordings in this run", "Started", ">07:42<"],
    // Values that change from moment to moment are told once on a page: at its top.
    hasNot: ["ago", "B/s", "GB", "17", "Downloading", "about"],
  },
  {
    name: "last run: live, from before midnight, with nothing to fetch",
    html: last({
      kind: "live",
      snapshot: snapshot({ phase: "downloading", started_at_wall: NOW / 1000 - 90_000 }),
      ...SYDNEY,
    }),
    has: ["Nothing new", ">Fri 20 Nov<"],
    hasNot: ["0 files"],
  },
  {
    name: "last run: live, before the list and after the files",
    html: (["listing", "retention"] as const)
      .map((phase) => last({ kind: "live", snapshot: { ...BUSY, phase }, ...SYDNEY }))
      .join(""),
    has: ["Asking the camera", "Looking for what is older than you keep"],
    hasNot: ["64"],
  },
  {
    name: "last run: live, the camera is away",
    html: last({
      kind: "live",
      snapshot: snapshot({ state: "failed", failure_reason: "network", ending: "away" }),
      ...SYDNEY,
    }),
    has: ["is-waiting", "Camera away", "Just now", "Camera not reachable, nothing failed"],
    hasNot: ["is-failed", "0 files"],
  },
  {
    name: "last run: fine",
    html: last(stored()),
    has: [
      "is-fine",
      "Fine",
      "07:44, 6 min ago",
      'title="2026-11-21 07:44:22 AEDT"',
      'datetime="2026-11-20T20:44:22.000Z"',
      "3 files, 412 MB, in 38 s",
      "412 recordings on the camera",
    ],
    hasNot: ["failed", "Dry run"],
  },
  {
    name: "last run: nothing new",
    html: last(stored({ files: 0, bytes: 0 })),
    has: ["Fine", "Nothing new, in 38 s"],
  },
  {
    name: "last run: partly, with files that failed",
    html: last(stored({}, { http: 2 })),
    has: ["is-attention", "Partly", "3 files, 412 MB, in", "2 files failed: "],
  },
  {
    name: "last run: dry",
    html: last(stored({ dryRun: true })),
    has: ["is-fine", "Dry run", "Listed only, nothing written"],
  },
  {
    name: "last run: failed",
    html: last(stored({ success: false, exitCode: 1, files: 18, bytes: 2_600_000_000 }, { disk: 1, http: 1 })),
    has: ["is-failed", "Failed", "18 files, 2.6 GB, 1 file failed", "Error from the camera; disk full"],
    hasNot: ["not reachable"],
  },
  {
    name: "last run: failed for a reason that was not recorded",
    html: last(stored({ success: false })),
    has: ["Failed", "for a cause that is in the log"],
    hasNot: ["-1 file"],
  },
  {
    name: "last run: stopped by hand",
    html: last(stored({ success: false, stopped: true, files: 18 }, { unknown: 1 })),
    has: ["is-attention", "Stopped", "18 files, 412 MB, in 38 s", "Stopped by hand"],
    hasNot: ["ailed"],
  },
  {
    name: "last run: live, just stopped by hand",
    html: last({
      kind: "live",
      snapshot: snapshot({
        state: "failed",
        failure_reason: "unknown",
        message: "sync stopped by user",
        ending: "stopped",
        files_completed: 2,
      }),
      ...SYDNEY,
    }),
    has: ["is-attention", "Stopped", "The sync was stopped."],
    hasNot: ["ailed"],
  },
  {
    name: "last run: the camera is away, and what was before",
    html: last(stored({ success: false, files: 0, bytes: 0 }, { network: 1, timeout: 1 }, runAt(NOW / 1000 - 1260))),
    has: ["is-waiting", "Camera away", "nothing failed", "Before it: 07:30, 3 files, 412 MB"],
    hasNot: ["is-failed", "0 files"],
  },
  {
    name: "last run: what it deleted, also while the camera was away",
    html:
      last(stored({ deleted: { recordings: 12, bytes: 1_300_000_000 } })) +
      last(stored({ success: false, deleted: { recordings: 1, bytes: 98_000_000 } }, { network: 1 })),
    has: ["Fine", "12 recordings deleted here, 1.3 GB", "Camera away", "1 recording deleted here, 98 MB"],
  },
  {
    name: "last run: one of an older program, which kept no counts, failed after the list was read",
    html: last(stored({ success: false, files: 0, bytes: 0 }, { disk: 1 })),
    has: ["Nothing downloaded"],
    hasNot: ["list was not read"],
  },
  {
    name: "last run: another camera answered",
    html: last(stored({ success: false, files: 0, bytes: 0, recordingsSeen: 0, ...ANOTHER }, { unknown: 1 })),
    has: ["Failed", "Nothing was fetched or deleted", ">Another camera answers at the address<", "until you decide"],
    hasNot: ["list was not read", "Nothing downloaded", "Nothing new"],
  },
  {
    name: "last run: live, another camera has just answered",
    html: last({
      kind: "live",
      snapshot: snapshot({ state: "failed", failure_reason: "unknown", message: ANOTHER.message, ending: "failed" }),
      run: runAt(NOW / 1000, { success: false, files: 0, bytes: 0, recordingsSeen: 0, ...ANOTHER }),
      ...SYDNEY,
    }),
    has: ["Failed", "Nothing was fetched or deleted", ">Another camera answers at the address<"],
    hasNot: ["list was not read", "Nothing downloaded", "Nothing new"],
  },
  {
    name: "last run: none",
    html: last({ kind: "none" }),
    has: ["None recorded"],
    hasNot: ["state is-"],
  },
  {
    name: "next run: soon",
    html: next(),
    has: ["08:00", "in 9 min", "Today, Sat 21 Nov, AEDT", "*/15 * * * *", "every 15 minutes", "UTC"],
    hasNot: ["Paused"],
  },
  {
    name: "next run: sooner when the camera comes",
    html: next({ on_arrival: true }) + next({ on_arrival: true, at: null }),
    has: [", in 9 min", "Sooner when the camera comes.", "When the camera comes<"],
    hasNot: ["never comes round"],
  },
  {
    name: "next run: tomorrow",
    html: next({ at: NOW + 21 * 3_600_000, cron_expression: "0 3 * * sun", words: "At 03:00, only on Sunday" }),
    has: ["04:51", "in 21 h 00 min", "Tomorrow, Sun 22 Nov, AEDT", "at 03:00, only on Sunday"],
  },
  {
    name: "next run: in seconds, and at this very moment",
    html: next({ at: NOW + 12_000 }) + next({ at: NOW }),
    has: ["in 12 s", ", now"],
  },
  {
    name: "next run: paused",
    html: next({ paused: true }),
    has: ["is-attention", "Paused", "*/15 * * * *"],
    hasNot: ["08:00", "in 9"],
  },
  {
    name: "next run: never",
    html: next({ at: null }),
    has: ["never comes round"],
    hasNot: ["NaN", "1970"],
  },
  {
    name: "day: one of each kind",
    html: day({
      slots: [null, slotOf("new"), slotOf("ok"), slotOf("away"), slotOf("bad")],
      counts: runCounts({ bad: 1, new: 1, ok: 2, away: 7 }),
    }),
    has: [
      "11 runs in 24 hours: 1 failed, 1 brought files, 2 found nothing new, 7 found the camera away",
      'class="r-new" x="29.75%"',
      'class="r-ok" x="49.75%"',
      'class="r-away" x="69.75%"',
      'class="r-bad"',
      "Fri 07:51",
      "13:51",
    ],
    hasNot: ["r-stopped", "Stopped"],
  },
  {
    name: "day: a failure that others went well beside, and a stop",
    html: day({ slots: [slotOf("bad", "new"), slotOf("stopped")], counts: runCounts({ bad: 1, stopped: 1, new: 2 }) }),
    has: [
      "<title>07:21 to 07:36: 1 failed, 2 brought files</title>",
      "<li>07:21 to 07:36: 1 failed, 2 brought files</li>",
      "<li>07:36 to 07:51: 1 stopped</li>",
      'class="r-new" x="24.75%"',
      'class="r-stopped"',
      "Stopped</li>",
    ],
  },
]);
