import { isoDay, wallOf } from "../text/zone_time.ts";
import { dateOf, isPossibleMoment } from "./recording_name.ts";

export const GROUPINGS = ["none", "daily", "weekly", "monthly", "yearly"] as const;
export type Grouping = (typeof GROUPINGS)[number];

const DAY_MS = 86_400_000;

/**
 * The dated folder a recording belongs in, from its base name, no zone conversion; empty for none.
 * `2019-02-19`: daily `2019-02-19`, weekly `2019-02-18` (the Monday), monthly `2019-02`, yearly `2019`.
 */
export function groupFolder(base: string, grouping: Grouping): string {
  const day = dateOf(base);
  switch (grouping) {
    case "none":
      return "";
    case "daily":
      return day;
    case "weekly": {
      const date = Date.parse(day);
      return isoDay(date - ((wallOf(date).weekday + 6) % 7) * DAY_MS);
    }
    case "monthly":
      return day.slice(0, "YYYY-MM".length);
    case "yearly":
      return day.slice(0, "YYYY".length);
  }
}

/** True for a folder name that some grouping makes: rules delete nothing in other folders. */
export function isGroupFolder(name: string): boolean {
  const [, year, month = "01", day = "01"] = /^([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?$/.exec(name) ?? [];
  // The week of the earliest date that a recording can have is named by a Monday of the year before.
  return year !== undefined && (name === FIRST_WEEK || isPossibleMoment(`${year}${month}${day}_000000`));
}
const FIRST_WEEK = "1969-12-29";

/** True when a folder is one in which another one, of recordings, groups them by date. Both are whole paths without links. */
export function isDatedFolderOf(folder: string, recordings: string): boolean {
  const cut = folder.lastIndexOf("/");
  return folder.slice(0, cut) === recordings.replace(/\/$/, "") && isGroupFolder(folder.slice(cut + 1));
}

/**
 * True when a recording of this base name may lie in a folder, at any depth below it, by the folder's dated names.
 * Days, months and years count in any grouping that an earlier run had. Weeks count only if that is the grouping now,
 * since a week's folder is named as its Monday is.
 */
export function mayHold(folder: string, base: string, grouping: Grouping): boolean {
  const possible = GROUPINGS.filter((one) => one !== "none" && (one !== "weekly" || grouping === "weekly"));
  const names = possible.map((one) => groupFolder(base, one));
  return folder.split("/").some((part) => names.includes(part));
}
