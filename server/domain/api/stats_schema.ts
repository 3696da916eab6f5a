import * as v from "valibot";
import type { DiskHeading, Forecast } from "../runs/disk_forecast.ts";
import type { FailedRuns, FailedSlot } from "../runs/failure_slots.ts";
import type { Failures, Range, RunPoint, RunSeries, RunSummary } from "../runs/run.ts";
import type { Statistics } from "./api.ts";
import { DISK_SPACE } from "./disk_space_schema.ts";
import { exactly } from "./exactly.ts";

/** The statistics as a schema, for the description of the API. */

const number = (description: string) => v.pipe(v.number(), v.description(description));
const whole = (description: string) => v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const epoch = number("Epoch seconds");
const ratio = v.pipe(v.number(), v.minValue(0), v.description("0 to 1"));

const FAILURES = exactly<Failures>()(
  v.object({ http: count, network: count, timeout: count, disk: count, unknown: count }),
);

const RUN_SUMMARY = exactly<RunSummary>()(
  v.object({
    runs: count,
    offline: whole("Runs that did not reach the camera"),
    reachable_runs: count,
    bytes: whole("Transferred; dry runs transfer nothing"),
    files: whole("That came home; none of a dry run"),
    avg_duration_seconds: number("Of the runs that reached the camera"),
    longest_seconds: number("Of the runs that reached the camera"),
    success_rate: v.pipe(v.nullable(ratio), v.description("0 to 1; null when no run reached the camera")),
    stopped: whole("Of the runs that reached the camera, those stopped by hand; the rate counts them as not well"),
  }),
);

export const RUN_POINT = exactly<RunPoint>()(
  v.object({
    ts: number("Epoch seconds: the end of the run, or the beginning of the bucket"),
    bytes: count,
    files: count,
    duration: number("Seconds; of several runs the mean"),
    disk: v.pipe(
      v.nullable(ratio),
      v.description("Share of the disk that is used, 0 to 1; null when it was not measured"),
    ),
    trash: v.pipe(
      v.nullable(ratio),
      v.description("The part of `disk` that is the trash, 0 to 1 of the whole disk; null when that is not known"),
    ),
    success: v.boolean(),
    failures: FAILURES,
    dry_run: v.boolean(),
    offline: v.boolean(),
  }),
);

const FAILED_SLOT = exactly<FailedSlot>()(
  v.object({
    ts: number("Epoch seconds at which the stretch of time begins"),
    end: number("Epoch seconds at which it ends"),
    away: whole("Runs that did not reach the camera"),
    ...FAILURES.entries,
  }),
);

const DISK_HEADING = exactly<DiskHeading>()(
  v.object({
    state: v.picklist(["unknown", "reached", "filling", "slow", "steady"]),
    full_at: v.pipe(v.nullable(v.number()), v.description("Epoch seconds; null unless it is filling")),
    days: whole("On how many days runs measured the disk, counted up to 3: with fewer the pages tell no forecast"),
  }),
);

export const STATISTICS = exactly<Statistics>()(
  v.object({
    range: exactly<Range>()(v.picklist(["24h", "7d", "30d", "all"])),
    period: v.object({
      from: v.pipe(v.nullable(v.number()), v.description("Epoch seconds; of all, the first run's, null without any")),
      to: epoch,
    }),
    summary: RUN_SUMMARY,
    series: exactly<RunSeries>()(
      v.object({
        points: v.array(RUN_POINT),
        bucket_seconds: v.pipe(v.nullable(v.number()), v.description("Null when each run is a point")),
      }),
    ),
    failed_runs: exactly<FailedRuns>()(
      v.object({
        slot_seconds: number("Length of a stretch of time"),
        slots: v.pipe(
          v.array(FAILED_SLOT),
          v.description("Each run counts once, where it began, under its main reason"),
        ),
      }),
    ),
    forecast: exactly<Forecast>()(
      v.object({
        projected: v.pipe(
          v.array(v.object({ ts: epoch, disk: ratio })),
          v.description("Without the trash, which makes room when it is needed: goes on from `disk` less `trash`"),
        ),
        limits: v.object({
          max_used_disk_percent: ratio,
          keep_steady_state: v.pipe(v.nullable(ratio), v.description("Where the disk settles without the trash")),
        }),
        heading: DISK_HEADING,
      }),
    ),
    storage: v.pipe(v.nullable(DISK_SPACE), v.description("The disk as it is now; null while it cannot be read")),
  }),
);
