import { Database } from "bun:sqlite";
import { join } from "node:path";
import { makeBackup } from "../../server/engine/backup/make_backup.ts";
import { startApp } from "../support/app/app.ts";
import { run } from "../support/app/held.ts";
import type { Part } from "./part.ts";
import { inWords, quickest, type Took, watched } from "./watched.ts";

const RUNS = 350_000;
/** Ten years of a run every quarter of an hour, each with what it counted. */
const FILL = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${RUNS})
  insert into runs (ts_seconds, success, exit_code, files, bytes, address, message, counts_json, trigger)
  select 1.4e9 + i * 900.0, 1, 0, 3, 200000000, '192.168.1.20', 'Brought 3 recordings home',
    '{"N":[3,200000000],"P":[1,' || i || ']}', 'schedule' from n`;

export const BACKUP_PARTS: readonly Part[] = [
  {
    name: "backup",
    async measure(add, rounds) {
      await using running = await startApp();
      await run(running);
      const configDir = join(running.folder, "config");
      using db = new Database(join(configDir, "stats.db"));
      db.run(FILL);
      const took: Took[] = [];
      for (let round = 0; round < rounds; round++)
        took.push(
          await watched(async () => {
            const source = { configDir, cameras: [{ id: "main", root: running.destination }], now: 0, wall: 0 };
            await using _made = await makeBackup(source, configDir);
          }),
        );
      add("backup of 350,000 runs", inWords(quickest(took)), "≤ 3 000 ms, ≤ 20 ms away");
    },
  },
];
