import { describe, expect, test } from "bun:test";
import { AppError } from "../../../server/domain/answers/errors.ts";
import type { FieldError } from "../../../server/domain/settings/field_check.ts";
import { initialSettings, mask, SECTION_NAMES, type SectionName } from "../../../server/domain/settings/settings.ts";
import { applyPatch } from "../../../server/domain/settings/settings_patch.ts";
import { checkStored } from "../../../server/domain/settings/stored_settings.ts";

const INITIAL = initialSettings();

/** Value as a JSON client sends it, so that `1e999` and `__proto__` arrive as they would from outside. */
const json = (text: string): Record<string, unknown> => JSON.parse(text);

function refusal(section: SectionName, body: Record<string, unknown>): AppError {
  try {
    applyPatch(INITIAL, section, body);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`${section} ${JSON.stringify(body)} was accepted`);
}

function fieldErrors(section: SectionName, body: Record<string, unknown>): FieldError[] {
  const error = refusal(section, body);
  expect(error.code).toBe("SETTINGS_INVALID");
  const { field_errors } = error.details as { field_errors: FieldError[] };
  return field_errors;
}

describe("applyPatch()", () => {
  const accepted: [section: SectionName, body: Record<string, unknown>][] = [
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
    ["sync", { max_video_gb: 1 }],
    ["sync", { max_video_gb: 2.5 }],
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
    ["export", { police_days: 60 }],
    ["retention", { scrub_days: 0 }],
    ["retention", { scrub_days: 365 }],
    ["export", { timestamp_url: "http://user:word@127.0.0.1:9000/tsa?key=1" }],
    ["export", { timestamp_url: null }],
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

  const shortened: [section: SectionName, body: Record<string, unknown>, stored: Record<string, unknown>][] = [
    ["retention", { keep: "2 weeks" }, { keep: "2w" }],
    ["retention", { keep: "1 Year" }, { keep: "1y" }],
    ["retention", { keep: " 3D" }, { keep: "3d" }],
    ["retention", { keep: "100y" }, { keep: "100y" }],
    ["sync", { retry_failed_after: "12 HOURS" }, { retry_failed_after: "12h" }],
    ["auth", { username: "an\u202ena\u200f" }, { username: "anna" }],
    ["system", { destination: "/srv/a\u200eb" }, { destination: "/srv/a\u200eb" }],
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

  const rejected: [section: SectionName, body: string, path?: string][] = [
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
      (name) => ["auth", `{"proxy_user_header":"${name}"}`] as [SectionName, string],
    ),
    ["schedule", '{"paused":"false"}'],
    ["schedule", '{"cron_expression":"61 * * * *"}'],
    ["schedule", '{"cron_expression":"0 0 30 2 *"}'],
    ["schedule", '{"timezone":"Foo/Bar"}'],
    ["schedule", '{"timezone":""}'],
    ["sync", '{"max_video_gb":0.5}'],
    ["sync", '{"max_video_gb":null}'],
    ["sync", '{"max_video_gb":"32"}'],
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
    ["retention", '{"scrub_days":-1}'],
    ["retention", '{"scrub_days":366}'],
    ["retention", '{"scrub_days":1.5}'],
    ["export", '{"police_days":0}'],
    ["export", '{"police_days":61}'],
    ["export", '{"police_days":1.5}'],
    ["export", '{"timestamp_url":"ftp://authority/tsa"}'],
    ["export", '{"timestamp_url":"authority"}'],
    ["export", '{"timestamp_url":"https://***@authority/"}'],
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

  const sentences: [section: SectionName, body: Record<string, unknown>, message: string][] = [
    ["sync", { priority: "newest" }, 'sync.priority must be one of date, rdate, type, smart, got "newest"'],
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
    const bodies: [SectionName, string, unknown][] = [
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
