import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seedSettings } from "../../../server/domain/settings/settings_seed.ts";
import { HASH, rejection, SECRET, SettingsPlace } from "../../support/disk/settings_place.ts";

describe("SettingsFile creates the file", () => {
  test("from the seed, with its folders, canonical and readable for the owner only", async () => {
    await using place = new SettingsPlace();
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
      await using place = new SettingsPlace();
      await place.open();
      expect(statSync(place.path).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  test("not at all when the seed is refused", async () => {
    await using place = new SettingsPlace();
    await expect(place.open(() => seedSettings({ PRIORITY: "bogus" }))).rejects.toThrow('PRIORITY="bogus"');
    expect(existsSync(place.path)).toBe(false);
    expect(existsSync(join(place.folder, "config"))).toBe(false);
  });

  test("and reads it the next time instead of asking the seed", async () => {
    await using place = new SettingsPlace();
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
    await using place = new SettingsPlace();
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
      await using place = new SettingsPlace();
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
    await using place = new SettingsPlace();
    mkdirSync(place.path, { recursive: true });
    expect((await rejection(place.open())).message).toContain("it is not a file");
  });
});

describe("SettingsFile reads what it can use", () => {
  test("a field that cannot be used falls back with one warning, and the original is kept once", async () => {
    await using place = new SettingsPlace();
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
    await using place = new SettingsPlace();
    place.write(FOREVER);
    const file = await place.open();
    expect(file.current.retention.keep).toBe("");
    expect(file.unusable).toMatchObject([{ path: "retention.keep", raw: "forever" }]);
    expect(place.warnings).toHaveLength(1);
    expect(place.warnings[0]).toContain("retention.keep is not usable");
    expect(place.warnings[0]).toEndWith("Nothing is deleted until it is set.");
    expect(JSON.parse(readFileSync(`${place.path}.bak`, "utf8"))).toEqual(FOREVER);

    // Other saved values are no reason to forget it, and neither is a restart.
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

  test("an unusable keep is repaired by setting what is in force, too", async () => {
    await using place = new SettingsPlace();
    place.write(FOREVER);
    const file = await place.open();
    await rejection(file.patch("retention", { keep: "never" }));
    expect(file.unusable).toHaveLength(1);
    await file.patch("retention", { keep: "" });
    expect(file.unusable).toEqual([]);
    expect(place.stored.retention.keep).toBe("");
  });

  test("an unusable keep is repaired by an edit, and is no reason to refuse one of something else", async () => {
    await using place = new SettingsPlace();
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
    await using place = new SettingsPlace();
    place.write({ ...FOREVER, retention: { keep: "6w" } });
    const file = await place.open();
    place.write(FOREVER);
    for (let look = 0; look < 2; look++) await file.refresh();
    expect([file.current.retention.keep, file.unusable.length]).toEqual(["6w", 0]);
    expect(place.warnings).toHaveLength(1);
  });

  test("a section that is none falls back to what deletes nothing, and saving others keeps that said", async () => {
    await using place = new SettingsPlace();
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
    await using place = new SettingsPlace();
    place.write({ version: 1, metrics: { state_file: "/config/metrics-state.json" } });
    const file = await place.open();
    expect(file.current.auth.session_secret).toMatch(/^[0-9a-f]{64}$/);
    expect(place.stored.auth.session_secret).toBe(file.current.auth.session_secret);
    expect(place.stored.metrics.state_file).toBe("");
    expect(place.warnings).toHaveLength(1);
    expect(place.warnings.join()).not.toContain(file.current.auth.session_secret);
  });

  test("a file of version 1 changes only with the next save", async () => {
    await using place = new SettingsPlace();
    place.write({ version: 1, auth: { session_secret: SECRET } });
    const text = place.text;
    const file = await place.open();
    expect(place.text).toBe(text);
    await file.patch("sync", {});
    expect(place.stored.version).toBe(2);
  });

  test("a byte order mark in front of the text does not matter", async () => {
    await using place = new SettingsPlace();
    place.write(`\uFEFF${JSON.stringify({ version: 2, auth: { session_secret: SECRET } })}`);
    expect((await place.open()).current.auth.session_secret).toBe(SECRET);
  });

  test("what a crash left of an earlier save is removed, what is being written now is not", async () => {
    await using place = new SettingsPlace();
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
