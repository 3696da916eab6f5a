import type { DescribedRoute, Endpoint } from "./api/endpoint.ts";
import * as probes from "./api/probes.ts";
import type { App, StartingApp } from "./app.ts";
import type { RequestContext } from "./http/request/request_context.ts";
import type { ErrorPage } from "./http/request/respond.ts";
import type { Access, Answer, Method, Route } from "./http/request/route.ts";

// Loaded when a row of theirs is asked for the first time: what the service starts and idles with is none of them, except
// for the probes, which are asked first.
const api = {
  auth: () => import("./api/auth.ts"),
  camera: () => import("./api/camera.ts"),
  camera_check: () => import("./api/camera_check.ts"),
  camera_hints: () => import("./api/camera_hints.ts"),
  dashcam: () => import("./api/dashcam.ts"),
  destination: () => import("./api/destination.ts"),
  exports: () => import("./api/exports.ts"),
  folders: () => import("./api/folders.ts"),
  logs: () => import("./api/logs.ts"),
  media: () => import("./api/media.ts"),
  recordings: () => import("./api/recordings.ts"),
  retention: () => import("./api/retention.ts"),
  runs: () => import("./api/runs.ts"),
  schedule: () => import("./api/schedule.ts"),
  search: () => import("./api/search.ts"),
  service: () => import("./api/service.ts"),
  settings: () => import("./api/settings.ts"),
  status: () => import("./api/status.ts"),
  sync: () => import("./api/sync.ts"),
  tiles: () => import("./api/tiles.ts"),
  trash: () => import("./api/trash.ts"),
  telemetry: () => import("./api/telemetry.ts"),
  viewer: () => import("./api/viewer.ts"),
  viewer_lists: () => import("./api/viewer_lists.ts"),
  requested: () => import("./api/requested_recordings.ts"),
};
const pages = {
  camera_panes: () => import("./pages/camera_panes.tsx"),
  camera_settings: () => import("./pages/camera_settings.tsx"),
  dashboard: () => import("./pages/dashboard.tsx"),
  first_run: () => import("./pages/first_run.tsx"),
  fragments: () => import("./pages/fragments.tsx"),
  help: () => import("./pages/help.tsx"),
  login: () => import("./pages/login.tsx"),
  logs: () => import("./pages/logs.tsx"),
  manifest: () => import("./pages/manifest.ts"),
  run: () => import("./pages/run.tsx"),
  runs_csv: () => import("./pages/runs_csv.ts"),
  runs_table: () => import("./pages/runs_table.tsx"),
  settings: () => import("./pages/settings.tsx"),
  stats: () => import("./pages/stats.tsx"),
  trash: () => import("./pages/trash.tsx"),
  viewer: () => import("./pages/viewer.tsx"),
};

/** Draws what no row answers. */
export const errorPage: ErrorPage = async (...refused) =>
  (await import("./pages/error_page.tsx")).errorPage(...refused);
const assets = () => import("./http/assets/assets.ts");
/** The guide has tables of the routes and commands. */
const helping = async () =>
  (await import("./pages/guide.tsx")).guidePages(async () => (await import("./guide.ts")).openGuide(ROUTES));
const describing = async () => ({ description: (await api.service()).description(() => ROUTES) });

/** The table of contents: every endpoint, who may call it, and who answers, in the order of the API description. */
export const ROUTES: readonly AppRoute[] = [
  openRow("/healthz", async () => probes, "healthz"),
  openRow("/readyz", async () => probes, "readyz"),
  openRow("/metrics", api.service, "metrics"),

  row("GET", "/first-run", "sign-in-page", pages.first_run, "showFirstRun"),
  {
    ...row("POST", "/first-run", "sign-in-page", pages.first_run, "submitFirstRun"),
    refuse: async (...call) => (await pages.first_run()).refuseFirstRun(...call),
  },
  row("GET", "/login", "sign-in-page", pages.login, "showLogin"),
  {
    ...row("POST", "/login", "sign-in-page", pages.login, "submitLogin"),
    refuse: async (...call) => (await pages.login()).refuseLogin(...call),
  },
  row("POST", "/logout", "signed-in", pages.login, "signOut"),
  row("GET", "/api/auth/me", "signed-in", api.auth, "me"),
  row("POST", "/api/auth/password", "signed-in", api.auth, "changePassword"),
  row("GET", "/api/auth/sessions", "signed-in", api.auth, "listSessions"),
  row("DELETE", "/api/auth/sessions", "signed-in", api.auth, "endSessions"),
  row("DELETE", "/api/auth/sessions/:id", "signed-in", api.auth, "endSession"),

  row("GET", "/", "signed-in", pages.dashboard, "dashboard"),
  row("GET", "/settings", "signed-in", pages.settings, "settings"),
  row("GET", "/settings/camera", "signed-in", pages.camera_settings, "cameraSettings"),
  row("GET", "/help", "signed-in", helping, "guide"),
  // Pages for people who cannot sign in yet.
  row("GET", "/help/first-steps", "sign-in-page", helping, "firstSteps"),
  row("GET", "/help/sign-in", "sign-in-page", helping, "signIn"),
  row("GET", "/help/changes", "signed-in", pages.help, "changes"),
  row("GET", "/help/licences", "signed-in", pages.help, "licences"),
  row("GET", "/help/:chapter", "signed-in", helping, "chapter"),
  row("GET", "/logs", "signed-in", pages.logs, "logs"),
  row("GET", "/stats", "signed-in", pages.stats, "stats"),
  row("GET", "/stats/runs.csv", "signed-in", pages.runs_csv, "runsCsv"),
  row("GET", "/stats/runs/:id", "signed-in", pages.run, "runPage"),
  row("POST", "/stats/runs/:id", "signed-in", pages.run, "retryFromPage"),
  row("GET", "/trash", "signed-in", pages.trash, "trash"),
  row("GET", "/viewer", "signed-in", pages.viewer, "viewer"),
  openRow("/manifest.webmanifest", pages.manifest, "manifest"),
  openRow("/assets/:name", assets, "asset"),

  row("GET", "/api/openapi.json", "signed-in", describing, "description"),
  row("GET", "/api/status", "signed-in", api.status, "currentStatus"),
  row("GET", "/api/overview", "signed-in", api.status, "currentOverview"),
  row("GET", "/api/sync/progress", "signed-in", api.sync, "progress"),
  row("GET", "/api/sync/progress/stream", "signed-in", api.sync, "progressStream"),
  row("POST", "/api/sync/now", "signed-in", api.sync, "syncNow"),
  row("POST", "/api/sync/stop", "signed-in", api.sync, "syncStop"),
  row("POST", "/api/sync/prioritize", "signed-in", api.requested, "prioritize"),
  row("POST", "/api/sync/unwanted", "signed-in", api.requested, "leaveOut"),
  row("DELETE", "/api/sync/unwanted", "signed-in", api.requested, "takeBack"),
  row("POST", "/api/sync/retry", "signed-in", api.runs, "retryFailed"),
  row("GET", "/api/sync/last", "signed-in", api.sync, "last"),
  row("GET", "/api/runs/:id", "signed-in", api.runs, "oneRun"),

  row("POST", "/api/schedule/pause", "signed-in", api.schedule, "pause"),
  row("POST", "/api/schedule/resume", "signed-in", api.schedule, "resume"),
  row("GET", "/api/schedule/preview", "signed-in", api.schedule, "preview"),
  row("GET", "/api/retention", "signed-in", api.retention, "state"),
  row("GET", "/api/retention/preview", "signed-in", api.retention, "preview"),
  row("POST", "/api/retention/confirm", "signed-in", api.retention, "confirm"),
  row("POST", "/api/retention/marks/restore", "signed-in", api.retention, "restoreMarks"),
  row("DELETE", "/api/retention/marks", "signed-in", api.retention, "removeMarks"),
  row("PUT", "/api/retention/marks", "signed-in", api.retention, "setMarks"),
  row("POST", "/api/retention/seen", "signed-in", api.retention, "seen"),
  row("GET", "/api/trash", "signed-in", api.trash, "entries"),
  row("GET", "/api/trash/:key/thumbnail", "signed-in", api.trash, "thumbnail"),
  row("POST", "/api/trash/restore", "signed-in", api.trash, "putBack"),
  row("DELETE", "/api/trash", "signed-in", api.trash, "remove"),

  row("GET", "/api/settings", "signed-in", api.settings, "allSettings"),
  row("GET", "/api/folders", "signed-in", api.folders, "folders"),
  row("PATCH", "/api/settings/:section", "signed-in", api.settings, "patchSettings"),

  row("GET", "/api/health/storage", "signed-in", api.destination, "storage"),
  row("GET", "/api/health/dashcam", "signed-in", api.dashcam, "dashcamHealth"),
  row("GET", "/api/dashcam/info", "signed-in", api.dashcam, "dashcamInfo"),
  row("POST", "/api/dashcam/check", "signed-in", api.dashcam, "checkAddress"),
  row("POST", "/api/camera/check", "signed-in", api.camera_check, "checkCameraInSteps"),
  row("GET", "/api/camera/config", "signed-in", api.camera, "cameraConfig"),
  row("GET", "/api/camera/secret", "signed-in", api.camera, "cameraSecret"),
  row("GET", "/api/camera/changes", "signed-in", api.camera, "cameraChanges"),
  row("POST", "/api/camera/changes/dismiss", "signed-in", api.camera, "dismissChanges"),
  row("GET", "/api/camera/hints", "signed-in", api.camera_hints, "currentHints"),
  row("POST", "/api/camera/hints/dismiss", "signed-in", api.camera_hints, "dismissHint"),
  row("GET", "/api/destination", "signed-in", api.destination, "found"),
  row("POST", "/api/destination/accept", "signed-in", api.destination, "accept"),
  row("GET", "/api/recordings/recent", "signed-in", api.recordings, "recent"),
  row("PUT", "/api/recordings/:key/keep", "signed-in", api.recordings, "keepOne"),
  row("DELETE", "/api/recordings/:key/keep", "signed-in", api.recordings, "letGo"),
  row("DELETE", "/api/recordings/:key", "signed-in", api.recordings, "deleteOne"),
  row("DELETE", "/api/recordings", "signed-in", api.recordings, "deleteSeveral"),

  row("GET", "/api/logs/recent", "signed-in", api.logs, "recentLogs"),
  row("GET", "/api/logs/stream", "signed-in", api.logs, "logStream"),
  row("GET", "/api/logs/file", "signed-in", api.logs, "downloadLog"),

  row("GET", "/api/stats/series", "signed-in", api.runs, "series"),

  row("GET", "/api/viewer/days", "signed-in", api.viewer, "days"),
  row("GET", "/api/viewer/recordings", "signed-in", api.viewer, "recordings"),
  row("GET", "/api/viewer/recordings/:key/journey", "signed-in", api.viewer, "journey"),
  row("GET", "/api/viewer/recordings/:key/journey/telemetry", "signed-in", api.telemetry, "journeyTelemetry"),
  row("GET", "/api/viewer/trips", "signed-in", api.viewer_lists, "trips"),
  row("GET", "/api/viewer/trips/:key", "signed-in", api.viewer, "trip"),
  row("GET", "/api/viewer/trips/:key/telemetry", "signed-in", api.telemetry, "tripTelemetry"),
  row("GET", "/api/viewer/calendar", "signed-in", api.viewer_lists, "calendar"),
  row("GET", "/api/search", "signed-in", api.search, "search"),
  row("GET", "/api/viewer/recordings/:key/gps", "signed-in", api.viewer, "gps"),
  row("GET", "/api/viewer/recordings/:key/gsensor", "signed-in", api.viewer, "gsensor"),
  row("GET", "/api/viewer/export/zip", "signed-in", api.exports, "zip"),
  row("GET", "/api/viewer/export/track.gpx", "signed-in", api.exports, "trackGpx"),
  row("GET", "/api/viewer/export/telemetry.csv", "signed-in", api.exports, "telemetryCsv"),
  row("GET", "/media/*", "signed-in", api.media, "media"),
  row("GET", "/tiles/:z/:x/:y", "signed-in", api.tiles, "tile"),

  row("GET", "/hx/sync/status-card", "signed-in", pages.fragments, "card"),
  row("GET", "/hx/sync/last-run-card", "signed-in", pages.fragments, "card"),
  row("GET", "/hx/folder-card", "signed-in", pages.fragments, "card"),
  row("GET", "/hx/storage-card", "signed-in", pages.fragments, "card"),
  row("GET", "/hx/dashcam-card", "signed-in", pages.fragments, "card"),
  row("GET", "/hx/next-scheduled-card", "signed-in", pages.fragments, "card"),
  row("GET", "/hx/recent-activity-card", "signed-in", pages.fragments, "card"),
  row("GET", "/hx/receipts-card", "signed-in", pages.fragments, "card"),
  row("GET", "/hx/hints-card", "signed-in", pages.fragments, "card"),
  row("GET", "/hx/day-of-runs-card", "signed-in", pages.fragments, "card"),
  row("GET", "/hx/dashcam-info-card", "signed-in", pages.fragments, "card"),
  row("GET", "/hx/camera/panes", "signed-in", pages.camera_panes, "cameraPanes"),
  row("GET", "/hx/state", "signed-in", pages.fragments, "barState"),
  row("GET", "/hx/stats/runs", "signed-in", pages.runs_table, "runsFragment"),
  row("GET", "/hx/stats/runs/:id", "signed-in", pages.run, "runFragment"),
  row("GET", "/hx/trash", "signed-in", pages.trash, "trashFragment"),
];

/** The app as an answer shows it: with times in the format of the client's language, where it tells one. */
function inFormatOf(context: RequestContext, app: App): App {
  if (!context.request.headers.has("accept-language")) return app;
  return Object.create(app, { zone: { get: () => app.zone.as(context.timeFormat) } });
}

type AppRoute = Route<App, StartingApp> & DescribedRoute;
type Answering<A> = ((context: RequestContext, app: A) => Answer) | Endpoint<A>;
type Loading<A, Name extends string> = () => Promise<Readonly<Record<NoInfer<Name>, Answering<A>>>>;

/** One endpoint, answered by the function of this name in the file that `load` loads. */
function row<Name extends string>(
  method: Method,
  path: string,
  access: Exclude<Access, "open">,
  load: Loading<App, Name>,
  name: Name,
) {
  const { answer, about } = answeredBy(load, name);
  const handle = (context: RequestContext, app: App) => answer(context, inFormatOf(context, app));
  return { method, path, access, handle, about };
}

/** An open endpoint: it answers every client alike, also while the service starts. */
function openRow<Name extends string>(path: string, load: Loading<StartingApp, Name>, name: Name): AppRoute {
  const { answer, about } = answeredBy(load, name);
  return { method: "GET", path, access: "open", handle: answer, about };
}

function answeredBy<A, Name extends string>(load: Loading<A, Name>, name: Name) {
  let loaded: Answering<A> | null = null;
  const by = async () => {
    loaded ??= (await load())[name];
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
