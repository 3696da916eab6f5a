import type { App } from "../app.ts";
import { momentNumber } from "../domain/recordings/moment_number.ts";
import { groupOf } from "../domain/recordings/recording_name.ts";
import type { Amount } from "../domain/retention/deletion.ts";
import type { Run } from "../domain/runs/run.ts";
import type { RunDetail } from "../domain/runs/run_detail.ts";
import { runPath } from "../domain/runs/run_id.ts";
import type { RecentClip } from "../domain/status/card_data.ts";
import { counted } from "../domain/text/format.ts";
import { bringAnyway, leftOutKeys } from "../engine/run/bring_anyway.ts";
import { storageHealth } from "../engine/status/health.ts";
import { clipsOfRun } from "../engine/status/run_clips.ts";
import { isFolderUnknown } from "../engine/viewer/last_known.ts";
import { MOST_CLIPS } from "./run_brought.tsx";
import type { RunAfter } from "./run_times.tsx";

/** In bytes: how much room the rest would take, how large the disk is, and what can be written; null where not known. */
export interface RoomNeeded {
  readonly needed: number | null;
  readonly total: number | null;
  readonly free: number | null;
  /** Share of the disk in use, in percent. */
  readonly used: number;
  readonly trash: Amount;
}

/** Facts that a run's page shows beside the run itself. */
export interface AroundRun {
  /** Clips that it brought and that are here. */
  readonly clips: readonly RecentClip[];
  /** Keys of what the settings left out and can be brought once. */
  readonly once: ReadonlySet<string>;
  readonly later: Run | null;
  /** The recordings folder is not available: what a run brought may be there. */
  readonly isFolderUnknown: boolean;
  /** Space that a run lacked, when the disk ended it. */
  readonly space: RoomNeeded | null;
  readonly after: RunAfter | null;
}

/** Reads it. */
export async function aroundRun(
  app: App,
  { id, causes, brought, work, failure, dry_run: isDry }: RunDetail,
): Promise<AroundRun> {
  const { history, scheduler, settings } = app;
  const { after: later } = history.beside({ ts: Number(id) / 1000 });
  const left = isDry ? [] : causes.filter(({ cause }) => cause === "retention" || cause === "selection");
  const once = await leftOutKeys(
    app,
    left.flatMap(({ names }) => names),
  );
  const clips = brought === null ? [] : await clipsOfRun(app, brought.names, MOST_CLIPS);
  const next = scheduler.next();
  const waits = work === null || work.waiting === 0 ? "" : `Goes on with ${counted(work.waiting, "recording")}`;
  const isComing = next.at !== null && !next.paused && settings.current.connection.address !== "";
  const scheduled = isComing ? { at: next.at ?? 0, words: waits, href: null } : null;
  const followed = later && { at: startOf(later), words: "", href: runPath(later) };
  const space = failure?.action?.kind === "free-space" ? await roomNeeded(app, later === null) : null;
  return { clips, once, later, after: followed ?? scheduled, isFolderUnknown: isFolderUnknown(app), space };
}

/** @param isLatest what waited then is what waits now */
async function roomNeeded(app: App, isLatest: boolean): Promise<RoomNeeded> {
  const health = await storageHealth(app);
  if (!health.available) return { needed: null, total: null, free: null, used: 0, trash: { recordings: 0, bytes: 0 } };
  const { total_bytes: total, free_bytes: free, trash_bytes: bytes, trash_recordings: recordings } = health;
  const used = health.used_percent;
  return { needed: isLatest ? health.waiting_bytes : null, total, free, used, trash: { recordings, bytes } };
}

/** When a run began, in epoch milliseconds. */
export function startOf({ ts, durationSeconds }: Run): number {
  return Math.round((ts - durationSeconds) * 1000);
}

/** Starts a sync for what waits. @returns what the page says of it @throws AppError SYNC_ALREADY_RUNNING */
export async function startNow({ job, settings }: App, recordings: number): Promise<string> {
  if (settings.current.connection.address === "") return "coming=no-address";
  job.start("manual");
  return `coming=${recordings}`;
}

/** Brings what the settings left out of a run. @returns what the page says of it @throws AppError SYNC_ALREADY_RUNNING */
export async function bringOnce(app: App, { causes }: RunDetail, cause: string): Promise<string> {
  const names = causes.find((one) => one.cause === cause)?.names ?? [];
  const keys = await leftOutKeys(app, names);
  if (keys.size === 0) return "retried=0";
  try {
    await bringAnyway(app, [...keys]);
    await app.requested.prioritize([...keys].map(momentNumber));
  } catch (error) {
    app.log.warning("sync", `Recordings that the settings leave out could not be asked for: ${String(error)}`);
    return "coming=unsaved";
  }
  return await startNow(app, names.filter((name) => keys.has(groupOf(name))).length);
}
