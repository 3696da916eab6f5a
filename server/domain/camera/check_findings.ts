import type { ListedFile } from "../recordings/camera_listing.ts";
import { baseOf, dateOf, directionOf, parseRecording, secondsOf, timeOf } from "../recordings/recording_name.ts";
import { counted, formatBytes, formatCount, formatRate, formatSeconds } from "../text/format.ts";
import { dayOf, wallOf, type ZoneTime } from "../text/zone_time.ts";
import type { CheckVerdict } from "./check_report.ts";

/** What a camera's list holds. */
export interface ListFacts {
  /** Names of the videos, the oldest first. */
  readonly videos: readonly string[];
  /** By the list; null where it tells none, or its constant. */
  readonly bytes: number | null;
  /** How many are listed as empty. */
  readonly empty: number;
}

/** The videos of a list, and how big it says they are. */
export function listFacts(files: readonly ListedFile[]): ListFacts {
  const videos = files.filter(({ name }) => parseRecording(name) !== null);
  let bytes: number | null = 0;
  for (const { size } of videos) bytes = bytes === null || size === null ? null : bytes + size;
  const empty = videos.filter(({ size }) => size === 0).length;
  return { videos: videos.map(({ name }) => name).sort(), bytes, empty };
}

/** `412 recordings, newest today 07:31`. */
export function listFinding({ videos, bytes }: ListFacts, zone: ZoneTime, now: number): string {
  const newest = videos.at(-1);
  if (newest === undefined) return "An empty list";
  const sizes = bytes === null ? "" : `, ${formatBytes(bytes)}`;
  return `${counted(videos.length, "recording")}${sizes}, newest ${nameInWords(newest, zone, now)}`;
}

/** When a recording began, as its name tells: `today 07:31`, `Fri 20 Nov 18:02`. */
export function nameInWords(name: string, zone: ZoneTime, now: number): string {
  const date = dateOf(name);
  const days = Math.round((Date.parse(date) - Date.parse(zone.isoDay(now))) / 86_400_000);
  const near = ({ "-1": "yesterday", 0: "today", 1: "tomorrow" } as Readonly<Record<string, string>>)[days];
  return `${near ?? dayOf(wallOf(Date.parse(date)), zone.wall(now).year)} ${timeOf(name).slice(0, 5)}`;
}

/**
 * Which video to read a piece of: the newest one that is complete, the front camera's if there is one. What was begun
 * last may still be growing.
 */
export function sampleOf(videos: readonly string[]): string | null {
  const newest = videos.at(-1);
  if (newest === undefined) return null;
  const older = videos.findLast((name) => baseOf(name) < baseOf(newest)) ?? newest;
  const beside = videos.filter((name) => baseOf(name) === baseOf(older));
  return beside.find((name) => directionOf(name) === "F") ?? older;
}

/** How much there is, and how long it takes. */
export interface Estimate {
  readonly recordings: number;
  readonly bytes: number | null;
  readonly bytesPerSecond: number | null;
}

/** `48 recordings, about 3.1 GB, 6 min at this speed`. */
export function estimateText({ recordings, bytes, bytesPerSecond }: Estimate): string {
  const parts = [counted(recordings, "recording")];
  if (bytes !== null) parts.push(`about ${formatBytes(bytes)}`);
  if (bytes !== null && bytesPerSecond)
    parts.push(`${formatSeconds(Math.max(1, bytes / bytesPerSecond))} at this speed`);
  return parts.join(", ");
}

/** Slower than this, what is recorded in an hour takes more than an hour to fetch, by a good deal. */
export const SLOW_BYTES_PER_SECOND = 1_000_000;
/** From here on names would lie. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** What a camera's clock shows. @param offMs ahead of the true time; null when nothing tells */
export function clockVerdict(offMs: number): CheckVerdict | null {
  if (Math.abs(offMs) <= CLOCK_TOLERANCE_MS) return null;
  const direction = offMs > 0 ? "ahead" : "behind";
  return attention(
    `clock-${direction}`,
    `Its clock is ${formatSeconds(Math.abs(offMs) / 1000)} ${direction}, so recordings carry names of a wrong time.`,
    "Set its time zone in the camera’s app and let it take the time from GPS; without GPS set the time by hand.",
    "Tab1.TimeZone",
  );
}

/**
 * How far a camera's clock is ahead of the true time, by the satellites: names carry its wall time, mostly without
 * daylight saving, so both offsets of the zone are right.
 * @param startUtc the true time at which the recording with this name began
 */
export function satelliteError(name: string, startUtc: number, zone: ZoneTime): number {
  const wall = secondsOf(name) * 1000;
  const year = new Date(startUtc).getUTCFullYear();
  const moments = [startUtc, Date.UTC(year, 0, 1), Date.UTC(year, 6, 1)];
  const errors = moments.map((moment) => wall - startUtc - zone.offset(moment));
  return errors.reduce((least, error) => (Math.abs(error) < Math.abs(least) ? error : least));
}

export function attention(reason: string, cause: string, remedy: string, setting: string | null = null): CheckVerdict {
  return { level: "attention", reason, cause, remedy, command: null, setting };
}

/** What is wrong with a camera that works. */
export const CONCERNS = {
  slow: (rate: number) =>
    attention(
      "slow",
      `It reads at ${formatRate(rate)}, slower than a camera records while driving: runs take long, and some end before all is home.`,
      "Park nearer to the router or put an access point near the camera; the 5 GHz band is faster where it reaches.",
      "Wifi.WiFiBand",
    ),
  emptyList: () =>
    attention(
      "empty-list",
      "It is a camera, but its list is empty: its card is new, was formatted, or cannot be read.",
      "Drive a minute and check again; if the list stays empty, turn the camera off and on, or put in another card.",
    ),
  emptyFiles: (count: number) =>
    attention(
      "empty-recordings",
      `${counted(count, "recording")} on its card ${count === 1 ? "is" : "are"} empty, as on a card that is worn or was pulled out.`,
      "Bring home what is there, then format the card in the camera’s app; replace it if that happens again.",
    ),
  damaged: (status: number) =>
    attention(
      "card-damaged",
      `It answered a recording with an error (status ${status}), which is mostly a damaged place on its card.`,
      "Bring home what can be read, then format the card in the camera’s app; replace it if that happens again.",
    ),
  unreadable: () =>
    attention(
      "recording-unreadable",
      "The recording that was tried could not be read, although it is listed.",
      "Check again in a minute; if it stays so, format the card in the camera’s app after what is on it is home.",
    ),
  notResumable: () =>
    attention(
      "not-resumable",
      "It sends files only from their beginning: a run that is cut off begins its file anew.",
      "Nothing has to be done; on a weak link it helps to park nearer to the router.",
    ),
  unsetClock: () =>
    attention(
      "clock-unset",
      "Its clock was never set, so recordings carry names of long ago, and rules about age leave them out.",
      "Set its time zone in the camera’s app and let it take the time from GPS.",
      "Tab1.TimeSet",
    ),
  noSettings: () =>
    attention(
      "settings-unreadable",
      "It does not tell its settings, so whether they work against the schedule is not known.",
      "",
    ),
  outOfTime: () =>
    attention(
      "out-of-time",
      "It answers so slowly that the check ended before all was asked.",
      "Close the camera’s app on all phones, or check again nearer to the router.",
    ),
} as const;

/** The verdict of a camera without fault. */
export function fineVerdict(estimate: Estimate): CheckVerdict {
  return {
    level: "fine",
    reason: "fine",
    cause: `It works, and nothing stands in the way: ${estimateText(estimate)}.`,
    remedy: "",
    command: null,
    setting: null,
  };
}

/** `None of 85 works against the schedule`. */
export function settingsFinding(harmful: number, all: number): string {
  const count = harmful === 0 ? "None" : formatCount(harmful);
  return `${count} of ${formatCount(all)} ${harmful > 1 ? "work" : "works"} against the schedule`;
}
