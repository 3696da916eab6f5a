import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { DashcamCard } from "../../islands/cards/dashcam.tsx";
import { DayOfRunsCard } from "../../islands/cards/day_of_runs.tsx";
import { LastRunCard } from "../../islands/cards/last_run.tsx";
import { NextScheduledCard } from "../../islands/cards/next_scheduled.tsx";
import { ReceiptsCard } from "../../islands/cards/receipts.tsx";
import { RecentActivityCard } from "../../islands/cards/recent_activity.tsx";
import { StatusCard } from "../../islands/cards/status.tsx";
import { type DiskRoom, StorageCard } from "../../islands/cards/storage.tsx";
import type { DeletionNote, DeletionReceipt } from "../../server/domain/retention/deletion.ts";
import type { Failures, Run } from "../../server/domain/runs/run.ts";
import type { DayOfRuns, RunCounts, RunKind, RunSlot } from "../../server/domain/runs/runs_of_day.ts";
import type { LastRun, NextScheduled, RecentClip } from "../../server/domain/status/card_data.ts";
import type { DashcamHealth, StorageHealth, StorageOutlook } from "../../server/domain/status/health.ts";
import type { Overview } from "../../server/domain/status/overview.ts";
import type { CurrentFile } from "../../server/domain/sync/current_transfer.ts";
import { idleSnapshot, type Snapshot } from "../../server/domain/sync/job_progress.ts";
import { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { FRAGMENTS } from "../../server/pages/fragments.tsx";
import { ROUTES } from "../../server/routes.ts";
import { startApp } from "../support/app.ts";
import { nothingDeleted } from "../support/deletion.ts";
import { runAt } from "../support/history.ts";

setDefaultTimeout(20_000);

const DRIVE = {
  ...{ key: "20260607_173200_N", chosen: 60, home: 12 },
  sentence: "The drive of 17:32: 12 of 60 home.",
};

const NOW = Date.parse("2026-11-20T20:51:00Z");
const SYDNEY = { now: NOW, zone: new ZoneTime("Australia/Sydney") } as const;

function snapshot(changes: Partial<Snapshot> = {}): Snapshot {
  return { ...idleSnapshot("b".repeat(32)), job_id: "0f3c5d7e9a1b4c2d8e6f7a8b9c0d1e2f", state: "running", ...changes };
}

const FILE: CurrentFile = {
  filename: "20261120_081503_EF.mp4",
  recording_base: "20261120_081503_EF",
  artifact: "mp4",
  direction: "F",
  total_bytes: 152_000_000,
  expected_bytes: null,
  downloaded_bytes: 61_400_000,
  bytes_per_second: 12_300_000,
  eta_seconds: 7,
  state: "downloading",
  failure_reason: null,
  percent: 40.39,
};
const BUSY = snapshot({
  phase: "downloading",
  current_file: FILE,
  recordings: { on_camera: 412, chosen: 412, home: 309, waiting: 103 },
  files_total: 64,
  files_completed: 17,
  files_failed: 1,
  files_skipped: 3930,
  files_here: 3918,
  files_absent: 9,
  bytes_expected: 9_200_000_000,
  bytes_expected_is_guess: true,
  bytes_downloaded_total: 2_600_000_000,
  bytes_per_second: 12_300_000,
  eta_seconds: 540,
  percent: 28.12,
});

/** Ended at 07:45 in Sydney, six minutes ago, after 38 s. */
function stored(changes: Partial<Run> = {}, failures: Partial<Failures> = {}, before: Run | null = null): LastRun {
  const ended = runAt(NOW / 1000 - 360, { ...changes, failures });
  return { kind: "stored", run: ended, started_at: (ended.ts - ended.durationSeconds) * 1000, before, ...SYDNEY };
}

const NEXT: NextScheduled = {
  at: NOW + 540_000,
  paused: false,
  cron_expression: "*/15 * * * *",
  timezone: "UTC",
  words: "Every 15 minutes",
  ...SYDNEY,
};

const DISK = {
  available: true,
  destination: "/recordings",
  total_bytes: 4e12,
  free_bytes: 1.1e12,
  available_bytes: 1.1e12,
  used_bytes: 2.9e12,
  used_percent: 71.4,
  recording_count: 3918,
  trash_bytes: 0,
  trash_recordings: 0,
  room_bytes: 7e11,
  waiting_bytes: 0,
} as const;

const OVERVIEW: Overview = {
  ...{ now: NOW, time_zone: SYDNEY.zone.id },
  mood: "fine",
  sentence: "All 412 recordings on the camera are safe here.",
  detail: "The camera is away. Last seen 07:42, 9 min ago.",
  more: "",
  action: null,
  address: "192.168.1.64",
  paused: false,
  next_at: NOW + 540_000,
  destination: "known",
  on_camera: 412,
  chosen: 412,
  home: 412,
  waiting: 0,
  waiting_files: 0,
  waiting_bytes: 0,
  last_seen_at: NOW - 540_000,
  newest: "20261120_083902",
  recordings: 3918,
  retention: nothingDeleted(),
  deletion_notes: [],
  available_bytes: 1.1e12,
  max_used_percent: 90,
  unusable_settings: [],
  access_notes: [],
};

const KEEP = { keep: "2w", keep_event: "", keep_parking: "", keep_manual: "" } as const;
const TRASH = { recordings: 0, bytes: 0, days: 7 } as const;

const EVIL = `<script>alert("&'")</script>`;
const poll = { path: "/hx/some/card", every: 5 };

const status = (job: Snapshot, changes: Partial<Overview> = {}) =>
  renderToString(h(StatusCard, { snapshot: job, overview: { ...OVERVIEW, ...changes }, zone: SYDNEY.zone, poll }));
const last = (props: LastRun) => renderToString(h(LastRunCard, { ...props, poll }));
const next = (changes: Partial<NextScheduled> = {}) =>
  renderToString(h(NextScheduledCard, { ...NEXT, ...changes, poll }));
const storage = (health: StorageHealth, changes: Partial<StorageOutlook> & { first?: DiskRoom } = {}) =>
  renderToString(
    h(StorageCard, {
      health,
      stops_at_percent: 90,
      too_much: "",
      full_at: null,
      days_with_runs: 3,
      keep: KEEP,
      trash: TRASH,
      ...SYDNEY,
      ...changes,
      poll,
    }),
  );
const dashcam = (health: DashcamHealth | null, last_seen_at: number | null = NOW - 540_000, hints = 0) =>
  renderToString(
    h(DashcamCard, {
      ...{ health, hints },
      asked_at: NOW,
      last_run: null,
      phase: null,
      last_seen_at,
      version: "DR900X Plus · fw 1.015",
      ...SYDNEY,
      poll,
    }),
  );
const clip = (key: string, changes: Partial<RecentClip> = {}): RecentClip => ({
  ...{ key, mtime: NOW / 1000, cameras: ["F"], paths: [`${key}F.mp4`], thumb: null, duration_seconds: null },
  ...changes,
});
const recent = (clips: RecentClip[], total = clips.length) =>
  renderToString(h(RecentActivityCard, { clips, total, ...SYDNEY, poll }));
const runCounts = (counts: Partial<RunCounts>): RunCounts => ({
  ...{ bad: 0, stopped: 0, new: 0, ok: 0, away: 0 },
  ...counts,
});
const slotOf = (worst: RunKind, beside: RunSlot["beside"] = null): RunSlot => ({
  worst,
  beside,
  counts: runCounts({ [worst]: 1, ...(beside && { [beside]: 2 }) }),
});
const day = (changes: Partial<DayOfRuns> = {}) =>
  renderToString(h(DayOfRunsCard, { slots: [], counts: runCounts({}), ...SYDNEY, ...changes, poll }));

const receipts = (all: readonly DeletionReceipt[]) =>
  renderToString(h(ReceiptsCard, { receipts: all, ...SYDNEY, poll }));

const QUESTION: DeletionNote = {
  about: "held",
  mood: "attention",
  sentence: "60 recordings here are older than 2 weeks. Keep them?",
  detail: "9.1 GB.",
};
const CONFIRMED: DeletionNote = {
  about: "confirmed",
  mood: "waiting",
  sentence: "60 recordings go to the trash with the next run, 08:00.",
  detail: "9.1 GB.",
};
const PROBLEM: DeletionNote = {
  about: "problem",
  mood: "attention",
  sentence: "The list of kept recordings cannot be read.",
  detail: "",
};
const RECEIPT: DeletionReceipt = {
  ...{ id: "41", at: "2026-11-20T16:00:00Z", recordings: 12, bytes: 1_300_000_000, cause: "age", by: null },
  ...{ oldest: "2026-11-06", newest: "2026-11-08", until: "2026-11-27T16:00:00Z" },
};

interface Row {
  name: string;
  html: string;
  has: string[];
  hasNot?: string[];
}

const ROWS: readonly Row[] = [
  {
    name: "status: at rest, all safe",
    html: status(idleSnapshot("b")),
    has: [
      "hero is-fine",
      "All 412 recordings on the camera are safe here.",
      "The camera is away. Last seen 07:42, 9 min ago.",
      'data-action="sync-now"',
      'data-action="pause"',
      "Nothing waiting",
      "412 of 412 recordings<",
      "3 918 <small>recordings",
      "08:39 <small>Fri 20 Nov",
      "1.1 <small>TB",
      "Looks again in 9 min",
    ],
    hasNot: ['data-action="stop"', "data-action-error", "failed", "accept-destination"],
  },
  {
    name: "status: another recordings folder than before",
    html: status(idleSnapshot("b"), { mood: "attention", destination: "unmarked" }),
    has: ['data-action="accept-destination"', "Use this folder", 'data-action="sync-now"'],
  },
  {
    name: "status: no recordings folder any more",
    html: status(idleSnapshot("b"), { mood: "failed", destination: "gone" }),
    has: ['data-action="accept-destination"', "Make it anew"],
  },
  {
    name: "status: asking the camera",
    html: status(snapshot({ phase: "listing" })),
    has: [
      "is-busy",
      "Asking the camera what it has.",
      // How much is at home was known before.
      '<progress class="gauge" max="100" value="100" aria-label="Recordings brought home">',
      "412 of 412 recordings<",
      'data-action="stop"',
    ],
    hasNot: ['data-action="sync-now"'],
  },
  {
    name: "status: a setting that cannot be used, while a sync runs",
    html: status(snapshot({ phase: "listing" }), {
      unusable_settings: [{ section: "retention", sentence: `${EVIL} cannot be used.` }],
    }),
    has: [
      "is-busy",
      "note is-attention",
      " cannot be used.</b>",
      '<a href="/settings#retention">Set it in Settings</a>',
    ],
    hasNot: [EVIL],
  },
  {
    name: "status: downloading",
    html: status(BUSY),
    has: [
      "Bringing 17 of 64 files home, 1 failed so far, 12.3 MB/s, about 9 min.",
      "17 <small>of 64",
      // Of the stream, which is newer than the page.
      'value="75"',
      "309 of 412 recordings<",
      "Done about 08:00 AEDT",
      "20261120_081503_EF.mp4",
      "61.4 of 152 MB, 7 s",
      '2.6 <small>of <span aria-hidden="true">≈ </span><span class="sr">about </span>9.2 GB',
      // What the camera does not have is nowhere, and not here.
      "3 918 <small>files</small>",
      " 9 small files beside its videos the camera does not have.",
      "1 <small>file",
    ],
  },
  {
    name: "status: all that was tried has failed",
    html: status(
      snapshot({
        phase: "downloading",
        files_total: 84,
        files_failed: 27,
        percent: 32.14,
        recordings: { ...{ on_camera: 80, chosen: 80, home: 0, waiting: 80 }, drive: DRIVE },
      }),
    ),
    has: [
      "The drive of 17:32: 12 of 60 home.",
      "Bringing 84 files home, 27 failed so far.",
      "0 <small>of 84",
      "27 <small>files",
      '<progress class="gauge" max="100" value="0" aria-label="Recordings brought home">',
    ],
    hasNot: ["27 of 84"],
  },
  {
    name: "status: nothing is chosen and nothing at home",
    html: status(snapshot({ phase: "downloading", recordings: { on_camera: 80, chosen: 0, home: 0, waiting: 0 } })),
    has: ['<progress class="gauge" max="100" value="0" aria-label="Recordings brought home">'],
  },
  {
    name: "status: the first file, before anything is known",
    html: status(
      snapshot({
        phase: "downloading",
        files_total: 1,
        current_file: { ...FILE, total_bytes: 0, downloaded_bytes: 0, eta_seconds: null, percent: 0 },
      }),
    ),
    has: ["Bringing 1 file home.", "nothing yet", "not known yet"],
    hasNot: ["about", "NaN", "null", "0 B"],
  },
  {
    name: "status: a file whose length the camera does not say",
    html: status({ ...BUSY, current_file: { ...FILE, total_bytes: 0, expected_bytes: 150_000_000, percent: 40.93 } }),
    has: [
      '61.4 of <span aria-hidden="true">≈ </span><span class="sr">about </span>150 MB, 7 s',
      'max="100" value="40.93"',
    ],
  },
  {
    name: "status: a file of unknown length that has outgrown what was expected, and one of which nothing is known",
    html:
      status({ ...BUSY, current_file: { ...FILE, total_bytes: 0, eta_seconds: null, percent: 99.9 } }) +
      status({
        ...BUSY,
        bytes_expected: null,
        current_file: { ...FILE, total_bytes: 0, eta_seconds: null, percent: 0 },
      }),
    has: [
      '<span class="quiet">61.4 MB</span><progress class="gauge gauge-thin" max="100" value="99.9"',
      '<span class="quiet">61.4 MB</span><progress class="gauge gauge-thin" aria-label',
      "<dd>2.6 <small>GB</small></dd>",
    ],
    hasNot: ["NaN", "0 B", "Infinity"],
  },
  {
    name: "status: all lengths are known",
    html: status({ ...BUSY, bytes_expected_is_guess: false }),
    has: ["2.6 <small>of 9.2 GB"],
    hasNot: ["≈"],
  },
  {
    name: "status: what waits has a size, about",
    html: status(idleSnapshot("b"), { waiting: 6, waiting_files: 24, waiting_bytes: 1_230_000_000 }),
    has: [
      '24 <small>files</small><small>, <span aria-hidden="true">≈ </span><span class="sr">about </span>1.2 GB</small>',
    ],
  },
  {
    name: "status: what waits has no size that is known, or nothing waits",
    html: status(idleSnapshot("b"), { waiting: 6, waiting_files: 24, waiting_bytes: null }) + status(idleSnapshot("b")),
    has: ["<dd>24 <small>files</small></dd>", "<dd>0 <small>files</small></dd>"],
    hasNot: ["≈", "0 B"],
  },
  {
    name: "status: nothing to fetch",
    html: status(snapshot({ phase: "downloading", files_skipped: 9 })),
    has: ["Everything on the camera is safe here."],
  },
  {
    name: "status: nothing to fetch but what failed lately",
    html: status(
      snapshot({ phase: "downloading", recordings: { on_camera: 412, chosen: 412, home: 411, waiting: 1 } }),
    ),
    has: ["Nothing new to bring home.", "411 of 412 recordings<"],
    hasNot: ["safe here.</p>"],
  },
  {
    name: "status: retention",
    html: status(snapshot({ phase: "retention", percent: 100 })),
    has: ["Deleting what is older than you keep."],
  },
  {
    name: "status: just completed",
    html: status(
      snapshot({ state: "completed", files_total: 2, files_completed: 2, bytes_downloaded_total: 304_000_000 }),
    ),
    has: ["is-fine", "All 412 recordings", "Brought 2 files home just now, 304 MB."],
  },
  {
    name: "status: files are left behind",
    html: status(snapshot({ state: "completed", files_total: 4, files_completed: 3, files_failed: 1 }), {
      mood: "attention",
      sentence: "1 file could not be brought home yet.",
      waiting_files: 1,
    }),
    has: ["is-attention", "#s-attention", "1 file waiting"],
    hasNot: ["Nothing waiting"],
  },
  {
    name: "status: no camera yet",
    html: status(idleSnapshot("b"), { address: "", on_camera: null, chosen: null, newest: null, last_seen_at: null }),
    has: [],
    hasNot: ["null", "NaN", "<dl", "<progress", 'data-action="sync-now"'],
  },
  {
    name: "status: a camera that was never asked",
    html: status(idleSnapshot("b"), { on_camera: null, chosen: null, newest: null, last_seen_at: null }),
    has: ["Not counted yet", "none yet", "never"],
    hasNot: ["null", "NaN", "disabled"],
  },
  {
    name: "status: failed before a restart",
    html: status(idleSnapshot("b"), { mood: "failed", sentence: "Sync failed: the disk is full." }),
    has: ["is-failed", "Try again", "412 of 412 recordings<", 'href="/logs?level=warning"'],
    hasNot: ["Nothing to bring home"],
  },
  {
    name: "status: some are left out, and the disk cannot be read",
    html: status(idleSnapshot("b"), { chosen: 224, home: 200, waiting: 24, available_bytes: null }),
    has: ["200 of 224 recordings chosen", "24 recordings waiting", "not known yet"],
    hasNot: ["up to"],
  },
  {
    name: "status: the sentence asks about what is held, and its safe answer is the main button",
    html: status(idleSnapshot("b"), { ...QUESTION, deletion_notes: [QUESTION] }),
    has: [
      'class="b b-primary" type="button" data-action="keep-everything"',
      'href="/viewer?only=due" data-action="look-at-held"',
      'class="b b-danger" type="button" data-action="confirm-deletion"',
      'class="b" type="button" data-action="sync-now"',
    ],
    hasNot: ["note is-attention"],
  },
  {
    name: "status: what is held is asked in a note while a sync runs",
    html: status(BUSY, { ...QUESTION, deletion_notes: [QUESTION] }),
    has: [
      'class="note is-attention"',
      '<b class="strong">60 recordings here are older than 2 weeks. Keep them?</b><p>9.1 GB.</p>',
      'class="b" type="button" data-action="keep-everything"',
      'data-action="look-at-held"',
      'data-action="confirm-deletion"',
    ],
    hasNot: ["b-primary"],
  },
  {
    name: "status: what is held is asked in a note after a failure",
    html: status(idleSnapshot("b"), { mood: "failed", sentence: "Sync failed.", deletion_notes: [QUESTION] }),
    has: [
      "hero is-failed",
      'class="note is-attention"',
      'class="b b-primary" type="button" data-action="sync-now"',
      'class="b" type="button" data-action="keep-everything"',
      'data-action="confirm-deletion"',
    ],
  },
  {
    name: "status: what was confirmed can still be kept",
    html: status(idleSnapshot("b"), { ...CONFIRMED, deletion_notes: [CONFIRMED] }),
    has: [
      "hero is-waiting",
      'class="b" type="button" data-action="keep-everything"',
      'data-action="look-at-held"',
      'class="b b-primary" type="button" data-action="sync-now"',
    ],
    hasNot: ["confirm-deletion", "note is-"],
  },
  {
    name: "status: something keeps recordings from being deleted, and some are held",
    html: status(idleSnapshot("b"), {
      mood: "attention",
      sentence: PROBLEM.sentence,
      deletion_notes: [PROBLEM, QUESTION],
    }),
    has: ['href="/logs?level=warning">What the log says about it', "note is-attention", "Keep them?"],
  },
  {
    name: "receipts: none",
    html: receipts([]),
    has: ['id="receipts-card"', " hidden"],
    hasNot: ["<button", "<details"],
  },
  {
    name: "receipts: one",
    html: receipts([RECEIPT]),
    has: [
      "<p>Moved 12 old recordings, 6 to 8 Nov, 1.3 GB, to the trash at 03:00.</p>",
      'data-action="undo-deletion" data-receipt="41"',
      'href="/trash"',
      'data-action="seen-deletion" data-receipt="41"',
    ],
    hasNot: [" hidden", "<details"],
  },
  {
    name: "receipts: one whose time in the trash is over",
    html: receipts([{ ...RECEIPT, until: "2026-11-20T16:00:01Z" }]),
    has: ["Moved 12 old recordings", 'href="/trash"'],
    hasNot: ["undo-deletion"],
  },
  {
    name: "receipts: several, one of them for good",
    html: receipts([{ ...RECEIPT, until: null }, RECEIPT, { ...RECEIPT, id: "39" }]),
    has: [
      "Deleted 12 old recordings",
      "<summary>and 2 more</summary>",
      'data-action="undo-deletion" data-receipt="39"',
    ],
  },
  {
    name: "status: paused",
    html: status(idleSnapshot("b"), { paused: true }),
    has: ['data-action="resume"', "Resume schedule", "No run is planned"],
    hasNot: ['data-action="pause"'],
  },
  {
    name: "status: an action that did not work",
    html: renderToString(
      h(StatusCard, { snapshot: BUSY, overview: OVERVIEW, zone: SYDNEY.zone, problem: EVIL, pending: "stop" }),
    ),
    has: ['role="alert"', "data-action-error", "&lt;script", 'aria-busy="true"'],
    hasNot: ["<script"],
  },
  {
    name: "last run: live",
    html: last({ kind: "live", snapshot: { ...BUSY, started_at_wall: (NOW - 540_000) / 1000 }, ...SYDNEY }),
    has: ["is-busy", "Running now", "64 files in this run", "Started", ">07:42<"],
    // What goes on from one moment to the next is told once on a page: at its top.
    hasNot: ["ago", "B/s", "GB", "17", "Bringing", "about"],
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
    name: "last run: none",
    html: last({ kind: "none" }),
    has: ["None recorded"],
    hasNot: ["state is-"],
  },
  {
    name: "storage: there",
    html: storage(DISK),
    has: [
      "1.1 TB <small>free of 4 TB",
      'role="meter"',
      'aria-valuenow="71.4"',
      'width="71.4%"',
      'x1="90%"',
      "71.4 % used. Syncing stops at 90 %.",
      "3 918 recordings, 2 weeks kept<",
      "Nothing in the trash",
      "/recordings",
    ],
    hasNot: ["state is-"],
  },
  {
    name: "storage: the day it will be full",
    html: storage(DISK, { full_at: Date.parse("2027-03-03T01:00:00Z"), keep: { ...KEEP, keep: "" } }),
    has: ["about", "3 Mar 2027", "kept for ever"],
  },
  {
    name: "storage: recordings and trash are counted apart",
    html: storage(DISK, {
      keep: { ...KEEP, keep_event: "always" },
      trash: { recordings: 41, bytes: 5_900_000_000, days: 7 },
    }),
    has: ["3 918 recordings, 2 weeks kept, events for ever", '<a href="/trash">41 in the trash, 5.9 GB</a>'],
    hasNot: ["Nothing in the trash"],
  },
  {
    name: "storage: there is no trash",
    html: storage(DISK, { trash: { recordings: 0, bytes: 0, days: 0 } }),
    has: ["No trash: what is deleted is gone"],
    hasNot: ['href="/trash"'],
  },
  {
    name: "storage: nearly full, and full",
    html: storage({ ...DISK, used_percent: 86 }) + storage({ ...DISK, used_percent: 90 }),
    has: ["Nearly full", "is-attention", "Full", "is-failed", "Syncing is stopped at 90 %."],
  },
  {
    name: "storage: what waits does not fit",
    html: storage(DISK, { too_much: "About 1.2 TB wait on the camera." }),
    has: ["is-attention", "Too little room", "About 1.2 TB wait on the camera.", 'href="/settings#retention"'],
    hasNot: ["Nearly full"],
  },
  {
    name: "storage: not there",
    html: storage({ available: false, reason: "destination not configured" }),
    has: ["No recordings folder", "destination not configured", "is-attention", "It was there before."],
    hasNot: ["meter", "free of", "first sync"],
  },
  {
    name: "storage: not made yet",
    html: storage(
      { available: false, reason: "destination not configured" },
      { first: { total_bytes: 350e9, free_bytes: 100e9, available_bytes: 84e9, used_percent: 71.4 } },
    ),
    has: [
      "No folder yet",
      "is-waiting",
      "free of",
      "71.4",
      "The first sync makes the folder",
      'href="/settings#system"',
    ],
    hasNot: ["is-attention", "No recordings folder"],
  },
  {
    name: "storage: not made yet, on a disk that is too full for it",
    html: storage(
      { available: false, reason: "destination not configured" },
      { first: { total_bytes: 350e9, free_bytes: 10e9, available_bytes: 10e9, used_percent: 97.1 } },
    ),
    has: ["Full", "is-failed", "Syncing is stopped at", "The first sync makes the folder"],
    hasNot: ["No folder yet"],
  },
  {
    name: "storage: a folder with markup in its name",
    html: storage({ ...DISK, destination: EVIL }),
    has: ["&lt;script"],
    hasNot: ["<script"],
  },
  {
    name: "camera: reachable",
    html: dashcam({ reachable: true, address: "192.168.1.64", latency_ms: 14.2 }),
    has: ["is-fine", "Reachable", "192.168.1.64", "Answered in 14.2 ms", "Last seen", "07:42", "9 min ago"],
    hasNot: ["away", "data-soon", "hint"],
  },
  {
    name: "camera: with two hints about it below",
    html: dashcam({ reachable: true, address: "192.168.1.64", latency_ms: 14.2 }, NOW, 2),
    has: ['<a href="#hints-card">2 hints</a>'],
    hasNot: [],
  },
  {
    name: "camera: has just been busy with us",
    html: dashcam({ reachable: true, address: "192.168.1.64", latency_ms: 0 }, NOW - 20_000),
    has: ["Reachable", "It has just sent its files"],
    hasNot: ["0 ms"],
  },
  {
    name: "camera: not asked yet",
    html: dashcam(null, null),
    has: ["Asking the camera", "data-soon", "Not seen yet"],
  },
  {
    name: "camera: away",
    html: dashcam({ reachable: false, address: "192.168.1.64", reason: "timeout" }, NOW - 86_400_000),
    has: ["is-waiting", "Camera away", "192.168.1.64", "The camera did not answer in time.", "Yesterday, Fri 20 Nov, "],
  },
  {
    name: "camera: away for a reason without words",
    html: dashcam({ reachable: false, address: EVIL, reason: EVIL }),
    has: ["Camera away", "&lt;script"],
    hasNot: ["<script"],
  },
  {
    name: "camera: none yet",
    html: dashcam({ reachable: false, reason: "no address configured" }),
    has: ["No camera yet", "no address configured", 'href="/settings#connection"'],
    hasNot: ["Camera away"],
  },
  {
    name: "next run: soon",
    html: next(),
    has: ["08:00", "in 9 min", "Today, Sat 21 Nov, AEDT", "*/15 * * * *", "every 15 minutes", "UTC"],
    hasNot: ["Paused"],
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
    name: "recent: two",
    html: recent(
      [
        clip("20261120_083902_N", {
          mtime: NOW / 1000 - 30,
          cameras: ["F", "R"],
          paths: ["2026-11-20/20261120_083902_NF.mp4", "2026-11-20/20261120_083902_NR.mp4"],
          thumb: "/media/20261120_083902_NF.thm",
          duration_seconds: 60,
        }),
        clip("20261120_082347_E", { mtime: NOW / 1000 - 7200, cameras: ["I", "Q"] }),
      ],
      1959,
    ),
    has: [
      "All 1 959 clips",
      "2026-11-20/20261120_083902_NF.mp4, 2026-11-20/20261120_083902_NR.mp4, here since",
      "just now",
      "20261120_082347_EF.mp4",
      "2 h ago",
      'href="/viewer?key=20261120_083902_N&amp;play=1"',
      '<img src="/media/20261120_083902_NF.thm" alt loading="lazy"',
      "1:00",
      "08:39",
      "Normal",
      "Event",
      "Fri 20 Nov · Front, Rear<",
      "Fri 20 Nov · Interior, Camera Q<",
    ],
  },
  {
    name: "recent: none",
    html: recent([]),
    has: ["No clips yet"],
    hasNot: ["<ul"],
  },
  {
    name: "recent: a folder with markup in its name",
    html: recent([clip("20261120_083902_N", { mtime: 0, paths: [`"${EVIL}/20261120_083902_NF.mp4`] })]),
    has: ["&quot;&lt;script"],
    hasNot: ["<script", 'title=""'],
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
      "<li>07:36 to 07:51: 1 stopped by hand</li>",
      'class="r-new" x="24.75%"',
      'class="r-stopped"',
      "Stopped</li>",
    ],
  },
];

/** What is read on the page: no-break spaces as plain ones. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]|&nbsp;/g, " ");

const VOID: ReadonlySet<string> = new Set(["br", "hr", "img", "input", "link", "meta"]);

/** The tags of a text's outermost elements. @throws when an element is not closed in its place */
function outermost(html: string): string[] {
  const open: string[] = [];
  const found: string[] = [];
  let at = 0;
  for (const match of html.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z0-9-]+(?:="[^"<]*")?)*)\s*(\/?)>/g)) {
    const [tag, closing, name = "", , selfClosed] = match;
    const between = html.slice(at, match.index);
    if (between.includes("<") || (open.length === 0 && between.trim() !== ""))
      throw new Error(`stray text: ${between}`);
    at = match.index + tag.length;
    if (closing) {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      if (open.length === 0) found.push(name);
      if (!selfClosed && !VOID.has(name)) open.push(name);
    }
  }
  if (open.length > 0 || html.slice(at).trim() !== "") throw new Error(`not closed: ${open} ${html.slice(at)}`);
  return found;
}

describe("a card", () => {
  for (const { name, html, has, hasNot = [] } of ROWS) {
    test(name, () => {
      const text = plain(html).replaceAll("\n", " ");
      for (const part of has) expect(text).toContain(part);
      for (const part of hasNot) expect(text).not.toContain(part);
      expect(text).not.toMatch(/style=|undefined|NaN|\[object/);
    });
  }

  test("is well-formed HTML in every state", () => {
    for (const { html } of ROWS) expect([...new Set(outermost(html))]).toEqual(["section"]);
  });

  test("without a path says nothing of polling", () => {
    expect(renderToString(h(StatusCard, { snapshot: BUSY, overview: OVERVIEW, zone: SYDNEY.zone }))).not.toContain(
      "data-poll",
    );
  });
});

describe("the fragments", () => {
  test("are those that pages and programs ask for, and no others", () => {
    const cards = ROUTES.filter(({ path }) => /^\/hx\/([a-z-]+|sync\/[a-z-]+)$/.test(path) && path !== "/hx/trash");
    expect(cards.map(({ method, path, access }) => `${method} ${path} ${access}`)).toEqual([
      "GET /hx/sync/status-card signed-in",
      "GET /hx/sync/last-run-card signed-in",
      "GET /hx/storage-card signed-in",
      "GET /hx/dashcam-card signed-in",
      "GET /hx/next-scheduled-card signed-in",
      "GET /hx/recent-activity-card signed-in",
      "GET /hx/receipts-card signed-in",
      "GET /hx/hints-card signed-in",
      "GET /hx/day-of-runs-card signed-in",
      "GET /hx/dashcam-info-card signed-in",
      "GET /hx/state signed-in",
    ]);
    const slow = Object.values(FRAGMENTS).filter(({ every }) => every === 60);
    expect(slow.map(({ path }) => path).sort()).toEqual(["/hx/dashcam-info-card", "/hx/day-of-runs-card"]);
    expect(Object.values(FRAGMENTS).filter(({ every }) => every !== 60 && every !== 5)).toEqual([]);
  });

  test("are each one element that names itself, where it comes from and how often, before and after a sync", async () => {
    await using running = await startApp({ settings: { retention: { keep: "" } } });
    const check = async () => {
      for (const { path, every } of Object.values(FRAGMENTS)) {
        const answer = await running.client.fetch(path, { headers: { "hx-request": "true" } });
        const text = await answer.text();
        expect([path, answer.status]).toEqual([path, 200]);
        expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
        expect(answer.headers.get("cache-control")).toBe("no-store");
        expect(outermost(text)).toEqual(["section"]);
        const id = path.split("/").at(-1);
        const [start = ""] = /^<section [^>]*>/.exec(text) ?? [];
        for (const part of [`id="${id}"`, `data-poll="${path}"`, `data-every="${every}"`])
          expect(start).toContain(part);
        expect(text).not.toContain("style=");
      }
    };
    await check();
    running.app.job.start("manual");
    await running.synced();
    await check();
    const recentCard = await (await running.client.fetch("/hx/recent-activity-card")).text();
    expect(recentCard).toMatch(/[0-9]{8}_[0-9]{6}_[A-Z]{2}\.mp4/);
    expect(await (await running.client.fetch("/hx/sync/last-run-card")).text()).toContain("is-fine");
  });

  test("are not for strangers", async () => {
    await using running = await startApp({ mode: "login", password: "correct horse battery" });
    for (const { path } of Object.values(FRAGMENTS)) {
      const answer = await running.client.fetch(path, { headers: { "hx-request": "true" } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("hx-redirect")).toStartWith("/login");
      expect(await answer.text()).toBe("");
      expect((await running.client.fetch(path)).status).toBe(302);
    }
  });
});
