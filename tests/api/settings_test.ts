import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { fieldsOf, SECTION_NAMES, SECTIONS } from "../../server/domain/settings/settings.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { play, refused } from "../support/app/scenarios.ts";
import { logged } from "../support/browser/frames.ts";

setDefaultTimeout(20_000);

let running: RunningApp;
beforeAll(async () => {
  running = await startApp({ password: "a long enough password" });
  await running.client.open("/");
});
afterAll(() => running[Symbol.asyncDispose]());

type All = Record<string, Record<string, unknown>>;

const all = async (): Promise<All> => (await (await running.client.fetch("/api/settings")).json()) as All;
const stored = async (): Promise<All> => JSON.parse(await readFile(running.app.settings.path, "utf8"));
const patch = (section: string, body: unknown) => running.client.send("PATCH", `/api/settings/${section}`, body);

describe("GET /api/settings", () => {
  test("tells version, nineteen sections in order, each with its tier and all its fields", async () => {
    const { version, ...sections } = await all();
    expect([Number(version), Object.keys(sections)]).toEqual([2, [...SECTION_NAMES]]);
    expect(SECTION_NAMES).toHaveLength(19);
    for (const name of SECTION_NAMES) {
      expect(Object.keys(sections[name] ?? {})).toEqual(["_tier", ...fieldsOf(name).map(([field]) => field)]);
      expect(sections[name]?.["_tier"]).toBe(SECTIONS[name].tier);
    }
  });

  test("shows secrets as ***, and those that are not set alike", async () => {
    const { password_hash, session_secret } = running.app.settings.current.auth;
    const text = await (await running.client.fetch("/api/settings")).text();
    for (const secret of [password_hash, session_secret]) {
      expect(secret.length).toBeGreaterThan(30);
      expect(text).not.toContain(secret);
    }
    await using fresh = await startApp();
    expect(fresh.app.settings.current.auth.password_hash).toBe("");
    const auth = ((await (await fresh.client.fetch("/api/settings")).json()) as All)["auth"];
    expect([auth?.["password_hash"], auth?.["session_secret"]]).toEqual(["***", "***"]);
  });

  test("can be sent back section by section as it is, and changes nothing", async () => {
    const before = await stored();
    const given = await all();
    for (const section of SECTION_NAMES) {
      const answer = await patch(section, given[section]);
      const { would_delete, ...told } = (await answer.json()) as { would_delete?: object };
      expect(would_delete).toEqual(section === "retention" ? { recordings: 0, bytes: 0 } : undefined);
      expect([section, answer.status, told]).toEqual([
        section,
        200,
        { section, tier: SECTIONS[section].tier, applied: true },
      ]);
    }
    expect([await stored(), await all()]).toEqual([before, given]);
  });
});

describe("PATCH /api/settings/<section> refuses", () => {
  const bodies: [name: string, body: unknown, headers?: Record<string, string>][] = [
    ["an array", []],
    ["null", null],
    ["a number", 5],
    ["a text", '"priority"'],
    ["broken JSON", '{"priority": "date"'],
    ["nothing", ""],
    ["a form", "priority=date", { "content-type": "application/x-www-form-urlencoded" }],
    ["JSON that is not said to be", "{}", { "content-type": "text/plain" }],
  ];
  for (const [name, body, headers = {}] of bodies)
    test(`${name} as its body`, () =>
      play(running.client, {
        name,
        ask: ["PATCH", "/api/settings/sync", body, headers],
        status: 400,
        is: refused("INVALID_BODY", {}),
      }));

  test("bytes that are no UTF-8", async () => {
    const answer = await running.client.fetch("/api/settings/sync", {
      method: "PATCH",
      headers: { "content-type": "application/json", "x-csrftoken": running.client.token },
      body: Buffer.from('{"affinity_key": "\xff"}', "latin1"),
    });
    expect([answer.status, await answer.json()]).toEqual([400, refused("INVALID_BODY", {})]);
  });

  test("a section that does not exist, before it looks at the body", async () => {
    for (const section of ["nope", "version", "__proto__", "constructor", "Sync"])
      await play(running.client, {
        name: section,
        ask: ["PATCH", `/api/settings/${section}`, "[]"],
        status: 404,
        is: refused("SECTION_NOT_FOUND", { section }),
      });
  });

  /** Section, fields, and the paths that are told. */
  const invalid: [section: string, body: Record<string, unknown>, paths?: string[]][] = [
    ["web", { port: "8080" }],
    ["web", { port: true }],
    ["web", { port: 80.5 }],
    ["web", { port: 0 }],
    ["web", { port: 65_536 }],
    ["web", { session_lifetime_hours: 8761 }],
    ["connection", { timeout_seconds: "5" }],
    ["connection", { timeout_seconds: -1 }],
    ["connection", { timeout_seconds: 0 }],
    ["connection", { timeout_seconds: 301 }],
    ["connection", { address: 123 }],
    ["connection", { address: "http://camera" }],
    ["connection", { address: "user@camera" }],
    ["connection", { address: "camera/Record" }],
    ["retention", { max_used_disk_percent: null }],
    ["retention", { max_used_disk_percent: 0 }],
    ["retention", { max_used_disk_percent: 101 }],
    ["auth", { mode: ["login"] }],
    ["auth", { mode: "off" }],
    ["auth", { username: "" }],
    ["auth", { trusted_proxies: "10.0.0.10" }],
    ["auth", { trusted_proxies: [1] }],
    ["auth", { trusted_proxies: ["not-an-ip"] }],
    ["schedule", { paused: "false" }],
    ["schedule", { cron_expression: "61 * * * *" }],
    ["schedule", { cron_expression: "0 0 30 2 *" }],
    ["schedule", { timezone: "Foo/Bar" }],
    ["schedule", { timezone: "" }],
    ["sync", { skip_metadata: "t3" }],
    ["sync", { skip_metadata: ["t3"] }],
    ["sync", { include: ["*.mp4"] }],
    ["sync", { include: "P" }],
    ["sync", { exclude: ["P,N"] }],
    ["sync", { exclude: ["NQ"] }],
    ["sync", { retry_failed_after: "0" }],
    ["sync", { priority: "size" }],
    ["sync", { grouping: null }],
    ["retention", { keep: "12h" }],
    ["retention", { keep: "0" }],
    ["retention", { keep: "30s" }],
    ["retention", { keep: "1x" }],
    ["metrics", { file: 5 }],
    ["metrics", { pushgateway_url: "ftp://x" }],
    ["metrics", { scrape_token: "short" }],
    ["logging", { ring_buffer_capacity: 9 }],
    ["logging", { ring_buffer_capacity: 10_001 }],
    ["logging", { file_max_bytes: 1_073_741_825 }],
    ["logging", { file_backup_count: 101 }],
    ["stats", { retention_days: 36_501 }],
    ["camera", { read_timeout_seconds: 0.4 }],
    ["viewer", { tile_url: "https://tiles/{z}/{x}" }],
    ["system", { destination: "" }],
    ["sync", { nope: 1 }],
    ["sync", { "": 1 }],
    [
      "sync",
      { priority: "size", grouping: 5, nope: 1, include: ["P"] },
      ["sync.nope", "sync.priority", "sync.grouping"],
    ],
    ["auth", { password_hash: "$argon2id$x" }],
    ["auth", { session_secret: "" }],
    ["auth", { password_hash: "x", session_secret: null }, ["auth.password_hash", "auth.session_secret"]],
    // No user could sign in any more.
    ["auth", { mode: "proxy", trusted_proxies: [] }, ["auth.trusted_proxies"]],
    ["auth", { mode: "proxy", trusted_proxies: ["10.9.8.7"] }, ["auth.mode"]],
    ["auth", { mode: "proxy", trusted_proxies: ["127.0.0.1"] }, ["auth.mode"]],
  ];
  for (const [section, body, paths = Object.keys(body).map((field) => `${section}.${field}`)] of invalid)
    test(`${section} ${JSON.stringify(body)}`, async () => {
      const before = await stored();
      const answer = await patch(section, body);
      const told = (await answer.json()) as { details: { field_errors: { path: string; message: string }[] } };
      expect<unknown>([answer.status, told]).toEqual([422, refused("SETTINGS_INVALID")]);
      const errors = told.details.field_errors;
      expect(errors.map(({ path }) => path).sort()).toEqual([...paths].sort());
      for (const { path, message } of errors) expect(message).toContain(path);
      expect(await stored()).toEqual(before);
    });

  test("a number that is not finite", async () => {
    const answer = await patch("connection", '{"timeout_seconds": 1e999}');
    expect([answer.status, await answer.json()]).toEqual([422, refused("SETTINGS_INVALID")]);
  });

  test("and says which values there are and what it got", async () => {
    const answer = await patch("sync", { priority: "size" });
    expect(await answer.json()).toMatchObject({
      details: {
        field_errors: [
          { path: "sync.priority", message: 'sync.priority must be one of date, rdate, type, smart, got "size"' },
        ],
      },
    });
  });
});

describe("PATCH /api/settings/<section> takes", () => {
  const valid: [section: string, body: Record<string, unknown>][] = [
    ["connection", { timeout_seconds: 5 }],
    ["connection", { timeout_seconds: 0.5 }],
    ["connection", { address: "[fd00::20]:8080" }],
    ["connection", { address: "" }],
    ["metrics", { file: null }],
    ["sync", { include: ["P", "NF"] }],
    ["sync", { include: [] }],
    ["sync", { skip_metadata: ["t", "3"] }],
    ["sync", { skip_metadata: [] }],
    ["sync", { retry_failed_after: "12h" }],
    ["sync", { affinity_key: "left" }],
    ["sync", { affinity_key: null }],
    ["retention", { keep: "" }],
    ["retention", { keep: "30" }],
    ["retention", { keep: "30d" }],
    ["auth", { trusted_proxies: ["10.0.0.10", "192.168.0.0/24"] }],
    ["schedule", { cron_expression: "0 3 * * sun", timezone: "Europe/Rome" }],
    ["schedule", { cron_expression: "*/15 * * * *", timezone: "UTC" }],
    ["stats", { retention_days: 0 }],
    ["camera", { read_timeout_seconds: 30 }],
    ["system", { dry_run: true }],
    ["system", {}],
  ];
  for (const [section, body] of valid)
    test(`${section} ${JSON.stringify(body)}`, async () => {
      const before = await stored();
      const answer = await patch(section, body);
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ section, applied: true })]);
      expect(await stored()).toEqual({ ...before, [section]: { ...before[section], ...body } });
      expect((await all())[section]).toMatchObject(body);
    });

  test("changes made at the same time in one section, all of them", async () => {
    const answers = await Promise.all([
      patch("viewer", { speed_unit: "mph" }),
      patch("viewer", { journey_mode: "progressive" }),
      patch("viewer", { continuous_play: true }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await stored())["viewer"]).toMatchObject({
      speed_unit: "mph",
      journey_mode: "progressive",
      continuous_play: true,
    });
  });

  test("proxy mode from a request that would itself be let in", async () => {
    await using other = await startApp();
    await other.client.open("/");
    const body = { mode: "proxy", trusted_proxies: ["127.0.0.1"] };
    const answer = await other.client.send("PATCH", "/api/settings/auth", body, { "x-remote-user": "ann" });
    expect(answer.status).toBe(200);
    expect((await other.client.fetch("/api/auth/me")).status).toBe(401);
    const me = await other.client.fetch("/api/auth/me", { headers: { "x-remote-user": "ann" } });
    expect(await me.json()).toEqual({ username: "ann", mode: "proxy", role: "admin" });
  });

  test("a change beside unknown fields of the file, which stay in it", async () => {
    const { path } = running.app.settings;
    const now = await stored();
    await writeFile(path, JSON.stringify({ ...now, later: { a: 1 }, web: { ...now["web"], theme: "dark" } }));
    expect((await patch("stats", { retention_days: 30 })).status).toBe(200);
    expect(await stored()).toMatchObject({ later: { a: 1 }, web: { theme: "dark" }, stats: { retention_days: 30 } });
    expect(await logged(running.client, /The stats settings were changed from 127\.0\.0\.1/)).toBeTruthy();
  });
});

test("a change of sign-in settings says in the log which fields changed, and not to what", async () => {
  await using running = await startApp();
  await running.client.open("/");
  const change = { proxy_user_header: "X-Forwarded-User", trusted_proxies: ["10.11.12.13"], username: "admin" };
  expect((await running.client.send("PATCH", "/api/settings/auth", change)).status).toBe(200);
  const told = running.app.log.lines.map(({ message }) => message).filter((line) => line.includes("auth settings"));
  expect(told).toEqual([
    expect.stringMatching(/^The auth settings were changed from 127\.0\.0\.1: trusted_proxies, proxy_user_header$/),
  ]);
});
