import { counted } from "../../server/domain/text/format.ts";
import type { ReadTime, Shown } from "./filter_lines.ts";
import type { Entry } from "./received_log.ts";

/** `4 matches in 26 lines`, `12 of 26 lines`, `26 lines`. */
export function countInWords({ lines, searched, all }: Shown, isSearching: boolean): string {
  if (isSearching) return `${counted(lines, "match", "matches")} in ${counted(searched, "line")}`;
  return lines === all ? counted(all, "line") : `${lines} of ${counted(all, "line")}`;
}

/** A cut in words. */
export function cutInWords(cut: Exclude<Entry, { kind: "line" }>, time: ReadTime): string {
  if (cut.kind === "restarted") return `Service restarted ${time(cut.ts).clock.replace(/\..*/, "")}`;
  return `${counted(cut.missing, "line")} came too fast to be kept`;
}

/** The entries as a text file has them: whole times with their zone, one line each. */
export function entriesAsText(entries: readonly Entry[], time: ReadTime): string {
  const rows = entries.map((entry) => {
    if (entry.kind !== "line") return `--- ${cutInWords(entry, time)} ---`;
    const { line } = entry;
    const { day, clock, zone } = time(line.ts);
    return `${day} ${clock} ${zone} ${line.level.padEnd(7)} ${line.logger}: ${line.message}`;
  });
  return rows.map((row) => `${row}\n`).join("");
}

/** The last error after a key as a sentence; empty when there is none. */
export function latestError(entries: readonly Entry[], after: number): string {
  const found = entries.findLast((entry) => entry.key > after && entry.kind === "line" && entry.line.level === "ERROR");
  return found?.kind === "line" ? `Error from ${found.line.logger}: ${found.line.message}` : "";
}
