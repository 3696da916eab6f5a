import { describe, expect, test } from "bun:test";
import type { HeldDeletion, RetentionState } from "../../../server/domain/retention/deletion.ts";
import { brokenOff, type Failures, type LeftOut, nothingLeftOut, type Run } from "../../../server/domain/runs/run.ts";
import type { OverviewFacts } from "../../../server/domain/status/overview.ts";
import { summaryOf } from "../../../server/domain/status/status_summary.ts";
import type { RecordingCounts } from "../../../server/domain/sync/recording_counts.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { nothingDeleted } from "../../support/deletion.ts";
import { runAt } from "../../support/history.ts";

/** 07:51 on Saturday in Sydney. */
const NOW = Date.parse("2026-11-20T20:51:00Z");

function run(changes: Partial<Run> = {}, failures: Partial<Failures> = {}): Run {
  return runAt(NOW / 1000 - 360, { ...changes, failures });
}
const DRIVE = { key: "20261121_070200_N", chosen: 60, home: 60, sentence: "The drive of 07:02 is home." };
const UNUSABLE = { section: "retention", sentence: "It cannot be used." };
const OFFLINE = run({ success: false }, { timeout: 1 });

/** All 412 recordings on the camera are at home. */
function counts(changes: Partial<RecordingCounts> = {}): RecordingCounts {
  const all = { on_camera: 412, chosen: 412, home: 412, waiting: 0, growing: 0, waiting_files: 0 };
  return { ...all, left_out: nothingLeftOut(), ...changes };
}

/** So many videos of them are not; their companions are. */
function waiting(recordings: number): RecordingCounts {
  return counts({ home: 412 - recordings, waiting: recordings, waiting_files: recordings });
}

function leftOut(by: Partial<LeftOut>): LeftOut {
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
    paused: false,
    next_at: NOW + 540_000,
    last_run: last,
    last_reached: last,
    unsaved: null,
    counts: last === null || changes.last_reached === null ? null : counts(),
    drive: null,
    last_seen_at: NOW - 540_000,
    reachable: true,
    folder: "there",
    destination: "known",
    unreadable: [],
    unusable_settings: [],
    recordings: 19_121,
    retention: nothingDeleted(),
    keep: KEEP,
    ...changes,
  });
  return [level, `${sentence} ${`${detail} ${more}`.trim()}`.trim().replace(/[\u00a0\u202f]/g, " ")];
}

const KEEP: OverviewFacts["keep"] = {
  ...{ keep: "2w", keep_event: "", keep_parking: "", keep_manual: "always" },
  ...{ max_gb: null, max_percent: null },
};

const DUE = { recordings: 16_911, bytes: 1.4e12, oldest: "2024-01-03", newest: "2026-11-06" } as const;

function held(changes: Partial<HeldDeletion> = {}): Partial<OverviewFacts> {
  const deletion: HeldDeletion = { reason: "adopted", ...DUE, since: "2026-11-20T17:00:00Z", ...changes };
  return { retention: { ...nothingDeleted(), held: deletion } };
}

function retention(changes: Partial<RetentionState>): Partial<OverviewFacts> {
  return { retention: { ...nothingDeleted(), ...changes } };
}

const QUESTION =
  "16 911 recordings here are older than 2 weeks. Keep them? 1.4 TB, from 3 Jan 2024 to 6 Nov 2026. They were here before Dashdock, and you have not said how long to keep recordings; until you do, nothing is deleted.";
const SAFE = "All 412 recordings on the camera are safe here. The camera is at home.";
const GOING =
  "16 911 recordings go to the trash with the next run, 08:00. 1.4 TB, from 3 Jan 2024 to 6 Nov 2026. They can be had back from there for 7 days.";

const ROWS: readonly [name: string, changes: Partial<OverviewFacts>, mood: string, words: string][] = [
  [
    "no camera yet",
    { address: "", last_run: null, last_reached: null },
    "waiting",
    "No camera yet. Tell Dashdock where it is. The camera must be on the same Wi-Fi as this machine. Nothing on the camera is changed.",
  ],
  [
    "no run yet",
    { last_run: null, last_reached: null },
    "waiting",
    "No sync has run yet. The next run looks again at 08:00.",
  ],
  ["all safe, camera at home", {}, "fine", "All 412 recordings on the camera are safe here. The camera is at home."],
  [
    "all safe, the drive of today among it",
    { drive: DRIVE },
    "fine",
    "All 412 recordings on the camera are safe here. The drive of 07:02 is home. The camera is at home.",
  ],
  [
    "all safe, the drive was on another day",
    { drive: { ...DRIVE, key: "20261120_070200_N" } },
    "fine",
    "All 412 recordings on the camera are safe here. The camera is at home.",
  ],
  [
    "all safe, camera away",
    { last_run: OFFLINE, last_reached: run(), reachable: false },
    "fine",
    "All 412 recordings on the camera are safe here. The camera is away. Last seen 07:42, 9 min ago.",
  ],
  [
    "all safe, nobody has asked the camera",
    { reachable: null },
    "fine",
    "All 412 recordings on the camera are safe here. Last seen 07:42, 9 min ago.",
  ],
  [
    "some are left out on purpose",
    { counts: counts({ chosen: 224, home: 224, left_out: leftOut({ selection: 188 }) }) },
    "fine",
    "All 224 chosen recordings on the camera are safe here. 188 left out: not chosen by your settings. The camera is at home.",
  ],
  [
    "one recording",
    { counts: counts({ on_camera: 1, chosen: 1, home: 1 }) },
    "fine",
    "The one recording on the camera is safe here. The camera is at home.",
  ],
  [
    "an empty card",
    { counts: counts({ on_camera: 0, chosen: 0, home: 0 }) },
    "fine",
    "The camera has no recordings. The camera is at home.",
  ],
  [
    "nothing is chosen",
    { counts: counts({ chosen: 0, home: 0, left_out: leftOut({ selection: 412 }) }) },
    "fine",
    "Nothing on the camera is chosen to come home. 412 left out: not chosen by your settings. The camera is at home.",
  ],
  [
    "the camera left with files on it",
    { last_run: OFFLINE, last_reached: run(), counts: waiting(3), last_seen_at: NOW - 48_000_000, reachable: false },
    "waiting",
    "The camera is away. Last seen yesterday 18:31; 3 files are waiting. They come home with the next run that finds it. The next run looks again at 08:00.",
  ],
  [
    "one file waits, and nobody knows since when",
    { last_run: OFFLINE, last_reached: null, counts: waiting(1), last_seen_at: null, reachable: false },
    "waiting",
    "The camera is away; 1 file is waiting. They come home with the next run that finds it. The next run looks again at 08:00.",
  ],
  [
    "never reached",
    { last_run: OFFLINE, last_reached: null, last_seen_at: null, reachable: false },
    "waiting",
    "The camera has not been reached yet. Check its address in Settings, and that it is on and in Wi-Fi range. The next run looks again at 08:00.",
  ],
  [
    "away after a run that failed",
    {
      last_run: OFFLINE,
      last_reached: run({ success: false, recordingsSeen: 0 }, { http: 1 }),
      last_seen_at: NOW - 400_000_000,
      reachable: false,
    },
    "waiting",
    "The camera is away, and the last sync with it did not finish. Last seen Mon 16 Nov, 16:44. The next run looks again at 08:00.",
  ],
  [
    "the disk is full",
    {
      last_run: run(
        { success: false, message: "the disk is 90 % full and the limit is 90 %; free space" },
        { disk: 1 },
      ),
      counts: waiting(46),
    },
    "failed",
    "Sync failed: the disk is 90 % full and the limit is 90 %. Free space. 46 files are still only on the camera. The next run looks again at 08:00.",
  ],
  [
    "failed for a reason that was kept with the run",
    { last_run: run({ success: false, message: "the list could not be read" }, { http: 1 }) },
    "failed",
    "Sync failed: the list could not be read. The next run looks again at 08:00.",
  ],
  [
    "failed in an older program, which kept no sentence",
    { last_run: run({ success: false }, { unknown: 1 }) },
    "failed",
    "Sync failed: the log has the cause. The next run looks again at 08:00.",
  ],
  [
    "failed, with a sentence that asks",
    {
      last_run: run(
        { success: false, message: "the destination folder is gone; is its disk mounted?" },
        { unknown: 1 },
      ),
    },
    "failed",
    "Sync failed: the destination folder is gone. Is its disk mounted? The next run looks again at 08:00.",
  ],
  [
    "the disk is full, and the sentence has no remedy",
    { last_run: run({ success: false, message: "the next file needs 2 MB and the disk has 1 MB" }, { disk: 1 }) },
    "failed",
    "Sync failed: the next file needs 2 MB and the disk has 1 MB. The next run looks again at 08:00.",
  ],
  [
    "interrupted by the end of its process",
    { last_run: brokenOff(run()) },
    "failed",
    "The last sync was interrupted. The service or its machine stopped in the middle of it. What was begun is kept and goes on. The next run looks again at 08:00.",
  ],
  [
    "never reached, and why",
    {
      last_run: { ...OFFLINE, message: "the camera's name could not be resolved" },
      ...{ last_reached: null, last_seen_at: null, reachable: false },
    },
    "waiting",
    "The camera has not been reached yet. The camera's name could not be resolved. Check its address in Settings, and that it is on and in Wi-Fi range. The next run looks again at 08:00.",
  ],
  [
    "recordings were left out by several rules",
    { counts: counts({ chosen: 400, home: 400, left_out: leftOut({ retention: 9, selection: 3 }) }) },
    "fine",
    "All 400 chosen recordings on the camera are safe here. 12 left out: 9 older than you keep, 3 not chosen by your settings. The camera is at home.",
  ],
  [
    "nothing was left out",
    { counts: counts({ left_out: nothingLeftOut() }) },
    "fine",
    "All 412 recordings on the camera are safe here. The camera is at home.",
  ],
  [
    "recordings were left out of a run that failed later",
    {
      last_run: run({ success: false, message: "the list broke off" }, { http: 1 }),
      counts: counts({ chosen: 403, home: 403, left_out: leftOut({ retention: 9 }) }),
    },
    "failed",
    "Sync failed: the list broke off. 9 left out: older than you keep. The next run looks again at 08:00.",
  ],
  [
    "every recording is too old, as where the camera lost its time",
    { counts: counts({ chosen: 0, home: 0, left_out: leftOut({ retention: 412 }) }) },
    "attention",
    "Nothing on the camera is chosen to come home. Every recording on the camera is older than you keep; is its clock set right? The camera is at home.",
  ],
  [
    "every recording that is wanted is too old",
    { counts: counts({ chosen: 0, home: 0, left_out: leftOut({ retention: 12, selection: 400 }) }) },
    "attention",
    "Nothing on the camera is chosen to come home. Every recording that your settings choose is older than you keep; is its clock set right? The camera is at home.",
  ],
  [
    "every recording was too old when the camera was there last",
    {
      last_run: OFFLINE,
      counts: counts({ chosen: 0, home: 0, left_out: leftOut({ retention: 412 }) }),
      reachable: false,
    },
    "attention",
    "Nothing on the camera is chosen to come home. Every recording on the camera is older than you keep; is its clock set right? The camera is away. Last seen 07:42, 9 min ago.",
  ],
  [
    "the disk of the config folder is full while all is safe",
    { unsaved: "full" },
    "attention",
    "All 412 recordings on the camera are safe here. The config folder's disk is full: runs and settings cannot be saved. The camera is at home.",
  ],
  [
    "the disk of the config folder is full after a failure",
    { unsaved: "full", last_run: run({ success: false, message: "the list broke off" }, { http: 1 }) },
    "failed",
    "Sync failed: the list broke off. The config folder's disk is full: runs and settings cannot be saved. The next run looks again at 08:00.",
  ],
  [
    "runs cannot be saved for another reason",
    { unsaved: "refused", paused: true },
    "attention",
    "All 412 recordings on the camera are safe here. Paused. Runs cannot be saved in the config folder; the log has the cause. The camera is at home.",
  ],
  [
    "stopped by somebody",
    {
      last_run: run({ success: false, stopped: true }, { unknown: 1 }),
      counts: waiting(46),
    },
    "attention",
    "The sync was stopped. 46 files are still only on the camera. What was begun is kept and goes on at the next run.",
  ],
  [
    "stopped before a restart",
    { last_run: run({ success: false, stopped: true }, { unknown: 1 }) },
    "attention",
    "The sync was stopped. What was begun is kept and goes on at the next run.",
  ],
  [
    "the folder is gone",
    { folder: "missing" },
    "failed",
    "The recordings folder is not there. See whether its disk is mounted. Until then nothing can be said about what is safe.",
  ],
  [
    "the folder is gone, and the camera too",
    { folder: "missing", last_run: OFFLINE, last_reached: run(), reachable: false },
    "failed",
    "The recordings folder is not there. See whether its disk is mounted. Until then nothing can be said about what is safe.",
  ],
  [
    "the folder that was used is gone, whatever ran since",
    { folder: "missing", destination: "gone", last_reached: null },
    "failed",
    "The recordings folder is not there. See whether its disk is mounted. Until then nothing can be said about what is safe.",
  ],
  [
    "an empty folder is where the one with recordings was",
    { destination: "unmarked", last_run: run({ success: false }, { disk: 1 }) },
    "attention",
    "The recordings folder is not the one used before. It lacks the mark left in that one: see whether the right disk is mounted. Nothing is written until it is, or until you choose to use this folder.",
  ],
  [
    "another folder is where the one with recordings was",
    { destination: "other" },
    "attention",
    "The recordings folder is not the one used before. It carries the mark of another one: see whether the right disk is mounted. Nothing is written until it is, or until you choose to use this folder.",
  ],
  [
    "another folder was accepted, and no run has used it yet",
    { destination: "accepted", folder: "missing" },
    "waiting",
    "The recordings folder is a new one. The next run brings home what is not in it. The next run looks again at 08:00.",
  ],
  [
    "the folder cannot be read",
    { folder: "unreadable", last_run: null, last_reached: null },
    "failed",
    "The recordings folder cannot be read. Check its disk and its permissions. Until then nothing can be said about what is safe.",
  ],
  [
    "a folder in it cannot be read",
    { unreadable: ["2026-06-07"] },
    "attention",
    "The folder 2026-06-07 cannot be read. Check the disk and the permissions. Until then it is unknown what is in it, and nothing of those days is fetched.",
  ],
  [
    "three folders in it cannot be read, and the last run failed",
    { unreadable: ["2026-06", "2026-07", "2026-08"], last_run: run({ success: false }, { http: 1 }) },
    "failed",
    "Sync failed: the camera answered with an error. The folder 2026-06 and 2 more folders cannot be read. The next run looks again at 08:00.",
  ],
  [
    "failed, with a remedy in its message, and after a restart",
    { last_run: run({ success: false, message: "the recordings folder is gone; is its disk mounted?" }, { disk: 1 }) },
    "failed",
    "Sync failed: the recordings folder is gone. Is its disk mounted? The next run looks again at 08:00.",
  ],
  [
    "no folder before anything came home",
    { folder: "missing", last_run: null, last_reached: null },
    "waiting",
    "No sync has run yet. The next run looks again at 08:00.",
  ],
  [
    "another camera than the last run's",
    { last_run: run({ address: "192.168.1.20" }), last_reached: null, last_seen_at: null, reachable: false },
    "waiting",
    "No sync has run with the camera at this address yet. The next run looks again at 08:00.",
  ],
  [
    "files failed",
    { last_run: run({}, { http: 2 }), counts: waiting(2) },
    "attention",
    "2 recordings could not be brought home yet. The camera answered with an error; they are tried again. The camera is at home.",
  ],
  [
    "a marker keeps one from being tried",
    { last_run: run({ failedMarkers: 1 }), counts: waiting(1) },
    "attention",
    "1 recording could not be brought home yet. It is tried again. The camera is at home.",
  ],
  [
    "only a companion failed",
    { last_run: run({}, { timeout: 1 }), counts: counts({ waiting_files: 1 }) },
    "attention",
    "1 file could not be brought home yet. The camera stopped answering; they are tried again. The camera is at home.",
  ],
  [
    "what failed was deleted here since",
    { last_run: run({}, { http: 1 }), counts: counts({ chosen: 411, home: 411, left_out: leftOut({ deleted: 1 }) }) },
    "fine",
    "All 411 chosen recordings on the camera are safe here. 1 left out: deleted here. The camera is at home.",
  ],
  [
    "more is chosen than when it ran",
    { counts: waiting(188) },
    "waiting",
    "188 recordings are waiting. They come home with the next run. The camera is at home.",
  ],
  [
    "the newest are still being recorded",
    { counts: counts({ home: 410, growing: 2 }) },
    "fine",
    "410 of 412 recordings on the camera are safe here; 2 are still being recorded. The camera is at home.",
  ],
  [
    "what was listed is not known any more",
    { counts: null },
    "fine",
    "The last sync went through. How much of the camera is safe here is counted with the next one. The camera is at home.",
  ],
  [
    "what was listed is not known any more, and files failed",
    { counts: null, last_run: run({}, { http: 2 }) },
    "attention",
    "2 files could not be brought home yet. The camera answered with an error; they are tried again. The camera is at home.",
  ],
  [
    "what was listed is not known any more, and the camera is away",
    { counts: null, last_run: OFFLINE, last_reached: run(), reachable: false },
    "waiting",
    "The camera is away. How much of it is safe here is counted when it is back. Last seen 07:42, 9 min ago. The next run looks again at 08:00.",
  ],
  [
    "the history is gone, and the list is not",
    { last_run: null, last_reached: null, counts: waiting(80) },
    "waiting",
    "80 recordings are waiting. They come home with the next run. The camera is at home.",
  ],
  [
    "another camera was asked last, and this one is known from before",
    { last_run: run({ address: "192.168.1.20" }), counts: counts() },
    "fine",
    SAFE,
  ],
  [
    "a dry run",
    { last_run: run({ dryRun: true }) },
    "attention",
    "The last sync was a dry run: nothing was brought home. Turn it off in Settings under Disk.",
  ],
  [
    "paused while all is safe",
    { paused: true },
    "attention",
    "All 412 recordings on the camera are safe here. Paused. The camera is at home.",
  ],
  [
    "paused after a failure stays a failure",
    { paused: true, last_run: run({ success: false }, { disk: 1 }) },
    "failed",
    "Sync failed: the disk is full. Free space or lower retention.",
  ],
  [
    "a setting that cannot be used while all is safe",
    { unusable_settings: [UNUSABLE] },
    "attention",
    "All 412 recordings on the camera are safe here. The camera is at home.",
  ],
  [
    "a setting that cannot be used after a failure",
    { unusable_settings: [UNUSABLE], last_run: run({ success: false }, { disk: 1 }) },
    "failed",
    "Sync failed: the disk is full. Free space or lower retention. The next run looks again at 08:00.",
  ],
  [
    "the next run is tomorrow",
    { last_run: null, next_at: NOW + 86_400_000 },
    "waiting",
    "No sync has run yet. The next run looks again tomorrow at 07:51.",
  ],
];

/** About deleting. */
const DELETING: typeof ROWS = [
  ["recordings were here before, and all is safe", held(), "attention", QUESTION],
  ["recordings were here before, and no sync has run", { ...held(), last_run: null }, "attention", QUESTION],
  [
    "recordings were here before, and the camera is away with files",
    { ...held(), last_run: OFFLINE, last_reached: run(), counts: waiting(3), reachable: false },
    "attention",
    QUESTION,
  ],
  [
    "recordings were here before, while the schedule is paused",
    { ...held(), paused: true },
    "attention",
    QUESTION.replace("Keep them?", "Keep them? Paused."),
  ],
  [
    "recordings were here before, and the last run failed",
    { ...held(), last_run: run({ success: false, message: "the list broke off" }, { http: 1 }) },
    "failed",
    "Sync failed: the list broke off. The next run looks again at 08:00.",
  ],
  [
    "recordings were here before, and files are missing",
    { ...held(), last_run: run({}, { http: 2 }), counts: waiting(2) },
    "attention",
    "2 recordings could not be brought home yet. The camera answered with an error; they are tried again. The camera is at home.",
  ],
  [
    "recordings were here before, and there is no camera yet",
    { ...held(), address: "", last_run: null, last_reached: null },
    "waiting",
    "No camera yet. Tell Dashdock where it is. The camera must be on the same Wi-Fi as this machine. Nothing on the camera is changed.",
  ],
  [
    "one recording was here before, and nobody knows its size",
    held({ recordings: 1, bytes: null, newest: "2024-01-03" }),
    "attention",
    "1 recording here is older than 2 weeks. Keep it? Of 3 Jan 2024. It was here before Dashdock, and you have not said how long to keep recordings; until you do, nothing is deleted.",
  ],
  [
    "recordings were here before, and kinds are kept for different times",
    { ...held(), keep: { ...KEEP, keep_event: "1y" } },
    "attention",
    QUESTION.replace(
      "16 911 recordings here are older than 2 weeks.",
      "The next run would delete 16 911 recordings here.",
    ),
  ],
  [
    "recordings were here before, and a limit may be what they are over",
    { ...held(), keep: { ...KEEP, max_gb: 400 } },
    "attention",
    QUESTION.replace(
      "16 911 recordings here are older than 2 weeks.",
      "The next run would delete 16 911 recordings here.",
    ),
  ],
  [
    "the clock jumped",
    held({ reason: "clock", recordings: 12, bytes: 1.3e9, oldest: "2026-10-28", newest: "2026-11-03" }),
    "attention",
    "Nothing is deleted: the clock of this machine may be wrong. It went to an implausible time; now it says 21 Nov 2026, 07:51 AEDT. If that is right, the next run would delete 12 recordings, 1.3 GB, from 28 Oct to 3 Nov. Nothing is deleted until you say so.",
  ],
  [
    "unusually many would go",
    {
      ...held({ reason: "many", recordings: 60, bytes: 9.1e9, oldest: "2026-11-06", newest: "2026-11-08" }),
      recordings: 210,
    },
    "attention",
    "The next run would delete 60 of 210 recordings, more than usual. 9.1 GB, from 6 to 8 Nov. Nothing is deleted until you say so.",
  ],
  ["somebody has said that they may go", retention({ confirmed: DUE }), "waiting", GOING],
  [
    "they may go tomorrow, for good",
    {
      ...retention({ confirmed: { ...DUE, recordings: 1 }, trash: { recordings: 0, bytes: 0, days: 0 } }),
      next_at: NOW + 86_400_000,
    },
    "waiting",
    "1 recording is deleted for good with the next run, tomorrow 07:51. 1.4 TB, from 3 Jan 2024 to 6 Nov 2026. There is no trash to have it back from.",
  ],
  [
    "they may go, and the schedule is paused",
    { ...retention({ confirmed: DUE }), paused: true },
    "attention",
    GOING.replace("next run, 08:00.", "next scheduled run. Paused."),
  ],
  [
    "they may go, while files wait for the camera",
    {
      ...retention({ confirmed: DUE }),
      ...{ last_run: OFFLINE, last_reached: null, counts: waiting(1), last_seen_at: null, reachable: false },
    },
    "waiting",
    GOING,
  ],
  [
    "something keeps recordings from being deleted",
    retention({ problem: "The list of kept recordings cannot be read" }),
    "attention",
    `The list of kept recordings cannot be read. ${SAFE}`,
  ],
  [
    "something keeps recordings from being deleted that wait for an answer",
    {
      retention: {
        ...nothingDeleted(),
        ...held().retention,
        problem: "Nothing is deleted: the trash cannot be made.",
      },
    },
    "attention",
    `Nothing is deleted: the trash cannot be made. ${SAFE}`,
  ],
];

describe("summaryOf()", () => {
  for (const [name, changes, mood, words] of DELETING)
    test(name, () => expect(summary(changes)).toEqual([mood, words]));

  for (const [name, changes, mood, words] of ROWS) test(name, () => expect(summary(changes)).toEqual([mood, words]));
});
