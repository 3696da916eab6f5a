import type { StatusLevel } from "../answers/status_level.ts";
import { counted, formatBytes, formatCount } from "../text/format.ts";
import type { TimeFormat } from "../text/time_format.ts";
import { ZoneTime } from "../text/zone_time.ts";
import type { Damage } from "./file_judgement.ts";
import type { VerifyState } from "./verify_schema.ts";

/** Says in a few words if the recordings are whole, with the level. */
export function checkHeadline(state: VerifyState): { readonly level: StatusLevel; readonly text: string } {
  const bad = badInWords(state);
  if (state.running) {
    const text = state.waiting ? "Waiting for a sync to end" : state.total === 0 ? "Counting the files" : "Reading";
    return { level: "busy", text: bad === null ? `${text} …` : `${text} … ${bad}` };
  }
  if (bad !== null) return { level: "failed", text: bad };
  if (state.ended === null) return { level: "waiting", text: "No check was made yet" };
  if (state.ended === "away") return { level: "attention", text: "The recordings folder was not there" };
  if (state.ended !== "done") return { level: "attention", text: "The last check did not come to its end" };
  return { level: "fine", text: "All recordings are whole" };
}

/** `2 files are damaged, 1 is missing`; null for none. */
export function badInWords({
  damaged,
  damaged_files: all,
}: Pick<VerifyState, "damaged" | "damaged_files">): string | null {
  const missing = damaged.filter(({ why }) => why === "missing").length;
  const broken = damaged.length - missing;
  if (all === 0) return null;
  if (all > damaged.length) return `${formatCount(all)} files are damaged or missing`;
  if (broken === 0) return `${counted(missing, "file")} ${are(missing)} missing`;
  const words = `${counted(broken, "file")} ${are(broken)} damaged`;
  return missing === 0 ? words : `${words}, ${formatCount(missing)} ${are(missing)} missing`;
}

const are = (count: number) => (count === 1 ? "is" : "are");

/** Says how far the check is, or what the last one read and when. */
export function checkDetail(state: VerifyState, now: number, zone: string, format: TimeFormat): string {
  const { running, checked, total, bytes, finished_at: at, not_judged: unread } = state;
  if (running)
    return total === 0 ? "" : `${formatCount(checked)} of ${counted(total, "file")}, ${formatBytes(bytes)} read`;
  if (at === null) return "";
  const when = new ZoneTime(zone, format).dayInWords(Date.parse(at), now);
  const left = unread === 0 ? "" : `. ${counted(unread, "file")} could not be judged`;
  return `${when}: ${counted(checked, "file")}, ${formatBytes(bytes)} read${left}`;
}

/** Says what is wrong with a file, and what to do about it. */
export const DAMAGE_SENTENCES: Readonly<Record<Damage, string>> = {
  other_bytes: "Its content has changed, though no program wrote to it.",
  cut_short: "Its end is missing.",
  unreadable: "The disk cannot read it.",
  missing: "It is gone, though Dashdock did not delete it.",
};
