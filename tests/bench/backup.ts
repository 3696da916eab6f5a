import { Database } from "bun:sqlite";
import { join } from "node:path";
import { makeBackup } from "../../server/engine/backup/make_backup.ts";
import { stageBackup } from "../../server/engine/backup/read_backup.ts";
import { startApp } from "../support/app/app.ts";
import { run } from "../support/app/held.ts";
import { putLargeLibrary } from "../support/disk/large_library.ts";
import type { Part } from "./part.ts";
import { inWords, quickest, type Took, watched } from "./watched.ts";

const RUNS = 350_000;
/** Ten years of a run every quarter of an hour, each with what it counted. */
const FILL = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${RUNS})
  insert into runs (ts_seconds, success, exit_code, files, bytes, address, message, counts_json, trigger)
  select 1.4e9 + i * 900.0, 1, 0, 3, 200000000, '192.168.1.20', 'Brought 3 recordings home',
    '{"N":[3,200000000],"P":[1,' || i || ']}', 'schedule' from n`;
/** Lines of the log, more than a support file takes. */
const LINES = 6000;

export const BACKUP_PARTS: readonly Part[] = [
  {
    name: "backup",
    async measure(add, rounds) {
      await using running = await startApp();
      await run(running);
      const configDir = join(running.folder, "config");
      using db = new Database(join(configDir, "stats.db"));
      db.run(FILL);
      const source = { configDir, cameras: [{ id: "main", root: running.destination }], now: 0, wall: 0 };
      const [made, checked]: [Took[], Took[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        made.push(
          await watched(async () => {
            await using _made = await makeBackup(source, configDir);
          }),
        );
        await using backup = await makeBackup(source, configDir);
        checked.push(
          await watched(async () => {
            const { discard } = await stageBackup(backup.path, configDir, 0);
            await discard();
          }),
        );
      }
      add("backup of 350,000 runs", inWords(quickest(made)), "≤ 3 000 ms, ≤ 20 ms away");
      add("the same: checked whole, with what it would replace", inWords(quickest(checked)), "≤ 20 ms away");
    },
  },
  {
    name: "support file",
    async measure(add, rounds) {
      await using running = await startApp();
      putLargeLibrary(running.destination, 2026);
      await run(running);
      const { log } = running.app;
      for (let at = 0; at < LINES; at++)
        log.info("bench", `Looked at 192.168.1.${at % 250}: 20260607_1020${at % 60}_NF.mp4 came home in ${at} ms`);
      await running.client.fetch("/api/support?preview=true");
      const took: Took[] = [];
      for (let round = 0; round < rounds; round++)
        took.push(await watched(async () => (await running.client.fetch("/api/support")).bytes()));
      add("support file of a library of 20,000", inWords(quickest(took)), "≤ 3 000 ms, ≤ 20 ms away");
    },
  },
];
