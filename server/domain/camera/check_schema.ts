import * as v from "valibot";
import { count, orNull, text, whole } from "../answers/answer_fields.ts";

/** Steps of a check of the camera, in the order in which they stand on the page. */
export const CHECK_STEPS = [
  "address",
  "route",
  "connect",
  "interface",
  "list",
  "model",
  "speed",
  "resume",
  "clock",
  "settings",
] as const;

export const CHECK_STEP = v.object({
  name: v.picklist(CHECK_STEPS),
  label: text("As people read it, such as `Read speed`"),
  state: v.pipe(
    v.picklist(["waiting", "asking", "fine", "attention", "failed", "not-asked", "later"]),
    v.description("`later`: after the sync that runs; `not-asked`: an earlier step failed"),
  ),
  finding: text("What was found, such as `412 recordings, newest today 07:31`; empty until then"),
  figure: orNull(text("What was measured, such as `12 ms`"), "Null where nothing is measured"),
  numbers: v.pipe(
    v.record(v.string(), v.number()),
    v.description(
      "What was measured, by its name and unit, such as `milliseconds`, `recordings`, `bytes`, `bytes_per_second`; empty until then",
    ),
  ),
});

export const CHECK_VERDICT = v.object({
  level: v.picklist(["fine", "attention", "failed"]),
  reason: text("A short name of the cause, such as `other-subnet`; `fine` when nothing stands in the way"),
  cause: text("One sentence: what is so"),
  remedy: text("One sentence: what to do; empty when there is nothing to do"),
  command: orNull(v.string(), "A command that helps, ready to be copied"),
  setting: orNull(v.string(), "The key of the camera's own setting that hurts, such as `Wifi.WifiSleepMode`"),
});

/** One thing that works, but will hurt. */
export const CHECK_WARNING = v.pick(CHECK_VERDICT, ["reason", "cause", "remedy", "setting"]);

/** The whole check as it stands; each frame of the stream holds all of it, so that a later one replaces an earlier one. */
export const CHECK_REPORT = v.object({
  address: v.string(),
  began_at: text("ISO 8601 UTC"),
  took_seconds: orNull(v.number(), "Null while it goes on"),
  sync_running: v.pipe(v.boolean(), v.description("The check asks little, and says what the sync sees")),
  steps: v.array(CHECK_STEP),
  verdict: orNull(CHECK_VERDICT, "Null while it goes on"),
  warnings: v.pipe(
    v.array(CHECK_WARNING),
    v.description("Everything that will hurt, each with its own remedy and setting; the verdict names the first"),
  ),
});

/** The result of asking an address whether a camera is there. */
export const CAMERA_CHECK = v.union([
  v.object({
    reachable: v.literal(true),
    address: v.string(),
    latency_ms: v.number(),
    recordings: whole("Videos on its list"),
    bytes: orNull(count, "Null where the camera's list does not tell sizes"),
  }),
  v.object({
    reachable: v.literal(false),
    address: v.string(),
    reason: text("What went wrong, as a word for programs"),
    message: text("Why, and what to try, as sentences"),
  }),
]);
