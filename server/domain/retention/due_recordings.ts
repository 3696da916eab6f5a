import { baseOfMoment, letterOfMoment, secondsOfMoment, TYPE_LETTERS } from "../recordings/moment_number.ts";
import type { Cutoffs, KeepClass } from "./keep_times.ts";
import { keepClassOf } from "./keep_times.ts";
import { pastKeepTime } from "./past_keep_time.ts";

/**
 * Finds the recordings that the rules delete. Moments are numbers, see `momentNumber`: a pass goes through 100,000 of
 * them.
 */

/** Rules that decide beside the recordings themselves. */
export interface DueRules {
  readonly cutoffs: Cutoffs;
  /** Recordings before and after an event that live as long as it does. */
  readonly eventContext: number;
}

/** The moments in one folder. */
export interface FolderMoments<S> {
  /** Relative to the destination, empty for itself. */
  readonly path: string;
  readonly moments: ReadonlyMap<number, S>;
}

/** A moment where it lies. */
export interface PlacedMoment<S> {
  readonly moment: number;
  readonly folder: string;
  readonly set: S;
}

/** A break longer than this ends a trip: recordings beyond it are no context of an event. Seconds. */
export const TRIP_GAP_SECONDS = 300;

const CLASSES: readonly KeepClass[] = [...TYPE_LETTERS].map(keepClassOf);

/** The kind of recording that a moment's number names. */
export function classOfMoment(moment: number): KeepClass {
  return CLASSES[letterOfMoment(moment)] ?? "normal";
}

/**
 * Finds the moments past their keep time in folders where the rules may delete.
 * @param isOurs true where the rules may delete in a folder
 * @param isKept true when a user marked the moment as kept
 */
export function pastKeeping<S>(
  folders: Iterable<FolderMoments<S>>,
  { cutoffs, eventContext }: DueRules,
  { isOurs, isKept }: { isOurs: (folder: string) => boolean; isKept: (moment: number) => boolean },
): PlacedMoment<S>[] {
  if (Object.values(cutoffs).every((cutoff) => cutoff === null)) return [];
  const isOld = pastKeepTime(cutoffs);
  const all = [...folders];
  const past: PlacedMoment<S>[] = [];
  for (const { path, moments } of all) {
    if (!isOurs(path)) continue;
    for (const [moment, set] of moments) if (isOld(moment) && !isKept(moment)) past.push({ moment, folder: path, set });
  }
  if (past.length === 0 || eventContext === 0) return past;
  const isPast = new Set(past.map(({ moment }) => moment));
  const staying = (moment: number) => classOfMoment(moment) === "event" && !isPast.has(moment);
  const spared = contextOf(momentsOf(all), staying, eventContext);
  return spared.size === 0 ? past : past.filter(({ moment }) => !spared.has(baseOfMoment(moment)));
}

/** All moments of these folders, by time. */
export function momentsOf<S>(folders: readonly FolderMoments<S>[]): Float64Array {
  let size = 0;
  for (const { moments } of folders) size += moments.size;
  const sorted = new Float64Array(size);
  let at = 0;
  for (const { moments } of folders) for (const moment of moments.keys()) sorted[at++] = moment;
  return sorted.sort();
}

/**
 * Returns the bases of the recordings right before and after some moments, on the same trip.
 * @param sorted moments by time
 * @param isAnchor true for those moments
 * @param count number of recordings before and after
 */
export function contextOf(sorted: Float64Array, isAnchor: (moment: number) => boolean, count: number): Set<number> {
  const context = new Set<number>();
  for (let at = 0; at < sorted.length; at++)
    if (isAnchor(sorted[at] ?? 0)) for (const base of basesAround(sorted, at, count)) context.add(base);
  return context;
}

/** The bases before and after one moment of these, given by its place. */
function* basesAround(sorted: Float64Array, at: number, count: number): Generator<number> {
  for (const by of [-1, 1]) {
    let last = sorted[at] ?? 0;
    let found = 0;
    for (let next = at + by; found < count && next >= 0 && next < sorted.length; next += by) {
      const other = sorted[next] ?? 0;
      if (baseOfMoment(other) === baseOfMoment(last)) continue;
      if (Math.abs(secondsOfMoment(other) - secondsOfMoment(last)) > TRIP_GAP_SECONDS) break;
      yield baseOfMoment(other);
      last = other;
      found++;
    }
  }
}

/** The recordings that live as long as some events do: by base, the event. Events that are not there have none. */
export function contextByEvent(sorted: Float64Array, events: readonly number[], count: number): Map<number, number> {
  const byBase = new Map<number, number>();
  for (const event of events) {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? 0) < event) low = middle + 1;
      else high = middle;
    }
    if (sorted[low] !== event) continue;
    for (const base of basesAround(sorted, low, count)) byBase.set(base, event);
  }
  return byBase;
}

type Compares = (one: { readonly moment: number }, other: { readonly moment: number }) => number;

/** The order in which limits delete: the oldest first; events, manual ones and what belongs to an event last. */
export function deletionOrder(context: ReadonlySet<number>): Compares {
  const rank = (moment: number) => {
    const kind = classOfMoment(moment);
    return kind === "event" || kind === "manual" || context.has(baseOfMoment(moment)) ? 1 : 0;
  };
  return (one, other) => rank(one.moment) - rank(other.moment) || one.moment - other.moment;
}

/** Takes as many from the front as are needed to free so many bytes. */
export function toFree<S>(
  moments: readonly PlacedMoment<S>[],
  bytes: number,
  bytesOf: (moment: PlacedMoment<S>) => number,
): PlacedMoment<S>[] {
  const going: PlacedMoment<S>[] = [];
  let freed = 0;
  for (const moment of moments) {
    if (freed >= bytes) break;
    freed += bytesOf(moment);
    going.push(moment);
  }
  return going;
}
