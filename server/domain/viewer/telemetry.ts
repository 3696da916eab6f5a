import { type Force, type Rest, RestCounts, squaresOf } from "./force.ts";
import { boxOf, type Track } from "./track.ts";
import { runsOf, trackOnWay, wayOf } from "./trip_way.ts";
import type { Telemetry } from "./viewer_schema.ts";

/** Contents of the files beside a clip's videos; null for a file that is not there. */
export interface ClipTelemetry {
  readonly track: Track | null;
  readonly force: Force | null;
}

/** One clip of a chain and its place on the chain's clock. */
export interface TelemetryClip extends ClipTelemetry {
  readonly key: string;
  readonly offsetSeconds: number;
  readonly durationSeconds: number | null;
}

/**
 * A fix or sample recorded later than this after a clip's end belongs to another time: the camera's clock was set
 * meanwhile.
 */
const LATE_SECONDS = 30;
/** A clip of unknown length is not longer than this: cameras begin a new file every one to three minutes. */
const LONGEST_CLIP_SECONDS = 1800;
/**
 * Most samples and fixes that are handed out whole. Longer ones give the extremes of as many buckets as a screen is
 * wide.
 */
const MOST_WHOLE_SAMPLES = 6000;
const MOST_WHOLE_FIXES = 12_000;
const BUCKETS = 1200;
const SHORTEST_BUCKET_SECONDS = 0.1;

/**
 * Returns a chain's telemetry for a screen: the columns, thinned out where they are long, and the figures of the
 * whole.
 */
export function telemetryOf(given: readonly TelemetryClip[]): Telemetry {
  const steps = telemetrySteps(given);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/**
 * Does the same as `telemetryOf`, clip by clip: a trip of an hour takes some ten milliseconds, and of ten hours a
 * tenth of a second.
 */
export function* telemetrySteps(given: readonly TelemetryClip[]): Generator<void, Telemetry> {
  const clips: TelemetryClip[] = [];
  // The figures of a clip are the same beside other clips: each has a rest of its own.
  const rests: (Rest | null)[] = [];
  const counts = new RestCounts();
  for (const one of given) {
    const clip = withinClip(one);
    clips.push(clip);
    const own = new RestCounts();
    if (clip.force) counts.add(clip.force);
    if (clip.force) own.add(clip.force);
    rests.push(own.rest());
    yield;
  }
  const way = wayOf(
    clips.map(({ track, ...clip }) => ({ ...clip, runs: (from: number) => track && runsOf(track, from) })),
  );
  const shown = clips.map(({ track }, at) => {
    const part = way.clips[at];
    return track && part ? trackOnWay(track, part) : track;
  });
  const tracks = shown.flatMap((track) => track ?? []);
  const forces = clips.flatMap(({ force }) => force ?? []);
  const rest = counts.rest();
  // Never nothing, also where all samples claim to be of one moment.
  const bucket = Math.max(SHORTEST_BUCKET_SECONDS, clips.reduce((sum, clip) => sum + secondsOf(clip), 0) / BUCKETS);
  const thinFixes = total(tracks) > MOST_WHOLE_FIXES ? bucket : null;
  const thinSamples = total(forces) > MOST_WHOLE_SAMPLES ? bucket : null;
  const segments: Segment[] = [];
  let strongest = 0;
  for (const [at, { key, offsetSeconds, durationSeconds, force }] of clips.entries()) {
    const track = shown[at] ?? null;
    const own = rests[at] ?? null;
    const squares = force && squaresOf(force, own ?? { x: 0, y: 0, z: 0 });
    strongest = Math.max(strongest, mostOf(squares));
    segments.push({
      key,
      offset_seconds: offsetSeconds,
      duration_seconds: durationSeconds,
      track: track && writtenTrack(track, thinFixes),
      force: force && writtenForce(force, squares, thinSamples),
      rest: own,
    });
    yield;
  }
  return {
    segments,
    rest,
    distance_meters: way.meters,
    fastest_knots: way.fastest,
    strongest_g: rest && rounded(Math.sqrt(strongest), 10_000),
    box: boxOf(tracks),
  };
}

/**
 * Returns a clip with the fixes and samples within its time. When the camera's clock is set in a clip, the stamps of
 * its fixes jump by minutes or hours. Then the last fix is taken to end with the clip.
 */
export function withinClip(clip: TelemetryClip): TelemetryClip {
  const end = (clip.durationSeconds ?? LONGEST_CLIP_SECONDS) + LATE_SECONDS;
  const { track, force } = clip;
  let shown = track;
  const last = track?.t.at(-1) ?? 0;
  if (track && last > end) {
    const from = track.t.findIndex((time) => time >= last - (clip.durationSeconds ?? LONGEST_CLIP_SECONDS));
    const first = track.t[from] ?? 0;
    const shift = clip.durationSeconds === null ? first : last - clip.durationSeconds;
    const picked = cutTrack(track, from, track.t.length);
    shown = { ...picked, t: picked.t.map((time) => Math.max(0, time - shift)) };
  }
  const samples = force && (force.t.at(-1) ?? 0) > end ? force.t.findIndex((time) => time > end) : -1;
  return { ...clip, track: shown, force: force && samples >= 0 ? cutForce(force, samples) : force };
}

function cutTrack({ t, lat, lon, speed, breaks }: Track, from: number, to: number): Track {
  return {
    t: t.slice(from, to),
    lat: lat.slice(from, to),
    lon: lon.slice(from, to),
    speed: speed.slice(from, to),
    breaks: breaks.map((at) => at - from).filter((at) => at > 0 && at < to - from),
  };
}

function cutForce({ t, x, y, z }: Force, to: number): Force {
  return { t: t.subarray(0, to), x: x.subarray(0, to), y: y.subarray(0, to), z: z.subarray(0, to) };
}

function secondsOf({ durationSeconds, track, force }: TelemetryClip): number {
  return durationSeconds ?? Math.max(force?.t.at(-1) ?? 0, track?.t.at(-1) ?? 0);
}

function total(columns: readonly { readonly t: { readonly length: number } }[]): number {
  return columns.reduce((sum, { t }) => sum + t.length, 0);
}

type Segment = Telemetry["segments"][number];

/** @param bucket seconds, of which the extremes are kept; null to keep all */
function writtenTrack({ t, lat, lon, speed, breaks }: Track, bucket: number | null): NonNullable<Segment["track"]> {
  const columns = [lat, lon, speed.map((knots) => knots ?? 0)].map((column) => Float64Array.from(column));
  // A line ends and begins anew at a break: both fixes are kept.
  const edges = new Set(breaks.flatMap((at) => [at - 1, at]));
  const kept = bucket === null ? null : extremes(Float64Array.from(t), columns, columns.length, bucket, edges);
  const places = new Map(breaks.length > 0 ? kept?.map((at, place) => [at, place]) : []);
  return {
    t: picked(t, kept, 1000),
    lat: picked(lat, kept, 1e7),
    lon: picked(lon, kept, 1e7),
    speed: kept === null ? [...speed] : kept.map((at) => speed[at] ?? null),
    breaks: kept === null ? [...breaks] : breaks.map((at) => places.get(at) ?? 0),
  };
}

/** @param bucket as for a track */
function writtenForce(
  { t, x, y, z }: Force,
  squares: Float64Array | null,
  bucket: number | null,
): NonNullable<Segment["force"]> {
  const kept = bucket === null || squares === null ? null : extremes(t, [x, y, z, squares], 3, bucket, NO_EDGES);
  return { t: picked(t, kept, 1000), x: picked(x, kept), y: picked(y, kept), z: picked(z, kept) };
}

function mostOf(squares: Float64Array | null): number {
  let most = 0;
  for (let at = 0; at < (squares?.length ?? 0); at++) most = Math.max(most, squares?.[at] ?? 0);
  return most;
}

const NO_EDGES: ReadonlySet<number> = new Set();

/** The values at these indexes, or all; to one of so many steps, or as they are. */
function picked(column: readonly number[] | Float64Array, kept: readonly number[] | null, steps = 0): number[] {
  const values = kept === null ? Array.from(column) : kept.map((at) => column[at] ?? 0);
  return steps === 0 ? values : values.map((value) => rounded(value, steps));
}

/**
 * Returns the indexes of the extremes of each bucket, by time, with the first and the last of all.
 * @param both number of columns, the first ones, that keep the least and the most; the others keep the most
 * @param edges indexes that are kept in any case
 */
function extremes(
  t: Float64Array,
  columns: readonly Float64Array[],
  both: number,
  bucket: number,
  edges: ReadonlySet<number>,
): number[] {
  const kept: number[] = [];
  const found: number[] = [];
  for (let from = 0; from < t.length; ) {
    const turn = Math.floor((t[from] ?? 0) / bucket);
    let to = from + 1;
    while (to < t.length && Math.floor((t[to] ?? 0) / bucket) === turn) to++;
    found.length = 0;
    if (from === 0) found.push(0);
    if (to === t.length) found.push(to - 1);
    if (edges.size > 0) for (let at = from; at < to; at++) if (edges.has(at)) found.push(at);
    for (let which = 0; which < columns.length; which++) {
      const column = columns[which] ?? t;
      let least = from;
      let most = from;
      for (let at = from + 1; at < to; at++) {
        if ((column[at] ?? 0) < (column[least] ?? 0)) least = at;
        if ((column[at] ?? 0) > (column[most] ?? 0)) most = at;
      }
      if (which < both) found.push(least);
      found.push(most);
    }
    found.sort((one, other) => one - other);
    for (const at of found) if (at !== kept.at(-1)) kept.push(at);
    from = to;
  }
  return kept;
}

function rounded(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}
