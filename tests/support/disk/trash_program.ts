import { systemClock } from "../../../server/clock.ts";
import { allMoments } from "../../../server/engine/retention/due.ts";
import { Log } from "../../../server/log.ts";
import { Trash } from "../../../server/store/destination/trash.ts";
import { Library } from "../../../server/store/library/library.ts";

/**
 * A process to be killed: moves everything in a destination to the trash, or back, or purges all but one of it. It
 * writes a letter for every file whose place has changed, so that the test that kills it knows how far it is.
 */
const [, , root = "", work = ""] = process.argv;
const tick = () => process.stdout.write(".");
const parts = { root, clock: systemClock, log: new Log(systemClock, []) };
const library = new Library(parts);
await library.refresh();
const trash = new Trash({ ...parts, home: { noteAdded: tick, noteRemoved: tick } });
await trash.prepare();
const entries = await trash.entries();
process.stdout.write("!");
if (work === "take") await trash.take(allMoments(library), { cause: "age", by: null, keep: {} });
else if (work === "restore")
  await trash.putBack(
    entries.map((entry) => ({ entry, folder: entry.folder })),
    () => null,
  );
else if (work === "purge one by one") await trash.purge(entries.slice(1));
else await trash.purge(entries);
process.stdout.write("#");
