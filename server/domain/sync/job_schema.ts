import * as v from "valibot";
import { count, keyText, number, orNull, percent, text, whole } from "../answers/answer_fields.ts";
import { ARTIFACT_KINDS } from "../recordings/recording_name.ts";
import { FAILURE_REASONS } from "../runs/failure_reason.ts";
import { RUN_ENDINGS } from "../runs/run_ending.ts";

const FAILURE_REASON = v.nullable(v.picklist(FAILURE_REASONS));

export const CURRENT_FILE = v.object({
  filename: v.string(),
  recording_base: text("The file name without its extension"),
  artifact: v.picklist(ARTIFACT_KINDS),
  direction: text("F front, R rear, I interior, O optional"),
  total_bytes: whole("0 until the camera has said how long the file is"),
  expected_bytes: orNull(
    count,
    "About how long it is while `total_bytes` is 0, from files like it; null when that is unknown, or more has come",
  ),
  downloaded_bytes: whole("Includes what an earlier run had brought"),
  bytes_per_second: number("Of the bytes of this run only"),
  eta_seconds: orNull(v.number(), "Null while unknown"),
  state: v.picklist(["starting", "downloading", "completed", "failed"]),
  failure_reason: FAILURE_REASON,
  percent: v.pipe(percent, v.description("Never over 99.9 while it comes from `expected_bytes`; 0 while unknown")),
});

/** The drive that the car was on last, and how much of it is at home. */
export const DRIVE = v.object({
  key: keyText("With which it began: `YYYYMMDD_HHMMSS_T`"),
  chosen: whole("Its recordings that are to come home"),
  home: whole("Of them those whose video has"),
  sentence: text("The same for a reader, such as: The drive of 17:32 is home."),
});

/** The state of the one job, as JSON and on the progress stream. */
export const SNAPSHOT = v.object({
  job_id: text("Empty when idle"),
  boot_id: text("Names this process: another one counts `seq` anew"),
  seq: whole("Grows by one with every published change"),
  started_at_wall: number("Epoch seconds; 0 when idle"),
  state: v.picklist(["idle", "running", "completed", "failed"]),
  phase: v.nullable(v.picklist(["listing", "downloading", "retention"])),
  current_file: v.nullable(CURRENT_FILE),
  files_total: whole("Files to transfer, without the skipped; 0 while the camera is asked what it has"),
  files_completed: count,
  files_failed: count,
  files_skipped: whole("Files that needed no transfer"),
  files_here: whole("Of them those at home already"),
  files_absent: whole("Of them those that the camera does not have"),
  recordings_total: whole("Recordings whose video this run is to bring; 0 while the camera is asked what it has"),
  recordings_completed: whole("Of them those whose video has come"),
  recordings_failed: whole("Of them those whose video has failed"),
  bytes_downloaded_total: whole("Transferred in this run"),
  bytes_expected: orNull(
    count,
    "What it will have transferred in the end; null while nothing is known of the videos that are to come, and at rest",
  ),
  bytes_expected_is_guess: v.pipe(
    v.boolean(),
    v.description("A file that is to come has not told its length: `bytes_expected` is from files like it"),
  ),
  bytes_per_second: v.number(),
  eta_seconds: orNull(
    v.number(),
    "For the whole job; null while unknown. It falls or stands, and grows only with `eta_grew`",
  ),
  eta_grew: orNull(
    v.picklist(["slower", "more"]),
    "Why `eta_seconds` is longer than it was: the camera sends more slowly, or there is more to bring",
  ),
  percent: v.pipe(percent, v.description("Of the recordings; of the files where no recording is to come")),
  failure_reason: FAILURE_REASON,
  message: orNull(v.string(), "What went wrong, as a sentence; null while nothing did"),
  ending: orNull(v.picklist(RUN_ENDINGS), "How it ended, as history tells of its run; null until it has"),
  recordings: orNull(
    v.object({
      on_camera: count,
      chosen: count,
      home: count,
      waiting: count,
      drive: v.exactOptional(orNull(DRIVE, "The latest drive on the camera; null when there is none")),
    }),
    "How much of the camera's last good list is at home, whatever this run does; null while unknown",
  ),
});

export const JOB_STARTED = v.object({ job_id: v.string() });
export const JOB_STOPPING = v.object({ job_id: v.string(), stopping: v.literal(true) });
export const JOB_RETRIES = v.object({
  job_id: orNull(v.string(), "Of the sync that tries them; null while no camera is set"),
  retried: v.pipe(v.number(), v.integer(), v.description("How many files")),
  recordings: v.pipe(v.number(), v.integer(), v.description("How many recordings: videos among them")),
});
export const QUEUED = v.object({ queued: whole("Recordings that now come first") });
export const UNWANTED = v.object({ unwanted: whole("Recordings that are not asked for, all in all") });
export type JobRetries = v.InferOutput<typeof JOB_RETRIES>;
