import { renameSync } from "node:fs";
import { join } from "node:path";
import { batchId, batchOf } from "../../server/store/destination/trash_batch.ts";
import { DAY_MS } from "./deleting_plan.ts";
import { findOut, TRASH } from "./whereabouts.ts";

/** Makes everything in the trash older, as if so many days had gone by since it was deleted; no program runs. */
export function ageTrash(destination: string, days: number): void {
  const trash = join(destination, TRASH);
  const places = findOut(destination, () => false).trash;
  for (const id of new Set([...places.values()].flatMap((each) => [...each.keys()]))) {
    const batch = batchOf(id.split("/")[0] ?? "");
    if (batch === null) continue;
    const from = join(trash, batch.id);
    const at = batch.at - days * DAY_MS;
    // With several in one batch, the first has taken the batch along.
    for (let number = 1; number < 100; number++) {
      try {
        renameSync(from, join(trash, batchId(at, batch.cause, number)));
        break;
      } catch (error) {
        if ((error as { code?: string }).code === "ENOENT") break;
      }
    }
  }
}
