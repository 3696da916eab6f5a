import { cameraClock, cameraDay, isDay } from "../recordings/camera_clock.ts";
import { isGroupKey } from "../recordings/moment_number.ts";
import { DIRECTIONS } from "../recordings/recording_codes.ts";
import { dateOf } from "../recordings/recording_name.ts";
import { keyIn, splitKey } from "../settings/camera_key.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { filterQuery, type ListFilter, NO_FILTER, type Only } from "./list_filter.ts";
import type { ViewerRecording } from "./viewer_schema.ts";

/** Recording or day that the viewer's address asks for. */
export type Wanted =
  | { readonly kind: "newest" }
  | { readonly kind: "day"; readonly date: string }
  | { readonly kind: "recording"; readonly key: string; readonly start: number | null };

/** Contents of the picture's place. */
export type Shown =
  | { readonly kind: "recording"; readonly recording: ViewerRecording; readonly start: number }
  | { readonly kind: "gone"; readonly key: string }
  | { readonly kind: "empty_day"; readonly date: string }
  | {
      readonly kind: "nothing";
      readonly only: Only | null;
      /** The recordings folder is not available: there may be clips. */
      readonly isUnknown?: boolean;
    };

/** The keys of the recordings before and after a recording, on whatever day; null at both ends of time. */
export interface Neighbours {
  readonly earlier: string | null;
  readonly later: string | null;
}

/** One camera of a recording. */
export interface CameraView {
  readonly direction: string;
  /** `Front`, or the letter itself when it is a new one. */
  readonly name: string;
  /** Null while its video is still on the camera. */
  readonly address: string | null;
  /** Its own picture; the index knows of one camera's only. */
  readonly thumb: string | null;
  /** Coding of its pictures: `avc`, `hevc`, `av1`; null while unknown. */
  readonly codec: string | null;
}

/**
 * Reads `?key=`, `?t=` and `?date=`; without `t` the start is null. Text that cannot be a key or a day is kept, so
 * that the page can say that it is not here.
 */
export function wantedOf(query: URLSearchParams): Wanted {
  const key = query.get("key");
  const date = query.get("date");
  if (key) {
    const told = query.get("t");
    const start = Number(told);
    return { kind: "recording", key, start: told === null ? null : start > 0 && start < 86_400 ? start : 0 };
  }
  return date === null ? { kind: "newest" } : { kind: "day", date };
}

/** Contents of the list beside the player: trips by day, or what happened in all recordings. */
export type ListWay = "trips" | "moments";

/** Reads `?list=`; anything other than moments means trips. */
export function listWayOf(query: URLSearchParams): ListWay {
  return query.get("list") === "moments" ? "moments" : "trips";
}

/** Reads `?play=1`: the recording begins to play, as far as the browser lets it. */
export function playsOf(query: URLSearchParams): boolean {
  return query.get("play") === "1";
}

/** The address of a recording that plays when it is opened. The viewer takes that out again: a reload plays nothing. */
export function playPath(key: string): string {
  return `${viewerPath(key)}&play=1`;
}

/** The address of a recording in the viewer, at so many seconds when they are given, beside a list under this filter. */
export function viewerPath(key: string, seconds = 0, filter: ListFilter = NO_FILTER): string {
  const at = Math.round(seconds * 10) / 10;
  return `/viewer?key=${encodeURIComponent(key)}${at > 0 ? `&t=${at}` : ""}${filterQuery(filter)}`;
}

/** The address of a day's newest recording. */
export function dayPath(date: string, filter: ListFilter = NO_FILTER): string {
  return `/viewer?date=${date}${filterQuery(filter)}`;
}

/** The address of the clips of a camera, or of all, beside a list under this filter. @param key what is to be on show */
export function pathOfCamera(camera: string, key: string | null, filter: ListFilter = NO_FILTER): string {
  const of = key === null ? `/viewer?camera=${camera}` : `/viewer?key=${encodeURIComponent(key)}&camera=${camera}`;
  return of + filterQuery(filter);
}

/** Returns the heading and title of the page: the recording shown, or the reason why none is. */
export function headlineOf(shown: Shown, thisYear: number, format: TimeFormat = USUAL_FORMAT): string {
  if (shown.kind === "nothing" && shown.isUnknown) return "Clips not known";
  if (shown.kind === "nothing")
    return shown.only === null ? "No clips yet" : shown.only === "kept" ? "Nothing is kept" : "Nothing to delete";
  if (shown.kind === "gone") return "This clip is not here any more";
  if (shown.kind === "empty_day")
    return isDay(shown.date)
      ? `No clips on ${cameraDay(shown.date, thisYear, format)}`
      : `“${shown.date}” is not a day of the calendar`;
  const key = keyOf(shown.recording);
  return `${cameraDay(dateOf(key), thisYear, format)}, ${cameraClock(key, 0, format)}`;
}

/**
 * `YYYYMMDD_HHMMSS_T`, the key by which addresses, marks and the API name a recording; of a namesake with `.2` behind it,
 * of a further camera with its id and `~` before it.
 */
export function keyOf({
  camera,
  base_filename: base,
  type,
  number,
}: Pick<ViewerRecording, "camera" | "base_filename" | "type" | "number">): string {
  const bare = number === undefined ? `${base}_${type}` : `${base}_${type}.${number}`;
  return camera === undefined ? bare : keyIn(camera, bare);
}

/** The day that a key names, as `YYYY-MM-DD`; null when this is no key. */
export function dayOfKey(key: string): string | null {
  const date = dateOf(key);
  return isGroupKey(splitKey(key).bare) && isDay(date) ? date : null;
}

/** One row for each key: of copies in several folders the one that a link by key leads to, which comes first. */
export function distinct(recordings: readonly ViewerRecording[]): ViewerRecording[] {
  return recordings.filter((recording, at) => {
    const before = recordings[at - 1];
    return before === undefined || keyOf(before) !== keyOf(recording);
  });
}

/**
 * Returns the newest recording of a day with something to see. The newest ones may still be on the camera without even
 * a picture here.
 */
export function firstToSee(newestFirst: readonly ViewerRecording[]): ViewerRecording | undefined {
  return newestFirst.find(hasSomethingToSee) ?? newestFirst[0];
}

/** True when a video or a picture of it is here. */
export function hasSomethingToSee({ videos, thumb }: ViewerRecording): boolean {
  return thumb !== null || Object.keys(videos).length > 0;
}

/** The letters of cameras in the order in which they are shown: front, rear, interior, optional, then others. */
export function camerasInOrder(letters: readonly string[]): string[] {
  const order = Object.keys(DIRECTIONS);
  const rank = (letter: string) => (order.includes(letter) ? order.indexOf(letter) : order.length);
  return letters.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
}

/** The cameras in the order in which they are shown. */
export function camerasOf({ videos, thumb, codecs, coming }: ViewerRecording): CameraView[] {
  const away = coming?.directions.filter((direction) => videos[direction] === undefined) ?? [];
  return camerasInOrder([...Object.keys(videos), ...away]).map((direction) => ({
    direction,
    name: cameraName(direction),
    address: videos[direction] ?? null,
    thumb:
      coming?.stills[direction] !== undefined
        ? coming.stills[direction]
        : thumb !== null && new RegExp(`_[A-Z]${direction}[LS]?\\.(thm|mp4\\?view=preview)$`).test(thumb)
          ? thumb
          : null,
    codec: codecs?.[direction] ?? null,
  }));
}

/** The address at which a browser plays a video: with what keeps browsers from playing some repaired in its header. */
export function playedPath(address: string): string {
  return `${address}?view=browser`;
}

/** The address of a video of one picture: the one at so many seconds or next before it. */
export function framePath(address: string, seconds: number): string {
  return `${address}?view=frame&t=${Math.max(0, Math.floor(seconds))}`;
}

/** `Front`, `Rear`, `Interior`, `Optional`; an unknown letter as it is. */
export function cameraName(direction: string): string {
  return Object.entries(DIRECTIONS).find(([letter]) => letter === direction)?.[1] ?? `Camera ${direction}`;
}
