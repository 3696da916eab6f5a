import { dateOf } from "../recordings/recording_name.ts";
import { inTime, isOfOneCamera } from "../settings/camera_key.ts";
import { firstToSee, hasSomethingToSee, keyOf } from "./viewer_address.ts";
import type { TripSummary, ViewerRecording } from "./viewer_schema.ts";

interface DayTrip {
  readonly kind: TripSummary["kind"];
  /** Keys, by time. */
  readonly clips: readonly string[];
}

/**
 * The moment of a day that is shown first: the start of the first drive that begins on it, else of a drive through the
 * night before, else of what moved around the parked car. Without trips, as in a list of some kinds, the newest clip.
 * Only what has something to see counts.
 * @param newestFirst the clips of the day
 * @param trips those of the day; null where the list has none
 */
export function openingOfDay(
  newestFirst: readonly ViewerRecording[],
  trips: readonly DayTrip[] | null,
): ViewerRecording | undefined {
  const clips = new Map(newestFirst.filter(hasSomethingToSee).map((clip) => [keyOf(clip), clip]));
  const day = newestFirst[0] && dateOf(keyOf(newestFirst[0]));
  const byStart = (trips ?? [])
    .filter((trip) => trip.clips.some((key) => clips.has(key)))
    .sort(({ clips: [one = ""] }, { clips: [other = ""] }) => inTime(one, other));
  const drives = byStart.filter(({ kind }) => kind === "drive");
  const begunOn = (all: readonly DayTrip[]) => all.find(({ clips: [first = ""] }) => dateOf(first) === day) ?? all[0];
  const first = (begunOn(drives) ?? begunOn(byStart))?.clips.find((key) => clips.has(key));
  return first === undefined ? firstToSee(newestFirst) : clips.get(first);
}

/**
 * Returns the first clip of a day that was chosen by its date: of the camera on show, where it filmed on that day, else
 * of all. It leads to where the day begins, also before its first drive.
 * @param clips of one or several cameras, in any order
 * @param shown key of the clip on show, null for none
 */
export function startOfDay(clips: readonly ViewerRecording[], shown: string | null): ViewerRecording | undefined {
  const own = shown === null ? [] : clips.filter((clip) => isOfOneCamera(keyOf(clip), shown));
  return (own.length > 0 ? own : clips).toSorted((one, other) => inTime(keyOf(one), keyOf(other)))[0];
}
