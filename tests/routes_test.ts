import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Access, Method } from "../server/http/request/route.ts";
import { ROUTES } from "../server/routes.ts";
import { startApp } from "./support/app/app.ts";

setDefaultTimeout(30_000);

type Row = readonly [method: Method, path: string, access: Access];

/** Routes that programs written for the earlier service rely on. */
const PROMISED: readonly Row[] = [
  ["GET", "/healthz", "open"],
  ["GET", "/readyz", "open"],
  ["GET", "/first-run", "sign-in-page"],
  ["POST", "/first-run", "sign-in-page"],
  ["GET", "/login", "sign-in-page"],
  ["POST", "/login", "sign-in-page"],
  ["POST", "/logout", "signed-in"],
  ["GET", "/api/auth/me", "signed-in"],
  ["POST", "/api/auth/password", "signed-in"],
  ["DELETE", "/api/auth/sessions", "signed-in"],
  ["GET", "/", "signed-in"],
  ["GET", "/settings", "signed-in"],
  ["GET", "/logs", "signed-in"],
  ["GET", "/stats", "signed-in"],
  ["GET", "/viewer", "signed-in"],
  ["GET", "/api/sync/progress", "signed-in"],
  ["GET", "/api/sync/progress/stream", "signed-in"],
  ["POST", "/api/sync/now", "signed-in"],
  ["POST", "/api/sync/stop", "signed-in"],
  ["GET", "/api/sync/last", "signed-in"],
  ["GET", "/api/sync/queue", "signed-in"],
  ["POST", "/api/schedule/pause", "signed-in"],
  ["POST", "/api/schedule/resume", "signed-in"],
  ["GET", "/api/settings", "signed-in"],
  ["PATCH", "/api/settings/:section", "signed-in"],
  ["GET", "/api/cameras", "signed-in"],
  ["POST", "/api/cameras", "signed-in"],
  ["PATCH", "/api/cameras/:id", "signed-in"],
  ["PATCH", "/api/cameras/:id/settings/:section", "signed-in"],
  ["POST", "/api/cameras/:id/accept", "signed-in"],
  ["DELETE", "/api/cameras/:id", "signed-in"],
  ["GET", "/api/library/verify", "signed-in"],
  ["POST", "/api/library/verify", "signed-in"],
  ["POST", "/api/library/verify/stop", "signed-in"],
  ["POST", "/api/library/verify/accept", "signed-in"],
  ["GET", "/api/import", "signed-in"],
  ["POST", "/api/import", "signed-in"],
  ["POST", "/api/import/stop", "signed-in"],
  ["GET", "/api/health/storage", "signed-in"],
  ["GET", "/api/health/dashcam", "signed-in"],
  ["GET", "/api/dashcam/info", "signed-in"],
  ["GET", "/api/camera/config", "signed-in"],
  ["GET", "/api/camera/secret", "signed-in"],
  ["GET", "/api/recordings/recent", "signed-in"],
  ["GET", "/api/logs/recent", "signed-in"],
  ["GET", "/api/logs/stream", "signed-in"],
  ["GET", "/api/stats/series", "signed-in"],
  ["GET", "/api/viewer/days", "signed-in"],
  ["GET", "/api/viewer/recordings", "signed-in"],
  ["GET", "/api/viewer/recordings/:key/journey", "signed-in"],
  ["GET", "/api/viewer/recordings/:key/gps", "signed-in"],
  ["GET", "/api/viewer/recordings/:key/gsensor", "signed-in"],
  ["GET", "/api/viewer/film", "signed-in"],
  ["POST", "/api/viewer/trips/:key/keep", "signed-in"],
  ["GET", "/film/:name", "signed-in"],
  ["GET", "/media/*", "signed-in"],
  ["GET", "/hx/sync/status-card", "signed-in"],
  ["GET", "/hx/sync/last-run-card", "signed-in"],
  ["GET", "/hx/storage-card", "signed-in"],
  ["GET", "/hx/dashcam-card", "signed-in"],
  ["GET", "/hx/next-scheduled-card", "signed-in"],
  ["GET", "/hx/recent-activity-card", "signed-in"],
  ["GET", "/hx/dashcam-info-card", "signed-in"],
  ["GET", "/hx/camera/panes", "signed-in"],
];

/** Routes that Dashdock adds. */
const OURS: readonly Row[] = [
  ["GET", "/metrics", "open"],
  ["GET", "/stats/card", "signed-in"],
  ["GET", "/hx/stats/card", "signed-in"],
  ["GET", "/stats/coverage", "signed-in"],
  ["GET", "/hx/stats/coverage", "signed-in"],
  ["GET", "/api/plan", "signed-in"],
  ["GET", "/api/visits", "signed-in"],
  ["GET", "/api/card", "signed-in"],
  ["POST", "/api/card/given-up", "signed-in"],
  ["DELETE", "/api/card/given-up", "signed-in"],
  ["GET", "/api/coverage", "signed-in"],
  ["GET", "/api/coverage/:date", "signed-in"],
  ["GET", "/stats/coverage.csv", "signed-in"],
  ["GET", "/stats/runs.csv", "signed-in"],
  ["GET", "/stats/runs/:id", "signed-in"],
  ["POST", "/stats/runs/:id", "signed-in"],
  ["GET", "/settings/camera", "signed-in"],
  ["GET", "/api/folders", "signed-in"],
  ["GET", "/api/viewer/pack", "signed-in"],
  ["GET", "/api/auth/sessions", "signed-in"],
  ["DELETE", "/api/auth/sessions/:id", "signed-in"],
  ["GET", "/help", "signed-in"],
  ["GET", "/help/changes", "signed-in"],
  ["GET", "/help/first-steps", "sign-in-page"],
  ["GET", "/help/sign-in", "sign-in-page"],
  ["GET", "/help/licences", "signed-in"],
  ["GET", "/help/:chapter", "signed-in"],
  ["GET", "/trash", "signed-in"],
  ["GET", "/links", "signed-in"],
  ["GET", "/links/:id", "signed-in"],
  ["GET", "/links/:id/:part", "signed-in"],
  ["GET", "/s/:token", "link"],
  ["POST", "/s/:token", "link"],
  ["GET", "/s/:token/:part", "link"],
  ["GET", "/api/shares", "signed-in"],
  ["POST", "/api/shares", "signed-in"],
  ["DELETE", "/api/shares/:id", "signed-in"],
  ["GET", "/manifest.webmanifest", "open"],
  ["GET", "/assets/:name", "open"],
  ["GET", "/api/openapi.json", "signed-in"],
  ["GET", "/api/status", "signed-in"],
  ["GET", "/api/camera/changes", "signed-in"],
  ["POST", "/api/camera/changes/dismiss", "signed-in"],
  ["GET", "/api/camera/hints", "signed-in"],
  ["POST", "/api/camera/hints/dismiss", "signed-in"],
  ["GET", "/api/viewer/trips", "signed-in"],
  ["GET", "/api/viewer/trips/:key", "signed-in"],
  ["GET", "/api/viewer/export/zip", "signed-in"],
  ["GET", "/api/viewer/export/pack", "signed-in"],
  ["GET", "/api/viewer/export/track.gpx", "signed-in"],
  ["GET", "/api/viewer/export/telemetry.csv", "signed-in"],
  ["GET", "/api/viewer/trips/:key/telemetry", "signed-in"],
  ["GET", "/api/viewer/recordings/:key/journey/telemetry", "signed-in"],
  ["GET", "/api/viewer/calendar", "signed-in"],
  ["GET", "/api/search", "signed-in"],
  ["GET", "/api/overview", "signed-in"],
  ["POST", "/api/sync/prioritize", "signed-in"],
  ["POST", "/api/sync/unwanted", "signed-in"],
  ["DELETE", "/api/sync/unwanted", "signed-in"],
  ["POST", "/api/sync/retry", "signed-in"],
  ["GET", "/api/runs/:id", "signed-in"],
  ["GET", "/api/schedule/preview", "signed-in"],
  ["GET", "/api/retention", "signed-in"],
  ["GET", "/api/retention/preview", "signed-in"],
  ["POST", "/api/retention/confirm", "signed-in"],
  ["POST", "/api/retention/marks/restore", "signed-in"],
  ["POST", "/api/retention/seen", "signed-in"],
  ["GET", "/api/trash", "signed-in"],
  ["GET", "/api/trash/:key/thumbnail", "signed-in"],
  ["POST", "/api/trash/restore", "signed-in"],
  ["DELETE", "/api/trash", "signed-in"],
  ["POST", "/api/dashcam/check", "signed-in"],
  ["POST", "/api/camera/check", "signed-in"],
  ["GET", "/api/destination", "signed-in"],
  ["DELETE", "/api/retention/marks", "signed-in"],
  ["PUT", "/api/retention/marks", "signed-in"],
  ["POST", "/api/card/answer", "signed-in"],
  ["POST", "/api/destination/accept", "signed-in"],
  ["PUT", "/api/recordings/:key/keep", "signed-in"],
  ["DELETE", "/api/recordings/:key/keep", "signed-in"],
  ["DELETE", "/api/recordings/:key", "signed-in"],
  ["DELETE", "/api/recordings", "signed-in"],
  ["POST", "/api/recordings/:key/stills", "signed-in"],
  ["GET", "/api/recordings/:key/stills/:still", "signed-in"],
  ["DELETE", "/api/recordings/:key/stills/:still", "signed-in"],
  ["GET", "/tiles/:z/:x/:y", "signed-in"],
  ["GET", "/api/logs/file", "signed-in"],
  ["GET", "/hx/receipts-card", "signed-in"],
  ["GET", "/hx/hints-card", "signed-in"],
  ["GET", "/hx/day-of-runs-card", "signed-in"],
  ["GET", "/hx/folder-card", "signed-in"],
  ["GET", "/hx/plan-card", "signed-in"],
  ["GET", "/hx/state", "signed-in"],
  ["GET", "/hx/stats/runs", "signed-in"],
  ["GET", "/hx/stats/runs/:id", "signed-in"],
  ["GET", "/hx/trash", "signed-in"],
];

describe("the routes", () => {
  test("are those that were promised and those we added, each once, with the access that was promised", () => {
    const told = ROUTES.map(({ method, path, access }) => `${method} ${path} ${access}`);
    expect(told.sort()).toEqual([...PROMISED, ...OURS].map((row) => row.join(" ")).sort());
  });

  test("describe themselves where they answer programs, and only there", async () => {
    for (const { method, path, about } of ROUTES)
      expect([method, path, (await about()) !== null]).toEqual([
        method,
        path,
        /^\/(api|film|media|tiles)\/|^\/(healthz|readyz|metrics)$/.test(path),
      ]);
  });

  test("let a stranger in where they are open or a sign-in page, and nowhere else", async () => {
    await using running = await startApp({ mode: "login", password: "correct horse battery staple" });
    for (const { method, path, access } of ROUTES) {
      const { status, headers } = await running.client.fetch(path, { method, redirect: "manual" });
      const isTurnedAway = status === 401 || (headers.get("location") ?? "").startsWith("/login?next=");
      // A form that is sent without the token of its page is refused for that, signed in or not.
      const expected = access === "signed-in";
      expect([method, path, isTurnedAway]).toEqual([method, path, expected]);
    }
  });
});
