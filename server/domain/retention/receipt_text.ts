import { daySpan } from "../text/day_span.ts";
import { counted, formatBytes } from "../text/format.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import { backInWords, type DeletionReceipt } from "./deletion.ts";
import type { DeletionCause } from "./deletion_cause.ts";

/**
 * Says which recordings a pass deleted and when: `Moved 12 old recordings, 6 to 8 Nov, 1.3 GB, to the trash at 03:00.`
 */
export function receiptInWords(receipt: DeletionReceipt, now: number, zone: ZoneTime): string {
  const { recordings, bytes, oldest, newest, cause, until } = receipt;
  const [verb, where] = until === null ? ["Deleted", "for good"] : ["Moved", "to the trash"];
  const what = counted(recordings, cause === "age" ? "old recording" : "recording");
  const amount = `${what}, ${daySpan(oldest, newest, now, zone.format)}, ${formatBytes(bytes)},`;
  return `${verb} ${amount} ${where} ${whenInWords(Date.parse(receipt.at), now, zone)}${WHY[cause]}.`;
}

const WHY: Readonly<Record<DeletionCause, string>> = { age: "", room: " to make room", hand: " by hand" };

function whenInWords(at: number, now: number, zone: ZoneTime): string {
  const clock = zone.clock(at);
  const day = zone.dayInWords(at, now);
  if (day.startsWith("Today")) return `at ${clock}`;
  return day.startsWith("Yesterday") ? `yesterday at ${clock}` : `on ${day} at ${clock}`;
}

/** Says how many recordings came back because a deletion was undone: `12 recordings are restored.` */
export function undoneInWords(recordings: number): string {
  if (recordings === 0) return "Nothing of it is in the trash any more.";
  return backInWords(recordings);
}
