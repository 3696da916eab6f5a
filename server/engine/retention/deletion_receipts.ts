import type { DeletionReceipt } from "../../domain/retention/deletion.ts";
import { DELETION_CAUSES } from "../../domain/retention/deletion_cause.ts";
import type { Moved } from "../../store/destination/trash.ts";
import { amountIn } from "../../store/destination/trash_index.ts";
import { daysOf } from "./due.ts";
import type { RetentionParts } from "./retention_parts.ts";

/** @param trashMs how long the trash holds what goes there; 0 where it holds nothing */
export function receiptOf(
  { id, at, cause: why, by }: Moved["batch"],
  what: Pick<DeletionReceipt, "recordings" | "bytes" | "oldest" | "newest">,
  trashMs: number,
): DeletionReceipt {
  const until = trashMs === 0 ? null : new Date(at + trashMs).toISOString();
  const cause = DELETION_CAUSES.find((one) => one === why) ?? "room";
  return { id, at: new Date(at).toISOString(), cause, by, ...what, until };
}

/**
 * Keeps receipts of what lies in the trash and has none: of a process that was killed before it wrote one, and of a
 * command on the same folder.
 */
export async function addMissingReceipts(
  { trash, receipts }: Pick<RetentionParts, "trash" | "receipts">,
  trashMs: number,
) {
  if (receipts === null || (await trash.isInterrupted())) return;
  // In the place of a damaged file lies a whole one: nothing was deleted.
  const filmed = (await trash.entries()).filter(({ videos, batch }) => videos > 0 && batch.cause !== "damaged");
  for (const [id, entries] of Map.groupBy(filmed, ({ batch }) => batch.id)) {
    const [first] = entries;
    const days = daysOf(entries);
    if (first === undefined || days === null || receipts.has(id)) continue;
    receipts.add(receiptOf(first.batch, { ...amountIn(entries), ...days }, trashMs));
  }
}
