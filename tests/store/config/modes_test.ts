import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeConfigFolder } from "../../../server/store/config/settings_text.ts";
import { startApp } from "../../support/app.ts";

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("the config folder and the history are for their owner only", async () => {
  const folder = mkdtempSync(join(tmpdir(), "modes-"));
  try {
    chmodSync(folder, 0o755);
    for (const _ of ["first start", "a start after the history was readable for all"]) {
      await using running = await startApp({ folder: join(folder, "data") });
      expect([modeOf(join(folder, "data")), modeOf(join(folder, "data", "config"))]).toEqual(["755", "700"]);
      for (const name of ["stats.db", "stats.db-wal", "stats.db-shm"])
        expect([name, modeOf(join(folder, "data", "config", name))]).toEqual([name, "600"]);
      await running.stop();
      chmodSync(join(folder, "data", "config", "stats.db"), 0o644);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a config folder that is there keeps its mode", async () => {
  const folder = mkdtempSync(join(tmpdir(), "modes-"));
  try {
    chmodSync(folder, 0o750);
    await makeConfigFolder(folder);
    expect(modeOf(folder)).toBe("750");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
