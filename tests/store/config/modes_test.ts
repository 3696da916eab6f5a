import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeConfigFolder } from "../../../server/store/config/settings_text.ts";
import { startApp } from "../../support/app/app.ts";

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

test("a config folder that others can look into is told on the dashboard, until they cannot", async () => {
  await using running = await startApp({ settings: { retention: { keep: "" } } });
  const config = join(running.folder, "config");
  const notes = async () => (await (await running.client.fetch("/api/overview")).json()).access_notes;
  const sentence = `Other users of the machine can look into the config folder ${config}, which holds secrets. Run: chmod 700 ${config}.`;
  for (const [mode, told] of [
    [0o700, []],
    [0o755, [{ section: null, sentence }]],
    [0o750, [{ section: null, sentence }]],
    [0o700, []],
  ] as const) {
    chmodSync(config, mode);
    expect([mode, await notes()]).toEqual([mode, told as never]);
    expect((await running.client.open("/")).text.includes(Bun.escapeHTML(sentence))).toBe(told.length > 0);
  }
});
