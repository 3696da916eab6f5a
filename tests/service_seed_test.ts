import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { simulatedCard, syntheticFootage } from "../server/dashcam/simulator/simulated_card.ts";
import { openSimulator } from "../server/dashcam/simulator/simulator.ts";
import { fieldsOf, initialSettings, SECTION_NAMES } from "../server/domain/settings/settings.ts";
import { type Ended, type Place, startCommand, temporaryPlace, treeOf } from "./support/app/process.ts";
import {
  call,
  openSettings,
  PROGRAM,
  putSettings,
  type Service,
  serve,
  serveArgs,
  serveUntold,
  settingsPath,
  storedSettings,
  untoldArgs,
} from "./support/app/service.ts";
import { progressed } from "./support/browser/frames.ts";

setDefaultTimeout(20_000);

const PASSWORD = "a long enough password";

let place: Place;
beforeEach(async () => {
  place = await temporaryPlace();
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

/** Variable, its text, the setting, its value. */
const SEEDS: [variable: string, text: string, path: string, value: unknown][] = [
  ["ADDRESS", "dashcam.lan:8080", "connection.address", "dashcam.lan:8080"],
  ["TIMEOUT", "7.5", "connection.timeout_seconds", 7.5],
  ["SERVICE_SCHEDULE", "0 3 * * sun", "schedule.cron_expression", "0 3 * * sun"],
  ["SERVICE_ON_ARRIVAL", "false", "schedule.on_arrival", false],
  ["SERVICE_ARRIVAL_SECONDS", "60", "schedule.arrival_seconds", 60],
  ["SERVICE_TIMEZONE", "Europe/Rome", "schedule.timezone", "Europe/Rome"],
  ["PRIORITY", "rdate", "sync.priority", "rdate"],
  ["GROUPING", "weekly", "sync.grouping", "weekly"],
  ["INCLUDE", "P, NF,,", "sync.include", ["P", "NF"]],
  ["EXCLUDE", "PR", "sync.exclude", ["PR"]],
  ["RETRY_FAILED_AFTER", "12h", "sync.retry_failed_after", "12h"],
  ["SKIP_METADATA", "t3g", "sync.skip_metadata", ["t", "3", "g"]],
  ["AFFINITY_KEY", "left", "sync.affinity_key", "left"],
  ["KEEP", "30d", "retention.keep", "30d"],
  ["MAX_USED_DISK", "75", "retention.max_used_disk_percent", 75],
  ["VERBOSE", "1", "logging.verbose", 1],
  ["QUIET", "False", "logging.quiet", false],
  ["LOG_FORMAT", "json", "logging.format", "json"],
  ["METRICS_FILE", "/tmp/nowhere/metrics.prom", "metrics.file", "/tmp/nowhere/metrics.prom"],
  ["METRICS_PUSHGATEWAY_URL", "http://127.0.0.1:9", "metrics.pushgateway_url", "http://127.0.0.1:9"],
  ["METRICS_JOB", "car", "metrics.job", "car"],
  ["METRICS_INSTANCE", "blue", "metrics.instance", "blue"],
  ["METRICS_STATE_FILE", "/tmp/nowhere/state.json", "metrics.state_file", "/tmp/nowhere/state.json"],
  ["STATS_RETENTION_DAYS", "90", "stats.retention_days", 90],
  ["SERVICE_PORT", "18080", "web.port", 18080],
  ["SERVICE_ADMIN_USERNAME", "owner", "auth.username", "owner"],
  ["SERVICE_AUTH_MODE", "proxy", "auth.mode", "proxy"],
  ["SERVICE_TRUSTED_PROXIES", "192.0.2.1, 10.0.0.0/8", "auth.trusted_proxies", ["192.0.2.1", "10.0.0.0/8"]],
  ["SERVICE_USER_HEADER", "Remote-User", "auth.proxy_user_header", "Remote-User"],
  ["SERVICE_OFFSITE_ENDPOINT", "http://127.0.0.1:9", "offsite.endpoint", "http://127.0.0.1:9"],
  ["SERVICE_OFFSITE_BUCKET", "dashcam", "offsite.bucket", "dashcam"],
  ["SERVICE_OFFSITE_REGION", "eu-north-1", "offsite.region", "eu-north-1"],
  ["SERVICE_OFFSITE_ACCESS_KEY", "an access key", "offsite.access_key", "an access key"],
  ["SERVICE_OFFSITE_SECRET_KEY", "a secret key", "offsite.secret_key", "a secret key"],
  ["SERVICE_OFFSITE_CA_FILE", "/tmp/nowhere/ca.pem", "offsite.ca_file", "/tmp/nowhere/ca.pem"],
  ["SERVICE_OFFSITE_PREFIX", "home", "offsite.prefix", "home"],
  ["SERVICE_OFFSITE_PASSPHRASE", "correct horse battery", "offsite.passphrase", "correct horse battery"],
  ["SERVICE_DESTINATION", "/tmp/nowhere/recordings", "system.destination", "/tmp/nowhere/recordings"],
];

describe("the first start", () => {
  test("takes every variable of the table into the settings, and the table is whole", async () => {
    const known = SECTION_NAMES.flatMap((name) => fieldsOf(name).flatMap(([, { env }]) => (env ? [env.name] : [])));
    expect(SEEDS.map(([variable]) => variable).sort()).toEqual(known.sort());
    await using service = await serveUntold(place, { env: Object.fromEntries(SEEDS) });
    const stored = await storedSettings(place);
    for (const [variable, , path, value] of SEEDS) {
      const [section = "", field = ""] = path.split(".");
      expect([variable, stored[section]?.[field]]).toEqual([variable, value]);
    }
    service.running.signal("SIGTERM");
    // Values just taken over do not differ from themselves.
    expect((await service.running.ended).err).not.toContain("ignored");
  });

  test("names the variables of an earlier program, and what takes their place", async () => {
    const env = { BLACKVUESYNC_ADMIN_USERNAME: "owner", CRON: "0 * * * *", RUN_ONCE: "1", BLACKVUESYNC_PORT: "" };
    await using service = await serve(place, [], { env });
    service.running.signal("SIGTERM");
    expect((await service.running.ended).err).toContain(
      "These environment variables are of an earlier program and are not read: " +
        "BLACKVUESYNC_ADMIN_USERNAME (now SERVICE_ADMIN_USERNAME), CRON (SERVICE_SCHEDULE sets when it runs), " +
        'RUN_ONCE ("dashdock sync" runs once)',
    );
  });

  test("without variables keeps the initial values, and recordings go to ./data/recordings", async () => {
    await using _ = await serveUntold(place, { env: { ADDRESS: "", KEEP: "", VERBOSE: "" } });
    const { version, ...stored } = await storedSettings(place);
    const initial = initialSettings();
    const secret = stored["auth"]?.["session_secret"];
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(Number(version)).toBe(2);
    expect(stored).toEqual({
      ...initial,
      auth: { ...initial.auth, session_secret: String(secret) },
      system: { ...initial.system, destination: join(PROGRAM.cwd, "data/recordings") },
    });
  });

  test("makes relative paths whole, and does not call that a difference", async () => {
    const there = (name: string) => relative(PROGRAM.cwd, place.at(name));
    const env = {
      SERVICE_DESTINATION: there("elsewhere"),
      METRICS_FILE: there("m.prom"),
      METRICS_STATE_FILE: there("s"),
    };
    await using service = await serveUntold(place, { env });
    const { system, metrics } = await storedSettings(place);
    expect(system?.["destination"]).toBe(place.at("elsewhere"));
    expect([metrics?.["file"], metrics?.["state_file"]]).toEqual([place.at("m.prom"), place.at("s")]);
    service.running.signal("SIGTERM");
    expect((await service.running.ended).err).not.toContain("ignored");
  });

  test("reads durations in words and codes in any case, and stores their one form", async () => {
    const env = { KEEP: "2 Weeks", RETRY_FAILED_AFTER: "12 hours", INCLUDE: "nf, p" };
    await using service = await serve(place, [], { env });
    const { sync, retention } = await storedSettings(place);
    expect([retention?.["keep"], sync?.["retry_failed_after"], sync?.["include"]]).toEqual(["2w", "12h", ["NF", "P"]]);
    service.running.signal("SIGTERM");
    expect((await service.running.ended).err).not.toContain("ignored");
  });

  test("takes the folder of --destination into the settings, and holds the other flags for this process only", async () => {
    const logOf = async (service: Service) => {
      service.running.signal("SIGTERM");
      return (await service.running.ended).err;
    };
    const stored = async () => {
      const { web, system } = await storedSettings(place);
      return [web?.["port"], system?.["destination"]];
    };
    const first = place.at("recordings");
    const other = place.at("other");
    await using service = await serve(place, [], { env: { SERVICE_DESTINATION: place.at("elsewhere") } });
    expect(await stored()).toEqual([8080, first]);
    expect(new URL(service.url).port).not.toBe("8080");
    const told = (used: string) => `Recordings go to ${used}. A start without --destination uses ${first}.`;
    expect(await logOf(service)).toContain(told(first));
    await using later = await serve(place, ["--destination", other]);
    expect(await logOf(later)).toContain(told(other));
    expect(await stored()).toEqual([8080, first]);
    // A user who forgets the flag would miss the recordings of the last start.
    await using plain = await serveUntold(place);
    expect(await logOf(plain)).toContain(
      `Recordings go to ${first}, as the settings say. The last start used ${other}; --destination ${other} uses it again.`,
    );
    await using again = await serveUntold(place);
    expect(await logOf(again)).not.toContain("Recordings go to");
  });

  test("takes the zone of TZ for the schedule, unless one is given or TZ says nothing", async () => {
    const rows: [env: Record<string, string>, zone: string][] = [
      [{ TZ: "Europe/Rome" }, "Europe/Rome"],
      [{ TZ: "Europe/Rome", SERVICE_TIMEZONE: "Asia/Tokyo" }, "Asia/Tokyo"],
      [{ TZ: "Etc/UTC" }, "UTC"],
      [{ TZ: ":/etc/localtime" }, "UTC"],
    ];
    for (const [env, zone] of rows) {
      await using there = await temporaryPlace();
      await using _ = await serve(there, [], { env });
      expect((await storedSettings(there))["schedule"]?.["timezone"]).toBe(zone);
    }
  });

  test("sets the password of SERVICE_ADMIN_PASSWORD, which nothing repeats", async () => {
    const env = { SERVICE_ADMIN_PASSWORD: PASSWORD, SERVICE_ADMIN_USERNAME: "owner" };
    await using service = await serve(place, [], { env });
    const page = await service.client.fetch("/first-run");
    expect([page.status, page.headers.get("location")]).toEqual([302, "/login"]);
    expect((await service.client.signIn("owner", PASSWORD)).status).toBe(302);
    service.running.signal("SIGTERM");
    const { out, err } = await service.running.ended;
    expect(out + err + (await readFile(settingsPath(place), "utf8"))).not.toContain(PASSWORD);
    expect(await readFile(place.at("config", "logs", "dashdock.log"), "utf8")).not.toContain(PASSWORD);
  });

  test("reads the password from the file that SERVICE_ADMIN_PASSWORD_FILE names, without its line end", async () => {
    await writeFile(place.at("password"), `${PASSWORD}\n`);
    await using service = await serve(place, [], { env: { SERVICE_ADMIN_PASSWORD_FILE: place.at("password") } });
    expect((await service.client.signIn("admin", PASSWORD)).status).toBe(302);
  });

  test("reads the push gateway's address, which may carry a password, from a file too", async () => {
    const address = "http://anna:long-enough@127.0.0.1:1";
    await writeFile(place.at("gateway"), `${address}\n`);
    await using _service = await serve(place, [], { env: { METRICS_PUSHGATEWAY_URL_FILE: place.at("gateway") } });
    expect((await storedSettings(place))["metrics"]?.["pushgateway_url"]).toBe(address);
  });
});

describe("a first start with a value it cannot use ends at once", () => {
  /** Variable, text, what the line says besides. */
  const rows: [variable: string, text: string, rule: string][] = [
    ["ADDRESS", "http://camera", "without http://"],
    ["TIMEOUT", "soon", "must be a number above 0 and at most 300"],
    ["TIMEOUT", "1e999", "must be a number above 0 and at most 300"],
    ["SERVICE_SCHEDULE", "61 * * * *", "minute"],
    ["SERVICE_TIMEZONE", "Foo/Bar", "not a known time zone"],
    ["PRIORITY", "bogus", "must be one of date, rdate, type, smart"],
    ["GROUPING", "hourly", "must be one of none, daily, weekly, monthly, yearly"],
    ["INCLUDE", "P,ZZ", "ZZ"],
    ["EXCLUDE", "*.mp4", "*.mp4"],
    ["RETRY_FAILED_AFTER", "0", "retry_failed_after"],
    ["SKIP_METADATA", "tx", "t, 3, g"],
    ["KEEP", "12h", "retention.keep"],
    ["MAX_USED_DISK", "101", "must be a whole number from 1 to 100"],
    ["VERBOSE", "loud", "must be a whole number from 0"],
    ["QUIET", "maybe", "must be true or false"],
    ["LOG_FORMAT", "xml", "must be one of text, json"],
    ["METRICS_PUSHGATEWAY_URL", "ftp://x", "http:// or https://"],
    ["STATS_RETENTION_DAYS", "-1", "stats.retention_days"],
    ["SERVICE_PORT", "70000", "must be a whole number from 1 to 65535"],
    ["SERVICE_ADMIN_USERNAME", " ", "it is empty"],
    ["SERVICE_AUTH_MODE", "ldap", "must be one of login, none, proxy"],
    ["SERVICE_AUTH_MODE", "proxy", "SERVICE_TRUSTED_PROXIES"],
    ["SERVICE_TRUSTED_PROXIES", "proxy.lan", "auth.trusted_proxies"],
    ["SERVICE_USER_HEADER", "Host", "names no user"],
    ["PUID", "dashcam", "must be a number"],
    ["PGID", "-5", "must be a number"],
  ];

  /** One line on standard error, no other output, no file. */
  function expectStopped({ code, out, err }: Ended, ...said: string[]): void {
    expect([code, out]).toEqual([2, ""]);
    const [line = "", ...more] = err.trimEnd().split("\n");
    expect(more.filter((text) => !text.startsWith('See "dashdock help'))).toEqual([]);
    for (const part of said) expect(line).toContain(part);
  }

  test.each(rows)("%s=%s", async (variable, text, rule) => {
    const ended = await call(place, serveArgs(place), { env: { [variable]: text } }).ended;
    expectStopped(ended, variable, JSON.stringify(text).slice(1, -1), rule);
    expect(await treeOf(place.home)).toEqual([]);
  });

  const SYSTEM = ["/", "/etc", "/usr/share/dashcam", "/root", "/boot"];
  test.each(SYSTEM)("a folder of the system for recordings: %s", async (folder) => {
    const rule = `${folder} is a folder of the system; choose one for recordings`;
    expectStopped(await call(place, [...untoldArgs(place), "--destination", folder]).ended, `--destination ${rule}`);
    const env = { SERVICE_DESTINATION: folder };
    const seeded = await call(place, untoldArgs(place), { env }).ended;
    expectStopped(seeded, `SERVICE_DESTINATION=${folder} cannot be used: system.destination is a folder of the system`);
    expectStopped(await call(place, ["sync", "127.0.0.1:1", "--destination", folder]).ended, `--destination ${rule}`);
    expectStopped(await call(place, ["sync", "127.0.0.1:1"], { env }).ended, `SERVICE_DESTINATION ${rule}`);
    expectStopped(await call(place, ["demo", "--data", folder]).ended, `--data ${rule}`);
    expect(await treeOf(place.home)).toEqual([]);
    for (const path of [".dashdock", ".dashdock.lock", "config", "recordings"])
      expect(existsSync(join(folder, path))).toBe(false);
  });

  test("SERVICE_ADMIN_PASSWORD too short, which is not repeated", async () => {
    const ended = await call(place, serveArgs(place), { env: { SERVICE_ADMIN_PASSWORD: "hunter2" } }).ended;
    expectStopped(ended, "SERVICE_ADMIN_PASSWORD", "at least 12 characters");
    expect(ended.err).not.toContain("hunter2");
    expect(await treeOf(place.home)).toEqual([]);
  });

  test("a password file that cannot be read, or a password beside its file", async () => {
    const missing = { SERVICE_ADMIN_PASSWORD_FILE: place.at("nowhere") };
    expectStopped(
      await call(place, serveArgs(place), { env: missing }).ended,
      "SERVICE_ADMIN_PASSWORD_FILE",
      "cannot be read",
    );
    const both = { ...missing, SERVICE_ADMIN_PASSWORD: PASSWORD };
    expectStopped(await call(place, serveArgs(place), { env: both }).ended, "both set");
    expect(await treeOf(place.home)).toEqual([]);
  });

  test("and names every bad variable in that one line", async () => {
    const env = { PRIORITY: "bogus", MAX_USED_DISK: "0", KEEP: "1x" };
    expectStopped(await call(place, serveArgs(place), { env }).ended, ...Object.keys(env));
  });
});

describe("a later start", () => {
  test("with a folder of the system in the settings file ends at once, and the file is left as it is", async () => {
    const settings = openSettings("", { system: { destination: "/usr/share/dashcam" } });
    putSettings(place, settings);
    const { code, out, err } = await call(place, untoldArgs(place)).ended;
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("system.destination is /usr/share/dashcam, which is a folder of the system");
    expect(err.trimEnd()).toMatch(/^Dashdock cannot start: .*settings\.json.*the file is left as it is\.$/);
    expect(await storedSettings(place)).toEqual(settings as never);
    expect(await treeOf(place.home)).toEqual(["config", "config/settings.json"]);
    // A start that is told of another one is not concerned.
    await using _ = await serve(place);
  });

  test("ignores the environment and says so in one line that names what differs", async () => {
    putSettings(place, openSettings("127.0.0.1:1", { sync: { grouping: "daily" } }));
    const env = { ADDRESS: "10.0.0.9", GROUPING: "daily", KEEP: "1x", SERVICE_ADMIN_PASSWORD: PASSWORD };
    await using service = await serve(place, [], { env });
    service.running.signal("SIGTERM");
    const { err } = await service.running.ended;
    const lines = err.split("\n").filter((line) => line.includes("ignored"));
    expect(lines).toEqual([expect.stringMatching(/INFO .*ADDRESS \(connection\.address\), KEEP \(retention\.keep\)$/)]);
    expect(err).not.toMatch(/GROUPING|10\.0\.0\.9/);
    const stored = await storedSettings(place);
    expect([stored["connection"]?.["address"], stored["auth"]?.["password_hash"] ?? ""]).toEqual(["127.0.0.1:1", ""]);
  });
});

describe("at every start", () => {
  test("a config folder that others can look into is told once, with what helps", async () => {
    mkdirSync(place.at("config"), { mode: 0o755 });
    await using service = await serve(place);
    service.running.signal("SIGTERM");
    const told = (await service.running.ended).err.split("\n").filter((line) => line.includes("chmod"));
    expect(told).toEqual([expect.stringMatching(/WARNING Other users .*\. Run: chmod 700 \/.*\/config$/)]);
  });

  test("what is secret is gone from the environment, and from what is handed on to children", async () => {
    const program = `
      const { run } = await import(${JSON.stringify(join(import.meta.dir, "../server/commands/cli.ts"))});
      const write = process.stdout.write.bind(process.stdout);
      process.stdout.write = (text) => {
        if (!text.includes("listening on")) return true;
        const child = Bun.spawnSync(["env"], { env: process.env }).stdout.toString();
        const here = JSON.stringify(process.env) + JSON.stringify({ ...Bun.env });
        write(JSON.stringify([/long.enough/.test(here), /long.enough/.test(child), here.includes("Europe")]));
        return process.exit(0);
      };
      await run(${JSON.stringify(serveArgs(place))});`;
    const env = {
      SERVICE_ADMIN_PASSWORD: PASSWORD,
      METRICS_PUSHGATEWAY_URL: "http://anna:long-enough@127.0.0.1:1",
      SERVICE_TIMEZONE: "Europe/Rome",
    };
    await using running = startCommand([process.execPath, "-e", program], { cwd: place.cwd, env });
    const { out } = await running.ended;
    expect(JSON.parse(out)).toEqual([false, false, true]);
    expect((await storedSettings(place))["auth"]?.["password_hash"]).toStartWith("$argon2id$");
  });

  test("SERVICE_TRUST_PROXY decides whether cookies are for HTTPS only and forwarded addresses count", async () => {
    putSettings(place, openSettings("", { auth: { mode: "login" } }));
    for (const [text, secure] of [
      ["yes", true],
      ["TRUE", true],
      ["0", false],
      ["", false],
    ] as const) {
      await using service = await serve(place, [], { env: { SERVICE_TRUST_PROXY: text } });
      const page = await fetch(`${service.url}/first-run`, { headers: { "x-forwarded-proto": "https" } });
      expect([text, /; Secure/.test(page.headers.getSetCookie().join())]).toEqual([text, secure]);
      expect([text, page.headers.has("strict-transport-security")]).toEqual([text, secure]);
    }
  });
});

describe("started as root", () => {
  const asRoot = process.getuid?.() === 0;

  test.skipIf(!asRoot)("with PUID and PGID everything it writes belongs to them (needs root)", async () => {
    const uid = 12345;
    const gid = 23456;
    const now = Date.UTC(2026, 5, 7, 10, 20);
    const card = simulatedCard({ recordings: 1, now, footage: syntheticFootage(10_000) });
    await using camera = await openSimulator({ card });
    chmodSync(dirname(place.home), 0o755);
    mkdirSync(place.at("recordings"));
    chownSync(place.at("recordings"), uid, gid);
    const env = { PUID: String(uid), PGID: String(gid), ADDRESS: camera.address, SERVICE_ADMIN_PASSWORD: PASSWORD };
    await using service = await serve(place, [], { env: { ...env, KEEP: "36500d" } });
    const { client } = service;
    expect((await client.signIn("admin", PASSWORD)).status).toBe(302);
    // The first run begins with the first start.
    expect(await progressed(client, ({ state }) => state !== "running" && state !== "idle")).toMatchObject({
      state: "completed",
    });
    const written = [...((await treeOf(place.home)) ?? [])].map((path) => place.at(path));
    expect(written.filter((path) => path.endsWith(".mp4"))).toHaveLength(1);
    for (const path of written) {
      // A file that is being written has got its own name by then.
      const found = await stat(path).catch(() => null);
      if (found !== null || !path.endsWith(".tmp")) expect([path, found?.uid, found?.gid]).toEqual([path, uid, gid]);
    }
  });

  /** Whom the service runs as, by what it has written. */
  const ownerWith = async (env: Record<string, string>) => {
    await using there = await temporaryPlace();
    chmodSync(dirname(there.home), 0o755);
    chmodSync(there.home, 0o777);
    await using _ = await serve(there, [], { env });
    const { uid, gid } = await stat(settingsPath(there));
    return [uid, gid];
  };

  test.skipIf(!asRoot)(
    "in the image it does not stay root without PUID and PGID, unless they say 0 (needs root)",
    async () => {
      const image = { SERVICE_IMAGE_UID: "12345", SERVICE_IMAGE_GID: "23456" };
      expect(await ownerWith(image)).toEqual([12345, 23456]);
      expect(await ownerWith({ ...image, PUID: "", PGID: "" })).toEqual([12345, 23456]);
      expect(await ownerWith({ ...image, PUID: "1111" })).toEqual([1111, 23456]);
      expect(await ownerWith({ ...image, PUID: "0", PGID: "0" })).toEqual([0, 0]);
      expect(await ownerWith({})).toEqual([0, 0]);
    },
  );

  test("the image names a user that is not root", async () => {
    const dockerfile = await readFile(join(import.meta.dir, "../Dockerfile"), "utf8");
    const ids = [...dockerfile.matchAll(/SERVICE_IMAGE_(?:UID|GID)=([0-9]+)/g)].map(([, id]) => Number(id));
    expect(ids).toEqual([1000, 1000]);
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  });

  test.skipIf(!asRoot)("with PUID only, it says when the config folder is not that user's (needs root)", async () => {
    chmodSync(dirname(place.home), 0o755);
    putSettings(place, openSettings(""));
    const { code, out, err } = await call(place, serveArgs(place), { env: { PUID: "12345" } }).ended;
    expect([code, out]).toEqual([2, ""]);
    const config = place.at("config");
    const sentence = `${config} belongs to 0:0 and cannot be written by 12345:0. Run: sudo chown -R 12345:0 ${config}`;
    expect(err).toBe(`Dashdock cannot start: ${sentence}\n`);
  });
});
