import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { argon2id } from "hash-wasm";
import { simulatedCard, syntheticFootage } from "../server/dashcam/simulator/simulated_card.ts";
import { openSimulator } from "../server/dashcam/simulator/simulator.ts";
import { type Place, temporaryPlace, treeOf } from "./support/app/process.ts";
import { putSettings, serve, storedSettings } from "./support/app/service.ts";
import { progressed } from "./support/browser/frames.ts";

setDefaultTimeout(60_000);

const USER = "driver";
const PASSWORD = "the old one, still known";
const RUN_AT = Math.floor(Date.now() / 1000) - 3600;

/** The history as that program makes it: one table, without a version. */
const OLD_RUNS = `create table runs (ts_seconds real primary key, success integer not null, exit_code integer,
  duration_seconds real not null default 0, files integer not null default 0, bytes integer not null default 0,
  recordings_seen integer not null default 0, recordings_selected integer not null default 0, disk_used_ratio real,
  failed_markers integer not null default 0, failures_json text, dry_run integer not null default 0)`;

/** A hash as that program's library makes it: Argon2id, four lanes. */
function oldHash(): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const cost = { parallelism: 4, iterations: 3, memorySize: 8192, hashLength: 32 };
  return argon2id({ ...cost, password: PASSWORD, salt, outputType: "encoded" });
}

function put(place: Place, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(place.at(path)), { recursive: true });
  writeFileSync(place.at(path), content);
}

/** The settings of the web service, all sections of its version 2, with what differs from their first values. */
async function oldSettings(address: string, place: Place) {
  return {
    version: 2,
    connection: { address, timeout_seconds: 12.5 },
    schedule: { cron_expression: "*/20 * * * *", timezone: "Europe/Rome", paused: true },
    sync: {
      priority: "rdate",
      grouping: "daily",
      include: [],
      exclude: ["PR"],
      retry_failed_after: "12h",
      skip_metadata: ["t"],
      affinity_key: null,
    },
    retention: { keep: "30d", max_used_disk_percent: 85 },
    logging: {
      verbose: 0,
      quiet: false,
      format: "text",
      file_max_bytes: 1_048_576,
      file_backup_count: 3,
      ring_buffer_capacity: 1000,
    },
    metrics: { file: null, pushgateway_url: null, job: "blackvuesync", instance: null, state_file: "" },
    stats: { retention_days: 730 },
    viewer: { journey_mode: "full", speed_unit: "mph", continuous_play: true },
    camera: { read_timeout_seconds: 4.0 },
    web: { port: 8090, session_lifetime_hours: 48 },
    auth: {
      mode: "login",
      username: USER,
      password_hash: await oldHash(),
      session_secret: "ab".repeat(32),
      trusted_proxies: [],
      proxy_user_header: "X-Remote-User",
    },
    system: { destination: place.at("recordings"), dry_run: false },
  };
}

describe("the folders of blackvuesync's web service, as they are", () => {
  test("are what Dashdock goes on with: settings, sign-in, history and recordings", async () => {
    await using place = await temporaryPlace();
    const card = simulatedCard({ recordings: 8, now: Date.now(), footage: syntheticFootage(150_000) });
    await using camera = await openSimulator({ card });
    const settings = await oldSettings(camera.address, place);
    putSettings(place, `${JSON.stringify(settings, null, 2)}\n`);
    const db = new Database(place.at("config/stats.db"));
    db.run("pragma journal_mode = wal");
    db.run(OLD_RUNS);
    db.run("insert into runs values (?, 1, 0, 42, 7, 7000000, 12, 12, 0.41, 0, ?, 0)", [RUN_AT, "{}"]);
    db.close();
    put(place, "config/logs/blackvuesync.log", "an old line\n");
    put(place, "config/metrics-state.json", `{"last_successful_file_pull_timestamp_seconds": ${RUN_AT}.5}\n`);

    // At home are: the first video in the folder of its day, the second in the root; of the third a part; the fourth has failed.
    const videos = card.names().filter((name) => name.endsWith(".mp4"));
    const [first = "", second = "", third = "", failed = ""] = videos;
    const day = `${first.slice(0, 4)}-${first.slice(4, 6)}-${first.slice(6, 8)}`;
    put(place, `recordings/${day}/${first}`, await card.bytes(first));
    put(place, `recordings/${second}`, await card.bytes(second));
    put(place, `recordings/.${third}`, (await card.bytes(third)).slice(0, 100_000));
    put(place, `recordings/${failed}.failed`, new Date().toISOString().replace("Z", "123"));
    put(place, "recordings/.blackvuesync.lock", "");

    await using service = await serve(place);
    const { client } = service;
    expect((await client.signIn(USER, PASSWORD)).status).toBe(302);
    expect(await (await client.fetch("/api/auth/me")).json()).toEqual({ username: USER, mode: "login", role: "admin" });

    // Everything that was set is set; nothing had to be put in the place of a value.
    const { version: _, ...sections } = settings;
    const stored = await storedSettings(place);
    for (const [section, fields] of Object.entries(sections)) expect(stored[section]).toMatchObject(fields);
    expect(existsSync(place.at("config/settings.json.bak"))).toBe(false);

    const series = await (await client.fetch("/api/stats/series?range=24h")).json();
    expect(series.series.points).toMatchObject([{ ts: RUN_AT, bytes: 7_000_000, files: 7, disk: 0.41, success: true }]);

    const { job_id } = await (await client.send("POST", "/api/sync/now")).json();
    await progressed(client, (now) => now["job_id"] === job_id && now["state"] === "completed");
    const asked = camera.requests.filter(({ path }) => path.endsWith(".mp4"));
    const ofName = (name: string) => asked.filter(({ path }) => path.endsWith(`/${name}`));
    expect([first, second, failed].flatMap(ofName)).toEqual([]);
    expect(ofName(third).map(({ range }) => range)).toContain("bytes=100000-");
    // Everything the rules ask for is at home now, and what was there lies where it lay.
    const chosen = videos.filter((name) => !name.includes("_PR") && name !== failed);
    const home = (await treeOf(place.at("recordings"))) ?? [];
    expect(chosen.filter((name) => !home.some((path) => path.endsWith(name)))).toEqual([]);
    expect([`${day}/${first}`, second].filter((path) => !home.includes(path))).toEqual([]);

    expect(readdirSync(place.at("config/logs")).toSorted()).toEqual(["blackvuesync.log", "dashdock.log"]);
    expect(readFileSync(place.at("config/logs/blackvuesync.log"), "utf8")).toBe("an old line\n");
  });
});
