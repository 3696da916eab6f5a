/** @jsxImportSource preact */

import type { ComponentType, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { CameraHintsCard } from "../../islands/cards/camera_hints.tsx";
import { DashcamCard } from "../../islands/cards/dashcam.tsx";
import { DayOfRunsCard } from "../../islands/cards/day_of_runs.tsx";
import { FolderCard } from "../../islands/cards/folder.tsx";
import { LastRunCard } from "../../islands/cards/last_run.tsx";
import { NextScheduledCard } from "../../islands/cards/next_scheduled.tsx";
import { PlanCard } from "../../islands/cards/plan.tsx";
import { PlanOfCameras } from "../../islands/cards/plan_of_cameras.tsx";
import { ReceiptsCard } from "../../islands/cards/receipts.tsx";
import { RecentActivityCard } from "../../islands/cards/recent_activity.tsx";
import { RunsOfCameras } from "../../islands/cards/runs_of_cameras.tsx";
import { SharedStorageCard } from "../../islands/cards/shared_storage.tsx";
import { StatusCard } from "../../islands/cards/status.tsx";
import { StorageCard } from "../../islands/cards/storage.tsx";
import type { Polled } from "../../islands/parts/cell.tsx";
import type { App } from "../app.ts";
import { versionText } from "../domain/camera/camera_version.ts";
import { ALL_CAMERAS, inTime } from "../domain/settings/camera_key.ts";
import { cameraNotFound } from "../domain/settings/camera_not_found.ts";
import { keyedBy } from "../domain/settings/keys_in_answers.ts";
import type { RecentActivity } from "../domain/status/card_data.ts";
import { isAcceptable } from "../domain/status/destination_state.ts";
import type { ShownCamera } from "../domain/status/health.ts";
import type { Overview } from "../domain/status/overview.ts";
import { OVERVIEW } from "../domain/status/status_schema.ts";
import type { Snapshot } from "../domain/sync/job_progress.ts";
import { SNAPSHOT } from "../domain/sync/job_schema.ts";
import type { ZoneTime } from "../domain/text/zone_time.ts";
import { dashcamInfo } from "../engine/camera/dashcam_info.ts";
import { shownPlan } from "../engine/plan/shown_plan.ts";
import { dayOfRuns, lastRun, nextScheduled, planFacts } from "../engine/status/card_reads.ts";
import { foundFolder } from "../engine/status/found_folder.ts";
import { storageForecast } from "../engine/status/health.ts";
import { overview, overviewFacts } from "../engine/status/overview.ts";
import { sharedStorage } from "../engine/status/shared_storage.ts";
import { roomOfNewFolder } from "../engine/transfer/disk_space.ts";
import { cardTimeOf } from "../engine/viewer/card_time.ts";
import { isFolderUnknown } from "../engine/viewer/last_known.ts";
import { recentClips } from "../engine/viewer/recent_clips.ts";
import { inFormatOf } from "../http/request/app_in_format.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { DashcamInfoCard } from "./dashcam_info.tsx";
import { BarState, part, partOf } from "./document.tsx";

/** Clips the card shows. */
const RECENT = 5;
/** Cards of all cameras together. */
const RECENT_OF_ALL = 5;

const keyedOverview = keyedBy(OVERVIEW);
const keyedSnapshot = keyedBy(SNAPSHOT);

/** A card that can be read anew by itself. */
export interface Fragment {
  readonly path: string;
  /** Seconds until it is asked for again. */
  readonly every: number;
  /** The card as it is now, for the fragment and for the page it is part of. */
  readonly show: (app: App) => Promise<VNode>;
}

interface Row<Props> {
  readonly path: string;
  readonly every: number;
  readonly read: (app: App) => Props | Promise<Props>;
  readonly card: ComponentType<Props & Polled>;
}

/** Ties a card to what it shows, so that all fragments have one type. */
function fragment<Props extends object>({ path, every, read, card: Card }: Row<Props>): Fragment {
  const show = async (app: App) => <Card {...(await read(app))} poll={{ path, every }} />;
  return { path, every, show };
}

/** The dashboard's cards: the path of each, how often it is read, and from what. */
export const FRAGMENTS = {
  status: fragment({
    path: "/hx/sync/status-card",
    every: 5,
    read: async (app) => ({ snapshot: snapshotOf(app), overview: await overviewOf(app), zone: app.zone }),
    card: StatusCard,
  }),
  folder: fragment({
    path: "/hx/folder-card",
    every: 5,
    read: async (app) => ({ folder: await foundFolder(app), ...cardTimeOf(app) }),
    card: FolderCard,
  }),
  lastRun: fragment({ path: "/hx/sync/last-run-card", every: 5, read: lastRun, card: LastRunCard }),
  storage: fragment({ path: "/hx/storage-card", every: 5, read: storageNow, card: StorageCard }),
  camera: fragment({ path: "/hx/dashcam-card", every: 5, read: cameraNow, card: DashcamCard }),
  nextRun: fragment({
    path: "/hx/next-scheduled-card",
    every: 5,
    read: (app) => ({ ...nextScheduled(app), has_camera: app.settings.current.connection.address !== "" }),
    card: NextScheduledCard,
  }),
  recent: fragment({
    path: "/hx/recent-activity-card",
    every: 5,
    read: (app) => recentClips(app, RECENT),
    card: RecentActivityCard,
  }),
  receipts: fragment({
    path: "/hx/receipts-card",
    every: 5,
    read: async (app) => ({ receipts: (await app.deletions.state()).unseen, ...cardTimeOf(app) }),
    card: ReceiptsCard,
  }),
  hints: fragment({
    path: "/hx/hints-card",
    every: 5,
    read: async (app) => ({
      hints: await (await app.hints()).shown(app.zone),
      slow_wifi: shownPlan(await (await app.planner()).plan(), cardTimeOf(app)).slow_wifi,
    }),
    card: CameraHintsCard,
  }),
  cameraInfo: fragment({
    path: "/hx/dashcam-info-card",
    every: 60,
    read: async (app) => ({ info: await dashcamInfo({ dashcam: app.dashcam, job: app.job }) }),
    card: DashcamInfoCard,
  }),
  plan: fragment({ path: "/hx/plan-card", every: 5, read: planFacts, card: PlanCard }),
  dayOfRuns: fragment({ path: "/hx/day-of-runs-card", every: 60, read: dayOfRuns, card: DayOfRunsCard }),
} as const satisfies Readonly<Record<string, Fragment>>;

/**
 * The camera as it answers at this moment; a page that is being made shows what was known before. While a run waits for
 * its answer, nothing else is known either.
 */
async function cameraNow(app: App): Promise<ShownCamera> {
  const health = app.probe.isAsked(app.dashcam.address) ? null : await app.probe.health(app.dashcam);
  return { health, ...(await factsOf(app)) };
}

/** The overview with the keys of its camera. */
export async function overviewOf(app: App): Promise<Overview> {
  return keyedOverview(app.camera.id, await overview(app));
}

/** The state of the job with the keys of its camera. */
export function snapshotOf({ camera, job }: Pick<App, "camera" | "job">): Snapshot {
  return keyedSnapshot(camera.id, job.snapshot);
}

/** The disk; where no folder was used yet, the one on which the first sync makes it. */
async function storageNow(app: App) {
  const isFirst = !isAcceptable(app.destination.standing);
  return { ...(await storageForecast(app)), first: isFirst ? await roomOfNewFolder(app.recordings.root) : null };
}

/** The camera card without waiting for the camera: it is asked when the page is there. */
export async function cameraCard(app: App): Promise<VNode> {
  const { path, every } = FRAGMENTS.camera;
  const poll = { path, every };
  const health = app.probe.isAsked(app.dashcam.address) ? null : app.probe.known(app.dashcam);
  return <DashcamCard health={health} {...(await factsOf(app))} poll={poll} />;
}

async function factsOf(app: App): Promise<Omit<ShownCamera, "health">> {
  const settings = await app.cameraSettings.known();
  const { snapshot } = app.job;
  return {
    version: settings && versionText(settings),
    hints: (await (await app.hints()).shown(app.zone)).length,
    asked_at: app.probe.askedAt(app.dashcam.address),
    last_run: app.history.latest(),
    phase: app.probe.isTransferring(app.dashcam.address) ? snapshot.phase : null,
    last_seen_at: overviewFacts(app).last_seen_at,
    ...cardTimeOf(app),
  };
}

/** The receipts card from what the page knows already. */
export function receiptsCard({ retention, now }: Overview, zone: ZoneTime): VNode {
  const { path, every } = FRAGMENTS.receipts;
  return <ReceiptsCard receipts={retention.unseen} now={now} zone={zone} poll={{ path, every }} />;
}

/** The newest clips of all cameras together, with whose they are. */
export async function recentOfAll(context: RequestContext, app: App): Promise<VNode> {
  const apps = app.cameras.all.map((one) => inFormatOf(context, one));
  const found = await Promise.all(apps.map((one) => recentClips(one, RECENT_OF_ALL)));
  const clips = found.flatMap((one, place) => {
    const { name, letter } = apps[place]?.camera ?? app.camera;
    return one.clips.map((clip) => ({ ...clip, whose: { name, letter, place } }));
  });
  const recent: RecentActivity = {
    clips: clips.toSorted((one, other) => inTime(other.key, one.key)).slice(0, RECENT_OF_ALL),
    total: found.reduce((sum, { total }) => sum + total, 0),
    as_of: null,
    is_unknown: found.every(({ is_unknown: isUnknown }) => isUnknown),
    ...cardTimeOf(app),
  };
  const { path, every } = FRAGMENTS.recent;
  return <RecentActivityCard {...recent} poll={{ path: `${path}?camera=${ALL_CAMERAS}`, every }} />;
}

/** The runs of the last day of all cameras, a line for each. */
export function runsOfAll(context: RequestContext, app: App): VNode {
  const rows = app.cameras.all.map((one, place) => {
    const shown = inFormatOf(context, one);
    return { camera: { ...shown.camera, place }, day: dayOfRuns(shown) };
  });
  const { path, every } = FRAGMENTS.dayOfRuns;
  return <RunsOfCameras rows={rows} poll={{ path: `${path}?camera=${ALL_CAMERAS}`, every }} />;
}

/** The plans of all cameras, a line for each. */
export async function planOfAll(context: RequestContext, app: App): Promise<VNode> {
  const apps = app.cameras.all.map((one) => inFormatOf(context, one));
  const rows = await Promise.all(
    apps.map(async (one, place) => {
      const plan = shownPlan(await (await one.planner()).plan(), cardTimeOf(one));
      return { camera: { ...one.camera, place }, plan, is_unknown: isFolderUnknown(one) };
    }),
  );
  const { path, every } = FRAGMENTS.plan;
  const poll = { path: `${path}?camera=${ALL_CAMERAS}`, every };
  return <PlanOfCameras rows={rows} {...cardTimeOf(apps[0] ?? app)} poll={poll} />;
}

/** The disks of all cameras, with what each camera has there. */
export async function storageOfAll(context: RequestContext, app: App): Promise<VNode> {
  const [main, ...others] = app.cameras.all.map((one) => inFormatOf(context, one));
  const { path, every } = FRAGMENTS.storage;
  const storage = await sharedStorage([main ?? app, ...others]);
  return <SharedStorageCard {...storage} poll={{ path: `${path}?camera=${ALL_CAMERAS}`, every }} />;
}

/** Cards that the dashboard of several cameras has of all of them, by their paths. */
const CARDS_OF_ALL: Readonly<Record<string, (context: RequestContext, app: App) => VNode | Promise<VNode>>> = {
  [FRAGMENTS.recent.path]: recentOfAll,
  [FRAGMENTS.dayOfRuns.path]: runsOfAll,
  [FRAGMENTS.plan.path]: planOfAll,
  [FRAGMENTS.storage.path]: storageOfAll,
};

/** `GET` of a card's path: the card as it is now. */
export async function card(context: RequestContext, app: App): Promise<Response> {
  const { url, camera } = context;
  if (camera === ALL_CAMERAS) {
    const ofAll = CARDS_OF_ALL[url.pathname];
    if (ofAll === undefined) throw cameraNotFound(ALL_CAMERAS);
    return html(partOf(context, await ofAll(context, app)));
  }
  const found = Object.values(FRAGMENTS).find(({ path }) => path === url.pathname);
  if (!found) throw new Error(`No card has the path ${url.pathname}`);
  return html(part(app, await found.show(app), context));
}

/** `GET /hx/state`: the sentence of the bar, after reading again what it is made of. */
export async function barState(_context: RequestContext, app: App): Promise<Response> {
  for (const one of app.cameras.all.length > 1 ? app.cameras.all : [app]) {
    await one.library.refreshIfOlder();
    await one.destination.check();
    await one.deletions.state();
    await (await one.planner()).refresh();
  }
  return html(renderToString(<BarState app={app} />));
}
