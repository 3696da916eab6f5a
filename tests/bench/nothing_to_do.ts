import { closeSync, mkdirSync, openSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../../server/clock.ts";
import { dateOf } from "../../server/domain/recordings/recording_name.ts";
import { Log } from "../../server/log.ts";
import { Library } from "../../server/store/library/library.ts";
import { measure, median } from "./measure.ts";
import { emptyFolder, openStage } from "./stage.ts";

const MAIN = resolve(import.meta.dir, "../../server/main.ts");

/** 50,000 recordings listed, and all of them with their companions at home: a whole `sync`, and the cold index alone. */
export async function benchNothingToDo(rounds: number) {
  await using stage = await openStage({ moments: 50_000, directions: ["F"], videoBytes: 1000, companionBytes: 1000 });
  const home = emptyFolder(stage, "home");
  const days = new Set<string>();
  for (const name of stage.names) {
    const day = dateOf(name);
    if (!days.has(day)) mkdirSync(join(home, day));
    days.add(day);
    closeSync(openSync(join(home, day, name), "w"));
  }
  const runs = [];
  for (let round = 0; round < rounds; round++)
    runs.push(
      await measure([process.execPath, MAIN, "sync", stage.address, "-d", home, "-g", "daily", "-q", "-u", "98"]),
    );
  const indexed = [];
  for (let round = 0; round < rounds; round++) {
    const library = new Library({ root: home, clock: systemClock, log: new Log(systemClock) });
    const began = performance.now();
    await library.refresh();
    indexed.push((performance.now() - began) / 1000);
  }
  return {
    files: stage.names.length,
    seconds: median(runs.map((run) => run.wallSeconds)),
    peakMegabytes: Math.max(...runs.map((run) => run.peakMegabytes)),
    indexSeconds: median(indexed),
  };
}
