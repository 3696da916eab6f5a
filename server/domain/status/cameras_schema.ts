import * as v from "valibot";
import { count, orNull, text } from "../answers/answer_fields.ts";
import { STATUS } from "./status_schema.ts";

/** States that a camera can be in, the most pressing first. */
export const CAMERA_STATES = Object.freeze([
  "other_camera",
  "failed",
  "attention",
  "syncing",
  "waiting",
  "paused",
  "no_address",
  "safe",
] as const);

/** A camera of the service. */
export const CAMERA = v.object({
  id: text("Stands before the keys of its recordings, and in `?camera=`; `main` is the first camera"),
  name: v.string(),
  letter: text("One or two characters that stand for it"),
  address: text("Empty when none is set"),
  destination: text("The folder of its recordings"),
  model: orNull(v.string(), "Null while it is not known"),
  state: v.picklist(CAMERA_STATES),
  sentence: text("The same for a reader, as on its dashboard"),
  detail: text("What there is to say beside it; may be empty"),
  waiting: orNull(count, "Recordings that are still to come; null while unknown"),
  last_run: orNull(
    v.object({ state: STATUS.entries.last_run_state, at: v.string(), message: STATUS.entries.last_run_message }),
    "Null before its first run",
  ),
  refused: v.exactOptional(
    v.pipe(v.literal(true), v.description("It cannot be opened; it can only be taken away, and is tried again")),
  ),
});
export type CameraAnswer = v.InferOutput<typeof CAMERA>;

export const CAMERAS = v.object({ cameras: v.array(CAMERA) });
