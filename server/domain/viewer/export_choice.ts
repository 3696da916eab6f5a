import { dateOf, secondsOf } from "../recordings/recording_name.ts";
import { isoDay } from "../text/zone_time.ts";

/** Clip, trip or range to be saved, as an address names it. */
export type ExportWanted =
  | { readonly kind: "clip" | "trip"; readonly key: string }
  | {
      readonly kind: "range";
      /** The keys of its first and last clip. */
      readonly from: string;
      readonly to: string;
      /** Seconds into the first clip, and into the last: where the range begins and ends. */
      readonly fromSeconds: number;
      readonly toSeconds: number;
    };

/** No clip is longer than a day; times of ages have no name, and no calendar. */
export const MOST_SECONDS = 86_400;

/** The query that names this. */
export function exportQuery(wanted: ExportWanted): string {
  const query = new URLSearchParams();
  if (wanted.kind !== "range") query.set(wanted.kind === "clip" ? "key" : "trip", wanted.key);
  else {
    query.set("from", wanted.from);
    query.set("to", wanted.to);
    if (wanted.fromSeconds > 0) query.set("from_seconds", String(wanted.fromSeconds));
    if (Number.isFinite(wanted.toSeconds)) query.set("to_seconds", String(wanted.toSeconds));
  }
  return String(query);
}

/** Names a pack by the camera's wall time that it covers: `2026-11-20_082309-082509_pack`. */
export function packName(from: number, to: number): string {
  return `${isoDay(from * 1000)}_${digitsOf(from, 6)}-${digitsOf(to, 6)}_pack`;
}

/** Names a video of several cameras by the camera's wall time of its beginning: `2026-11-20_082347_side-by-side.mp4`. */
export function sideName(wanted: ExportWanted): string {
  const begins = wanted.kind === "range" ? secondsOf(wanted.from) + wanted.fromSeconds : secondsOf(wanted.key);
  return `${isoDay(begins * 1000)}_${digitsOf(begins, 6)}_side-by-side.mp4`;
}

/** Digits of a time of day. */
function digitsOf(seconds: number, count: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 19).replaceAll(":", "").slice(0, count);
}

/**
 * Names a saved file in the camera's wall time: `2026-11-20_082347_clip.zip`, `2026-11-20_0800-0840_trip.zip`.
 * @param first the key of the first clip
 * @param begin seconds into that @param end camera wall time as `secondsOf`
 */
export function exportName(
  kind: ExportWanted["kind"],
  first: string,
  begin: number,
  end: number,
  ending: string,
): string {
  if (kind === "clip") return `${dateOf(first)}_${digitsOf(secondsOf(first), 6)}_clip.${ending}`;
  const start = secondsOf(first) + begin;
  return `${isoDay(start * 1000)}_${digitsOf(start, 4)}-${digitsOf(end, 4)}_${kind}.${ending}`;
}
