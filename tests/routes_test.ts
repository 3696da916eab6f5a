import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { SCOPES } from "../server/domain/keys/access_key.ts";
import { type Access, type Method, needsSignIn } from "../server/http/request/route.ts";
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
  ["POST", "/logout", "look"],
  ["GET", "/api/auth/me", "read"],
  ["POST", "/api/auth/password", "signed-in"],
  ["DELETE", "/api/auth/sessions", "signed-in"],
  ["GET", "/", "look"],
  ["GET", "/settings", "signed-in"],
  ["GET", "/logs", "signed-in"],
  ["GET", "/stats", "look"],
  ["GET", "/viewer", "look"],
  ["GET", "/api/sync/progress", "read"],
  ["GET", "/api/sync/progress/stream", "read"],
  ["POST", "/api/sync/now", "sync"],
  ["POST", "/api/sync/stop", "sync"],
  ["GET", "/api/sync/last", "read"],
  ["GET", "/api/sync/queue", "read"],
  ["POST", "/api/schedule/pause", "sync"],
  ["POST", "/api/schedule/resume", "sync"],
  ["GET", "/api/settings", "signed-in"],
  ["PATCH", "/api/settings/:section", "signed-in"],
  ["GET", "/api/cameras", "read"],
  ["POST", "/api/cameras", "signed-in"],
  ["PATCH", "/api/cameras/:id", "signed-in"],
  ["PATCH", "/api/cameras/:id/settings/:section", "signed-in"],
  ["POST", "/api/cameras/:id/accept", "signed-in"],
  ["DELETE", "/api/cameras/:id", "signed-in"],
  ["GET", "/api/library/verify", "read"],
  ["POST", "/api/library/verify", "signed-in"],
  ["POST", "/api/library/verify/stop", "signed-in"],
  ["POST", "/api/library/verify/accept", "signed-in"],
  ["GET", "/api/import", "read"],
  ["POST", "/api/import", "signed-in"],
  ["POST", "/api/import/stop", "signed-in"],
  ["GET", "/api/health/storage", "read"],
  ["GET", "/api/health/dashcam", "read"],
  ["GET", "/api/dashcam/info", "read"],
  ["GET", "/api/camera/config", "read"],
  ["GET", "/api/camera/secret", "signed-in"],
  ["GET", "/api/recordings/recent", "read"],
  ["GET", "/api/logs/recent", "signed-in"],
  ["GET", "/api/logs/stream", "signed-in"],
  ["GET", "/api/stats/series", "read"],
  ["GET", "/api/viewer/days", "read"],
  ["GET", "/api/viewer/recordings", "read"],
  ["GET", "/api/viewer/recordings/:key/journey", "read"],
  ["GET", "/api/viewer/recordings/:key/gps", "recordings"],
  ["GET", "/api/viewer/recordings/:key/gsensor", "recordings"],
  ["GET", "/api/viewer/film", "read"],
  ["POST", "/api/viewer/trips/:key/keep", "signed-in"],
  ["GET", "/film/:name", "recordings"],
  ["GET", "/media/*", "recordings"],
  ["GET", "/hx/sync/status-card", "look"],
  ["GET", "/hx/sync/last-run-card", "look"],
  ["GET", "/hx/storage-card", "look"],
  ["GET", "/hx/dashcam-card", "look"],
  ["GET", "/hx/next-scheduled-card", "look"],
  ["GET", "/hx/recent-activity-card", "look"],
  ["GET", "/hx/dashcam-info-card", "look"],
  ["GET", "/hx/camera/panes", "signed-in"],
];

/** Routes that Dashdock adds. */
const OURS: readonly Row[] = [
  ["GET", "/metrics", "open"],
  ["GET", "/stats/card", "look"],
  ["GET", "/hx/stats/card", "look"],
  ["GET", "/stats/coverage", "look"],
  ["GET", "/hx/stats/coverage", "look"],
  ["GET", "/api/plan", "read"],
  ["GET", "/api/visits", "read"],
  ["GET", "/api/card", "read"],
  ["POST", "/api/card/given-up", "signed-in"],
  ["DELETE", "/api/card/given-up", "signed-in"],
  ["GET", "/api/coverage", "read"],
  ["GET", "/api/coverage/:date", "read"],
  ["GET", "/stats/coverage.csv", "look"],
  ["GET", "/stats/runs.csv", "look"],
  ["GET", "/stats/runs/:id", "look"],
  ["POST", "/stats/runs/:id", "signed-in"],
  ["GET", "/settings/backup", "signed-in"],
  ["GET", "/settings/camera", "signed-in"],
  ["GET", "/settings/places", "signed-in"],
  ["POST", "/settings/places", "signed-in"],
  ["GET", "/api/folders", "signed-in"],
  ["GET", "/api/viewer/pack", "read"],
  ["POST", "/api/auth/viewer", "signed-in"],
  ["GET", "/api/auth/sessions", "signed-in"],
  ["DELETE", "/api/auth/sessions/:id", "signed-in"],
  ["GET", "/help", "look"],
  ["GET", "/help/changes", "look"],
  ["GET", "/help/first-steps", "sign-in-page"],
  ["GET", "/help/sign-in", "sign-in-page"],
  ["GET", "/help/licences", "look"],
  ["GET", "/help/:chapter", "look"],
  ["GET", "/trash", "look"],
  ["GET", "/links", "look"],
  ["GET", "/links/:id", "look"],
  ["GET", "/map", "look"],
  ["GET", "/map/file.pmtiles", "recordings"],
  ["GET", "/api/map/names", "recordings"],
  ["GET", "/links/:id/:part", "look"],
  ["GET", "/s/:token", "link"],
  ["POST", "/s/:token", "link"],
  ["GET", "/s/:token/:part", "link"],
  ["GET", "/api/backup", "signed-in"],
  ["POST", "/api/restore", "signed-in"],
  ["GET", "/api/support", "signed-in"],
  ["GET", "/api/keys", "signed-in"],
  ["POST", "/api/keys", "signed-in"],
  ["DELETE", "/api/keys/:id", "signed-in"],
  ["GET", "/api/shares", "read"],
  ["POST", "/api/shares", "signed-in"],
  ["DELETE", "/api/shares/:id", "signed-in"],
  ["GET", "/manifest.webmanifest", "open"],
  ["GET", "/assets/:name", "open"],
  ["GET", "/api/openapi.json", "read"],
  ["GET", "/api/status", "read"],
  ["GET", "/api/camera/changes", "read"],
  ["POST", "/api/camera/changes/dismiss", "signed-in"],
  ["GET", "/api/camera/hints", "read"],
  ["POST", "/api/camera/hints/dismiss", "signed-in"],
  ["GET", "/api/notify", "signed-in"],
  ["POST", "/api/notify/test", "signed-in"],
  ["GET", "/api/mqtt", "read"],
  ["GET", "/api/offsite", "read"],
  ["GET", "/api/offsite/choices", "read"],
  ["POST", "/api/offsite/test", "signed-in"],
  ["POST", "/api/offsite/check", "signed-in"],
  ["POST", "/api/offsite/compare", "signed-in"],
  ["GET", "/api/viewer/trips", "read"],
  ["GET", "/api/viewer/trips/:key", "read"],
  ["GET", "/api/viewer/export/zip", "recordings"],
  ["GET", "/api/viewer/export/pack", "recordings"],
  ["GET", "/api/viewer/export/:camera/report.html", "recordings"],
  ["GET", "/api/viewer/export/:camera/pictures/:picture", "recordings"],
  ["GET", "/api/viewer/export/track.gpx", "recordings"],
  ["GET", "/api/viewer/export/telemetry.csv", "recordings"],
  ["GET", "/api/viewer/trips/:key/telemetry", "recordings"],
  ["GET", "/api/viewer/recordings/:key/journey/telemetry", "recordings"],
  ["GET", "/api/viewer/calendar", "read"],
  ["GET", "/api/viewer/moments", "recordings"],
  ["GET", "/api/map/drives", "recordings"],
  ["GET", "/api/map/passes", "recordings"],
  ["GET", "/api/search", "read"],
  ["GET", "/api/overview", "read"],
  ["POST", "/api/sync/prioritize", "sync"],
  ["POST", "/api/sync/unwanted", "signed-in"],
  ["DELETE", "/api/sync/unwanted", "signed-in"],
  ["POST", "/api/sync/retry", "signed-in"],
  ["GET", "/api/runs/:id", "read"],
  ["GET", "/api/schedule/preview", "read"],
  ["GET", "/api/retention", "read"],
  ["GET", "/api/retention/preview", "read"],
  ["POST", "/api/retention/confirm", "signed-in"],
  ["POST", "/api/retention/marks/restore", "signed-in"],
  ["POST", "/api/retention/seen", "signed-in"],
  ["GET", "/api/trash", "read"],
  ["GET", "/api/trash/:key/thumbnail", "recordings"],
  ["POST", "/api/trash/restore", "signed-in"],
  ["DELETE", "/api/trash", "signed-in"],
  ["POST", "/api/dashcam/check", "signed-in"],
  ["POST", "/api/camera/check", "signed-in"],
  ["GET", "/api/destination", "read"],
  ["DELETE", "/api/retention/marks", "signed-in"],
  ["PUT", "/api/retention/marks", "signed-in"],
  ["POST", "/api/card/answer", "signed-in"],
  ["POST", "/api/destination/accept", "signed-in"],
  ["PUT", "/api/recordings/:key/keep", "signed-in"],
  ["DELETE", "/api/recordings/:key/keep", "signed-in"],
  ["DELETE", "/api/recordings/:key", "signed-in"],
  ["DELETE", "/api/recordings", "signed-in"],
  ["POST", "/api/recordings/:key/stills", "signed-in"],
  ["GET", "/api/recordings/:key/stills/:still", "recordings"],
  ["DELETE", "/api/recordings/:key/stills/:still", "signed-in"],
  ["GET", "/tiles/:z/:x/:y", "recordings"],
  ["GET", "/api/logs/file", "signed-in"],
  ["GET", "/hx/receipts-card", "look"],
  ["GET", "/hx/hints-card", "look"],
  ["GET", "/hx/day-of-runs-card", "look"],
  ["GET", "/hx/folder-card", "look"],
  ["GET", "/hx/plan-card", "look"],
  ["GET", "/hx/state", "look"],
  ["GET", "/hx/stats/runs", "look"],
  ["GET", "/hx/stats/runs/:id", "look"],
  ["GET", "/hx/trash", "look"],
];

/** Those who may call a route beside the admin, by its access, as the contract has it. */
const WHO: Readonly<Record<Exclude<Access, "open">, readonly string[]>> = {
  link: ["viewer"],
  "sign-in-page": ["viewer"],
  "signed-in": [],
  look: ["viewer"],
  read: ["viewer", "read", "recordings", "sync"],
  recordings: ["viewer", "recordings"],
  sync: ["sync"],
};

/** A path of a route with nonsense in its parts. */
const filled = (path: string) => path.replace("*", "20000101_000000_NF.mp4").replace(/:\w+/g, "none");

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
        /^\/(api|film|media|tiles|map)\/|^\/(healthz|readyz|metrics)$/.test(path),
      ]);
  });

  test("let keys through as far as their scope reaches, and no further", async () => {
    await using running = await startApp({ mode: "login", password: "correct horse battery staple" });
    const { keys, streams } = running.app;
    for (const scope of SCOPES) {
      const key = (await keys.make(scope, scope))?.text ?? "";
      const wrong: unknown[] = [];
      for (const [method, path, access] of [...PROMISED, ...OURS]) {
        if (access === "open") continue;
        const headers = { "x-api-key": key };
        const answer = await fetch(running.url + filled(path), { method, headers, redirect: "manual" });
        const { code } = answer.status === 403 ? ((await answer.json()) as { code: string }) : { code: null };
        await answer.body?.cancel().catch(() => {});
        if ((code === "SCOPE") === WHO[access].includes(scope)) wrong.push([method, path, scope, answer.status, code]);
      }
      expect(wrong).toEqual([]);
    }
    streams.close();
  });

  test("let a stranger in where they are open or a sign-in page, and nowhere else", async () => {
    await using running = await startApp({ mode: "login", password: "correct horse battery staple" });
    for (const { method, path, access } of ROUTES) {
      const { status, headers } = await running.client.fetch(path, { method, redirect: "manual" });
      const isTurnedAway = status === 401 || (headers.get("location") ?? "").startsWith("/login?next=");
      // A form that is sent without the token of its page is refused for that, signed in or not.
      const expected = needsSignIn(access);
      expect([method, path, isTurnedAway]).toEqual([method, path, expected]);
    }
  });
});
