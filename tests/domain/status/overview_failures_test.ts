import { brokenOff } from "../../../server/domain/runs/run.ts";
import { counts, describeSummary, leftOut, OFFLINE, run, UNUSABLE, waiting } from "../../support/app/overview.ts";

describeSummary([
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
    "Sync failed: the disk is 90 % full and the limit is 90 %. Free space. 46 recordings are still only on the camera. The next run looks again at 08:00.",
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
    "The last sync was interrupted. The service or its machine stopped during the sync. A file in progress is kept. The next run looks again at 08:00.",
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
    "files at home are damaged while all else is well",
    { damaged_files: 2 },
    "attention",
    "2 files at home are damaged. They are downloaded again while the camera has the recording. The camera is at home.",
  ],
  [
    "a file at home is damaged, and the last sync failed",
    { damaged_files: 1, last_run: run({ success: false, message: "the list broke off" }, { http: 1 }) },
    "failed",
    "Sync failed: the list broke off. 1 file at home is damaged. The next run looks again at 08:00.",
  ],
  [
    "checksums have begun anew",
    { checksums: "The checksums were damaged and are taken anew." },
    "attention",
    "All 412 recordings on the camera are safe here. The checksums were damaged and are taken anew. The camera is at home.",
  ],
  [
    "stopped by somebody",
    {
      last_run: run({ success: false, stopped: true }, { unknown: 1 }),
      counts: waiting(46),
    },
    "attention",
    "The sync was stopped. 46 recordings are still only on the camera. A file in progress is kept. The next run continues it.",
  ],
  [
    "stopped before a restart",
    { last_run: run({ success: false, stopped: true }, { unknown: 1 }) },
    "attention",
    "The sync was stopped. A file in progress is kept. The next run continues it.",
  ],
  [
    "the folder is gone",
    { folder: "missing" },
    "failed",
    "The recordings folder is not available. /recordings is not on its disk. Nothing is downloaded or deleted until it is back. Dashdock has not touched your recordings.",
  ],
  [
    "the folder is gone, and the camera too",
    { folder: "missing", last_run: OFFLINE, last_reached: run(), reachable: false },
    "failed",
    "The recordings folder is not available. /recordings is not on its disk. Nothing is downloaded or deleted until it is back. Dashdock has not touched your recordings.",
  ],
  [
    "the folder that was used is gone, whatever ran since",
    { folder: "missing", destination: "gone", last_reached: null },
    "failed",
    "The recordings folder is not available. /recordings is not on its disk. Nothing is downloaded or deleted until it is back. Dashdock has not touched your recordings.",
  ],
  [
    "an empty folder is where the one with recordings was",
    { destination: "unmarked", recordings: 0, last_run: run({ success: false }, { disk: 1 }) },
    "failed",
    "The recordings folder is not available. /recordings is not on its disk. Nothing is downloaded or deleted until it is back. Dashdock has not touched your recordings.",
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
    "the folder is back, and no run has been since",
    { last_run: run({ success: false, message: "the recordings folder is gone", cause: "folder" }, { disk: 1 }) },
    "waiting",
    "The recordings folder is back. The sync before failed; the next one goes on. The next run looks again at 08:00.",
  ],
  [
    "the disk was full, and something was freed since",
    {
      last_run: run({ success: false, cause: "disk-full", diskUsedRatio: 1 }, { disk: 1 }),
      disk_used: 0.9,
    },
    "waiting",
    "The disk has room again. The sync before failed; the next one goes on. The next run looks again at 08:00.",
  ],
  [
    "the limit of the disk was reached, and nothing was freed",
    {
      last_run: run(
        { success: false, cause: "disk-limit", diskUsedRatio: 0.899, message: "90 % is the limit" },
        { disk: 1 },
      ),
      disk_used: 0.899,
    },
    "failed",
    "Sync failed: 90 % is the limit. With a shorter keep time the next scheduled run deletes; a sync started by hand deletes nothing. The next run looks again at 08:00.",
  ],
  [
    "no folder before anything came home",
    { folder: "missing", last_run: null, last_reached: null },
    "waiting",
    "No sync has run yet. The next run looks again at 08:00.",
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
    "1 small file could not be brought home yet. The camera stopped answering; they are tried again. The camera is at home.",
  ],
  [
    "paused after a failure stays a failure",
    { paused: true, last_run: run({ success: false }, { disk: 1 }) },
    "failed",
    "Sync failed: the disk is full. Free space or lower retention.",
  ],
  [
    "a setting that cannot be used after a failure",
    { unusable_settings: [UNUSABLE], last_run: run({ success: false }, { disk: 1 }) },
    "failed",
    "Sync failed: the disk is full. Free space or lower retention. The next run looks again at 08:00.",
  ],
]);
