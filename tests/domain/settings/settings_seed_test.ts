import { describe, expect, test } from "bun:test";
import { initialSettings } from "../../../server/domain/settings/settings.ts";
import { seedDifferences, seedSettings } from "../../../server/domain/settings/settings_seed.ts";

const INITIAL = initialSettings();

describe("seedSettings()", () => {
  test("is the initial settings without any variable", () => expect(seedSettings({})).toEqual(INITIAL));

  test("reads every variable of the table", () => {
    const seeded = seedSettings({
      ADDRESS: "192.168.1.20",
      TIMEOUT: "7.5",
      SERVICE_SCHEDULE: "0 3 * * *",
      SERVICE_TIMEZONE: "Europe/Rome",
      PRIORITY: "rdate",
      GROUPING: "weekly",
      INCLUDE: " P, NF ,,",
      EXCLUDE: "E",
      RETRY_FAILED_AFTER: "12h",
      SKIP_METADATA: "t3g",
      AFFINITY_KEY: "blue",
      KEEP: "30d",
      MAX_USED_DISK: "80",
      VERBOSE: "2",
      QUIET: "Yes",
      LOG_FORMAT: "json",
      METRICS_FILE: "/m/dashdock.prom",
      METRICS_PUSHGATEWAY_URL: "http://push:9091",
      METRICS_JOB: "car",
      METRICS_INSTANCE: "blue",
      METRICS_STATE_FILE: "/m/state.json",
      STATS_RETENTION_DAYS: "30",
      SERVICE_ON_ARRIVAL: "no",
      SERVICE_ARRIVAL_SECONDS: "60",
      SERVICE_PORT: "9000",
      SERVICE_ADMIN_USERNAME: "root",
      SERVICE_DESTINATION: "/data",
    });
    expect(seeded.connection).toEqual({ address: "192.168.1.20", timeout_seconds: 7.5 });
    expect(seeded.schedule).toEqual({
      cron_expression: "0 3 * * *",
      on_arrival: false,
      arrival_seconds: 60,
      timezone: "Europe/Rome",
      paused: false,
    });
    expect(seeded.sync).toEqual({
      priority: "rdate",
      grouping: "weekly",
      include: ["P", "NF"],
      exclude: ["E"],
      retry_failed_after: "12h",
      metadata_first: true,
      max_video_gb: 32,
      skip_metadata: ["t", "3", "g"],
      affinity_key: "blue",
    });
    expect(seeded.retention).toMatchObject({ keep: "30d", max_used_disk_percent: 80 });
    expect(seeded.logging).toMatchObject({ verbose: 2, quiet: true, format: "json" });
    expect(seeded.metrics).toMatchObject({
      file: "/m/dashdock.prom",
      pushgateway_url: "http://push:9091",
      job: "car",
      instance: "blue",
      state_file: "/m/state.json",
    });
    expect([seeded.stats.retention_days, seeded.web.port, seeded.auth.username]).toEqual([30, 9000, "root"]);
    expect(seeded.system.destination).toBe("/data");
  });

  test("keeps durations and codes in their short form", () => {
    const env = { KEEP: "1 year", RETRY_FAILED_AFTER: "12 Hours", INCLUDE: "p, nf" };
    const seeded = seedSettings(env);
    expect(seeded.retention.keep).toBe("1y");
    expect(seeded.sync).toMatchObject({ retry_failed_after: "12h", include: ["P", "NF"] });
    expect(seedDifferences(env, seeded)).toEqual([]);
  });

  test("takes a variable that is set but empty as unset", () => {
    expect(seedSettings({ KEEP: "", TIMEOUT: "", QUIET: "", AFFINITY_KEY: "", ADDRESS: undefined })).toEqual(INITIAL);
  });

  const bad: [variable: string, value: string, rule: string][] = [
    ["PRIORITY", "bogus", "one of date, rdate, type, smart"],
    ["TIMEOUT", "soon", "a number above 0 and at most 300"],
    ["TIMEOUT", "0x10", "a number above 0"],
    ["TIMEOUT", "-1", "a number above 0"],
    ["SERVICE_PORT", "80.5", "a whole number from 1 to 65535"],
    ["SERVICE_SCHEDULE", "61 * * * *", "minute field"],
    ["SERVICE_TIMEZONE", "Mars", "time zone"],
    ["INCLUDE", "P,ZZ", "not a recording code"],
    ["SKIP_METADATA", "tx", "t, 3, g"],
    ["KEEP", "12h", "duration"],
    ["KEEP", "forever", "duration"],
    ["KEEP", "1 parsec", "duration"],
    ["QUIET", "maybe", "true or false"],
    ["VERBOSE", "very", "a whole number"],
    ["ADDRESS", "http://cam", "not an address"],
    ["SERVICE_ADMIN_USERNAME", " ", "empty"],
  ];
  for (const [variable, value, rule] of bad) {
    test(`refuses ${variable}=${value} in one line with variable, value and rule`, () => {
      const attempt = () => seedSettings({ [variable]: value });
      expect(attempt).toThrow(`${variable}="${value}" cannot be used: `);
      expect(attempt).toThrow(rule);
    });
  }

  test("names all bad variables in one line", () => {
    expect(() => seedSettings({ KEEP: "x", TIMEOUT: "y" })).toThrow(/^TIMEOUT=.*; KEEP=[^\n]*$/);
  });
});

test("seedDifferences() names the variables that say something else than the settings", () => {
  const env = { ADDRESS: "cam", KEEP: "2 Weeks", TIMEOUT: "10.0", INCLUDE: "P", PRIORITY: "", QUIET: "no" };
  expect(seedDifferences(env, INITIAL)).toEqual([
    { variable: "ADDRESS", path: "connection.address" },
    { variable: "INCLUDE", path: "sync.include" },
  ]);
});
