import { momentNumber } from "../../domain/recordings/moment_number.ts";
import { messageOf } from "../../log.ts";
import type { TrashEntry } from "../../store/destination/trash_index.ts";
import { placesOf } from "./due.ts";
import type { RetentionParts } from "./retention_parts.ts";

/**
 * Removes entries of the trash for good; in the guard, after `prepare`. Pictures that were kept with a recording go with
 * the last of it.
 */
export async function removeForGood(
  { trash, stills, library, log }: Pick<RetentionParts, "trash" | "stills" | "library" | "log">,
  entries: readonly TrashEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await trash.purge(entries);
  const all = await stills.all();
  const gone = new Map(entries.map(({ key }) => [momentNumber(key), key]));
  const having = new Map([...gone].filter(([moment]) => all.has(moment)));
  if (having.size === 0) return;
  for (const { key } of await trash.entries()) having.delete(momentNumber(key));
  for (const { moment } of placesOf(library, having)) having.delete(moment);
  try {
    await stills.remove([...having.keys()].flatMap((moment) => all.get(moment) ?? []));
  } catch (error) {
    // They take up little room, and the recordings themselves are gone.
    log.warning("retention", `Pictures of deleted recordings are left: ${messageOf(error)}`);
  }
}
