import * as auth from "./api/auth.ts";
import * as dashcam from "./api/dashcam.ts";
import * as destination from "./api/destination.ts";
import type { DescribedRoute, Endpoint } from "./api/endpoint.ts";
import * as logs from "./api/logs.ts";
import { media } from "./api/media.ts";
import * as recordings from "./api/recordings.ts";
import * as retention from "./api/retention.ts";
import * as runs from "./api/runs.ts";
import * as schedule from "./api/schedule.ts";
import * as service from "./api/service.ts";
import * as settings from "./api/settings.ts";
import * as status from "./api/status.ts";
import * as sync from "./api/sync.ts";
import * as trash from "./api/trash.ts";
import * as viewer from "./api/viewer.ts";
import type { App } from "./app.ts";
import { asset } from "./http/assets/assets.ts";
import type { Access, Method, Route } from "./http/listen/route.ts";
import { dashboard } from "./pages/dashboard.tsx";
import { refuseFirstRun, showFirstRun, submitFirstRun } from "./pages/first_run.tsx";
import { FRAGMENT_ROUTES } from "./pages/fragments.tsx";
import { refuseLogin, showLogin, signOut, submitLogin } from "./pages/login.tsx";
import { logs as logsPage } from "./pages/logs.tsx";
import { manifest } from "./pages/manifest.ts";
import { retryFromPage, runFragment, runPage } from "./pages/run.tsx";
import { runsCsv } from "./pages/runs_csv.ts";
import { runsFragment } from "./pages/runs_table.tsx";
import { settings as settingsPage } from "./pages/settings.tsx";
import { stats } from "./pages/stats.tsx";
import { trashFragment, trash as trashPage } from "./pages/trash.tsx";
import { viewer as viewerPage } from "./pages/viewer.tsx";

/** The table of contents: every endpoint, who may call it, and who answers, in the order of the specification. */
export const ROUTES: readonly (Route<App> & DescribedRoute)[] = [
  row("GET", "/healthz", "open", service.healthz),
  row("GET", "/readyz", "open", service.readyz),
  row("GET", "/metrics", "open", service.metrics),

  row("GET", "/first-run", "sign-in-page", showFirstRun),
  { ...row("POST", "/first-run", "sign-in-page", submitFirstRun), refuse: refuseFirstRun },
  row("GET", "/login", "sign-in-page", showLogin),
  { ...row("POST", "/login", "sign-in-page", submitLogin), refuse: refuseLogin },
  row("POST", "/logout", "signed-in", signOut),
  row("GET", "/api/auth/me", "signed-in", auth.me),
  row("POST", "/api/auth/password", "signed-in", auth.changePassword),
  row("DELETE", "/api/auth/sessions", "signed-in", auth.endSessions),

  row("GET", "/", "signed-in", dashboard),
  row("GET", "/settings", "signed-in", settingsPage),
  row("GET", "/logs", "signed-in", logsPage),
  row("GET", "/stats", "signed-in", stats),
  row("GET", "/stats/runs.csv", "signed-in", runsCsv),
  row("GET", "/stats/runs/:id", "signed-in", runPage),
  row("POST", "/stats/runs/:id", "signed-in", retryFromPage),
  row("GET", "/trash", "signed-in", trashPage),
  row("GET", "/viewer", "signed-in", viewerPage),
  row("GET", "/manifest.webmanifest", "open", manifest),
  row("GET", "/assets/:name", "open", asset),

  row(
    "GET",
    "/api/openapi.json",
    "signed-in",
    service.description(() => ROUTES),
  ),
  row("GET", "/api/status", "signed-in", status.currentStatus),
  row("GET", "/api/overview", "signed-in", status.currentOverview),
  row("GET", "/api/sync/progress", "signed-in", sync.progress),
  row("GET", "/api/sync/progress/stream", "signed-in", sync.progressStream),
  row("POST", "/api/sync/now", "signed-in", sync.syncNow),
  row("POST", "/api/sync/stop", "signed-in", sync.syncStop),
  row("POST", "/api/sync/retry", "signed-in", runs.retryFailed),
  row("GET", "/api/sync/last", "signed-in", sync.last),
  row("GET", "/api/runs/:id", "signed-in", runs.oneRun),

  row("POST", "/api/schedule/pause", "signed-in", schedule.pause),
  row("POST", "/api/schedule/resume", "signed-in", schedule.resume),
  row("GET", "/api/schedule/preview", "signed-in", schedule.preview),
  row("GET", "/api/retention", "signed-in", retention.state),
  row("GET", "/api/retention/preview", "signed-in", retention.preview),
  row("POST", "/api/retention/confirm", "signed-in", retention.confirm),
  row("POST", "/api/retention/seen", "signed-in", retention.seen),
  row("GET", "/api/trash", "signed-in", trash.entries),
  row("GET", "/api/trash/:key/thumbnail", "signed-in", trash.thumbnail),
  row("POST", "/api/trash/restore", "signed-in", trash.putBack),
  row("DELETE", "/api/trash", "signed-in", trash.remove),

  row("GET", "/api/settings", "signed-in", settings.allSettings),
  row("PATCH", "/api/settings/:section", "signed-in", settings.patchSettings),

  row("GET", "/api/health/storage", "signed-in", destination.storage),
  row("GET", "/api/health/dashcam", "signed-in", dashcam.dashcamHealth),
  row("POST", "/api/dashcam/check", "signed-in", dashcam.checkAddress),
  row("POST", "/api/destination/accept", "signed-in", destination.accept),
  row("GET", "/api/recordings/recent", "signed-in", recordings.recent),
  row("PUT", "/api/recordings/:key/keep", "signed-in", recordings.keepOne),
  row("DELETE", "/api/recordings/:key/keep", "signed-in", recordings.letGo),
  row("DELETE", "/api/recordings/:key", "signed-in", recordings.deleteOne),
  row("DELETE", "/api/recordings", "signed-in", recordings.deleteSeveral),

  row("GET", "/api/logs/recent", "signed-in", logs.recentLogs),
  row("GET", "/api/logs/stream", "signed-in", logs.logStream),
  row("GET", "/api/logs/file", "signed-in", logs.downloadLog),

  row("GET", "/api/stats/series", "signed-in", runs.series),

  row("GET", "/api/viewer/days", "signed-in", viewer.days),
  row("GET", "/api/viewer/recordings", "signed-in", viewer.recordings),
  row("GET", "/api/viewer/recordings/:key/journey", "signed-in", viewer.journey),
  row("GET", "/api/viewer/recordings/:key/gps", "signed-in", viewer.gps),
  row("GET", "/api/viewer/recordings/:key/gsensor", "signed-in", viewer.gsensor),
  row("GET", "/media/*", "signed-in", media),

  ...FRAGMENT_ROUTES,
  row("GET", "/hx/stats/runs", "signed-in", runsFragment),
  row("GET", "/hx/stats/runs/:id", "signed-in", runFragment),
  row("GET", "/hx/trash", "signed-in", trashFragment),
];

function row(
  method: Method,
  path: string,
  access: Access,
  by: Route<App>["handle"] | Endpoint<App>,
): Route<App> & DescribedRoute {
  return typeof by === "function"
    ? { method, path, access, handle: by }
    : { method, path, access, handle: by.handle, about: by };
}
