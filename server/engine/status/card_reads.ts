import { runEnding } from "../../domain/runs/run_ending.ts";
import { type DayOfRuns, dayOf } from "../../domain/runs/runs_of_day.ts";
import { scheduleInWords } from "../../domain/settings/schedule_preview.ts";
import type { LastRun, NextScheduled } from "../../domain/status/card_data.ts";
import { isAwaited } from "../../domain/status/looks_text.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { Arrival } from "../run/arrival.ts";
import type { Job } from "../run/job.ts";
import type { Scheduler } from "../run/scheduler.ts";
import { type CardTimeParts, cardTimeOf } from "../viewer/card_time.ts";

/** The job while it runs and for the seconds its end stays visible, else the latest run of the history. */
export function lastRun(
  parts: CardTimeParts & {
    readonly job: Pick<Job, "snapshot">;
    readonly history: Pick<RunHistory, "latest" | "latestReached">;
  },
): LastRun {
  const { snapshot } = parts.job;
  if (snapshot.state === "running") return { kind: "live", snapshot, ...cardTimeOf(parts) };
  const run = parts.history.latest();
  if (snapshot.state !== "idle")
    return { kind: "live", snapshot, ...(run && run.ts >= snapshot.started_at_wall && { run }), ...cardTimeOf(parts) };
  if (run === null) return { kind: "none" };
  // History keeps the end of a run and how long it took; people remember when it began.
  const started_at = (run.ts - run.durationSeconds) * 1000;
  const before = runEnding(run) === "away" ? parts.history.latestReached(run.address) : null;
  return { kind: "stored", run, started_at, before, ...cardTimeOf(parts) };
}

/** When the next scheduled run comes, by the evaluator that fires it. */
export function nextScheduled(
  parts: CardTimeParts & {
    readonly scheduler: Pick<Scheduler, "next" | "inWords">;
    readonly arrival: Pick<Arrival, "looks">;
  },
): NextScheduled {
  const next = parts.scheduler.next();
  const on_arrival = isAwaited(parts.arrival.looks());
  return {
    ...next,
    on_arrival,
    words: parts.scheduler.inWords(parts.zone.format, scheduleInWords),
    ...cardTimeOf(parts),
  };
}

/** Sums up the runs of the last 24 hours. */
export function dayOfRuns(parts: CardTimeParts & { readonly history: Pick<RunHistory, "lately"> }): DayOfRuns {
  const moment = cardTimeOf(parts);
  return { ...dayOf(parts.history.lately(moment.now / 1000 - DAY_SECONDS), moment.now), ...moment };
}
const DAY_SECONDS = 86_400;
