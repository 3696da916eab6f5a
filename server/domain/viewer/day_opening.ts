import { firstToSee, hasSomethingToSee, keyOf } from "./viewer_address.ts";
import type { TripSummary, ViewerRecording } from "./viewer_schema.ts";

interface DayTrip {
  readonly kind: TripSummary["kind"];
  /** Keys, by time. */
  readonly clips: readonly string[];
}

/**
 * Returns the clip that a day opens with, among the clips with something to see. First choice is the start of the
 * first drive, then the first motion around the parked car. Without trips, as in a list of some kinds, it is the
 * newest clip.
 * @param newestFirst the clips of the day
 * @param trips those of the day; null where the list has none
 */
export function openingOfDay(
  newestFirst: readonly ViewerRecording[],
  trips: readonly DayTrip[] | null,
): ViewerRecording | undefined {
  const clips = new Map(newestFirst.filter(hasSomethingToSee).map((clip) => [keyOf(clip), clip]));
  const firstOf = (kind: TripSummary["kind"]) =>
    (trips ?? [])
      .filter((trip) => trip.kind === kind && trip.clips.some((key) => clips.has(key)))
      .map((trip) => trip.clips)
      .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1))[0];
  const first = (firstOf("drive") ?? firstOf("parked"))?.find((key) => clips.has(key));
  return first === undefined ? firstToSee(newestFirst) : clips.get(first);
}
