import { type Fix, isConnected, isJump, metersBetween, type Place } from "./fix_steps.ts";
import { lengthOfTrack, type Track } from "./track.ts";
import { believedRuns, type TrackRun } from "./track_runs.ts";

/** Fixes of a clip without a jump between them, and what they come to. */
export interface ClipRun extends TrackRun {
  /** Along them, without gaps and without what a receiver wanders while the car stands. */
  readonly meters: number;
  /** Knots; null when unknown. */
  readonly fastest: number | null;
}

/** One clip of a trip. */
export interface WayClip {
  readonly offsetSeconds: number;
  readonly durationSeconds: number | null;
  /** The clip's runs from so many seconds into it on; null without a track. */
  readonly runs: (from: number) => readonly ClipRun[] | null;
}

/** Way of a trip, each moment once. */
export interface TripWay {
  /** Null without a fix. */
  readonly meters: number | null;
  readonly fastest: number | null;
  /** Null where no clip has a track. */
  readonly fixes: number | null;
  /** Part of each clip that counts; null without a track. */
  readonly clips: readonly (ClipWay | null)[];
}

interface ClipWay {
  /** Seconds into the clip; the time before was recorded by another clip, too. */
  readonly from: number;
  readonly runs: readonly ClipRun[];
  /** True for each run whose places are the car's. */
  readonly believed: readonly boolean[];
}

/** The runs of a clip's track, from so many seconds into the clip on. */
export function runsOf({ t, lat, lon, speed, breaks }: Track, from = 0): ClipRun[] {
  const begin = from > 0 ? indexFrom(t, from) : 0;
  const fixAt = (at: number): Fix => ({ t: t[at] ?? 0, lat: lat[at] ?? 0, lon: lon[at] ?? 0 });
  const jumps = breaks.filter((at) => at > begin && isJump(fixAt(at - 1), fixAt(at)));
  const ends = [...jumps, t.length];
  let next = 0;
  return ends.flatMap((end, index) => {
    const first = jumps[index - 1] ?? begin;
    if (end <= first) return [];
    const cut = <T>(column: readonly T[]) => column.slice(first, end);
    // They ascend, as the runs do: each is looked at once.
    const within: number[] = [];
    for (; (breaks[next] ?? end) < end; next++) {
      const at = (breaks[next] ?? 0) - first;
      if (at > 0) within.push(at);
    }
    const part = { t: cut(t), lat: cut(lat), lon: cut(lon), speed: cut(speed), breaks: within };
    const fastest = part.speed.reduce<number | null>((most, knots) => mostOf(most, knots), null);
    return [{ first: fixAt(first), last: fixAt(end - 1), fixes: end - first, meters: lengthOfTrack(part), fastest }];
  });
}

/** The way of a trip: of clips that overlap each moment counts once, and jumps out and back over ends of clips do not count. */
export function wayOf(given: readonly WayClip[]): TripWay {
  let end = Number.NEGATIVE_INFINITY;
  let told = Number.NEGATIVE_INFINITY;
  const clips = given.map(({ offsetSeconds: offset, durationSeconds: length, runs: runsFrom }) => {
    // Clips in a row may well have fixes of one second: only a time that was filmed twice is left out.
    const from = offset < end - 0.001 ? Math.max(0, told - offset + 0.001) : 0;
    end = Math.max(end, offset + (length ?? 0));
    const runs = runsFrom(from);
    told = Math.max(told, offset + (runs?.at(-1)?.last.t ?? Number.NEGATIVE_INFINITY));
    return runs && { from, offset, runs };
  });
  const all = clips.flatMap((clip) => clip?.runs.map((run) => onTrip(run, clip.offset)) ?? []);
  const believed = believedRuns(all);
  const way = wayAlong(all.filter((_, at) => believed[at]));
  let at = 0;
  return {
    ...way,
    fixes: clips.every((clip) => clip === null) ? null : way.fixes,
    clips: clips.map((clip) => {
      if (clip === null) return null;
      const { from, runs } = clip;
      at += runs.length;
      return { from, runs, believed: believed.slice(at - runs.length, at) };
    }),
  };
}

/** Where a trip begins and where it ends. */
export interface WayEnds {
  readonly first: Place;
  readonly last: Place;
}

/** The first and the last place of a way that are the car's; null without one. */
export function endsOf({ clips }: Pick<TripWay, "clips">): WayEnds | null {
  const runs = clips.flatMap((clip) => clip?.runs.filter((_, at) => clip.believed[at]) ?? []);
  const [first, last] = [runs[0], runs.at(-1)];
  return first && last ? { first: first.first, last: last.last } : null;
}

/** A track without the parts that do not count. */
export function trackOnWay(track: Track, { from, runs, believed }: ClipWay): Track {
  if (from <= 0 && believed.every((isBelieved) => isBelieved)) return track;
  const kept: number[] = [];
  let next = from > 0 ? indexFrom(track.t, from) : 0;
  for (const [at, { fixes }] of runs.entries()) {
    if (believed[at]) for (let fix = next; fix < next + fixes; fix++) kept.push(fix);
    next += fixes;
  }
  const column = <T>(values: readonly T[]) => kept.map((at) => values[at] as T);
  const t = column(track.t);
  const lat = column(track.lat);
  const lon = column(track.lon);
  const fixAt = (at: number): Fix => ({ t: t[at] ?? 0, lat: lat[at] ?? 0, lon: lon[at] ?? 0 });
  const breaks = kept.flatMap((_, at) => (at > 0 && !isConnected(fixAt(at - 1), fixAt(at)) ? [at] : []));
  return { t, lat, lon, speed: column(track.speed), breaks };
}

function wayAlong(runs: readonly ClipRun[]): { meters: number | null; fastest: number | null; fixes: number } {
  let meters = 0;
  let fixes = 0;
  let fastest: number | null = null;
  let before: ClipRun | null = null;
  for (const run of runs) {
    meters += run.meters;
    fixes += run.fixes;
    fastest = mostOf(fastest, run.fastest);
    if (before && isConnected(before.last, run.first)) meters += metersBetween(before.last, run.first);
    before = run;
  }
  return { meters: fixes === 0 ? null : Math.round(meters), fastest, fixes };
}

function onTrip({ first, last, ...run }: ClipRun, offset: number): ClipRun {
  return { ...run, first: { ...first, t: first.t + offset }, last: { ...last, t: last.t + offset } };
}

/** The first fix at or behind a time; the length when all are before it. */
function indexFrom(t: readonly number[], from: number): number {
  const index = t.findIndex((time) => time >= from);
  return index < 0 ? t.length : index;
}

function mostOf(one: number | null, other: number | null): number | null {
  return one === null || (other !== null && other > one) ? other : one;
}
