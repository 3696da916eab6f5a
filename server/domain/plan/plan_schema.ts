import * as v from "valibot";
import { count, moment, orNull, whole } from "../answers/answer_fields.ts";
import { VERDICTS } from "./plan.ts";

const SPAN = v.object({ from: moment, to: moment });
const bytesPerSecond = v.pipe(v.number(), v.minValue(0), v.description("Bytes per second"));

export const VISIT = v.object({
  from: moment,
  to: orNull(moment, "Null while it goes on"),
  seconds: whole("From the first contact to the last"),
  bytes: whole("Bytes that came home in it"),
  rate: orNull(bytesPerSecond, "Median of what its videos came at; null when none came"),
});

export const VISITS = v.object({ visits: v.array(VISIT) });

const WAITING = v.object({ recordings: count, bytes: orNull(count, "Null while their size is not known") });

export const PLAN = v.object({
  verdict: v.pipe(
    v.picklist(VERDICTS),
    v.description(
      "safe: nothing waits; in_time: at most half of the expected Wi-Fi time is needed before the first is overwritten; tight: at most all of it; too_late: more; unknown: too little was seen yet",
    ),
  ),
  camera: v.picklist(["here", "away", "unknown"]),
  waiting: v.object({
    recordings: orNull(count, "Null before the first good list"),
    bytes: orNull(count, "Null while their size is not known"),
    oldest: orNull(moment, "When the oldest of them was recorded"),
  }),
  needs_seconds: orNull(count, "Seconds for all that waits, at the expected rate; null while unknown"),
  rate: orNull(bytesPerSecond, "Expected rate; null while unknown"),
  usual_stay_seconds: orNull(count, "Length of the visit that goes on, else of the next one; null before five visits"),
  overwritten_from: orNull(moment, "When the first that waits is expected to be overwritten; null while unknown"),
  visits_before: orNull(count, "Visits that are expected to begin before then"),
  next_visits: v.pipe(v.array(SPAN), v.description("Those of the next week")),
  all_at_risk_safe: v.pipe(
    v.boolean(),
    v.description("Nothing that waits is expected to be overwritten before the end of the next visit"),
  ),
  safe_since: orNull(moment, "When the last that was at risk came home in the visit that goes on; null when none was"),
  sentence: v.string(),
  at_risk: orNull(
    v.object({ ...WAITING.entries, seconds: orNull(count, "Seconds until they are home in the order in force") }),
    "What is expected to be overwritten before the end of the next visit; null while unknown",
  ),
  too_late: orNull(WAITING, "What cannot come home in time in the visits that are usual; null while unknown"),
  smart_gain: v.pipe(
    count,
    v.description("Recordings that wait and would come home in time in the order `smart`, but not in the one in force"),
  ),
  visits_known: v.pipe(count, v.description("Visits seen, of the five that are needed")),
  visit: orNull(VISIT, "The visit that goes on"),
  slow_wifi: orNull(
    v.object({ rate: bytesPerSecond, best_rate: bytesPerSecond, best_at: moment, sentence: v.string() }),
    "Set when the rate looks like 2.4 GHz and the same camera was much faster before",
  ),
  backlog: orNull(
    v.object({
      recorded_per_day: v.pipe(count, v.description("Bytes")),
      home_per_day: v.pipe(count, v.description("Bytes that usual visits have time for")),
      parking_per_day: v.pipe(count, v.description("Bytes of parking among those recorded")),
      sentence: v.string(),
    }),
    "Set when more is recorded than visits have time for",
  ),
});
/** The parts of a plan that say how things stand, without what they are made of. */
export const OVERVIEW_PLAN = v.object({
  ...v.pick(PLAN, [
    "verdict",
    "camera",
    "waiting",
    "needs_seconds",
    "usual_stay_seconds",
    "overwritten_from",
    "all_at_risk_safe",
    "safe_since",
    "sentence",
    "at_risk",
    "too_late",
    "visit",
  ]).entries,
  next_visit: orNull(SPAN, "The first of the next week; null while unknown"),
});
export type OverviewPlan = v.InferOutput<typeof OVERVIEW_PLAN>;

/** The plan as answers and pages have it. */
export type ShownPlan = v.InferOutput<typeof PLAN>;
export type ShownVisit = v.InferOutput<typeof VISIT>;
