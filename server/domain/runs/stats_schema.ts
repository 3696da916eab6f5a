import * as v from "valibot";
import { count, epoch, number, orNull, ratio, whole } from "../answers/answer_fields.ts";
import { FAILURE_REASONS } from "./failure_reason.ts";
import { RANGES, type Range } from "./run.ts";

export const DISK_SPACE = v.object({
  total_bytes: count,
  free_bytes: whole("As the limit sees it: what is reserved for root, or lies beyond a quota, counts as free"),
  available_bytes: orNull(
    count,
    "What can be written, which the pages call free; null where the disk does not tell its size",
  ),
});

const FAILURES = v.object(v.entriesFromList(FAILURE_REASONS, count));

export const RUN_SUMMARY = v.object({
  runs: count,
  offline: whole("Runs that did not reach the camera"),
  reachable_runs: count,
  bytes: whole("Transferred; dry runs transfer nothing"),
  files: whole("That came home; none of a dry run"),
  avg_duration_seconds: number("Of the runs that reached the camera; 0 when none did"),
  longest_seconds: number("Of the runs that reached the camera; 0 when none did"),
  success_rate: orNull(ratio, "0 to 1; null when no run reached the camera"),
  stopped: whole("Of the runs that reached the camera, those stopped by hand; the rate counts them as not well"),
});

/** A run, or all runs of one bucket of time. */
export const RUN_POINT = v.object({
  ts: number("Epoch seconds: the end of the run, or the beginning of the bucket"),
  bytes: count,
  files: count,
  duration: number("Seconds; of several runs the mean"),
  disk: orNull(ratio, "Share of the disk that is used at the last run that looked, 0 to 1; null when none did"),
  trash: orNull(ratio, "The part of `disk` that is the trash, 0 to 1 of the whole disk; null when that is not known"),
  success: v.pipe(v.boolean(), v.description("Of several runs, whether all were; so are `dry_run` and `offline`")),
  failures: FAILURES,
  dry_run: v.boolean(),
  offline: v.boolean(),
});

export const RUN_SERIES = v.object({
  points: v.pipe(v.array(RUN_POINT), v.description("By time; buckets without a run are left out")),
  bucket_seconds: orNull(v.number(), "Null when each run is a point. Buckets begin at its multiples"),
});

/** Each run counts once, where it began: as away, or under the reason most of its failures had. */
export const FAILED_SLOT = v.object({
  ts: number("Epoch seconds at which the stretch of time begins"),
  end: number("Epoch seconds at which it ends"),
  away: whole("Runs that did not reach the camera; they are not failed"),
  ...FAILURES.entries,
});

/** Runs that did not go well, counted by stretches of time that are the same on the wall: hours, days, weeks. */
export const FAILED_RUNS = v.object({
  slot_seconds: number("Length of a stretch of time; days of a clock change are an hour shorter or longer"),
  slots: v.pipe(v.array(FAILED_SLOT), v.description("By time; stretches in which all went well are left out")),
});

/** Forecast of the disk by the last month's runs, whatever range is asked for. */
export const DISK_HEADING = v.object({
  state: v.pipe(
    v.picklist(["unknown", "reached", "filling", "slow", "steady"]),
    v.description(
      "`unknown`: too few runs measured it; `reached`: as full as allowed; `filling`: it will be, at `full_at`; `slow`: too far ahead to tell; `steady`: it is not filling up",
    ),
  ),
  full_at: orNull(v.number(), "Epoch seconds; null unless it is filling"),
  days: whole("On how many days runs measured the disk, counted up to 3: with fewer the pages tell no forecast"),
});

/** Forecast of the disk as points of a line. */
export const FORECAST_LINE = v.object({
  projected: v.pipe(
    v.array(v.object({ ts: epoch, disk: ratio })),
    v.description(
      "Twelve points over the time ahead, none when there is too little to go by. Without the trash, which makes room when it is needed: goes on from `disk` less `trash`",
    ),
  ),
  limits: v.object({
    max_used_disk_percent: ratio,
    keep_steady_state: orNull(ratio, "Where the disk settles without the trash; null when that is not known"),
  }),
  heading: DISK_HEADING,
});

export const STATISTICS = v.object({
  range: v.picklist(Object.keys(RANGES) as Range[]),
  period: v.object({
    from: orNull(v.number(), "Epoch seconds; of all, the first run's, null without any"),
    to: epoch,
  }),
  summary: RUN_SUMMARY,
  series: RUN_SERIES,
  failed_runs: FAILED_RUNS,
  forecast: FORECAST_LINE,
  storage: orNull(DISK_SPACE, "The disk as it is now; null while it cannot be read"),
});
export type Statistics = v.InferOutput<typeof STATISTICS>;
