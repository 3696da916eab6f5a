import { counted, formatBytes } from "../../domain/text/format.ts";
import type { Log } from "../../log.ts";
import { amountIn, type TrashEntry } from "../../store/destination/trash_index.ts";
import { removeForGood } from "./removed_for_good.ts";
import type { RetentionParts } from "./retention_parts.ts";

type Parts = Pick<RetentionParts, "trash" | "stills" | "library" | "clock" | "log">;

/** The trash holds too little for the room that is needed. */
export const NOT_ENOUGH = { isEnough: false, freed: 0 };

/** Removes from the trash what has to leave it; in the guard, after `prepare`. */
export class TrashPurge {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Removes what has been there for so long. @returns how many bytes became free */
  async purgeOld(trashMs: number): Promise<number> {
    const over = this.#parts.clock.now() - trashMs;
    const old = (await this.#parts.trash.entries()).filter(({ batch }) => batch.at <= over);
    await this.purge(old, "has been there long enough");
    return amountIn(old).bytes;
  }

  /** Removes the oldest entries until so many bytes are free. @returns how many became free */
  async makeRoom(bytes: number): Promise<number> {
    if (bytes <= 0) return 0;
    const going: TrashEntry[] = [];
    let freed = 0;
    for (const entry of [...(await this.#parts.trash.entries())].reverse()) {
      if (freed >= bytes) break;
      going.push(entry);
      freed += entry.bytes;
    }
    await this.purge(going, "makes room");
    return freed;
  }

  /**
   * As `makeRoom`, unless all that is there would be too little: then none of it goes.
   * @param coming bytes that are about to come there
   */
  async makeRoomIfEnough(bytes: number, coming: number): Promise<{ isEnough: boolean; freed: number }> {
    const isEnough = amountIn(await this.#parts.trash.entries()).bytes + coming >= bytes;
    return isEnough ? { isEnough, freed: await this.makeRoom(bytes) } : NOT_ENOUGH;
  }

  async purge(entries: readonly TrashEntry[], why: string): Promise<void> {
    if (entries.length === 0) return;
    await removeForGood(this.#parts, entries);
    logPurge(this.#parts.log, entries, why);
  }
}

export const WITHOUT_VIDEO = "thumbnails and GPS without a video";

/** Logs what was purged. @param why as the rest of a sentence about it */
export function logPurge(log: Log, entries: readonly TrashEntry[], why: string): void {
  const amount = amountIn(entries);
  const recordings = amount.recordings > 0 ? counted(amount.recordings, "recording") : WITHOUT_VIDEO;
  const what = `${recordings} from the trash, ${formatBytes(amount.bytes)}`;
  log.info("retention", `Removed ${what}: it ${why}`, { event: "trash_purged", ...amount });
}
