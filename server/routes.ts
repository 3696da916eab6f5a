import { appAsked, asksForAll } from "./api/cameras_asked.ts";
import { type DescribedRoute, type Endpoint, LONGEST_PICTURE } from "./api/endpoint.ts";
import * as probes from "./api/probes.ts";
import type { App, StartingApp } from "./app.ts";
import { LONGEST_BACKUP } from "./domain/backup/longest_backup.ts";
import { ALL_CAMERAS } from "./domain/settings/camera_key.ts";
import { cameraNotFound } from "./domain/settings/camera_not_found.ts";
import { inFormatOf } from "./http/request/app_in_format.ts";
import type { RequestContext } from "./http/request/request_context.ts";
import type { ErrorPage } from "./http/request/respond.ts";
import type { Access, Answer, Method, Route } from "./http/request/route.ts";
import { whenAsked } from "./when_asked.ts";

// Loaded when a row of theirs is asked for the first time: what the service starts and idles with is none of them, except
// for the probes, which are asked first.
const api = {
  auth: () => import("./api/auth.ts"),
  backup: () => import("./api/backup.ts"),
  camera: () => import("./api/camera.ts"),
  card: () => import("./api/card.ts"),
  camera_check: () => import("./api/camera_check.ts"),
  cameras: () => import("./api/cameras.ts"),
  camera_hints: () => import("./api/camera_hints.ts"),
  notify: () => import("./api/notify.ts"),
  dashcam: () => import("./api/dashcam.ts"),
  destination: () => import("./api/destination.ts"),
  exports: () => import("./api/exports.ts"),
  film: () => import("./api/film.ts"),
  folders: () => import("./api/folders.ts"),
  keys: () => import("./api/keys.ts"),
  logs: () => import("./api/logs.ts"),
  mqtt: () => import("./api/mqtt.ts"),
  media: () => import("./api/media.ts"),
  offsite: () => import("./api/offsite.ts"),
  pack: () => import("./api/pack.ts"),
  recordings: () => import("./api/recordings.ts"),
  retention: () => import("./api/retention.ts"),
  coverage: () => import("./api/coverage.ts"),
  runs: () => import("./api/runs.ts"),
  schedule: () => import("./api/schedule.ts"),
  search: () => import("./api/search.ts"),
  service: () => import("./api/service.ts"),
  shares: () => import("./api/shares.ts"),
  shared_parts: () => import("./api/shared_parts.ts"),
  settings: () => import("./api/settings.ts"),
  status: () => import("./api/status.ts"),
  stills: () => import("./api/stills.ts"),
  support: () => import("./api/support.ts"),
  sync: () => import("./api/sync.ts"),
  plan: () => import("./api/plan.ts"),
  places: () => import("./api/places.ts"),
  import: () => import("./api/import.ts"),
  tiles: () => import("./api/tiles.ts"),
  mapFile: () => import("./api/map_file.ts"),
  trash: () => import("./api/trash.ts"),
  telemetry: () => import("./api/telemetry.ts"),
  verify: () => import("./api/verify.ts"),
  viewer: () => import("./api/viewer.ts"),
  viewer_lists: () => import("./api/viewer_lists.ts"),
  requested: () => import("./api/requested_recordings.ts"),
};
const pages = {
  backup: () => import("./pages/backup.tsx"),
  coverage_csv: () => import("./pages/coverage_csv.ts"),
  camera_panes: () => import("./pages/camera_panes.tsx"),
  camera_settings: () => import("./pages/camera_settings.tsx"),
  card: () => import("./pages/card.tsx"),
  coverage: () => import("./pages/coverage.tsx"),
  dashboard: () => import("./pages/dashboard.tsx"),
  first_run: () => import("./pages/first_run.tsx"),
  fragments: () => import("./pages/fragments.tsx"),
  help: () => import("./pages/help.tsx"),
  links: () => import("./pages/links.tsx"),
  login: () => import("./pages/login.tsx"),
  logs: () => import("./pages/logs.tsx"),
  places: () => import("./pages/places.tsx"),
  manifest: () => import("./pages/manifest.ts"),
  map: () => import("./pages/map.tsx"),
  run: () => import("./pages/run.tsx"),
  runs_csv: () => import("./pages/runs_csv.ts"),
  runs_table: () => import("./pages/runs_table.tsx"),
  settings: () => import("./pages/settings.tsx"),
  shared: () => import("./pages/shared.tsx"),
  stats: () => import("./pages/stats.tsx"),
  trash: () => import("./pages/trash.tsx"),
  viewer: () => import("./pages/viewer.tsx"),
};

/** Draws what no row answers. */
export const errorPage: ErrorPage = async (...refused) =>
  (await import("./pages/error_page.tsx")).errorPage(...refused);
const assets = () => import("./http/assets/assets.ts");
/** The guide has tables of the routes and commands. */
const helping = whenAsked(async () => {
  const { guidePages } = await import("./pages/guide.tsx");
  return guidePages(whenAsked(async () => (await import("./guide.ts")).openGuide(ROUTES)));
});

/** The table of contents: every endpoint, who may call it, and who answers, in the order of the API description. */
export const ROUTES: readonly AppRoute[] = [
  openRow(
    "/healthz",
    async () => probes,
    (it) => it.healthz,
  ),
  openRow(
    "/readyz",
    async () => probes,
    (it) => it.readyz,
  ),
  openRow("/metrics", api.service, (it) => it.metrics),

  row("GET", "/first-run", "sign-in-page", pages.first_run, (it) => it.showFirstRun),
  {
    ...row("POST", "/first-run", "sign-in-page", pages.first_run, (it) => it.submitFirstRun),
    refuse: async (...call) => (await pages.first_run()).refuseFirstRun(...call),
  },
  row("GET", "/login", "sign-in-page", pages.login, (it) => it.showLogin),
  {
    ...row("POST", "/login", "sign-in-page", pages.login, (it) => it.submitLogin),
    refuse: async (...call) => (await pages.login()).refuseLogin(...call),
  },
  row("POST", "/logout", "look", pages.login, (it) => it.signOut),
  row("GET", "/api/auth/me", "read", api.auth, (it) => it.me),
  row("POST", "/api/auth/password", "signed-in", api.auth, (it) => it.changePassword),
  row("POST", "/api/auth/viewer", "signed-in", api.auth, (it) => it.setViewer),
  row("GET", "/api/auth/sessions", "signed-in", api.auth, (it) => it.listSessions),
  row("DELETE", "/api/auth/sessions", "signed-in", api.auth, (it) => it.endSessions),
  row("DELETE", "/api/auth/sessions/:id", "signed-in", api.auth, (it) => it.endSession),

  row("GET", "/", "look", pages.dashboard, (it) => it.dashboard),
  row("GET", "/settings", "signed-in", pages.settings, (it) => it.settings),
  row("GET", "/settings/backup", "signed-in", pages.backup, (it) => it.backupPage),
  row("GET", "/settings/camera", "signed-in", pages.camera_settings, (it) => ofOneCamera(it.cameraSettings)),
  row("GET", "/settings/places", "signed-in", pages.places, (it) => it.placesPage),
  row("POST", "/settings/places", "signed-in", pages.places, (it) => it.changePlaces),
  row("GET", "/help", "look", helping, (it) => it.guide),
  // Pages for people who cannot sign in yet.
  row("GET", "/help/first-steps", "sign-in-page", helping, (it) => it.firstSteps),
  row("GET", "/help/sign-in", "sign-in-page", helping, (it) => it.signIn),
  row("GET", "/help/changes", "look", pages.help, (it) => it.changes),
  row("GET", "/help/licences", "look", pages.help, (it) => it.licences),
  row("GET", "/help/:chapter", "look", helping, (it) => it.chapter),
  row("GET", "/logs", "signed-in", pages.logs, (it) => it.logs),
  row("GET", "/stats", "look", pages.stats, (it) => it.stats),
  row("GET", "/stats/card", "look", pages.card, (it) => it.cardPage),
  row("GET", "/stats/coverage", "look", pages.coverage, (it) => it.coveragePage),
  row("GET", "/stats/runs.csv", "look", pages.runs_csv, (it) => ofOneCamera(it.runsCsv)),
  row("GET", "/stats/coverage.csv", "look", pages.coverage_csv, (it) => it.coverageFile),
  row("GET", "/stats/runs/:id", "look", pages.run, (it) => ofOneCamera(it.runPage)),
  row("POST", "/stats/runs/:id", "signed-in", pages.run, (it) => ofOneCamera(it.retryFromPage)),
  row("GET", "/trash", "look", pages.trash, (it) => ofOneCamera(it.trash)),
  row("GET", "/viewer", "look", pages.viewer, (it) => it.viewer),
  row("GET", "/map", "look", pages.map, (it) => it.map),
  row("GET", "/links", "look", pages.links, (it) => it.links),
  row("GET", "/links/:id", "look", pages.shared, (it) => it.ownShared),
  row("GET", "/links/:id/:part", "look", api.shared_parts, (it) => it.ownPart),
  row("GET", "/s/:token", "link", pages.shared, (it) => it.shared),
  {
    ...row("POST", "/s/:token", "link", pages.shared, (it) => it.unlockShared),
    refuse: async (error, context) => (await pages.shared()).refuseShared(error, context),
  },
  row("GET", "/s/:token/:part", "link", api.shared_parts, (it) => it.sharedPart),
  openRow("/manifest.webmanifest", pages.manifest, (it) => it.manifest),
  openRow("/assets/:name", assets, (it) => it.asset),

  row("GET", "/api/openapi.json", "read", api.service, (it) => it.description(() => ROUTES)),
  row("GET", "/api/status", "read", api.status, (it) => it.currentStatus),
  row("GET", "/api/overview", "read", api.status, (it) => it.currentOverview),
  row("GET", "/api/visits", "read", api.plan, (it) => it.visits),
  row("GET", "/api/plan", "read", api.plan, (it) => it.plan),
  row("GET", "/api/sync/progress", "read", api.sync, (it) => it.progress),
  row("GET", "/api/sync/progress/stream", "read", api.sync, (it) => it.progressStream),
  row("GET", "/api/sync/queue", "read", api.sync, (it) => it.queue),
  row("POST", "/api/sync/now", "sync", api.sync, (it) => it.syncNow),
  row("POST", "/api/sync/stop", "sync", api.sync, (it) => it.syncStop),
  row("POST", "/api/sync/prioritize", "sync", api.requested, (it) => it.prioritize),
  row("POST", "/api/sync/unwanted", "signed-in", api.requested, (it) => it.leaveOut),
  row("DELETE", "/api/sync/unwanted", "signed-in", api.requested, (it) => it.takeBack),
  row("POST", "/api/sync/retry", "signed-in", api.runs, (it) => it.retryFailed),
  row("GET", "/api/library/verify", "read", api.verify, (it) => it.verifyState),
  row("POST", "/api/library/verify", "signed-in", api.verify, (it) => it.verifyNow),
  row("POST", "/api/library/verify/stop", "signed-in", api.verify, (it) => it.verifyStop),
  row("POST", "/api/library/verify/accept", "signed-in", api.verify, (it) => it.acceptMissing),
  row("GET", "/api/import", "read", api.import, (it) => it.importProgress),
  row("POST", "/api/import", "signed-in", api.import, (it) => it.importNow),
  row("POST", "/api/import/stop", "signed-in", api.import, (it) => it.importStop),
  row("GET", "/api/sync/last", "read", api.sync, (it) => it.last),
  row("GET", "/api/coverage", "read", api.coverage, (it) => it.coverage),
  row("GET", "/api/coverage/:date", "read", api.coverage, (it) => it.coverageDay),
  row("GET", "/api/runs/:id", "read", api.runs, (it) => it.oneRun),

  row("POST", "/api/schedule/pause", "sync", api.schedule, (it) => it.pause),
  row("POST", "/api/schedule/resume", "sync", api.schedule, (it) => it.resume),
  row("GET", "/api/schedule/preview", "read", api.schedule, (it) => it.preview),
  row("GET", "/api/retention", "read", api.retention, (it) => it.state),
  row("GET", "/api/retention/preview", "read", api.retention, (it) => it.preview),
  row("POST", "/api/retention/confirm", "signed-in", api.retention, (it) => it.confirm),
  row("POST", "/api/retention/marks/restore", "signed-in", api.retention, (it) => it.restoreMarks),
  row("DELETE", "/api/retention/marks", "signed-in", api.retention, (it) => it.removeMarks),
  row("PUT", "/api/retention/marks", "signed-in", api.retention, (it) => it.setMarks),
  row("POST", "/api/retention/seen", "signed-in", api.retention, (it) => it.seen),
  row("GET", "/api/trash", "read", api.trash, (it) => it.entries),
  row("GET", "/api/trash/:key/thumbnail", "recordings", api.trash, (it) => it.thumbnail),
  row("POST", "/api/trash/restore", "signed-in", api.trash, (it) => it.putBack),
  row("DELETE", "/api/trash", "signed-in", api.trash, (it) => it.remove),

  row("GET", "/api/keys", "signed-in", api.keys, (it) => it.listKeys),
  row("POST", "/api/keys", "signed-in", api.keys, (it) => it.makeKey),
  row("DELETE", "/api/keys/:id", "signed-in", api.keys, (it) => it.revokeKey),

  row("GET", "/api/backup", "signed-in", api.backup, (it) => it.backup),
  { ...row("POST", "/api/restore", "signed-in", api.backup, (it) => it.restore), longestBody: LONGEST_BACKUP },
  row("GET", "/api/support", "signed-in", api.support, (it) => it.support),

  row("GET", "/api/shares", "read", api.shares, (it) => it.listShares),
  row("POST", "/api/shares", "signed-in", api.shares, (it) => it.makeShare),
  row("DELETE", "/api/shares/:id", "signed-in", api.shares, (it) => it.revokeShare),

  row("GET", "/api/settings", "signed-in", api.settings, (it) => it.allSettings),
  row("GET", "/api/folders", "signed-in", api.folders, (it) => it.folders),
  row("PATCH", "/api/settings/:section", "signed-in", api.settings, (it) => it.patchSettings),

  row("GET", "/api/cameras", "read", api.cameras, (it) => it.list),
  row("POST", "/api/cameras", "signed-in", api.cameras, (it) => it.add),
  row("PATCH", "/api/cameras/:id", "signed-in", api.cameras, (it) => it.change),
  row("PATCH", "/api/cameras/:id/settings/:section", "signed-in", api.cameras, (it) => it.changeSettings),
  row("POST", "/api/cameras/:id/accept", "signed-in", api.cameras, (it) => it.accept),
  row("DELETE", "/api/cameras/:id", "signed-in", api.cameras, (it) => it.remove),

  row("GET", "/api/card", "read", api.card, (it) => it.currentCard),
  row("POST", "/api/card/answer", "signed-in", api.card, (it) => it.answerQuestion),
  row("POST", "/api/card/given-up", "signed-in", api.card, (it) => it.giveUp),
  row("DELETE", "/api/card/given-up", "signed-in", api.card, (it) => it.waitAgain),

  row("GET", "/api/health/storage", "read", api.destination, (it) => it.storage),
  row("GET", "/api/health/dashcam", "read", api.dashcam, (it) => it.dashcamHealth),
  row("GET", "/api/dashcam/info", "read", api.dashcam, (it) => it.dashcamInfo),
  row("POST", "/api/dashcam/check", "signed-in", api.dashcam, (it) => it.checkAddress),
  row("POST", "/api/camera/check", "signed-in", api.camera_check, (it) => it.checkCameraInSteps),
  row("GET", "/api/camera/config", "read", api.camera, (it) => it.cameraConfig),
  row("GET", "/api/camera/secret", "signed-in", api.camera, (it) => it.cameraSecret),
  row("GET", "/api/camera/changes", "read", api.camera, (it) => it.cameraChanges),
  row("POST", "/api/camera/changes/dismiss", "signed-in", api.camera, (it) => it.dismissChanges),
  row("GET", "/api/camera/hints", "read", api.camera_hints, (it) => it.currentHints),
  row("POST", "/api/camera/hints/dismiss", "signed-in", api.camera_hints, (it) => it.dismissHint),
  row("GET", "/api/notify", "signed-in", api.notify, (it) => it.notifyState),
  row("POST", "/api/notify/test", "signed-in", api.notify, (it) => it.testNotify),
  row("GET", "/api/mqtt", "read", api.mqtt, (it) => it.mqttState),
  row("GET", "/api/offsite", "read", api.offsite, (it) => it.offsiteState),
  row("GET", "/api/offsite/choices", "read", api.offsite, (it) => it.offsiteChoices),
  row("POST", "/api/offsite/test", "signed-in", api.offsite, (it) => it.testOffsite),
  row("POST", "/api/offsite/check", "signed-in", api.offsite, (it) => it.checkOffsite),
  row("POST", "/api/offsite/compare", "signed-in", api.offsite, (it) => it.compareOffsite),
  row("GET", "/api/destination", "read", api.destination, (it) => it.found),
  row("POST", "/api/destination/accept", "signed-in", api.destination, (it) => it.accept),
  row("GET", "/api/recordings/recent", "read", api.recordings, (it) => it.recent),
  row("PUT", "/api/recordings/:key/keep", "signed-in", api.recordings, (it) => it.keepOne),
  row("DELETE", "/api/recordings/:key/keep", "signed-in", api.recordings, (it) => it.letGo),
  row("DELETE", "/api/recordings/:key", "signed-in", api.recordings, (it) => it.deleteOne),
  {
    ...row("POST", "/api/recordings/:key/stills", "signed-in", api.stills, (it) => it.addStill),
    longestBody: LONGEST_PICTURE,
  },
  row("GET", "/api/recordings/:key/stills/:still", "recordings", api.stills, (it) => it.showStill),
  row("DELETE", "/api/recordings/:key/stills/:still", "signed-in", api.stills, (it) => it.removeStill),
  row("DELETE", "/api/recordings", "signed-in", api.recordings, (it) => it.deleteSeveral),

  row("GET", "/api/logs/recent", "signed-in", api.logs, (it) => it.recentLogs),
  row("GET", "/api/logs/stream", "signed-in", api.logs, (it) => it.logStream),
  row("GET", "/api/logs/file", "signed-in", api.logs, (it) => it.downloadLog),

  row("GET", "/api/stats/series", "read", api.runs, (it) => it.series),

  row("GET", "/api/viewer/days", "read", api.viewer, (it) => it.days),
  row("GET", "/api/viewer/recordings", "read", api.viewer, (it) => it.recordings),
  row("GET", "/api/viewer/recordings/:key/journey", "read", api.viewer, (it) => it.journey),
  row("GET", "/api/viewer/recordings/:key/journey/telemetry", "recordings", api.telemetry, (it) => it.journeyTelemetry),
  row("GET", "/api/viewer/trips", "read", api.viewer_lists, (it) => it.trips),
  row("GET", "/api/viewer/trips/:key", "read", api.viewer, (it) => it.trip),
  row("POST", "/api/viewer/trips/:key/keep", "signed-in", api.recordings, (it) => it.keepTrip),
  row("GET", "/api/viewer/trips/:key/telemetry", "recordings", api.telemetry, (it) => it.tripTelemetry),
  row("GET", "/api/viewer/calendar", "read", api.viewer_lists, (it) => it.calendar),
  row("GET", "/api/viewer/moments", "recordings", api.places, (it) => it.moments),
  row("GET", "/api/map/drives", "recordings", api.places, (it) => it.drives),
  row("GET", "/api/map/names", "recordings", api.places, (it) => it.names),
  row("GET", "/api/map/passes", "recordings", api.places, (it) => it.passes),
  row("GET", "/api/search", "read", api.search, (it) => it.search),
  row("GET", "/api/viewer/recordings/:key/gps", "recordings", api.viewer, (it) => it.gps),
  row("GET", "/api/viewer/recordings/:key/gsensor", "recordings", api.viewer, (it) => it.gsensor),
  row("GET", "/api/viewer/export/zip", "recordings", api.exports, (it) => it.zip),
  row("GET", "/api/viewer/export/pack", "recordings", api.pack, (it) => it.pack),
  row("GET", "/api/viewer/export/:camera/report.html", "recordings", api.pack, (it) => it.packReport),
  row("GET", "/api/viewer/export/:camera/pictures/:picture", "recordings", api.pack, (it) => it.packPicture),
  row("GET", "/api/viewer/export/track.gpx", "recordings", api.exports, (it) => it.trackGpx),
  row("GET", "/api/viewer/export/telemetry.csv", "recordings", api.exports, (it) => it.telemetryCsv),
  row("GET", "/api/viewer/pack", "read", api.pack, (it) => it.packFacts),
  row("GET", "/api/viewer/film", "read", api.film, (it) => it.filmFacts),
  row("GET", "/film/:name", "recordings", api.film, (it) => it.film),
  row("GET", "/media/*", "recordings", api.media, (it) => it.media),
  row("GET", "/tiles/:z/:x/:y", "recordings", api.tiles, (it) => it.tile),
  row("GET", "/map/file.pmtiles", "recordings", api.mapFile, (it) => it.mapFile),

  row("GET", "/hx/plan-card", "look", pages.fragments, (it) => it.card),
  row("GET", "/hx/sync/status-card", "look", pages.fragments, (it) => it.card),
  row("GET", "/hx/sync/last-run-card", "look", pages.fragments, (it) => it.card),
  row("GET", "/hx/folder-card", "look", pages.fragments, (it) => it.card),
  row("GET", "/hx/storage-card", "look", pages.fragments, (it) => it.card),
  row("GET", "/hx/dashcam-card", "look", pages.fragments, (it) => it.card),
  row("GET", "/hx/next-scheduled-card", "look", pages.fragments, (it) => it.card),
  row("GET", "/hx/recent-activity-card", "look", pages.fragments, (it) => it.card),
  row("GET", "/hx/receipts-card", "look", pages.fragments, (it) => it.card),
  row("GET", "/hx/hints-card", "look", pages.fragments, (it) => it.card),
  row("GET", "/hx/day-of-runs-card", "look", pages.fragments, (it) => it.card),
  row("GET", "/hx/dashcam-info-card", "look", pages.fragments, (it) => it.card),
  row("GET", "/hx/camera/panes", "signed-in", pages.camera_panes, (it) => ofOneCamera(it.cameraPanes)),
  row("GET", "/hx/state", "look", pages.fragments, (it) => it.barState),
  row("GET", "/hx/stats/card", "look", pages.card, (it) => ofOneCamera(it.cardFragment)),
  row("GET", "/hx/stats/coverage", "look", pages.coverage, (it) => ofOneCamera(it.coverageFragment)),
  row("GET", "/hx/stats/runs", "look", pages.runs_table, (it) => ofOneCamera(it.runsFragment)),
  row("GET", "/hx/stats/runs/:id", "look", pages.run, (it) => ofOneCamera(it.runFragment)),
  row("GET", "/hx/trash", "look", pages.trash, (it) => ofOneCamera(it.trashFragment)),
];

type AppRoute = Route<App, StartingApp> & DescribedRoute;
type Answering<A> = ((context: RequestContext, app: A) => Answer) | Endpoint<A>;

/** One endpoint, answered by what `pick` takes of the file that `load` loads. */
function row<It>(
  method: Method,
  path: string,
  access: Exclude<Access, "open">,
  load: () => Promise<It>,
  pick: (it: It) => Answering<App>,
) {
  const { answer, about } = answeredBy(load, pick);
  // Pages before sign-in are about no camera: an answer that depends on one would tell strangers which ones there are.
  const asked = access === "sign-in-page" || access === "link" ? (_: RequestContext, app: App) => app : appAsked;
  const handle = (context: RequestContext, app: App) => answer(context, inFormatOf(context, asked(context, app)));
  return { method, path, access, handle, about };
}

/** A page that each camera has for itself: there is none of all cameras. */
function ofOneCamera(answering: (context: RequestContext, app: App) => Answer): typeof answering {
  return (context, app) => {
    if (asksForAll(context)) throw cameraNotFound(ALL_CAMERAS);
    return answering(context, app);
  };
}

/** An open endpoint: it answers every client alike, also while the service starts. */
function openRow<It>(path: string, load: () => Promise<It>, pick: (it: It) => Answering<StartingApp>): AppRoute {
  const { answer, about } = answeredBy(load, pick);
  return { method: "GET", path, access: "open", handle: answer, about };
}

function answeredBy<A, It>(load: () => Promise<It>, pick: (it: It) => Answering<A>) {
  let loaded: Answering<A> | null = null;
  const by = async () => {
    loaded ??= pick(await load());
    return loaded;
  };
  return {
    async answer(context: RequestContext, app: A): Promise<Response> {
      const answering = loaded ?? (await by());
      return typeof answering === "function" ? answering(context, app) : answering.handle(context, app);
    },
    async about() {
      const answering = await by();
      return typeof answering === "function" ? null : answering;
    },
  };
}
