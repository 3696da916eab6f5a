import type * as v from "valibot";
import { counted, formatBytes } from "../text/format.ts";
import type { CardTime } from "../text/zone_time.ts";
import type { RecentClip } from "./card_data.ts";
import type { DESTINATION, LAST_KNOWN } from "./status_schema.ts";

/** Facts about the recordings folder when it was last there. */
export type LastKnown = v.InferOutput<typeof LAST_KNOWN>;

/** The facts with the clips that were shown then. */
export interface RememberedFolder extends LastKnown {
  /** Path of the folder that they are about. */
  readonly path: string;
  readonly clips: readonly RecentClip[];
}

/** Writes the time of a known fact: `06:12`, with the day when that was another one. */
export function knownAt(at: number, { now, zone }: CardTime): string {
  const isToday = zone.dayInWords(at, now).startsWith("Today");
  return isToday ? zone.clock(at) : `${zone.day(at, now)}, ${zone.clock(at)}`;
}

/** Says what was there: `14 206 recordings, last seen at 06:12`. */
export function wasThere({ recordings, at }: LastKnown, moment: CardTime): string {
  return `${counted(recordings, "recording")}, last seen at ${knownAt(at, moment)}`;
}

/** Says what lies at the path of the recordings folder now: `An empty folder on the system disk, 31 GB free`. */
export function foundInWords({ is_there, recordings, is_system_disk, available_bytes }: Found): string {
  if (!is_there) return "Nothing";
  const what = recordings === 0 ? "A folder without recordings" : `A folder with ${counted(recordings, "recording")}`;
  const free = available_bytes === null ? "" : `, ${formatBytes(available_bytes)} free`;
  return `${what}${is_system_disk ? " on the system disk" : ""}${free}`;
}

type Found = v.InferOutput<typeof DESTINATION>["found"];
