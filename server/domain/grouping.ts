export const GROUPINGS = ["none", "daily", "weekly", "monthly", "yearly"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/**
 * The dated folder a recording belongs in, from its base name, no zone conversion; empty for none.
 * `2019-02-19`: daily `2019-02-19`, weekly `2019-02-18` (the Monday), monthly `2019-02`, yearly `2019`.
 */
export function groupFolder(base: string, grouping: Grouping): string {
  const [year, month, day] = [base.slice(0, 4), base.slice(4, 6), base.slice(6, 8)];
  switch (grouping) {
    case "none":
      return "";
    case "daily":
      return `${year}-${month}-${day}`;
    case "weekly": {
      const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
      date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
      return date.toISOString().slice(0, 10);
    }
    case "monthly":
      return `${year}-${month}`;
    case "yearly":
      return year;
  }
}

/** True for a folder name that some grouping makes: the only folders a sweep may ever look at. */
export function isGroupFolder(name: string): boolean {
  return /^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$/.test(name);
}

/**
 * Whether a folder of this name may hold the recording with this base name, however files were grouped when it was made.
 * A date may name a day or the week that begins with it: `grouping`, the one in force, decides.
 */
export function mayHold(folder: string, base: string, grouping: Grouping): boolean {
  const name = folder.slice(folder.lastIndexOf("/") + 1);
  const groupings: readonly Grouping[] = [grouping === "weekly" ? "weekly" : "daily", "monthly", "yearly"];
  return groupings.some((one) => groupFolder(base, one) === name);
}
