import type { DownloadOrder } from "./download_order.ts";
import type { QueueReason } from "./queue_schema.ts";
import { smartReason, type TimeAndType } from "./smart_order.ts";

/** Returns why a recording comes where it does. @param isAsked a user has asked for it */
export function queueReason(
  recording: TimeAndType,
  { priority, atRiskBefore = null }: DownloadOrder,
  isAsked: boolean,
): QueueReason {
  if (isAsked) return "asked";
  return priority === "smart" ? smartReason(recording, atRiskBefore) : "order";
}
