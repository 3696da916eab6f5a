import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { openApp } from "../server/app.ts";
import { listen } from "../server/http/listen/server.ts";
import { errorPage, ROUTES } from "../server/routes.ts";
import { RetentionMemory } from "../server/store/config/retention_memory.ts";
import { USED } from "./fixtures/earlier/used.ts";
import { Client } from "./support/app/client.ts";
import { FakeClock } from "./support/app/clock.ts";
import { type Place, temporaryPlace } from "./support/app/process.ts";
import { EARLIER, filesIn, putEarlier, rowsIn } from "./support/disk/earlier.ts";

type Stored = Record<string, Record<string, unknown>>;

const RUNS = "select * from runs order by ts_seconds";
/** The day after the services of the fixtures ran. */
const NOW = Date.UTC(2026, 10, 24, 12);
const DAY = "2026-11-20";

/** Today's service on what is in the place; everything that it logs. */
async function today(place: Place) {
  const clock = new FakeClock(NOW);
  const lines: string[] = [];
  const starting = await openApp(
    { configDir: place.at("config"), env: {} },
    { clock, print: (text) => lines.push(text) },
  );
  const app = await starting.openStores();
  const listening = listen(starting, ROUTES, errorPage, { port: 0, host: "127.0.0.1" });
  app.start();
  return {
    app,
    client: new Client(listening.url),
    lines,
    async [Symbol.asyncDispose]() {
      const closed = app.close();
      await listening.stop();
      await closed;
    },
  };
}

/** The fixture's files that today's program goes on with where they are there. */
const isLeft = (place: Place, ...names: string[]) => existsSync(place.at(...names));

describe.each(EARLIER)("what version %s left", (name) => {
  test("is all there with today's program, which has nothing to complain about", async () => {
    await using place = await temporaryPlace();
    putEarlier(place, name);
    const before = { recordings: filesIn(place, "recordings"), config: Object.keys(filesIn(place, "config")) };
    const settings: Stored = JSON.parse(readFileSync(place.at("config", "settings.json"), "utf8"));
    const runs = rowsIn(place.at("config", "stats.db"), RUNS);
    expect(runs).toHaveLength(3);
    {
      await using service = await today(place);
      const { app, client, lines } = service;
      const answer = async (path: string) => (await client.fetch(path)).json();
      expect((await client.signIn("admin", USED.password)).status).toBe(302);

      const { version: _, ...sections } = settings;
      for (const [section, fields] of Object.entries(sections))
        expect((app.settings.current as unknown as Stored)[section]).toMatchObject(fields);
      expect(app.settings.current as unknown as Stored).toMatchObject(USED.settings);

      const { series } = await answer("/api/stats/series?range=all");
      expect(
        series.points.map(({ bytes, success }: { bytes: number; success: unknown }) => [bytes, Number(success)]),
      ).toEqual(runs.map(({ bytes, success }) => [Number(bytes), Number(success)]));
      const list = await answer(`/api/viewer/recordings?date=${DAY}`);
      const recordings = new Map<string, Stored[string]>(
        list.days[0].recordings.map((one: Stored[string]) => [`${one["base_filename"]}_${one["type"]}`, one]),
      );
      const isTrashed = isLeft(place, "recordings/.dashdock/trash");
      expect(recordings.has(USED.kept.key)).toBe(true);
      expect(recordings.has(USED.deleted)).toBe(!isTrashed);
      // Where a marker lies is known once the library was read.
      await app.library.refresh();
      expect(await app.markers.failedAt(USED.failing)).toBeGreaterThan(USED.at);
      if (isTrashed) {
        const { days } = await answer("/api/trash");
        expect(days.flatMap((day: Stored[string]) => day["recordings"])).toMatchObject([{ key: USED.deleted }]);
        expect(recordings.get(USED.kept.key)).toMatchObject({ kept: { note: USED.kept.note } });
        expect((await RetentionMemory.open(place.at("config", "retention.json"), app.log)).facts).toMatchObject({
          chosenFor: place.at("recordings"),
          keep: USED.settings.retention.keep,
          adopted: false,
        });
      }
      if (isLeft(place, "config/camera-list.txt")) expect((await app.listed.counts())?.on_camera).toBe(12);
      if (isLeft(place, "config/wishes.json")) expect(app.requested.unwantedCount).toBe(1);
      if (isLeft(place, "config/camera/snapshot.json"))
        expect(await app.cameraSettings.known()).toMatchObject({ model: "DR900X Plus" });
      if (isLeft(place, "config/destination.json")) expect(await app.destination.check()).toBe("known");
      expect(lines.filter((line) => !line.includes(" INFO Signed in"))).toEqual([]);
    }
    expect(filesIn(place, "recordings")).toEqual(before.recordings);
    expect(Object.keys(filesIn(place, "config"))).toEqual(expect.arrayContaining(before.config));
    for (const [at, row] of rowsIn(place.at("config", "stats.db"), RUNS).entries())
      expect(row).toMatchObject(runs[at] ?? {});
    // The service reads its own files again.
    await using again = await today(place);
    expect(again.lines).toEqual([]);
  });
});

test("what another program of the reference's shape left is there too, and stays as it was", async () => {
  await using place = await temporaryPlace();
  const put = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(place.at(path)), { recursive: true });
    writeFileSync(place.at(path), text, { mode });
  };
  const settings = {
    version: 1,
    connection: { address: "", timeout_seconds: 10 },
    schedule: { cron_expression: "0 3 1 1 *", timezone: "Europe/Rome", paused: false },
    retention: { keep: "2w", max_used_disk_percent: 90 },
    metrics: { file: null, job: "blackvuesync", state_file: "/config/metrics-state.json" },
    viewer: { journey_mode: "full", speed_unit: "mph", theme: "of theirs" },
    auth: { mode: "none", username: "me", password_hash: "", session_secret: "ab".repeat(32) },
    system: { destination: place.at("recordings"), dry_run: false },
    plugins: { own: true },
  };
  put("config/settings.json", JSON.stringify(settings, null, 2), 0o600);
  put("config/metrics-state.json", '{"last_successful_file_pull_timestamp_seconds": 1790000000.5}');
  put("recordings/20260920_101500_NF.mp4", "x".repeat(100));
  put("recordings/20260920_101600_NF.mp4.failed", "2026-09-20T10:17:01.123456");
  put("recordings/.20260920_101700_NF.mp4", "x".repeat(50));
  put("recordings/.blackvuesync.lock", "");
  {
    using db = new Database(place.at("config/stats.db"), { create: true });
    db.run("pragma journal_mode = wal");
    db.run(`create table runs (ts_seconds REAL PRIMARY KEY, success INTEGER NOT NULL, exit_code INTEGER,
      duration_seconds REAL NOT NULL DEFAULT 0, files INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
      recordings_seen INTEGER NOT NULL DEFAULT 0, recordings_selected INTEGER NOT NULL DEFAULT 0, disk_used_ratio REAL,
      failed_markers INTEGER NOT NULL DEFAULT 0, failures_json TEXT, dry_run INTEGER NOT NULL DEFAULT 0)`);
    db.run("create index idx_runs_ts on runs (ts_seconds)");
    db.run("insert into runs values (1790000000.5, 1, 0, 60, 2, 4000, 3, 2, 0.5, 1, '{\"http\": 1}', 0)");
  }
  const before = filesIn(place, "recordings");
  {
    await using service = await today(place);
    const { app, client, lines } = service;
    const { series } = await (await client.fetch("/api/stats/series?range=all")).json();
    expect(series.points).toMatchObject([{ bytes: 4000, files: 2, failures: { http: 1 } }]);
    expect(app.settings.current).toMatchObject({
      metrics: { state_file: "" },
      viewer: { journey_mode: "full", speed_unit: "mph" },
      retention: { keep: "2w" },
      auth: { username: "me", session_secret: "ab".repeat(32) },
    });
    await app.library.refresh();
    expect(await app.markers.failedAt("20260920_101600_NF.mp4")).toBe(new Date(2026, 8, 20, 10, 17, 1, 123).getTime());
    await client.open("/");
    expect((await client.send("PATCH", "/api/settings/sync", { grouping: "daily" })).status).toBe(200);
    const stored = JSON.parse(readFileSync(place.at("config/settings.json"), "utf8"));
    expect(stored).toMatchObject({ version: 2, viewer: { theme: "of theirs" }, plugins: { own: true } });
    expect(lines.filter((line) => !line.includes(" INFO "))).toEqual([]);
  }
  expect(filesIn(place, "recordings")).toEqual(before);
});
