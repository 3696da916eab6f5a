import { ClipRefused } from "./clip_refusal.ts";
import type { PictureTables, TrackTables } from "./clip_tables.ts";
import type { SampleRuns } from "./sample_runs.ts";

/** The pictures of a clip that a film shows, from one that stands by itself to the last that is needed. */
export interface PicturePart {
  /** Number of the first picture, which stands by itself. */
  readonly first: number;
  /** The next one that is taken: those between are shown before the first, and cannot be shown without what came before. */
  readonly second: number;
  /** The last one that is taken, in the order of decoding. */
  readonly last: number;
  /** On the clip's own clock, in ticks: when the first is shown, and the end of the last that is shown. */
  readonly from: number;
  readonly to: number;
  /** True when pictures are taken that others need, and that are shown after the end. */
  readonly hasMore: boolean;
  /** When pictures are decoded and shown on that clock; null where they are shown as they are decoded. */
  readonly times: { readonly decoded: Float64Array; readonly shown: Float64Array } | null;
  /** When the last picture of the whole clip ends. */
  readonly end: number;
}

/** Sums of fractions of seconds are not exact. */
const NEAR = 1e-6;

/**
 * Chooses pictures: from the last key frame not after a time to the first picture not before another.
 * @param from seconds on the clip's clock @param to the same
 * @throws ClipRefused
 */
export function picturesBetween(track: PictureTables, from: number, to: number): PicturePart {
  const { count, scale } = track;
  if (track.delays === null) return picturesInOrder(track, from, to);
  const times = timesOf(track, track.delays);
  const { shown } = times;
  let [earliest, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < count; at++) {
    const time = shown[at] ?? 0;
    if (!isShown(track, time)) continue;
    if (time < earliest) earliest = time;
    // The last picture shown lasts as long as the last of the table.
    if (time > end) end = time;
  }
  if (earliest > end) throw new ClipRefused("pictures");
  end = Math.min(end + track.durations.valueAt(count - 1), Math.max(track.shownTo, end + 1));
  const first = keyAt(track, shown, from * scale + NEAR * scale);
  if (first === null) throw new ClipRefused("pictures");
  const start = shown[first] ?? 0;
  // Pictures that an edit list begins with need some that it hides.
  if (from <= 0 && start > earliest && track.shownFrom > Number.NEGATIVE_INFINITY && hidesBefore(track, shown))
    throw new ClipRefused("edited");
  let second = first + 1;
  while (second < count && (shown[second] ?? 0) < start) second++;
  const wanted = to * scale - NEAR * scale;
  let stop = start >= wanted ? start : Number.POSITIVE_INFINITY;
  let latest = start;
  for (let at = second; at < count; at++) {
    const time = shown[at] ?? 0;
    if (time < start) throw new ClipRefused("damaged");
    if (!isShown(track, time)) continue;
    if (time >= wanted && time < stop) stop = time;
    if (time > latest) latest = time;
  }
  stop = Math.min(stop, latest);
  let last = first;
  let after = Number.POSITIVE_INFINITY;
  for (let at = second; at < count; at++) {
    const time = shown[at] ?? 0;
    if (time <= stop) last = at;
    else if (time < after) after = time;
  }
  let most = start;
  for (let at = second; at <= last; at++) most = Math.max(most, shown[at] ?? 0);
  const until = stop === latest ? end : Math.min(after, end);
  return { first, second, last, from: start, to: until, hasMore: most > stop, times, end };
}

/** The same of pictures that are shown in the order in which they are decoded, for which no time needs to be written out. */
function picturesInOrder(track: PictureTables, from: number, to: number): PicturePart {
  const { scale, durations, shift, keys, count } = track;
  const firstAt = (time: number) => durations.firstFrom(time - shift);
  const earliest = firstAt(track.shownFrom);
  const latest = Math.min(firstAt(track.shownTo), count) - 1;
  if (earliest > latest) throw new ClipRefused("pictures");
  // The last one that begins at the time or before it.
  const wanted = Math.min(firstAt(Math.floor(from * scale + NEAR * scale) + 1) - 1, latest);
  const first = keys === null ? Math.max(earliest, wanted) : keyAround(keys, wanted, earliest, latest);
  if (first === null) throw new ClipRefused("pictures");
  if (from <= 0 && first > earliest && earliest > 0) throw new ClipRefused("edited");
  const last = Math.max(first, Math.min(firstAt(to * scale - NEAR * scale), latest));
  const endOf = (picture: number) => durations.sumBefore(picture + 1) + shift;
  const end = Math.min(endOf(latest), Math.max(track.shownTo, durations.sumBefore(latest) + shift + 1));
  const start = durations.sumBefore(first) + shift;
  const until = last === latest ? end : endOf(last);
  return { first, second: first + 1, last, from: start, to: until, hasMore: false, times: null, end };
}

/** The last key frame up to a picture, else the first one, of those that are shown. */
function keyAround(keys: Uint32Array, picture: number, earliest: number, latest: number): number | null {
  let found: number | null = null;
  for (const key of keys) {
    if (key < earliest) continue;
    if (key > latest || (key > picture && found !== null)) break;
    found = key;
    if (key > picture) break;
  }
  return found;
}

/** When pictures are decoded and shown, in ticks of the clip's clock. */
function timesOf({ count, durations, shift }: TrackTables, delays: SampleRuns) {
  const decoded = new Float64Array(count);
  let [at, time] = [0, shift];
  for (const [samples, lasts] of durations.between(0, count))
    for (let left = samples; left > 0; left--) {
      decoded[at++] = time;
      time += lasts;
    }
  const shown = new Float64Array(count);
  at = 0;
  for (const [samples, delay] of delays.between(0, count))
    for (let left = samples; left > 0; left--) {
      shown[at] = (decoded[at] ?? 0) + delay;
      at++;
    }
  return { decoded, shown };
}

function isShown({ shownFrom, shownTo }: TrackTables, time: number): boolean {
  return time >= shownFrom && time < shownTo;
}

function hidesBefore({ shownFrom }: TrackTables, shown: Float64Array): boolean {
  return shown.some((time) => time < shownFrom);
}

/** The key frame last shown at a time or before it; the first of all when there is none. */
function keyAt(track: TrackTables, shown: Float64Array, time: number): number | null {
  const { keys, count } = track;
  const length = keys === null ? count : keys.length;
  let found: number | null = null;
  let best = Number.NEGATIVE_INFINITY;
  let first: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let row = 0; row < length; row++) {
    const key = keys === null ? row : (keys[row] ?? 0);
    const at = shown[key] ?? 0;
    if (!isShown(track, at)) continue;
    if (at <= time && at > best) [found, best] = [key, at];
    if (at < least) [first, least] = [key, at];
  }
  return found ?? first;
}

/** Packets of sound, from one to another, the latter not included. */
export interface SoundPart {
  readonly from: number;
  readonly to: number;
}

/** When a packet begins on the clip's clock, in ticks. */
export function soundTime({ durations, shift, delays }: TrackTables, packet: number): number {
  return durations.sumBefore(packet) + shift + (delays?.valueAt(packet) ?? 0);
}

/**
 * Chooses packets of sound.
 * @param from in ticks of the sound, on the clip's clock @param to the same
 * @param isBeginning takes the packet that a film begins in; else one that begins within half a packet counts, as at the end
 */
export function soundBetween(track: TrackTables, from: number, to: number, isBeginning: boolean): SoundPart {
  const { durations, count, shift } = track;
  const half = (packet: number) => durations.valueAt(Math.min(packet, count - 1)) / 2;
  let first = durations.firstFrom(from - shift);
  // The one before begins earlier, and may reach into the part.
  if (first > 0) {
    const before = first - 1;
    const begins = durations.sumBefore(before) + shift;
    const lasts = durations.valueAt(before);
    const reaches = isBeginning ? begins + lasts > from : begins >= from - lasts / 2;
    if (reaches && begins >= track.shownFrom) first = before;
  }
  // Samples that an edit list hides are warming up.
  first = Math.max(first, durations.firstFrom(track.shownFrom - shift));
  let end = durations.firstFrom(Math.min(to, track.shownTo) - shift);
  if (end > 0 && durations.sumBefore(end - 1) + shift + half(end - 1) > to) end--;
  return { from: Math.min(first, count), to: Math.max(first, Math.min(end, count)) };
}
