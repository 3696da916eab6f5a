import { expect, spyOn, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openApp } from "../server/app.ts";
import { RunHistory } from "../server/store/config/run_history.ts";

test("the close waits for what the start set off, which writes nothing any more", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-app-"));
  const root = join(folder, "recordings");
  const starting = await openApp({ configDir: join(folder, "config"), destination: root, env: {} });
  const app = await starting.openStores();
  // A disk that takes its time for the first look at the recordings.
  const disk = Promise.withResolvers<void>();
  const refresh = app.library.refresh.bind(app.library);
  let isLookedAt = false;
  app.library.refresh = async () => {
    await disk.promise;
    await refresh();
    isLookedAt = true;
  };
  app.start();
  const closed = app.close();
  setImmediate(() => setImmediate(() => disk.resolve()));
  await closed;
  // The id that a destination is given at its first check.
  expect([isLookedAt, existsSync(join(root, ".dashdock"))]).toEqual([true, false]);
  rmSync(folder, { recursive: true });
});

test("the close waits for stores that are just being opened, and closes them, too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-app-"));
  const starting = await openApp({ configDir: join(folder, "config"), destination: join(folder, "home"), env: {} });
  using closing = spyOn(RunHistory.prototype, "close");
  const opened = starting.openStores().then(() => closing.mock.calls.length);
  await starting.close();
  expect([await opened, closing.mock.calls.length, starting.isReady()]).toEqual([0, 1, false]);
  rmSync(folder, { recursive: true });
});
