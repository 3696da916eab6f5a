import * as v from "valibot";
import { moment, orNull, text, whole } from "../answers/answer_fields.ts";
import { DAMAGES } from "./file_judgement.ts";

/** Files that are named in an answer; all are counted. */
export const MOST_NAMED = 1000;

export const CHECK_ENDINGS = ["done", "stopped", "away", "failed"] as const;
export type CheckEnding = (typeof CHECK_ENDINGS)[number];

/** The check of all recordings that runs, or the last one, also of before the start. */
export const VERIFY = v.object({
  running: v.boolean(),
  waiting: v.pipe(v.boolean(), v.description("It waits while a sync or an import goes on")),
  checked: whole("Files that were read"),
  total: whole("Files that there are; 0 until they are counted"),
  bytes: whole("Bytes that were read"),
  taken: whole("Files whose checksums were taken now: there were none, or the file was changed on purpose"),
  damaged: v.pipe(
    v.array(
      v.object({
        path: text("Relative to the recordings folder"),
        why: v.pipe(
          v.picklist(DAMAGES),
          v.description(
            "`other_bytes` under the same size and time, `cut_short`, `unreadable` for the disk, `missing` though nothing here deleted it",
          ),
        ),
      }),
    ),
    v.description("Files that are known to be damaged or missing, also found by the reading in the background"),
  ),
  damaged_files: whole("All of them; the list has the first thousand"),
  not_judged: whole("Files of which nothing can be said: they were written meanwhile, or may not be read"),
  started_at: orNull(moment, "Null before the first check"),
  finished_at: orNull(moment, "Null while it runs"),
  ended: orNull(
    v.picklist(CHECK_ENDINGS),
    "`away`: the recordings folder was not there, so nothing is said of the rest",
  ),
  problem: orNull(v.string(), "Reason that checksums cannot be kept, as a sentence; null when they can"),
});
export type VerifyState = v.InferOutput<typeof VERIFY>;

export const VERIFY_STOPPING = v.object({ stopping: v.literal(true) });
export const MISSING_ACCEPTED = v.object({ forgotten: whole("Files that are not missed any more") });

/** The last check, as it is kept beside the checksums. */
export const LAST_CHECK = v.object({
  started_at: moment,
  finished_at: moment,
  ended: v.picklist(CHECK_ENDINGS),
  checked: v.number(),
  total: v.number(),
  bytes: v.number(),
  taken: v.number(),
  not_judged: v.number(),
  missing: v.array(v.string()),
  missing_files: v.number(),
});
export type LastCheck = Readonly<v.InferOutput<typeof LAST_CHECK>>;
