import type { Clock } from "../clock.ts";
import type { LastRun, Moment, NextScheduled, RecentActivity } from "../domain/activity.ts";
import { type DayOfRuns, dayOf } from "../domain/day_of_runs.ts";
import { MOMENT_LENGTH } from "../domain/recording.ts";
import { isOffline } from "../domain/run.ts";
import { scheduleInWords } from "../domain/schedule.ts";
import type { Library } from "../store/library.ts";
import type { RunHistory } from "../store/run_history.ts";
import type { Segments } from "../store/segments.ts";
import type { Job } from "./job.ts";
import type { Scheduler } from "./scheduler.ts";
import { addressOf } from "./viewer_entries.ts";

/** What tells when and where it is. */
export interface MomentParts {
  readonly clock: Clock;
  readonly timeZone: string;
}

/** Now, in the server's zone. */
export function momentOf({ clock, timeZone }: MomentParts): Moment {
  return { now: clock.now(), time_zone: timeZone };
}

/** The job while it runs and for the seconds its end stays visible, else the latest run of the history. */
export function lastRun(
  parts: MomentParts & {
    readonly job: Pick<Job, "snapshot">;
    readonly history: Pick<RunHistory, "latest" | "latestReached">;
  },
): LastRun {
  const { snapshot } = parts.job;
  if (snapshot.state !== "idle") return { kind: "live", snapshot };
  const run = parts.history.latest();
  if (run === null) return { kind: "none" };
  // History keeps the end of a run and how long it took; people remember when it began.
  const started_at = (run.ts - run.durationSeconds) * 1000;
  const before = isOffline(run) ? parts.history.latestReached(run.address) : null;
  return { kind: "stored", run, started_at, before, ...momentOf(parts) };
}

/** When the next scheduled run comes, by the evaluator that fires it. */
export function nextScheduled(parts: MomentParts & { readonly scheduler: Pick<Scheduler, "next"> }): NextScheduled {
  const next = parts.scheduler.next();
  return { ...next, words: scheduleInWords(next.cron_expression), ...momentOf(parts) };
}

/** How the runs of the last 24 hours went. */
export function dayOfRuns(parts: MomentParts & { readonly history: Pick<RunHistory, "samples"> }): DayOfRuns {
  const moment = momentOf(parts);
  return { ...dayOf(parts.history.samples(moment.now / 1000 - DAY_SECONDS), moment.now), ...moment };
}
const DAY_SECONDS = 86_400;

/** The recordings that came home last, with picture and length as far as they are known. */
export async function recentRecordings(
  parts: MomentParts & { readonly segments: Segments; readonly library: Pick<Library, "hasIn"> },
  limit: number,
): Promise<RecentActivity> {
  const { segments, library } = parts;
  const { recordings, total } = await segments.recent(limit);
  const found = await Promise.all(recordings.map(({ filename }) => segments.find(filename.slice(0, MOMENT_LENGTH))));
  const known = found.filter((segment) => segment !== null);
  const facts = await segments.facts(known);
  const shown = recordings.map((recording, index) => {
    const segment = found[index];
    const duration = segment ? (facts[known.indexOf(segment)]?.durationSeconds ?? null) : null;
    const folder = recording.path.slice(0, -recording.filename.length - 1);
    const picture = recording.filename.replace(/[LS]?\.mp4$/, ".thm");
    const thumb = library.hasIn(picture, folder) ? addressOf(folder) + picture : null;
    return { ...recording, thumb, duration_seconds: duration };
  });
  return { recordings: shown, total, ...momentOf(parts) };
}
