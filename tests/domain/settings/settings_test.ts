import { describe, expect, test } from "bun:test";
import { AppError } from "../../../server/domain/api/errors.ts";
import { addressProblem, networkProblem, tidyAddress } from "../../../server/domain/settings/address.ts";
import { fieldsOf, initialSettings, mask, SECTION_NAMES, SECTIONS } from "../../../server/domain/settings/settings.ts";
import {
  applyPatch,
  checkStored,
  type FieldError,
  seedDifferences,
  seedSettings,
  toStored,
} from "../../../server/domain/settings/settings_checks.ts";

const INITIAL = initialSettings();

/** What a JSON client sends, so that `1e999` and `__proto__` arrive as they would from outside. */
const json = (text: string): unknown => JSON.parse(text);

function refusal(section: string, body: unknown): AppError {
  try {
    applyPatch(INITIAL, section, body);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${section} ${JSON.stringify(body)} was accepted`);
}

function fieldErrors(section: string, body: unknown): FieldError[] {
  const error = refusal(section, body);
  expect(error.code).toBe("SETTINGS_INVALID");
  const { field_errors } = error.details as { field_errors: FieldError[] };
  return field_errors;
}

describe("the schema", () => {
  test("has the twelve sections in order, each with its tier", () => {
    expect(SECTION_NAMES.map((name) => `${name} ${SECTIONS[name].tier}`)).toEqual([
      "connection restart",
      "schedule next_tick",
      "sync next_tick",
      "retention next_tick",
      "logging immediate",
      "metrics immediate",
      "stats next_tick",
      "viewer immediate",
      "camera immediate",
      "web restart",
      "auth immediate",
      "system restart",
    ]);
  });

  test("starts from these values", () => {
    expect(INITIAL).toEqual({
      connection: { address: "", timeout_seconds: 10 },
      schedule: { cron_expression: "*/15 * * * *", timezone: "UTC", paused: false },
      sync: {
        priority: "date",
        grouping: "none",
        include: [],
        exclude: [],
        retry_failed_after: "1d",
        metadata_first: true,
        skip_metadata: [],
        affinity_key: null,
      },
      retention: {
        keep: "2w",
        keep_event: "",
        keep_parking: "",
        keep_manual: "",
        event_context: 1,
        max_gb: null,
        max_percent: null,
        trash_days: 7,
        max_used_disk_percent: 90,
      },
      logging: {
        verbose: 0,
        quiet: false,
        format: "text",
        file_max_bytes: 10485760,
        file_backup_count: 5,
        ring_buffer_capacity: 500,
      },
      metrics: {
        file: null,
        pushgateway_url: null,
        job: "dashdock",
        instance: null,
        state_file: "",
        scrape: false,
        scrape_token: null,
      },
      stats: { retention_days: 365 },
      viewer: {
        journey_mode: "progressive",
        speed_unit: "kmh",
        continuous_play: false,
        trip_gap_minutes: 5,
        map_tiles: false,
        tile_url: "https://tile.openstreetmap.org/{z}/{x}/{y}.png",
      },
      camera: { read_timeout_seconds: 3 },
      web: { port: 8080, session_lifetime_hours: 24, allowed_hosts: [] },
      auth: {
        mode: "login",
        username: "admin",
        password_hash: "",
        session_secret: "",
        trusted_proxies: [],
        proxy_user_header: "X-Remote-User",
      },
      system: { destination: "/recordings", dry_run: false },
    });
  });

  test("accepts all of its own initial values", () => {
    expect(checkStored({ ...INITIAL }).problems).toEqual([]);
  });

  test("gives every field a label, a help sentence and a variable of its own", () => {
    const fields = SECTION_NAMES.flatMap(fieldsOf).map(([, field]) => field);
    for (const field of fields) {
      expect(field.label).not.toBe("");
      expect(field.help).toEndWith(".");
    }
    const variables = fields.flatMap((field) => field.env?.name ?? []);
    expect(new Set(variables).size).toBe(variables.length);
  });
});

describe("mask()", () => {
  test("shows version and tiers, and every secret as *** even when it is empty", () => {
    const masked = mask(INITIAL);
    expect(Object.keys(masked)).toEqual(["version", ...SECTION_NAMES]);
    expect(masked.version).toBe(2);
    expect(masked.auth).toEqual({
      _tier: "immediate",
      mode: "login",
      username: "admin",
      password_hash: "***",
      session_secret: "***",
      trusted_proxies: [],
      proxy_user_header: "X-Remote-User",
    });
    expect(masked.metrics.scrape_token).toBe("***");
  });
});

describe("applyPatch()", () => {
  const accepted: [section: string, body: Record<string, unknown>][] = [
    ["connection", { timeout_seconds: 5 }],
    ["connection", { timeout_seconds: 0.5 }],
    ["connection", { timeout_seconds: 300 }],
    ["connection", { address: "192.168.1.20:8080" }],
    ["connection", { address: "" }],
    ["metrics", { file: null }],
    ["metrics", { file: "" }],
    ["metrics", { pushgateway_url: "http://pushgateway:9091" }],
    ["sync", { include: ["P", "NF"] }],
    ["sync", { skip_metadata: ["t", "3"] }],
    ["sync", { retry_failed_after: "12h" }],
    ["sync", { affinity_key: "car one" }],
    ["retention", { keep: "" }],
    ["retention", { keep: "30" }],
    ["retention", { keep: "30d" }],
    ["retention", { max_used_disk_percent: 100 }],
    ["auth", { trusted_proxies: ["10.0.0.10", "192.168.0.0/24"] }],
    ["auth", { mode: "proxy", trusted_proxies: ["10.0.0.5/8", "fd00::/8"] }],
    ["schedule", { cron_expression: "0 3 * * sun", timezone: "Europe/Rome" }],
    ["stats", { retention_days: 0 }],
    ["camera", { read_timeout_seconds: 0.5 }],
    ["logging", { ring_buffer_capacity: 10 }],
    ["logging", { verbose: 7 }],
    ["viewer", { tile_url: "http://127.0.0.1:9000/{z}/{x}/{y}.png" }],
    ["web", {}],
  ];
  for (const [section, body] of accepted) {
    test(`accepts ${section} ${JSON.stringify(body)} and changes nothing else`, () => {
      const changed = applyPatch(INITIAL, section, body);
      const expected: Record<string, unknown> = { ...INITIAL };
      expected[section] = { ...(expected[section] as object), ...body };
      expect(changed).toEqual(expected as never);
    });
  }

  const shortened: [section: string, body: Record<string, unknown>, stored: Record<string, unknown>][] = [
    ["retention", { keep: "2 weeks" }, { keep: "2w" }],
    ["retention", { keep: "1 Year" }, { keep: "1y" }],
    ["retention", { keep: " 3D" }, { keep: "3d" }],
    ["retention", { keep: "100y" }, { keep: "100y" }],
    ["sync", { retry_failed_after: "12 HOURS" }, { retry_failed_after: "12h" }],
    ["sync", { include: ["p", "nF"], exclude: ["Nr"] }, { include: ["P", "NF"], exclude: ["NR"] }],
  ];
  for (const [section, body, stored] of shortened)
    test(`keeps ${section} ${JSON.stringify(body)} in its short form, from a file too`, () => {
      const changed: Record<string, unknown> = { ...applyPatch(INITIAL, section, body) };
      expect(changed[section]).toMatchObject(stored);
      const read = checkStored({ version: 2, [section]: body });
      expect(read.problems).toEqual([]);
      expect({ ...read.settings }).toEqual(changed as never);
    });

  const rejected: [section: string, body: string, path?: string][] = [
    ["web", '{"port":"8080"}'],
    ["web", '{"port":true}'],
    ["web", '{"port":80.5}'],
    ["web", '{"port":0}'],
    ["web", '{"port":65536}'],
    ["web", '{"session_lifetime_hours":8761}'],
    ["web", '{"session_lifetime_hours":1e300}'],
    ["connection", '{"timeout_seconds":"5"}'],
    ["connection", '{"timeout_seconds":-1}'],
    ["connection", '{"timeout_seconds":0}'],
    ["connection", '{"timeout_seconds":301}'],
    ["connection", '{"timeout_seconds":1e999}'],
    ["connection", '{"timeout_seconds":null}'],
    ["connection", '{"timeout_seconds":true}'],
    ["connection", '{"address":123}'],
    ["connection", '{"address":"http://cam"}'],
    ["retention", '{"max_used_disk_percent":null}'],
    ["retention", '{"max_used_disk_percent":101}'],
    ["auth", '{"mode":["login"]}'],
    ["auth", '{"mode":"Login"}'],
    ["auth", '{"trusted_proxies":"10.0.0.10"}'],
    ["auth", '{"trusted_proxies":[1]}'],
    ["auth", '{"trusted_proxies":["not-an-ip"]}'],
    ["auth", '{"username":"  "}'],
    ["auth", '{"mode":"proxy"}', "auth.trusted_proxies"],
    ["auth", '{"proxy_user_header":"X Remote User"}'],
    ...["Host", "user-agent", "Cookie", "X-Forwarded-For", "Accept-Language", "Sec-Fetch-Site"].map(
      (name) => ["auth", `{"proxy_user_header":"${name}"}`] as [string, string],
    ),
    ["schedule", '{"paused":"false"}'],
    ["schedule", '{"cron_expression":"61 * * * *"}'],
    ["schedule", '{"cron_expression":"0 0 30 2 *"}'],
    ["schedule", '{"timezone":"Foo/Bar"}'],
    ["schedule", '{"timezone":""}'],
    ["sync", '{"skip_metadata":"t3"}'],
    ["sync", '{"skip_metadata":["t3"]}'],
    ["sync", '{"include":["*.mp4"]}'],
    ["sync", '{"include":"P"}'],
    ["sync", '{"exclude":["P,N"]}'],
    ["sync", '{"exclude":["NQ"]}'],
    ["sync", '{"exclude":{"0":"N"}}'],
    ["sync", '{"retry_failed_after":"0"}'],
    ["sync", '{"retry_failed_after":""}'],
    ["sync", '{"affinity_key":"a\\nb"}'],
    ["sync", '{"priority":"toString"}'],
    ["retention", '{"keep":"12h"}'],
    ["retention", '{"keep":"0"}'],
    ["retention", '{"keep":"30s"}'],
    ["retention", '{"keep":"1x"}'],
    ["retention", '{"keep":"999999999w"}'],
    ["retention", '{"keep":null}'],
    ["retention", '{"keep":365}'],
    ["retention", '{"keep":"forever"}'],
    ["retention", '{"keep":"12 hours"}'],
    ["retention", '{"keep":"101y"}'],
    ["metrics", '{"file":5}'],
    ["metrics", '{"file":"a\\u0000b"}'],
    ["metrics", '{"pushgateway_url":"ftp://x"}'],
    ["metrics", '{"pushgateway_url":"pushgateway:9091"}'],
    ["logging", '{"ring_buffer_capacity":9}'],
    ["logging", '{"ring_buffer_capacity":10001}'],
    ["logging", '{"file_max_bytes":1073741825}'],
    ["logging", '{"file_backup_count":101}'],
    ["logging", '{"verbose":-1}'],
    ["stats", '{"retention_days":36501}'],
    ["camera", '{"read_timeout_seconds":0.4}'],
    ["camera", '{"read_timeout_seconds":31}'],
    ["viewer", '{"tile_url":"https://tiles.example/"}'],
    ["system", '{"destination":""}'],
    ["system", '{"dry_run":1}'],
  ];
  for (const [section, body, path] of rejected) {
    test(`refuses ${section} ${body} and names the field`, () => {
      const field = path ?? `${section}.${/"(\w+)"/.exec(body)?.[1]}`;
      const errors = fieldErrors(section, json(body));
      expect(errors.map((error) => error.path)).toEqual([field]);
      expect(errors[0]?.message).toStartWith(`${field} `);
    });
  }

  const sentences: [section: string, body: Record<string, unknown>, message: string][] = [
    ["sync", { priority: "newest" }, 'sync.priority must be one of date, rdate, type, got "newest"'],
    ["web", { port: "8080" }, 'web.port must be a whole number from 1 to 65535, got "8080"'],
    ["schedule", { paused: "false" }, 'schedule.paused must be true or false, got "false"'],
    ["sync", { include: "P" }, 'sync.include must be a list of strings, got "P"'],
    ["metrics", { file: 5 }, "metrics.file must be a string or null, got 5"],
    ["sync", { colour: "red" }, "sync.colour is not a setting"],
  ];
  for (const [section, body, message] of sentences) {
    test(`says: ${message}`, () => expect(fieldErrors(section, body)[0]?.message).toBe(message));
  }

  test("says in which field of the cron expression the mistake is", () => {
    const [error] = fieldErrors("schedule", { cron_expression: "* 24 * * *" });
    expect(error?.message).toBe('schedule.cron_expression is not usable: the hour field "24" holds 24, outside 0-23');
  });

  test("keeps messages short whatever was sent", () => {
    const long = "x".repeat(100_000);
    const bodies: [string, string, unknown][] = [
      ["sync", "include", Array.from({ length: 1000 }, (_, index) => `Q${index}`)],
      ["sync", "include", [long]],
      ["sync", "priority", long],
      ["schedule", "cron_expression", long],
      ["schedule", "timezone", long],
      ["web", "port", [long]],
    ];
    for (const [section, key, value] of bodies) {
      expect(fieldErrors(section, { [key]: value })[0]?.message.length).toBeLessThan(600);
    }
  });

  test("lists all errors of a request: secrets, unknown fields, then types and values", () => {
    const body = json('{"mode":"x","nonsense":1,"__proto__":{},"session_secret":"abc","username":5}');
    const paths = fieldErrors("auth", body).map((error) => error.path);
    expect(paths).toEqual(["auth.session_secret", "auth.nonsense", "auth.__proto__", "auth.mode", "auth.username"]);
  });

  test("takes back every section as it was read", () => {
    const masked = mask(INITIAL);
    for (const name of SECTION_NAMES) expect(applyPatch(INITIAL, name, masked[name])).toEqual(INITIAL);
  });

  test("refuses every other value of a secret without repeating it", () => {
    for (const [section, key] of [
      ["auth", "password_hash"],
      ["auth", "session_secret"],
    ] as const) {
      for (const value of ["top-secret-value", "", null, 5]) {
        const [error] = fieldErrors(section, { [key]: value });
        expect(error?.path).toBe(`${section}.${key}`);
        expect(error?.message).not.toContain("top-secret-value");
      }
    }
  });

  test("takes a token for collectors, and shows it no more than any other secret", () => {
    const set = applyPatch(INITIAL, "metrics", { scrape_token: "0123456789abcdef" });
    expect(set.metrics.scrape_token).toBe("0123456789abcdef");
    expect(mask(set).metrics).toMatchObject({ scrape_token: "***" });
    expect(applyPatch(set, "metrics", { scrape_token: "***" }).metrics.scrape_token).toBe("0123456789abcdef");
    // Whatever the field: what was masked somewhere is not meant.
    expect(applyPatch(set, "metrics", { job: "***", scrape: "***" })).toEqual(set);
    expect(fieldErrors("metrics", { nothing: "***" })).toHaveLength(1);
    expect(applyPatch(set, "metrics", { scrape_token: null }).metrics.scrape_token).toBeNull();
    const [error] = fieldErrors("metrics", { scrape_token: "top-secret" });
    expect(error?.message).not.toContain("top-secret");
  });

  test("refuses proxy mode without a header, and an own proxy list that is taken away", () => {
    const proxied = applyPatch(INITIAL, "auth", { mode: "proxy", trusted_proxies: ["10.0.0.1"] });
    expect(() => applyPatch(proxied, "auth", { proxy_user_header: "" })).toThrow(AppError);
    expect(() => applyPatch(proxied, "auth", { trusted_proxies: [] })).toThrow(AppError);
    expect(applyPatch(proxied, "auth", { mode: "login", trusted_proxies: [] }).auth.mode).toBe("login");
  });

  test("knows only the sections of the schema", () => {
    for (const section of ["nope", "", "Sync", "__proto__", "constructor", "version"]) {
      const error = refusal(section, {});
      expect([error.code, error.details]).toEqual(["SECTION_NOT_FOUND", { section }]);
    }
  });

  test("looks at the section before the body, and at the body before its fields", () => {
    expect(refusal("nope", []).code).toBe("SECTION_NOT_FOUND");
    for (const body of [[], [{}], null, "text", 5, true, undefined]) {
      expect(refusal("sync", body).code).toBe("INVALID_BODY");
    }
  });

  test("leaves what it was given as it was and returns frozen lists that nobody else holds", () => {
    const include = ["P"];
    const changed = applyPatch(INITIAL, "sync", { include });
    include.push("N");
    expect(changed.sync.include).toEqual(["P"]);
    expect(INITIAL.sync.include).toEqual([]);
    for (const part of [changed, changed.sync, changed.sync.include, INITIAL.sync.include, INITIAL.auth]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

describe("addressProblem()", () => {
  test("accepts hosts and addresses with and without a port", () => {
    for (const address of ["", "dashcam", "cam_1.lan", "10.0.0.1", "cam:80", "[::1]", "[fd00::20]:8080", "a1.b2"]) {
      expect(addressProblem(address)).toBeNull();
    }
  });
  test("refuses everything else", () => {
    const bad = [
      "http://cam",
      "cam/x",
      "a b",
      " cam",
      "u:p@cam",
      "::1",
      "cam:0",
      "cam:65536",
      "cam:",
      "10.0.0.256",
      "1.2.3",
      "[1.2.3.4]",
      "[fe80::1%eth0]",
      "-cam",
      "a..b",
      "cam?x",
      "cam#x",
      "[::1",
      "cam\n",
    ];
    for (const address of bad) expect(addressProblem(address)).toContain("is not an address");
  });
  test("names the host of an address with a path", () => {
    for (const [typed, host] of [
      ["192.168.1.20/x", "192.168.1.20"],
      ["http://cam.lan:8080/Record/x.mp4", "cam.lan:8080"],
      ["192.168.1.20//", "192.168.1.20"],
    ] as const)
      expect(addressProblem(tidyAddress(typed))).toEndWith(
        `is not an address: write "${host}", without http:// or a path`,
      );
  });
  test("does not repeat credentials", () => expect(addressProblem("admin:hunter2@cam")).not.toContain("hunter2"));
});

describe("tidyAddress()", () => {
  const rows: [typed: string, address: string][] = [
    ["cam", "cam"],
    [" 192.168.1.20:8080\n", "192.168.1.20:8080"],
    ["http://192.168.1.20", "192.168.1.20"],
    ["HTTPS://cam.lan:8080/blackvue_vod.cgi?a=b", "cam.lan:8080"],
    // With another path it is refused: who typed that may have meant something else.
    ["192.168.1.20/x", "192.168.1.20/x"],
    ["http://cam.lan/Record/x.mp4", "cam.lan/Record/x.mp4"],
    ["cam/blackvue_vod.cgi/x", "cam/blackvue_vod.cgi/x"],
    ["http://[fd00::20]:8080/", "[fd00::20]:8080"],
    ["cam/", "cam"],
    ["http://", ""],
    // What is no such address is shown as it was typed.
    ["ftp://cam", "ftp://cam"],
    ["http:///x", "/x"],
    ["http://user@cam/", "user@cam"],
  ];
  for (const [typed, address] of rows)
    test(`reads ${JSON.stringify(typed)} as ${JSON.stringify(address)}`, () =>
      expect(tidyAddress(typed)).toBe(address));
});

describe("networkProblem()", () => {
  test("accepts addresses and ranges, host bits and blanks around them included", () => {
    for (const network of [
      "10.0.0.1",
      " 10.0.0.0/24 ",
      "10.0.0.5/24",
      "0.0.0.0/0",
      "::1",
      "fd00::/8",
      "::ffff:10.0.0.1",
    ]) {
      expect(networkProblem(network)).toBeNull();
    }
  });
  test("refuses everything else", () => {
    for (const network of [
      "",
      "proxy",
      "10.0.0",
      "10.0.0.0/33",
      "::1/129",
      "10.0.0.0/",
      "10.0.0.0/8/8",
      "10.0.0.0/a",
    ]) {
      expect(networkProblem(network)).toContain("neither an IP address nor a range");
    }
  });
});

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
      SERVICE_PORT: "9000",
      SERVICE_ADMIN_USERNAME: "root",
      SERVICE_DESTINATION: "/data",
    });
    expect(seeded.connection).toEqual({ address: "192.168.1.20", timeout_seconds: 7.5 });
    expect(seeded.schedule).toEqual({ cron_expression: "0 3 * * *", timezone: "Europe/Rome", paused: false });
    expect(seeded.sync).toEqual({
      priority: "rdate",
      grouping: "weekly",
      include: ["P", "NF"],
      exclude: ["E"],
      retry_failed_after: "12h",
      metadata_first: true,
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
    ["PRIORITY", "bogus", "one of date, rdate, type"],
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

describe("checkStored()", () => {
  test("fills what is missing without a word", () => {
    expect(checkStored({ version: 2, sync: { grouping: "daily" } })).toEqual({
      settings: { ...INITIAL, sync: { ...INITIAL.sync, grouping: "daily" } },
      problems: [],
      unusable: [],
      refusals: [],
      contradictions: [],
      unknown: { root: {}, sections: {} },
    });
  });

  test("falls back field by field with one sentence each", () => {
    const { settings, problems } = checkStored({
      connection: { address: "cam", timeout_seconds: "5" },
      viewer: null,
      web: [8080],
      sync: { include: ["P", 1, 2], grouping: "hourly" },
    });
    expect(settings).toEqual({ ...INITIAL, connection: { address: "cam", timeout_seconds: 10 } });
    expect(problems).toEqual([
      'connection.timeout_seconds must be a number above 0 and at most 300, got "5"',
      'sync.grouping must be one of none, daily, weekly, monthly, yearly, got "hourly"',
      "sync.include must be a list of strings, got 1; must be a list of strings, got 2",
      "viewer must be an object with the fields of the section",
      "web must be an object with the fields of the section",
    ]);
  });

  const deleting: [stored: Record<string, unknown>, path: string, value: unknown, raw: unknown, sentence: string][] = [
    ...["forever", 365, null, "1 parsec", "12h", ["2w"], true].map((keep): (typeof deleting)[number] => [
      { retention: { keep } },
      "retention.keep",
      "",
      keep,
      `The settings file says ${Array.isArray(keep) ? "a list" : JSON.stringify(keep)} for “Keep recordings for”, which cannot be used. Nothing is deleted until it is set.`,
    ]),
    [
      { retention: [] },
      "retention.keep",
      "",
      null,
      "The settings file has nothing usable for “Keep recordings for”. Nothing is deleted until it is set.",
    ],
    ...["yes", 1, null].map((dry_run): (typeof deleting)[number] => [
      { system: { dry_run } },
      "system.dry_run",
      true,
      dry_run,
      `The settings file says ${JSON.stringify(dry_run)} for “Dry run”, which cannot be used. Nothing is downloaded or deleted until it is set.`,
    ]),
    [
      { system: "dry" },
      "system.dry_run",
      true,
      null,
      "The settings file has nothing usable for “Dry run”. Nothing is downloaded or deleted until it is set.",
    ],
    [
      { stats: { retention_days: "a year" } },
      "stats.retention_days",
      0,
      "a year",
      'The settings file says "a year" for “Keep run history for”, which cannot be used. No run is dropped until it is set.',
    ],
  ];
  for (const [stored, path, value, raw, sentence] of deleting)
    test(`never deletes more because of ${JSON.stringify(stored)}`, () => {
      const check = checkStored(stored);
      const [section = "", key = ""] = path.split(".");
      const values: Record<string, unknown> = { ...check.settings[section as "retention"] };
      expect(values[key]).toBe(value);
      expect(check.unusable).toMatchObject([{ section, key, path, raw, sentence }]);
      expect(check.unusable[0]?.problem).toStartWith(section);
      // The file goes on saying it, so that the next start does too.
      const again = checkStored(toStored(check.settings, check.unknown, check.unusable));
      expect(again.unusable).toMatchObject([{ path, raw }]);
      expect(again.settings).toEqual(check.settings);
    });

  const HASH = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g";
  const doors: [auth: unknown, refusals: string[]][] = [
    [null, ["auth must be an object with the fields of the section"]],
    [["x"], ["auth must be an object with the fields of the section"]],
    ["", ["auth must be an object with the fields of the section"]],
    [{ password_hash: null }, ["auth.password_hash must be a string"]],
    [{ password_hash: 5 }, ["auth.password_hash must be a string"]],
    [{ password_hash: "x".repeat(4097) }, ["auth.password_hash must be empty or an Argon2 hash"]],
    [{ password_hash: `${HASH}${"x".repeat(4096)}` }, ["auth.password_hash must be empty or an Argon2 hash"]],
    [{ password_hash: "correct horse" }, ["auth.password_hash must be empty or an Argon2 hash"]],
    [{ password_hash: "$argon2id$" }, ["auth.password_hash must be empty or an Argon2 hash"]],
    [{ password_hash: " " }, ["auth.password_hash must be empty or an Argon2 hash"]],
    [{ password_hash: HASH.slice(0, 40) }, ["auth.password_hash must be empty or an Argon2 hash"]],
    [{ password_hash: "$2b$10$abc" }, ["auth.password_hash must be empty or an Argon2 hash"]],
    [{ password_hash: HASH }, []],
    [{ mode: "Login" }, ['auth.mode must be one of login, none, proxy, got "Login"']],
    [{ mode: "Login", password_hash: HASH }, []],
    [{ mode: "login" }, []],
    [{}, []],
  ];
  for (const [auth, refusals] of doors)
    test(`with auth ${JSON.stringify(auth)?.slice(0, 40)} ${refusals.length > 0 ? "opens no first run" : "is usable"}`, () => {
      expect(checkStored({ auth }).refusals).toEqual(refusals);
    });

  test("keeps fields that contradict each other, so that no door opens", () => {
    const { settings, problems, contradictions } = checkStored({ auth: { mode: "proxy" } });
    expect(settings.auth.mode).toBe("proxy");
    expect(problems).toEqual([]);
    expect(contradictions).toEqual([
      "auth.trusted_proxies must name at least one proxy when auth.mode is proxy; without it you could not sign in",
    ]);
  });

  test("repeats no secret", () => {
    const { problems, refusals } = checkStored({
      auth: { session_secret: "abc123", password_hash: 77 },
      metrics: { scrape_token: "pw" },
    });
    expect(refusals).toEqual(["auth.password_hash must be a string"]);
    expect(problems).toEqual([
      "metrics.scrape_token must be empty or 16 to 256 visible ASCII characters",
      "auth.session_secret must be empty or 32 to 4096 characters long",
    ]);
  });

  test("keeps unknown sections and fields for the next save, after those of the schema", () => {
    const raw = json(
      '{"future":{"a":1},"__proto__":[1],"sync":{"_tier":"x","new":[1],"grouping":"daily"},"version":2}',
    );
    const { settings, unknown } = checkStored(raw as Record<string, unknown>);
    const stored = toStored(settings, unknown);
    expect(Object.keys(stored)).toEqual(["version", ...SECTION_NAMES, "future", "__proto__"]);
    expect(stored).toMatchObject({ version: 2, sync: { grouping: "daily", new: [1] } });
    expect(JSON.stringify(stored)).toContain('"__proto__":[1]');
    const clean = { problems: [], unusable: [], refusals: [], contradictions: [] };
    expect(checkStored(stored)).toEqual({ ...clean, settings, unknown });
  });
});
