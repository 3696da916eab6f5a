import { describe, expect, test } from "bun:test";
import { initialSettings, SECTION_NAMES } from "../../../server/domain/settings/settings.ts";
import { checkStored, toStored } from "../../../server/domain/settings/stored_settings.ts";

const INITIAL = initialSettings();

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

  test("does not offer the metrics to all when the token that guards them cannot be used", () => {
    const token = "metrics.scrape_token must be empty or 16 to 256 visible ASCII characters";
    const short = checkStored({ metrics: { scrape: true, scrape_token: "short" } });
    expect(short.settings.metrics).toMatchObject({ scrape: false, scrape_token: null });
    expect(short.problems).toEqual([token, "metrics.scrape is off until metrics.scrape_token is set"]);
    expect(checkStored({ metrics: { scrape: false, scrape_token: "short" } }).problems).toEqual([token]);
    expect(checkStored({ metrics: { scrape: true } }).settings.metrics.scrape).toBe(true);
  });

  test("keeps unknown sections and fields for the next save, after those of the schema", () => {
    // The value comes from outside: written in code, `__proto__` would be no field.
    const raw: unknown = JSON.parse(
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
