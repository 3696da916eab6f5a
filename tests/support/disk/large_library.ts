import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dateOf } from "../../../server/domain/recordings/recording_name.ts";

/** Contents of a library, counted as its chips count them. */
export interface LargeLibrary {
  readonly clips: number;
  readonly days: number;
  readonly types: Readonly<Record<string, number>>;
  readonly rear: number;
  /** Keys of all clips, by time. */
  readonly keys: readonly string[];
  /** The day of 400 clips, of this year. */
  readonly newest: string;
}

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2023, 0, 1);
const DAYS = 730;

/**
 * Fills a destination with about 20,000 clips of empty files in a folder a day: the years 2023 and 2024 with two drives on
 * most days, an event in each seventh, stays with movements around the parked car, some with a second camera, only the
 * rear one or a copy for upload; and a day of 400 clips in the year that is now.
 */
export function putLargeLibrary(destination: string, thisYear: number): LargeLibrary {
  const names = new Map<string, string[]>();
  const put = (key: string, ...endings: string[]) => names.set(key, endings);
  for (let day = 0; day < DAYS; day++) {
    const date = new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");
    const cameras = day % 10 === 0 ? ["F.mp4", "R.mp4"] : ["F.mp4"];
    if (day % 7 === 6)
      for (let at = 0; at < 27; at++) put(keyAt(date, 60 + at * 30, at === 20 ? "I" : "P"), ...cameras);
    else
      for (let at = 0; at < 27; at++) {
        const isEvening = at >= 13;
        const isEvent = at === 18 && day % 7 === 2;
        const minute = isEvening ? 17 * 60 + 30 + at - 13 : 8 * 60 + at;
        put(keyAt(date, minute, isEvent ? "E" : at === 3 && day % 30 === 5 ? "M" : "N"), ...cameras);
      }
    if (day % 50 === 3) put(keyAt(date, 12 * 60, "N"), "R.mp4");
    if (day % 40 === 4) put(keyAt(date, 13 * 60, "E"), "F.mp4", "FL.mp4");
  }
  const newest = `${thisYear}-01-02`;
  for (let at = 0; at < 400; at++) {
    const minute = 6 * 60 + Math.floor(at / 50) * 110 + (at % 50);
    put(keyAt(newest.replaceAll("-", ""), minute, at % 100 === 60 ? "E" : "N"), "F.mp4");
  }
  write(destination, names);
  const keys = [...names.keys()].sort();
  const types: Record<string, number> = {};
  for (const key of keys) types[key.slice(16)] = (types[key.slice(16)] ?? 0) + 1;
  const rear = [...names.values()].filter((endings) => endings.includes("R.mp4")).length;
  return { clips: keys.length, days: DAYS + 1, types, rear, keys, newest };
}

function keyAt(date: string, minute: number, type: string): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0"));
  return `${date}_${hours}${minutes}00_${type}`;
}

/** Empty files, and folders that look old as those of a library mostly are. */
function write(destination: string, names: ReadonlyMap<string, readonly string[]>): void {
  const folders = new Set<string>();
  for (const [key, endings] of names) {
    const folder = join(destination, dateOf(key));
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    for (const ending of endings) writeFileSync(join(folder, key + ending), "");
  }
  const before = (Date.now() - DAY_MS) / 1000;
  for (const folder of folders) utimesSync(folder, before, before);
}
