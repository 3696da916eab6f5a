import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { startApp } from "../support/app/app.ts";

setDefaultTimeout(30_000);

test("/healthz?deep=1 says why nothing can be brought home, and names no path", async () => {
  await using running = await startApp({ settings: { retention: { keep: "" } } });
  const { client, app, destination, folder } = running;
  const ask = async (query = "?deep=1") => {
    const answer = await client.fetch(`/healthz${query}`);
    return [answer.status, await answer.json()];
  };
  const ok = [200, { status: "ok" }];
  // Before the first sync there is no folder, and it can be made.
  expect(await ask()).toEqual(ok);
  app.job.start("manual");
  await running.synced();
  expect(await ask()).toEqual(ok);

  renameSync(destination, `${destination}.away`);
  mkdirSync(destination);
  await app.library.refresh();
  const other = "The recordings folder is not the one used before; see whether the right disk is mounted.";
  expect(await ask()).toEqual([503, { status: "failing", reasons: [other] }]);
  expect(await ask("")).toEqual(ok);
  rmSync(destination, { recursive: true });
  await app.library.refresh();
  const gone = "The recordings folder is not there; see whether its disk is mounted.";
  expect(await ask()).toEqual([503, { status: "failing", reasons: [gone] }]);
  expect(JSON.stringify(await ask())).not.toContain(folder);
  renameSync(`${destination}.away`, destination);
  await app.library.refresh();
  expect(await ask()).toEqual(ok);
});

test.skipIf(process.getuid?.() === 0)("/healthz?deep=1 tells of folders that cannot be written", async () => {
  await using running = await startApp();
  chmodSync(running.folder, 0o500);
  const answer = await running.client.fetch("/healthz?deep=1");
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { status: "failing", reasons: ["The recordings folder cannot be written."] },
  ]);
  chmodSync(running.folder, 0o700);
});
