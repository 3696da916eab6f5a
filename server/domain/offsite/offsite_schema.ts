import * as v from "valibot";
import { count, moment, orNull, recordings, text } from "../answers/answer_fields.ts";

const amount = (words: string) => v.pipe(v.object({ recordings, bytes: count }), v.description(words));

/** Answer of `GET /api/offsite`. */
export const OFFSITE_STATE = v.object({
  state: v.pipe(
    v.picklist(["off", "idle", "sending", "waiting", "problem"]),
    v.description("off: no `offsite.endpoint` is set; waiting: for its hours, or for the end of a sync"),
  ),
  sent: amount("What is in the bucket, as it lies at home"),
  waiting: amount("What is to be sent"),
  refused: amount("What the bucket has otherwise than it is at home"),
  bytes: v.pipe(count, v.description("Room that the copies take in the bucket")),
  last: orNull(moment, "When the last file was there whole; null for never"),
  last_tried: orNull(moment, "When something was last tried; null for not since the start"),
  problem: orNull(
    v.object({
      sentence: v.string(),
      since: moment,
      key: orNull(v.string(), "Name in the bucket; null where it is not about one file"),
    }),
    "Why something is not sent; null while all is well",
  ),
  files: v.pipe(
    v.array(
      v.object({
        camera: text("Id of its camera"),
        name: text("Name of the video"),
        bytes: count,
        state: v.pipe(
          v.picklist(["sending", "next", "hours", "refused"]),
          v.description("hours: it waits for the hours that are set"),
        ),
        sent: v.pipe(count, v.description("Bytes of it that are in the bucket already")),
        sentence: orNull(v.string(), "Why it was refused; null where it was not"),
      }),
    ),
    v.description("The videos that are sent next, and those that were refused last; at most five of each"),
  ),
});
/** Answer of `POST /api/offsite/test`: steps in the order in which they are tried. */
export const OFFSITE_TEST = v.object({
  steps: v.array(
    v.object({
      name: v.picklist(["reach", "sign-in", "write", "resume"]),
      label: text("As people read it"),
      state: v.pipe(
        v.picklist(["fine", "attention", "failed", "not-asked"]),
        v.description("`not-asked`: an earlier step failed"),
      ),
      finding: text("What was found, or what to do"),
      figure: orNull(v.string(), "What was measured, such as `41 ms`; null for nothing"),
    }),
  ),
});
export type OffsiteTest = v.InferOutput<typeof OFFSITE_TEST>;

/** Answer of `GET /api/offsite/choices`: what each value of `offsite.what` sends. */
export const OFFSITE_CHOICES = v.object({
  kept: amount("What is kept"),
  events: amount("What is kept, and events"),
  all: amount("Everything"),
});
export type OffsiteChoices = v.InferOutput<typeof OFFSITE_CHOICES>;

export type OffsiteState = v.InferOutput<typeof OFFSITE_STATE>;
export type OffsiteFile = OffsiteState["files"][number];
