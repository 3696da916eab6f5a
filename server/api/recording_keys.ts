import * as v from "valibot";
import { isGroupKey } from "../domain/recordings/moment_number.ts";
import { splitKey } from "../domain/settings/camera_key.ts";
import { refusedAs } from "../http/request/read_request.ts";

/** The key of a recording. */
export const RECORDING_KEY = v.pipe(
  v.string(),
  v.regex(/^(?:[a-z0-9][a-z0-9-]{0,30}~)?[0-9]{8}_[0-9]{6}_[A-Z](?:\.[1-9][0-9]?)?$/),
  v.check((key) => isGroupKey(splitKey(key).bare)),
);

export const NO_SUCH_CLIP = "There is no such clip";

/** The recording that a path names. @param none says that there is none, where the path names none */
export function recordingOr(none: string) {
  const key = v.pipe(
    v.message(RECORDING_KEY, none),
    v.description("`<base>_<type>`, such as `20260607_101500_N`"),
    refusedAs("RECORDING_NOT_FOUND", "recording"),
  );
  return v.object({ key });
}

export const OF_RECORDING = recordingOr(NO_SUCH_CLIP);

export const NO_KEYS = "keys must be a list of keys such as 20260607_101500_N";

/** A body that names recordings. */
export const KEYS = v.message(v.object({ keys: v.array(RECORDING_KEY) }), NO_KEYS);
