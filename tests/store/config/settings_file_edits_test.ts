import { describe, expect, test } from "bun:test";
import { appendFileSync, chmodSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import type { Settings } from "../../../server/domain/settings/settings.ts";
import { HASH, SettingsPlace } from "../../support/disk/settings_place.ts";

const OTHER_HASH = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$b3RoZXJoYXNo";

describe("SettingsFile takes over edits", () => {
  /** The stored text with one port in place of another. */
  const withPort = (text: string, port: number) => text.replace(/"port": \d+/, `"port": ${port}`);

  test("but not one that loses the password, which would let anyone choose the next; an empty one is a decision", async () => {
    await using place = new SettingsPlace();
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
    await using place = new SettingsPlace();
    const file = await place.open();
    const changed = new Promise<Settings>((resolve) => file.onChange(resolve));
    place.write(withPort(place.text, 81));
    expect(Math.max(...place.clock.asked)).toBeLessThan(2000);
    place.clock.wake();
    expect((await changed).web.port).toBe(81);
  });

  test("written in place, and those of an editor that replaces the file", async () => {
    await using place = new SettingsPlace();
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
    await using place = new SettingsPlace();
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
      await using place = new SettingsPlace();
      const file = await place.open();
      const before = file.current;
      const good = place.text;
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
    await using place = new SettingsPlace();
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
    await using place = new SettingsPlace();
    const file = await place.open();
    place.write(withPort(place.text, 81), 0o644);
    await file.refresh();
    chmodSync(place.path, 0o600);
    await file.refresh();
    expect(file.current.web.port).toBe(81);
  });

  test("and goes on when the file is gone, with one warning, until the next change writes it again", async () => {
    await using place = new SettingsPlace();
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
    await using place = new SettingsPlace();
    const file = await place.open();
    place.write({ ...JSON.parse(withPort(place.text, 81)), plugins: [1] });
    await file.patch("sync", { grouping: "daily" });
    expect([file.current.web.port, file.current.sync.grouping]).toEqual([81, "daily"]);
    expect(place.stored.plugins).toEqual([1]);
  });

  test("even when they land while a change is being worked out", async () => {
    await using place = new SettingsPlace();
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
    await using place = new SettingsPlace();
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
    await using place = new SettingsPlace();
    const file = await place.open();
    const before = file.current.auth.session_secret;
    place.write(place.text.replace(before, ""));
    await file.refresh();
    expect(file.current.auth.session_secret).toMatch(/^[0-9a-f]{64}$/);
    expect(file.current.auth.session_secret).not.toBe(before);
    expect(place.stored.auth.session_secret).toBe(file.current.auth.session_secret);
  });

  test("of another SettingsFile on the same path", async () => {
    await using place = new SettingsPlace();
    const service = await place.open();
    const command = await place.open();
    await command.update((settings) => ({ ...settings, auth: { ...settings.auth, password_hash: OTHER_HASH } }));
    await service.patch("web", { port: 81 });
    expect(service.current.auth.password_hash).toBe(OTHER_HASH);
    await command.refresh();
    expect(command.current.web.port).toBe(81);
  });

  test("no longer once it is closed", async () => {
    await using place = new SettingsPlace();
    const file = await place.open();
    await file.close();
    const asked = place.clock.asked.length;
    place.clock.wake();
    await file.close();
    expect(place.clock.asked).toHaveLength(asked);
  });
});
