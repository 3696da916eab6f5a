import * as v from "valibot";
import {
  count,
  keyText,
  moment,
  number,
  ofCamera,
  orNull,
  pageText,
  recordings,
  text,
  whole,
} from "../answers/answer_fields.ts";
import { LEFT_OUT_RULES, LOSS_CAUSES, RECORDING_STATES, STATE_CAUSES } from "./recording_state.ts";

/**
 * Shapes of the answers about what became of recordings. Days are those of the recordings' names: the camera's own. A
 * recording is one moment of one direction. Minutes are those of the clock: front and rear of a moment count once.
 */

const day = text("`YYYY-MM-DD`, camera time");
const minutes = (description: string) => v.pipe(v.number(), v.minValue(0), v.description(description));

/** Counts of recordings by what became of them, and the minutes that they are of. */
export const COVERAGE_COUNTS = v.object({
  recorded: whole("All recordings that were ever on the camera or here: the sum of the parts below"),
  home: recordings,
  coming: whole("Recordings that are to come"),
  left_out: whole("Recordings that the rules leave on the camera"),
  lost: whole("Recordings that were to come, and that the camera has recorded over"),
  deleted: whole("Recordings that were here, those in the trash among them"),
  damaged: whole("Recordings that are here, of which a file is damaged"),
  unknown: whole("Recordings that may lie in a folder that cannot be read"),
  unreadable: whole("Of `coming` and `lost`, those that the camera could not deliver"),
  minutes: minutes("Minutes that were recorded"),
  driven_minutes: minutes("Of these, without those while the car was parked"),
  lost_minutes: minutes("Minutes of which a recording was lost"),
});

/** One day. */
export const COVERAGE_COUNTS_OF_DAY = v.object({
  date: day,
  ...COVERAGE_COUNTS.entries,
  cause: orNull(v.picklist(LOSS_CAUSES), "Why most of what was lost is lost; null when nothing is"),
});

export const COVERAGE = v.object({
  since: orNull(day, "From this day on it is known what the camera recorded; null before the first list"),
  days: v.pipe(
    v.array(COVERAGE_COUNTS_OF_DAY),
    v.description("By date, also those without a recording; days before `since`, and those to come, are absent"),
  ),
  totals: COVERAGE_COUNTS,
  nothing_lost_since: orNull(
    day,
    "The day after the last one, of all that are known, on which something was lost; `since` when nothing was; null before the first list",
  ),
});
export type Coverage = v.InferOutput<typeof COVERAGE>;
export type CoverageCounts = v.InferOutput<typeof COVERAGE_COUNTS>;
export type CoverageOfDay = v.InferOutput<typeof COVERAGE_COUNTS_OF_DAY>;

/** A recording, and what became of it. */
export const COVERED_RECORDING = v.object({
  key: keyText("`<base>_<type>`, such as `20260607_101500_N`"),
  direction: text("The letter of its direction, such as `F`"),
  name: text("The name of its video on the camera"),
  state: v.picklist(RECORDING_STATES),
  cause: orNull(
    v.picklist(STATE_CAUSES),
    "Why it was lost, or deleted; `failing` also of one to come that the camera could not deliver yet",
  ),
  rule: orNull(v.picklist(LEFT_OUT_RULES), "The rule that leaves it out"),
  rule_value: orNull(v.string(), "What that rule said then, such as `2 weeks`"),
  first_seen: moment,
  last_seen: orNull(v.string(), "ISO 8601 UTC: when a list of the camera had it last; null when none did"),
  at: text("ISO 8601 UTC: since when it is in this state"),
  by: orNull(v.string(), "Who deleted it by hand, where that is known"),
  size: orNull(count, "Bytes of its video, where they are known"),
  seconds: number("How long it is, about: until the next one begins, or as long as they usually are"),
});
export type CoveredRecording = v.InferOutput<typeof COVERED_RECORDING>;

/** A time in which the camera was at home. */
export const COVERAGE_VISIT = v.object({
  camera: ofCamera,
  from: moment,
  to: orNull(v.string(), "ISO 8601 UTC; null while it goes on"),
  seconds: count,
  bytes: count,
  rate: orNull(v.number(), "Bytes a second, the median of its files; null when none came"),
});

/** A cause of what was lost on a day. */
export const COVERAGE_CAUSE = v.object({
  cause: v.picklist(LOSS_CAUSES),
  recordings,
  minutes: minutes("Minutes of these recordings"),
  sentence: text("What happened"),
  remedy: text("What helps, as a sentence"),
  action: orNull(
    v.object({ label: text("On its button"), href: pageText("Where it is done") }),
    "Null when nothing can be done here",
  ),
});
export type CoverageCause = v.InferOutput<typeof COVERAGE_CAUSE>;

export const COVERAGE_DAY = v.object({
  date: day,
  recordings: v.pipe(v.array(COVERED_RECORDING), v.description("By time")),
  visits: v.pipe(v.array(COVERAGE_VISIT), v.description("Those of this day, by time")),
  causes: v.pipe(v.array(COVERAGE_CAUSE), v.description("Most recordings first")),
});
export type CoverageDay = v.InferOutput<typeof COVERAGE_DAY>;
