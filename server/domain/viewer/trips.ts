import { type ClockZone, secondsBetween } from "../recordings/clock_change.ts";
import { dateOf, ordinalOf, secondsOf, typeOf } from "../recordings/recording_name.ts";
import { USUAL_SEGMENT_SECONDS } from "./journey.ts";

/** Clips that belong together: a drive, or what moved around the parked car on one day. */
export interface Trip<T> {
  readonly kind: "drive" | "parked";
  /** Clips by time, at least one. */
  readonly clips: readonly T[];
}

interface Keyed {
  /** `YYYYMMDD_HHMMSS_T`, camera wall time. */
  readonly key: string;
}

/** The letters of recordings made while the car is parked. */
export const PARKED: readonly string[] = ["P", "I"];

/** True when a clip was recorded while the car was parked: motion around it, or an impact. */
export function isParked(key: string): boolean {
  return PARKED.includes(typeOf(key));
}

/**
 * Clips without a break that are of so many days come of a camera that records round the clock: each of these days is a
 * trip of its own, however many there are. A drive through a night is of two.
 */
const DAYS_ROUND_THE_CLOCK = 3;

/**
 * Cuts clips into trips. A drive ends with a break longer than the gap. Clips of the parked car within that break
 * belong to the drive: a stop on the way. All others of the parked car are one trip for each stay and day. When the
 * camera gives names again, the later clips are of other drives than the first.
 * @param clips by time; with two of one key the first counts
 * @param gapMinutes `viewer.trip_gap_minutes`
 * @param zone of the camera's clock; null where it is not known
 */
export function tripsOf<T extends Keyed>(clips: Iterable<T>, gapMinutes: number, zone: ClockZone | null): Trip<T>[] {
  const byNumber = Map.groupBy(clips, ({ key }) => ordinalOf(key));
  const trips = [...byNumber.values()].flatMap((numbered) => tripsIn(numbered, gapMinutes, zone));
  const first = ({ clips: [clip] }: Trip<T>) => clip?.key ?? "";
  return byNumber.size < 2 ? trips : trips.sort((one, other) => (first(one) < first(other) ? -1 : 1));
}

/** Cuts clips of one number into trips, see `tripsOf`. */
function tripsIn<T extends Keyed>(clips: Iterable<T>, gapMinutes: number, zone: ClockZone | null): Trip<T>[] {
  const chains: T[][] = [];
  let last: T | null = null;
  for (const clip of clips) {
    if (clip.key === last?.key) continue;
    if (last === null || isBreak(secondsOf(last.key), secondsOf(clip.key), gapMinutes, zone)) chains.push([clip]);
    else chains.at(-1)?.push(clip);
    last = clip;
  }
  const trips: { kind: Trip<T>["kind"]; clips: T[] }[] = [];
  for (const chain of chains.flatMap(withinDays)) {
    const kind = chain.every(({ key }) => isParked(key)) ? "parked" : "drive";
    const before = trips.at(-1);
    if (kind === "parked" && before?.kind === "parked" && dayOf(before.clips[0]) === dayOf(chain[0]))
      before.clips.push(...chain);
    else trips.push({ kind, clips: chain });
  }
  return trips;
}

/**
 * True when a trip ends between the beginnings of two clips, which are seconds as `secondsOf` has them. Lengths are not
 * known of all clips: nearly all are a minute, or shorter.
 */
export function isBreak(from: number, to: number, gapMinutes: number, zone: ClockZone | null): boolean {
  return secondsBetween(from, to, zone) > gapMinutes * 60 + USUAL_SEGMENT_SECONDS;
}

/** A chain of many days in its days, any other as it is. */
function withinDays<T extends Keyed>(chain: T[]): T[][] {
  const days = new Set(chain.map(dayOf));
  if (days.size < DAYS_ROUND_THE_CLOCK) return [chain];
  return [...days].map((day) => chain.filter((clip) => dayOf(clip) === day));
}

function dayOf(clip: Keyed | undefined): string {
  return dateOf(clip?.key ?? "");
}
