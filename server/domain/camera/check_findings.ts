import { shortClock } from "../recordings/camera_clock.ts";
import type { ListedFile } from "../recordings/camera_listing.ts";
import { baseOf, dateOf, directionOf, parseRecording, secondsOf } from "../recordings/recording_name.ts";
import { counted, formatBytes, formatCount, formatRate, formatSeconds } from "../text/format.ts";
import { dayOf, wallOf, type ZoneTime } from "../text/zone_time.ts";
import type { CheckVerdict } from "./check_report.ts";

/** Contents of a camera's list. */
export interface ListFacts {
  /** Names of the videos, the oldest first. */
  readonly videos: readonly string[];
  /** Size by the list; null where it tells none, or its constant. */
  readonly bytes: number | null;
  /** Number of videos that are listed as empty. */
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

/** Says when a recording began, by its name: `today 07:31`, `Fri 20 Nov 18:02`. */
export function nameInWords(name: string, zone: ZoneTime, now: number): string {
  const date = dateOf(name);
  const days = Math.round((Date.parse(date) - Date.parse(zone.isoDay(now))) / 86_400_000);
  const near = ({ "-1": "yesterday", 0: "today", 1: "tomorrow" } as Readonly<Record<string, string>>)[days];
  return `${near ?? dayOf(wallOf(Date.parse(date)), zone.wall(now).year, zone.format)} ${shortClock(name, zone.format)}`;
}

/**
 * Chooses the video to read a piece of: the newest one that is complete, the front camera's if there is one. The video
 * that was begun last may still be growing.
 */
export function sampleOf(videos: readonly string[]): string | null {
  const newest = videos.at(-1);
  if (newest === undefined) return null;
  const older = videos.findLast((name) => baseOf(name) < baseOf(newest)) ?? newest;
  const beside = videos.filter((name) => baseOf(name) === baseOf(older));
  return beside.find((name) => directionOf(name) === "F") ?? older;
}

/** Number of recordings, and the time they take. */
export interface Estimate {
  readonly recordings: number;
  readonly bytes: number | null;
  readonly bytesPerSecond: number | null;
}

/** `It holds 48 recordings, about 3.1 GB. Downloading all of them takes about 6 min.` */
export function estimateText({ recordings, bytes, bytesPerSecond }: Estimate): string {
  const holds = `It holds ${counted(recordings, "recording")}${bytes === null ? "" : `, about ${formatBytes(bytes)}`}.`;
  if (bytes === null || !bytesPerSecond) return holds;
  return `${holds} Downloading all of them takes about ${formatSeconds(Math.max(1, bytes / bytesPerSecond))}.`;
}

/** Slower than this, the recordings of an hour take far more than an hour to download. */
export const SLOW_BYTES_PER_SECOND = 1_000_000;
/** A clock that is further off gives recordings wrong names. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** Judges a camera's clock. @param offMs ahead of the true time; null when nothing tells */
export function clockVerdict(offMs: number): CheckVerdict | null {
  if (Math.abs(offMs) <= CLOCK_TOLERANCE_MS) return null;
  const direction = offMs > 0 ? "ahead" : "behind";
  return attention(
    `clock-${direction}`,
    `The camera’s clock is ${formatSeconds(Math.abs(offMs) / 1000)} ${direction}. Its recordings have wrong times.`,
    "Set the camera’s time zone in its app, and let it take the time from GPS. Without GPS, set the time by hand.",
    "Tab1.TimeZone",
  );
}

/**
 * Returns the milliseconds by which a camera's clock is ahead of the true time, by the satellites. Names carry the
 * camera's wall time, mostly without daylight saving, so both offsets of the zone are right.
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

/** Concerns about a camera that works. */
export const CONCERNS = {
  slow: (rate: number) =>
    attention(
      "slow",
      `The Wi-Fi brings ${formatRate(rate)}. The camera records faster while driving.`,
      "Park nearer to the router, or put an access point near the camera. The 5 GHz band is faster where it reaches.",
      "Wifi.WiFiBand",
    ),
  emptyList: () =>
    attention(
      "empty-list",
      "The camera lists no recordings. Its card is new, was formatted, or cannot be read.",
      "Drive a minute and check again. If the list stays empty, restart the camera, or use another card.",
    ),
  emptyFiles: (count: number) =>
    attention(
      "empty-recordings",
      `${counted(count, "recording")} on the card ${count === 1 ? "is" : "are"} empty. The card may be worn.`,
      "Sync first, then format the card in the camera’s app. Replace the card if this happens again.",
    ),
  damaged: (status: number) =>
    attention(
      "card-damaged",
      `The camera answered a recording with an error (status ${status}). Its card may be damaged.`,
      "Sync first, then format the card in the camera’s app. Replace the card if this happens again.",
    ),
  unreadable: () =>
    attention(
      "recording-unreadable",
      "A listed recording could not be read.",
      "Check again in a minute. If this stays, sync, then format the card in the camera’s app.",
    ),
  notResumable: () =>
    attention(
      "not-resumable",
      "The camera cannot continue a file. After a break the file starts again.",
      "Park nearer to the router if downloads break often.",
    ),
  unsetClock: () =>
    attention(
      "clock-unset",
      "The camera’s clock was never set. Its recordings have wrong dates, and age rules leave them out.",
      "Set the camera’s time zone in its app, and let it take the time from GPS.",
      "Tab1.TimeSet",
    ),
  noSettings: () =>
    attention("settings-unreadable", "The camera does not tell its settings. Dashdock cannot check them.", ""),
  outOfTime: () =>
    attention(
      "out-of-time",
      "The camera answers slowly. The check ended before its last step.",
      "Close the camera’s app on all phones, or check again nearer to the router.",
    ),
} as const;

/** The verdict of a camera without fault. @param model null where it does not tell it */
export function fineVerdict(estimate: Estimate, model: string | null): CheckVerdict {
  return {
    level: "fine",
    reason: "fine",
    cause: `${model ?? "The camera"} works.`,
    remedy: estimateText(estimate),
    command: null,
    setting: null,
  };
}

/** `None of 85 works against the schedule`. */
export function settingsFinding(harmful: number, all: number): string {
  const count = harmful === 0 ? "None" : formatCount(harmful);
  return `${count} of ${formatCount(all)} ${harmful > 1 ? "work" : "works"} against the schedule`;
}
