import { runEnding } from "../../domain/runs/run_ending.ts";
import { type DayOfRuns, dayOf } from "../../domain/runs/runs_of_day.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { scheduleInWords } from "../../domain/settings/schedule_preview.ts";
import type { ShownVisit } from "../../domain/plan/plan_schema.ts";
import type { LastRun, NextScheduled, PlanCardFacts, VisitFacts } from "../../domain/status/card_data.ts";
import { queueHead } from "../../domain/sync/queue_groups.ts";
import { isAwaited } from "../../domain/status/looks_text.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { Asked } from "../../when_asked.ts";
import type { Planner } from "../plan/planner.ts";
import { shownPlan, shownVisit } from "../plan/shown_plan.ts";
import type { Visits } from "../plan/visits.ts";
import type { RequestedRecordings } from "../listed/requested_recordings.ts";
import type { SizeMemory } from "../listed/size_memory.ts";
import type { WaitingQueue } from "../listed/waiting_queue.ts";
import type { Arrival } from "../run/arrival.ts";
import type { Job } from "../run/job.ts";
import type { Scheduler } from "../run/scheduler.ts";
import { type CardTimeParts, cardTimeOf } from "../viewer/card_time.ts";
import { isFolderUnknown } from "../viewer/last_known.ts";

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

/** The plan as it is now, and what comes next while the camera is here. */
export async function planFacts(parts: PlanParts): Promise<PlanCardFacts> {
  const plan = shownPlan(await (await parts.planner()).plan(), cardTimeOf(parts));
  const { sync, connection } = parts.settings.current;
  const isUnknown = isFolderUnknown(parts);
  return {
    plan,
    sync,
    is_unknown: isUnknown,
    is_without_camera: connection.address === "",
    here: plan.visit === null || isUnknown ? null : await visitFacts(plan.visit, parts),
    ...cardTimeOf(parts),
  };
}

/** Groups of the queue that are shown, and recordings that are looked at for them. */
const SHOWN_GROUPS = 3;
const MOST_SHOWN = 400;

async function visitFacts(visit: ShownVisit, parts: PlanParts): Promise<VisitFacts> {
  const { visits, queue, requested, job, settings } = parts;
  const [before] = visits.ended(0);
  const sizes = await (await parts.sizes()).current();
  const { current_file: file } = job.snapshot;
  return {
    visit,
    is_missing: parts.arrival.isMissing,
    before: before ? shownVisit(before) : null,
    queue: queueHead((await queue()).items(sizes), SHOWN_GROUPS, MOST_SHOWN),
    current: file?.artifact === "mp4" ? file.percent : null,
    priority: requested.queue?.order.priority ?? settings.current.sync.priority,
  };
}

type PlanParts = CardTimeParts &
  Parameters<typeof isFolderUnknown>[0] & {
    readonly planner: Asked<Pick<Planner, "plan">>;
    readonly settings: { readonly current: Settings };
    readonly job: Pick<Job, "snapshot">;
    readonly visits: Pick<Visits, "ended">;
    readonly arrival: Pick<Arrival, "isMissing">;
    readonly queue: Asked<Pick<WaitingQueue, "items">>;
    readonly requested: Pick<RequestedRecordings, "queue">;
    readonly sizes: () => Promise<Pick<SizeMemory, "current">>;
  };

/** Sums up the runs of the last 24 hours. */
export function dayOfRuns(parts: CardTimeParts & { readonly history: Pick<RunHistory, "lately"> }): DayOfRuns {
  const moment = cardTimeOf(parts);
  return { ...dayOf(parts.history.lately(moment.now / 1000 - DAY_SECONDS), moment.now), ...moment };
}
const DAY_SECONDS = 86_400;
