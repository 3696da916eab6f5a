import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApp } from "../support/app/app.ts";
import { play, refused } from "../support/app/scenarios.ts";

setDefaultTimeout(20_000);

const mount = (...args: string[]) => Bun.spawnSync(["mount", ...args]).success;
const unmount = (path: string) => Bun.spawnSync(["umount", path]).success;

/** Tried once: whether a test may have a small disk of its own. */
function mayMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), "dashdock-test-"));
  const may = mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", place) && unmount(place);
  rmSync(place, { recursive: true, force: true });
  return may;
}

describe("when the settings cannot be saved", () => {
  test("they stay as they are, and the answer is 500 SETTINGS_NOT_SAVED", async () => {
    await using other = await startApp();
    await other.client.open("/");
    const { path } = other.app.settings;
    const folder = join(other.folder, "config");
    // A folder in the place of the file cannot be replaced by a file, even by root.
    renameSync(path, `${path}.away`);
    mkdirSync(join(path, "full"), { recursive: true });
    await play(other.client, {
      name: "not saved",
      ask: ["PATCH", "/api/settings/viewer", { speed_unit: "mph" }],
      status: 500,
      is: refused("SETTINGS_NOT_SAVED", {}),
    });
    await play(other.client, {
      name: "nor the pause",
      ask: ["POST", "/api/schedule/pause"],
      status: 500,
      is: refused("SETTINGS_NOT_SAVED", {}),
    });
    expect([other.app.settings.current.viewer.speed_unit, other.app.settings.current.schedule.paused]).toEqual([
      "kmh",
      false,
    ]);
    rmSync(path, { recursive: true });
    renameSync(`${path}.away`, path);
    expect((await other.client.send("PATCH", "/api/settings/viewer", { speed_unit: "mph" })).status).toBe(200);
    expect(JSON.parse(await readFile(join(folder, "settings.json"), "utf8"))).toMatchObject({
      viewer: { speed_unit: "mph" },
    });
  });

  test.skipIf(!mayMount())(
    "because the disk is full, the answer is 507 STORAGE_FULL (needs the right to mount)",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "dashdock-test-"));
      const config = join(folder, "config");
      mkdirSync(config);
      expect(mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", config)).toBe(true);
      try {
        await using other = await startApp({ folder });
        await other.client.open("/");
        expect(() => {
          for (;;) appendFileSync(join(config, "fill"), Buffer.alloc(4096));
        }).toThrow("ENOSPC");
        const ask = ["PATCH", "/api/settings/viewer", { speed_unit: "mph" }] as const;
        await play(other.client, { name: "full", ask, status: 507, is: refused("STORAGE_FULL", {}) });
        expect(other.app.settings.current.viewer.speed_unit).toBe("kmh");
        rmSync(join(config, "fill"));
        await play(other.client, { name: "room again", ask, status: 200 });
      } finally {
        unmount(config);
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
