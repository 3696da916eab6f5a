import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "../../../server/clock.ts";
import { AppError } from "../../../server/domain/api/errors.ts";
import { initialSettings, type Settings } from "../../../server/domain/settings/settings.ts";
import { seedSettings } from "../../../server/domain/settings/settings_checks.ts";
import { Log } from "../../../server/log.ts";
import { SettingsFile } from "../../../server/store/config/settings_file.ts";

const HASH = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2g";
const OTHER_HASH = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$b3RoZXJoYXNo";
const SECRET = "0123456789abcdef".repeat(4);

/** Sleeps until it is told that the time has passed. */
class ManualClock implements Clock {
  readonly asked: number[] = [];
  #wake: (() => void) | null = null;

  now = () => Date.now();
  elapsed = () => performance.now();
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.asked.push(ms);
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }
  wake(): void {
    this.#wake?.();
  }
}

/** A config folder of its own, and the settings files opened in it. */
class Place {
  readonly folder = mkdtempSync(join(tmpdir(), "settings-"));
  readonly path = join(this.folder, "config", "settings.json");
  readonly log = new Log(systemClock);
  readonly clock = new ManualClock();
  readonly #opened: SettingsFile[] = [];

  async open(seed: () => Settings = initialSettings): Promise<SettingsFile> {
    const file = await SettingsFile.open({ path: this.path, log: this.log, seed, clock: this.clock });
    this.#opened.push(file);
    return file;
  }

  /** Writes the file as somebody with an editor would: in place, mode kept or given. */
  write(content: string | object, mode = 0o600): void {
    mkdirSync(join(this.folder, "config"), { recursive: true });
    writeFileSync(this.path, typeof content === "string" ? content : JSON.stringify(content), { mode });
    chmodSync(this.path, mode);
  }

  get text(): string {
    return readFileSync(this.path, "utf8");
  }
  get stored(): Settings & { readonly version: number; readonly plugins?: unknown } {
    return JSON.parse(this.text);
  }
  get names(): string[] {
    return readdirSync(join(this.folder, "config")).sort();
  }
  get warnings(): string[] {
    return this.log.lines.filter((line) => line.level_no >= 30).map((line) => line.message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const file of this.#opened) await file.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What a rejected promise was rejected with. */
async function rejection(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error("it was not rejected with an error");
  return error;
}

const codeOf = (error: Error): string => (error instanceof AppError ? error.code : error.message);

describe("SettingsFile creates the file", () => {
  test("from the seed, with its folders, canonical and readable for the owner only", async () => {
    await using place = new Place();
    const file = await place.open(() => seedSettings({ ADDRESS: "cam", KEEP: "30d" }));
    expect(file.current.connection.address).toBe("cam");
    expect(file.current.auth.session_secret).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(place.path).mode & 0o777).toBe(0o600);
    expect(place.stored).toEqual({ version: 2, ...file.current });
    expect(place.text).toBe(`${JSON.stringify(place.stored, null, 2)}\n`);
    expect(place.names).toEqual(["settings.json"]);
    expect(place.warnings).toEqual([]);
  });

  test("with mode 0600 whatever the umask", async () => {
    const before = process.umask(0);
    try {
      await using place = new Place();
      await place.open();
      expect(statSync(place.path).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  test("not at all when the seed is refused", async () => {
    await using place = new Place();
    await expect(place.open(() => seedSettings({ PRIORITY: "bogus" }))).rejects.toThrow('PRIORITY="bogus"');
    expect(existsSync(place.path)).toBe(false);
    expect(existsSync(join(place.folder, "config"))).toBe(false);
  });

  test("and reads it the next time instead of asking the seed", async () => {
    await using place = new Place();
    const first = await place.open();
    await first.close();
    const text = place.text;
    const second = await place.open(() => {
      throw new Error("the seed was asked");
    });
    expect(second.current).toEqual(first.current);
    expect(place.text).toBe(text);
  });

  test("or says in one line which folder is in the way", async () => {
    await using place = new Place();
    writeFileSync(join(place.folder, "config"), "a file where the folder should be");
    const error = await rejection(place.open());
    expect(error.message).toContain(place.path);
    expect(error.message).not.toContain("\n");
  });
});

describe("SettingsFile refuses to start and leaves the file as it is", () => {
  const rows: [what: string, content: string, mode: number, says: string][] = [
    ["broken JSON", `{"version": 2, "auth": {"session_secret": "${SECRET}`, 0o600, "is not valid JSON"],
    ["an empty file", "", 0o600, "is not valid JSON"],
    ["a list", "[]", 0o600, "does not hold a JSON object"],
    ["null", "null", 0o600, "does not hold a JSON object"],
    ["a newer version", '{"version": 3}', 0o600, "version 3, newer than version 2"],
    ["a version that is no number", '{"version": "two"}', 0o600, "version"],
    ["a file the group can read", '{"version": 2}', 0o640, "chmod 600"],
    ["a file everyone can read", '{"version": 2}', 0o604, "chmod 600"],
    ["a file others can write", '{"version": 2}', 0o602, "chmod 600"],
  ];
  for (const [what, content, mode, says] of rows) {
    test(`on ${what}`, async () => {
      await using place = new Place();
      place.write(content, mode);
      const before = statSync(place.path, { bigint: true });
      const { message } = await rejection(place.open());
      expect(message).toStartWith(`Cannot use the settings file ${place.path}: `);
      expect(message).toContain(says);
      expect(message).not.toContain("\n");
      expect(message).not.toContain(SECRET);
      expect(place.text).toBe(content);
      expect(statSync(place.path, { bigint: true }).mtimeNs).toBe(before.mtimeNs);
      expect(place.names).toEqual(["settings.json"]);
    });
  }

  test("on a folder in its place", async () => {
    await using place = new Place();
    mkdirSync(place.path, { recursive: true });
    expect((await rejection(place.open())).message).toContain("it is not a file");
  });
});

describe("SettingsFile reads what it can use", () => {
  test("a field that cannot be used falls back with one warning, and the original is kept once", async () => {
    await using place = new Place();
    const original = { version: 2, web: { port: "80" }, sync: { grouping: "daily" }, auth: { session_secret: SECRET } };
    place.write(original);
    const text = place.text;
    const file = await place.open();
    expect([file.current.web.port, file.current.sync.grouping]).toEqual([8080, "daily"]);
    const backup = `${place.path}.bak`;
    expect(place.warnings).toEqual([
      `${place.path}: web.port must be a whole number from 1 to 65535, got "80"; the default is used`,
    ]);
    expect(place.text).toBe(text);
    expect(readFileSync(backup, "utf8")).toBe(text);
    expect(statSync(backup).mode & 0o777).toBe(0o600);

    await file.close();
    place.write({ ...original, web: { port: "81" } });
    await place.open();
    expect(readFileSync(backup, "utf8")).toBe(text);
  });

  const FOREVER = { version: 2, retention: { keep: "forever" }, auth: { session_secret: SECRET } };

  test("an unusable keep keeps everything, is said, and stays in the file until it is set", async () => {
    await using place = new Place();
    place.write(FOREVER);
    const file = await place.open();
    expect(file.current.retention.keep).toBe("");
    expect(file.unusable).toMatchObject([{ path: "retention.keep", raw: "forever" }]);
    expect(place.warnings).toHaveLength(1);
    expect(place.warnings[0]).toContain("retention.keep is not usable");
    expect(place.warnings[0]).toEndWith("Nothing is deleted until it is set.");
    expect(JSON.parse(readFileSync(`${place.path}.bak`, "utf8"))).toEqual(FOREVER);

    // What is saved meanwhile is no reason to forget it, and neither is a restart.
    await file.patch("sync", { grouping: "daily" });
    await file.patch("retention", { max_used_disk_percent: 80, _tier: "x", keep: "***" });
    await file.update((settings) => ({ ...settings, auth: { ...settings.auth, password_hash: HASH } }));
    expect(place.stored.retention).toMatchObject({ keep: "forever", max_used_disk_percent: 80 });
    await file.close();
    const again = await place.open();
    expect([again.current.retention.keep, again.current.sync.grouping]).toEqual(["", "daily"]);
    expect(again.unusable).toHaveLength(1);

    const heard: number[] = [];
    again.onChange(() => heard.push(again.unusable.length));
    await again.patch("retention", { keep: "1y" });
    expect(heard).toEqual([0]);
    expect(place.stored.retention.keep).toBe("1y");
    await again.close();
    expect((await place.open()).unusable).toEqual([]);
  });

  test("an unusable keep is mended by setting what is in force, too", async () => {
    await using place = new Place();
    place.write(FOREVER);
    const file = await place.open();
    await rejection(file.patch("retention", { keep: "never" }));
    expect(file.unusable).toHaveLength(1);
    await file.patch("retention", { keep: "" });
    expect(file.unusable).toEqual([]);
    expect(place.stored.retention.keep).toBe("");
  });

  test("an unusable keep is mended by an edit, and is no reason to refuse one of something else", async () => {
    await using place = new Place();
    place.write(FOREVER);
    const file = await place.open();
    place.write({ ...FOREVER, web: { port: 81 } });
    await file.refresh();
    expect([file.current.web.port, file.current.retention.keep, file.unusable.length]).toEqual([81, "", 1]);
    // Another one that cannot be used is refused as ever.
    place.write({ ...FOREVER, web: { port: 82 }, system: { dry_run: "yes" } });
    for (let look = 0; look < 2; look++) await file.refresh();
    expect([file.current.web.port, file.current.system.dry_run]).toEqual([81, false]);
    expect(place.warnings.at(-1)).toContain("system.dry_run");
    place.write({ ...FOREVER, web: { port: 83 }, retention: { keep: "2 weeks" } });
    await file.refresh();
    expect([file.current.web.port, file.current.retention.keep, file.unusable.length]).toEqual([83, "2w", 0]);
  });

  test("an edit that makes keep unusable is refused: what was in force stays", async () => {
    await using place = new Place();
    place.write({ ...FOREVER, retention: { keep: "6w" } });
    const file = await place.open();
    place.write(FOREVER);
    for (let look = 0; look < 2; look++) await file.refresh();
    expect([file.current.retention.keep, file.unusable.length]).toEqual(["6w", 0]);
    expect(place.warnings).toHaveLength(1);
  });

  test("a section that is none falls back to what deletes nothing, and saving others keeps that said", async () => {
    await using place = new Place();
    place.write({ version: 2, retention: "2w", system: null, auth: { session_secret: SECRET } });
    const file = await place.open();
    expect([file.current.retention.keep, file.current.system.dry_run]).toEqual(["", true]);
    await file.patch("system", { dry_run: false });
    expect(file.unusable.map(({ path }) => path)).toEqual(["retention.keep"]);
    await file.close();
    const again = await place.open();
    expect(again.unusable.map(({ path }) => path)).toEqual(["retention.keep"]);
    expect([again.current.retention.keep, again.current.system.dry_run]).toEqual(["", false]);
  });

  test("a missing session secret is made and saved at once", async () => {
    await using place = new Place();
    place.write({ version: 1, metrics: { state_file: "/config/metrics-state.json" } });
    const file = await place.open();
    expect(file.current.auth.session_secret).toMatch(/^[0-9a-f]{64}$/);
    expect(place.stored.auth.session_secret).toBe(file.current.auth.session_secret);
    expect(place.stored.metrics.state_file).toBe("");
    expect(place.warnings).toHaveLength(1);
    expect(place.warnings.join()).not.toContain(file.current.auth.session_secret);
  });

  test("a file of version 1 changes only with the next save", async () => {
    await using place = new Place();
    place.write({ version: 1, auth: { session_secret: SECRET } });
    const text = place.text;
    const file = await place.open();
    expect(place.text).toBe(text);
    await file.patch("sync", {});
    expect(place.stored.version).toBe(2);
  });

  test("a byte order mark in front of the text does not matter", async () => {
    await using place = new Place();
    place.write(`\uFEFF${JSON.stringify({ version: 2, auth: { session_secret: SECRET } })}`);
    expect((await place.open()).current.auth.session_secret).toBe(SECRET);
  });

  test("what a crash left of an earlier save is removed, what is being written now is not", async () => {
    await using place = new Place();
    place.write({ version: 2, auth: { session_secret: SECRET } });
    const [old, fresh] = ["0123456789abcdef", "fedcba9876543210"].map((id) =>
      join(place.folder, "config", `.settings.json.${id}.tmp`),
    );
    for (const path of [old, fresh]) writeFileSync(path ?? "", "x");
    utimesSync(old ?? "", 0, 0);
    await place.open();
    expect(place.names).toEqual([".settings.json.fedcba9876543210.tmp", "settings.json"]);
  });
});

describe("SettingsFile.patch()", () => {
  test("saves the field, leaves the others and tells the listeners", async () => {
    await using place = new Place();
    const file = await place.open();
    const heard: [string, string][] = [];
    const stop = file.onChange((now, before) => heard.push([before.sync.grouping, now.sync.grouping]));
    const before = file.current;
    const after = await file.patch("sync", { grouping: "daily" });
    expect(after).toBe(file.current);
    expect(after).toEqual({ ...before, sync: { ...before.sync, grouping: "daily" } });
    expect(place.stored).toEqual({ version: 2, ...after });
    expect(statSync(place.path).mode & 0o777).toBe(0o600);
    expect(place.names).toEqual(["settings.json"]);
    stop();
    await file.patch("sync", { grouping: "weekly" });
    expect(heard).toEqual([["none", "daily"]]);
  });

  test("refuses a wrong value and changes nothing", async () => {
    await using place = new Place();
    const file = await place.open();
    const [before, text] = [file.current, place.text];
    expect(codeOf(await rejection(file.patch("web", { port: "80" })))).toBe("SETTINGS_INVALID");
    expect(codeOf(await rejection(file.patch("nope", {})))).toBe("SECTION_NOT_FOUND");
    expect(file.current).toBe(before);
    expect(place.text).toBe(text);
  });

  test("asks its judge once what would come of it, together with what was edited meanwhile", async () => {
    await using place = new Place();
    const file = await place.open();
    writeFileSync(place.path, place.text.replace('"grouping": "none"', '"grouping": "weekly"'));
    const asked: unknown[] = [];
    await file.patch("web", { port: 81 }, async (changed, before) => {
      asked.push([before.web.port, before.sync.grouping, changed.web.port, changed.sync.grouping]);
    });
    expect(asked).toEqual([[8080, "weekly", 81, "weekly"]]);
  });

  test("changes nothing when its judge refuses, and asks none about what breaks a rule of the schema", async () => {
    await using place = new Place();
    const file = await place.open();
    const [before, text] = [file.current, place.text];
    const judge = () => Promise.reject(new AppError("SETTINGS_INVALID", "Not from here"));
    expect(String(await rejection(file.patch("web", { port: 81 }, judge)))).toContain("Not from here");
    expect(String(await rejection(file.patch("web", { port: 0 }, judge)))).not.toContain("Not from here");
    expect([file.current, place.text]).toEqual([before, text]);
    expect((await file.patch("web", { port: 82 })).web.port).toBe(82);
  });

  test("applies changes that arrive together one after the other", async () => {
    await using place = new Place();
    const file = await place.open();
    await Promise.all([
      file.patch("web", { port: 81 }),
      rejection(file.patch("web", { port: 0 })),
      file.patch("web", { session_lifetime_hours: 5 }),
      file.update((settings) => ({ ...settings, auth: { ...settings.auth, password_hash: HASH } })),
      file.patch("sync", { grouping: "daily" }),
    ]);
    expect(file.current.web).toMatchObject({ port: 81, session_lifetime_hours: 5 });
    expect([file.current.auth.password_hash, file.current.sync.grouping]).toEqual([HASH, "daily"]);
    expect(place.stored).toEqual({ version: 2, ...file.current });
  });

  test("keeps unknown sections and fields where they are", async () => {
    await using place = new Place();
    place.write({ version: 2, auth: { session_secret: SECRET }, sync: { future: { deep: [1] } }, plugins: ["a"] });
    const file = await place.open();
    await file.patch("sync", { grouping: "daily" });
    expect(place.stored.sync).toMatchObject({ grouping: "daily", future: { deep: [1] } });
    expect(place.stored.plugins).toEqual(["a"]);
    expect(place.warnings).toEqual([]);
  });

  test("puts the file in the place of a link to it and leaves what the link led to", async () => {
    await using place = new Place();
    const elsewhere = join(place.folder, "elsewhere.json");
    writeFileSync(elsewhere, JSON.stringify({ version: 2, auth: { session_secret: SECRET } }), { mode: 0o600 });
    const text = readFileSync(elsewhere, "utf8");
    mkdirSync(join(place.folder, "config"));
    symlinkSync(elsewhere, place.path);
    await (await place.open()).patch("sync", { grouping: "daily" });
    expect(readFileSync(elsewhere, "utf8")).toBe(text);
    expect(place.stored.sync.grouping).toBe("daily");
  });

  test("answers SETTINGS_NOT_SAVED and keeps the running settings when the folder is gone", async () => {
    await using place = new Place();
    const file = await place.open();
    const before = file.current;
    rmSync(join(place.folder, "config"), { recursive: true });
    expect(codeOf(await rejection(file.patch("web", { port: 81 })))).toBe("SETTINGS_NOT_SAVED");
    expect(file.current).toBe(before);
    mkdirSync(join(place.folder, "config"));
    expect((await file.patch("web", { port: 81 })).web.port).toBe(81);
    expect(place.stored.web.port).toBe(81);
  });

  test("leaves no temporary file behind when the rename fails", async () => {
    await using place = new Place();
    const file = await place.open();
    rmSync(place.path);
    mkdirSync(join(place.path, "occupied"), { recursive: true });
    expect(codeOf(await rejection(file.patch("web", { port: 81 })))).toBe("SETTINGS_NOT_SAVED");
    expect(file.current.web.port).toBe(8080);
    expect(place.names).toEqual(["settings.json"]);
  });

  test.skipIf(process.getuid?.() !== 0)("leaves the file to its owner when root saves it", async () => {
    await using place = new Place();
    const file = await place.open();
    chownSync(place.path, 1234, 1235);
    await file.patch("web", { port: 81 });
    const { uid, gid } = statSync(place.path);
    expect([uid, gid]).toEqual([1234, 1235]);
  });
});

describe("SettingsFile.update()", () => {
  test("saves secrets, and makes a new session secret in place of an empty one", async () => {
    await using place = new Place();
    const file = await place.open();
    const before = file.current.auth.session_secret;
    const after = await file.update((settings) => ({
      ...settings,
      auth: { ...settings.auth, password_hash: HASH, session_secret: "" },
    }));
    expect(after.auth.session_secret).toMatch(/^[0-9a-f]{64}$/);
    expect(after.auth.session_secret).not.toBe(before);
    expect(place.stored.auth).toMatchObject({ password_hash: HASH, session_secret: after.auth.session_secret });
    expect(Object.isFrozen(after.auth)).toBe(true);
  });

  test("refuses a value that breaks a rule", async () => {
    await using place = new Place();
    const file = await place.open();
    const error = await rejection(file.update((settings) => ({ ...settings, web: { ...settings.web, port: 0 } })));
    expect(codeOf(error)).toBe("SETTINGS_INVALID");
    expect(file.current.web.port).toBe(8080);
  });

  test("can set a password although the stored sign-in settings contradict each other", async () => {
    await using place = new Place();
    place.write({ version: 2, auth: { mode: "proxy", session_secret: SECRET } });
    const file = await place.open();
    expect(place.warnings.join()).toContain("auth.trusted_proxies must name at least one proxy");
    await file.update((settings) => ({ ...settings, auth: { ...settings.auth, password_hash: HASH } }));
    expect(file.current.auth).toMatchObject({ mode: "proxy", password_hash: HASH });
  });
});

describe("SettingsFile takes over edits", () => {
  /** The stored text with one port in place of another. */
  const withPort = (text: string, port: number) => text.replace(/"port": \d+/, `"port": ${port}`);

  test("but not one that loses the password, which would let anyone choose the next; an empty one is a decision", async () => {
    await using place = new Place();
    const file = await place.open();
    await file.update((settings) => ({ ...settings, auth: { ...settings.auth, password_hash: HASH } }));
    const { password_hash: _, ...auth } = place.stored.auth as Record<string, unknown>;
    for (const edit of [{ ...place.stored, auth }, { ...place.stored, auth: {} }, { version: 2 }]) {
      place.write(edit);
      await file.refresh();
      await file.refresh();
      expect(file.current.auth.password_hash).toBe(HASH);
      expect(place.warnings.pop()).toContain("auth.password_hash is gone");
    }
    place.write({ version: 2, auth: { password_hash: "" } });
    await file.refresh();
    expect(file.current.auth.password_hash).toBe("");
  });

  test("by looking at the file at least every two seconds", async () => {
    await using place = new Place();
    const file = await place.open();
    const changed = new Promise<Settings>((resolve) => file.onChange(resolve));
    place.write(withPort(place.text, 81));
    expect(Math.max(...place.clock.asked)).toBeLessThan(2000);
    place.clock.wake();
    expect((await changed).web.port).toBe(81);
  });

  test("written in place, and those of an editor that replaces the file", async () => {
    await using place = new Place();
    const file = await place.open();
    place.write(withPort(place.text, 81));
    await file.refresh();
    expect(file.current.web.port).toBe(81);

    const draft = `${place.path}.draft`;
    writeFileSync(draft, withPort(place.text, 82), { mode: 0o600 });
    renameSync(draft, place.path);
    await file.refresh();
    expect(file.current.web.port).toBe(82);
    expect(place.warnings).toEqual([]);
  });

  test("but not its own saves, nor a file that was only touched", async () => {
    await using place = new Place();
    const file = await place.open();
    await file.patch("web", { port: 81 });
    const heard: number[] = [];
    file.onChange((now) => heard.push(now.web.port));
    await file.refresh();
    utimesSync(place.path, new Date(), new Date(5_000_000));
    await file.refresh();
    expect(heard).toEqual([]);
  });

  const bad: [what: string, edit: (text: string) => string, mode: number, says: string][] = [
    ["that is no JSON", (text) => text.slice(0, -20), 0o600, "is not valid JSON"],
    [
      "with a wrong value",
      (text) => withPort(text, 0),
      0o600,
      "web.port must be a whole number from 1 to 65535, got 0",
    ],
    ["of a newer version", (text) => text.replace('"version": 2', '"version": 9'), 0o600, "version 9"],
    ["that contradicts itself", (text) => text.replace('"mode": "login"', '"mode": "proxy"'), 0o600, "trusted_proxies"],
    ["that others can read", (text) => withPort(text, 81), 0o644, "chmod 600"],
  ];
  for (const [what, edit, mode, says] of bad) {
    test(`except one ${what}: one warning, the running settings stay, and so does the edit`, async () => {
      await using place = new Place();
      const file = await place.open();
      const [before, good] = [file.current, place.text];
      place.write(edit(good), mode);
      for (let look = 0; look < 4; look++) await file.refresh();
      expect(file.current).toBe(before);
      expect(place.warnings).toHaveLength(1);
      expect(place.warnings[0]).toContain(says);
      expect(place.warnings[0]).toContain(place.path);
      expect(place.warnings[0]).not.toContain(before.auth.session_secret);
      expect(place.text).toBe(edit(good));

      place.write(withPort(good, 83));
      await file.refresh();
      expect(file.current.web.port).toBe(83);
    });
  }

  test("without a warning for the moment in which an editor has written half of it", async () => {
    await using place = new Place();
    const file = await place.open();
    const text = withPort(place.text, 81);
    place.write(text.slice(0, 100));
    await file.refresh();
    appendFileSync(place.path, text.slice(100));
    await file.refresh();
    expect(file.current.web.port).toBe(81);
    expect(place.warnings).toEqual([]);
  });

  test("and takes a mode that was put right for an edit", async () => {
    await using place = new Place();
    const file = await place.open();
    place.write(withPort(place.text, 81), 0o644);
    await file.refresh();
    chmodSync(place.path, 0o600);
    await file.refresh();
    expect(file.current.web.port).toBe(81);
  });

  test("and goes on when the file is gone, with one warning, until the next change writes it again", async () => {
    await using place = new Place();
    const file = await place.open();
    rmSync(place.path);
    for (let look = 0; look < 3; look++) await file.refresh();
    expect(place.warnings).toEqual([
      `${place.path} is gone; the next change made in the service writes it again. The running settings stay.`,
    ]);
    await file.patch("web", { port: 81 });
    expect(place.stored).toEqual({ version: 2, ...file.current });
  });

  test("before it applies a change of its own, so that neither is lost", async () => {
    await using place = new Place();
    const file = await place.open();
    place.write({ ...JSON.parse(withPort(place.text, 81)), plugins: [1] });
    await file.patch("sync", { grouping: "daily" });
    expect([file.current.web.port, file.current.sync.grouping]).toEqual([81, "daily"]);
    expect(place.stored.plugins).toEqual([1]);
  });

  test("even when they land while a change is being worked out", async () => {
    await using place = new Place();
    const file = await place.open();
    let calls = 0;
    await file.update((settings) => {
      if (calls++ === 0) place.write(withPort(place.text, 81));
      return { ...settings, sync: { ...settings.sync, grouping: "daily" } };
    });
    expect(calls).toBe(2);
    expect([file.current.web.port, file.current.sync.grouping]).toEqual([81, "daily"]);
    expect(place.stored).toEqual({ version: 2, ...file.current });
  });

  test("and puts an edit it cannot use aside when it has to save over it", async () => {
    await using place = new Place();
    const file = await place.open();
    place.write('{"half": ');
    await file.patch("web", { port: 81 });
    expect(place.stored.web.port).toBe(81);
    expect(readFileSync(`${place.path}.rejected`, "utf8")).toBe('{"half": ');
    expect(place.warnings).toEqual([
      `${place.path} held an edit that could not be used; the settings in force replace it`,
    ]);
  });

  test("and makes a session secret when the edit removed it", async () => {
    await using place = new Place();
    const file = await place.open();
    const before = file.current.auth.session_secret;
    place.write(place.text.replace(before, ""));
    await file.refresh();
    expect(file.current.auth.session_secret).toMatch(/^[0-9a-f]{64}$/);
    expect(file.current.auth.session_secret).not.toBe(before);
    expect(place.stored.auth.session_secret).toBe(file.current.auth.session_secret);
  });

  test("of another SettingsFile on the same path", async () => {
    await using place = new Place();
    const [service, command] = [await place.open(), await place.open()];
    await command.update((settings) => ({ ...settings, auth: { ...settings.auth, password_hash: OTHER_HASH } }));
    await service.patch("web", { port: 81 });
    expect(service.current.auth.password_hash).toBe(OTHER_HASH);
    await command.refresh();
    expect(command.current.web.port).toBe(81);
  });

  test("no longer once it is closed", async () => {
    await using place = new Place();
    const file = await place.open();
    await file.close();
    const asked = place.clock.asked.length;
    place.clock.wake();
    await file.close();
    expect(place.clock.asked).toHaveLength(asked);
  });
});

/** How a child process can get a file system of its own here; null where the system does not allow it. */
const namespace = [
  ["unshare", "-m"],
  ["unshare", "-Urm"],
].find(
  (command) =>
    Bun.which("unshare") !== null &&
    Bun.spawnSync([...command, "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", tmpdir()]).exitCode === 0,
);

test.skipIf(namespace === undefined)("SettingsFile keeps the running settings when the disk is full", async () => {
  const folder = mkdtempSync(join(tmpdir(), "settings-full-"));
  const at = (file: string) => JSON.stringify(new URL(`../../../server/${file}`, import.meta.url).pathname);
  const code = `
    import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
    import { SettingsFile } from ${at("store/config/settings_file.ts")};
    import { initialSettings } from ${at("domain/settings/settings.ts")};
    import { Log } from ${at("log.ts")};
    import { systemClock } from ${at("clock.ts")};
    const folder = process.argv.at(-1);
    const path = folder + "/settings.json";
    const file = await SettingsFile.open({ path, log: new Log(systemClock), seed: initialSettings });
    const [before, text] = [file.current, readFileSync(path, "utf8")];
    try {
      while (true) writeFileSync(folder + "/fill", "x".repeat(4096), { flag: "a" });
    } catch {}
    const refused = await file.patch("web", { port: 81 }).catch((error) => error.code);
    const full = {
      refused,
      sameSettings: file.current === before,
      sameText: readFileSync(path, "utf8") === text,
      names: readdirSync(folder).sort(),
    };
    rmSync(folder + "/fill");
    const saved = (await file.patch("web", { port: 81 })).web.port;
    await file.close();
    console.log(JSON.stringify({ ...full, saved }));
  `;
  const script = 'mount -t tmpfs -o size=64k tmpfs "$1" && exec "$2" -e "$3" "$1"';
  const child = Bun.spawn([...(namespace ?? []), "sh", "-c", script, "sh", folder, process.execPath, code], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(child.stdout).text();
  await child.exited;
  rmSync(folder, { recursive: true, force: true });
  expect(JSON.parse(output)).toEqual({
    refused: "STORAGE_FULL",
    sameSettings: true,
    sameText: true,
    names: ["fill", "settings.json"],
    saved: 81,
  });
});
