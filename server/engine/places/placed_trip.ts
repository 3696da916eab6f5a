import { addDriving, type Direction, frontOf, isSameMounting, NO_DRIVING, upOf } from "../../domain/places/mounting.ts";
import { momentsOf, type Thresholds } from "../../domain/places/moments.ts";
import { motionAtStart } from "../../domain/places/passes.ts";
import {
  boxAround,
  hasTwoPlaces,
  onEarth,
  STEPS_PER_DEGREE,
  stretchesOf,
  type TripLine,
  tripLineSteps,
} from "../../domain/places/trip_line.ts";
import { countsByZoom, zoomLevelSteps } from "../../domain/places/zoom_levels.ts";
import { type ClockZone, secondsBetween } from "../../domain/recordings/clock_change.ts";
import { secondsOf, typeOf } from "../../domain/recordings/recording_name.ts";
import { isBelieved } from "../../domain/viewer/clock_offset.ts";
import { type Force, type Rest, RestCounts } from "../../domain/viewer/force.ts";
import { withinClip } from "../../domain/viewer/telemetry.ts";
import type { Track } from "../../domain/viewer/track.ts";
import type { WayEnds } from "../../domain/viewer/trip_way.ts";
import { isParked } from "../../domain/viewer/trips.ts";
import { fixesToBytes } from "../../store/config/line_bytes.ts";
import { LINE_ZOOMS, type NewTrip, type PlacedMoment } from "../../store/config/places_database.ts";

/** A clip with what its files tell. */
export interface ReadClip {
  readonly key: string;
  /** Null without a file of fixes. */
  readonly track: Track | null;
  /** Real time at its beginning by the satellites, epoch milliseconds; null without them. */
  readonly utc: number | null;
  /** Null without a file of samples. */
  readonly force: Force | null;
}

interface Parts {
  readonly thresholds: Thresholds;
  /** Zone of the camera's clock; null where it is not known. */
  readonly zone: ClockZone | null;
  /** Mountings that other trips tell, the nearest in time first. */
  readonly mountingsNear: (begin: number) => readonly { readonly up: string; readonly front: string }[];
}

/** Marks the first fix of a stretch, beside its level. */
export const STRETCH_BEGINS = 32;
/** A part of a line has so many fixes at most. */
const PART_FIXES = 64;
/** Clips are cut after a few minutes. */
const LONGEST_KNOWN_CLIP_SECONDS = 600;

/** Makes of a trip's clips what the database keeps. Yields after some work. */
export function* placedTripSteps(
  read: readonly ReadClip[],
  { thresholds, zone, mountingsNear }: Parts,
): Generator<void, Omit<NewTrip, "signature" | "stamps">> {
  const first = read[0]?.key ?? "";
  const begin = secondsOf(first);
  const begins = read.map(({ key }) => secondsBetween(begin, secondsOf(key), zone));
  const clips = read.map((clip, at) => {
    const next = (begins[at + 1] ?? Number.POSITIVE_INFINITY) - (begins[at] ?? 0);
    const durationSeconds = next <= LONGEST_KNOWN_CLIP_SECONDS ? next : null;
    const { track, force } = withinClip({ ...clip, offsetSeconds: 0, durationSeconds });
    return { ...clip, track, force, begin: begins[at] ?? 0 };
  });
  yield;
  const { moments, up, front } = yield* momentSteps(clips, begin, { thresholds, mountingsNear });
  const line = yield* tripLineSteps(clips);
  const levels = yield* zoomLevelSteps(line);
  const stretches = hasTwoPlaces(line) ? stretchesOf(line) : [];
  const isFirst = new Set(stretches.map(([at]) => at));
  const marked = (at: number) => (levels[at] ?? 0) + (isFirst.has(at) ? STRETCH_BEGINS : 0);
  const parts: NewTrip["parts"][number][] = [];
  for (const [from, to] of stretches)
    for (let at = from; at < to; at += PART_FIXES - 1) {
      const last = Math.min(to, at + PART_FIXES - 1);
      const fixes = fixesToBytes(columnsOf(line, range(at, last), marked));
      parts.push({ box: boxAround(line, at, last), from: line.t[at] ?? 0, to: line.t[last] ?? 0, fixes });
      if (parts.length % PART_FIXES === 0) yield;
    }
  const lines = LINE_ZOOMS.map((zoom) => {
    const needed = stretches.flatMap(([from, to]) => range(from, to).filter((at) => (levels[at] ?? 0) <= zoom));
    return fixesToBytes(columnsOf(line, needed, marked));
  });
  yield;
  const boxes = parts.map(({ box }) => box);
  const end = Math.max(begin, ...clips.map(({ key, track, force }) => secondsOf(key) + lengthOf(track, force)));
  return {
    first,
    begin,
    end,
    box:
      boxes.length === 0
        ? null
        : {
            west: Math.min(...boxes.map(({ west }) => west)),
            south: Math.min(...boxes.map(({ south }) => south)),
            east: Math.max(...boxes.map(({ east }) => east)),
            north: Math.max(...boxes.map(({ north }) => north)),
          },
    counts: stretches.length === 0 ? [] : countsByZoom(levels),
    clips: clips
      .filter(({ track }) => track !== null && track.t.length > 0)
      .map(({ key, begin: at, utc }) => ({
        key,
        begin: at,
        utc: utc !== null && isBelieved({ key, utc }) ? utc : null,
      })),
    stretches: stretches.map(([from, to]) => {
      const start = columnsOf(line, range(from, Math.min(to, from + 1)), () => 0);
      return { from: line.t[from] ?? 0, to: line.t[to] ?? 0, ...motionAtStart(start) };
    }),
    up,
    front,
    lines: stretches.length === 0 ? [] : lines,
    parts,
    moments,
    types: [...new Set(read.map(({ key }) => typeOf(key)))].sort().join(""),
    ends: endsOfLine(line),
  };
}

type FeltClip = ReadClip & { readonly begin: number };

/** The moments of a trip, and how the camera was mounted. */
function* momentSteps(
  clips: readonly FeltClip[],
  begin: number,
  { thresholds, mountingsNear }: Pick<Parts, "thresholds" | "mountingsNear">,
): Generator<void, { moments: PlacedMoment[]; up: string | null; front: string | null }> {
  const counts = new RestCounts();
  let sums = NO_DRIVING;
  for (const { key, track, force } of clips) {
    if (force === null || isParked(key)) continue;
    counts.add(force);
    if (track) sums = addDriving(sums, track, force);
    yield;
  }
  const rest = counts.rest();
  const up = rest && upOf(rest);
  const own = rest && frontOf(sums, rest);
  const other = up && own === null && sums.steps > 0 ? mountedAs(up, mountingsNear(begin)) : null;
  const moments: PlacedMoment[] = [];
  for (const { key, track, force } of clips) {
    if (force === null || force.t.length === 0) continue;
    const parked = isParked(key);
    const still = parked ? restOf(force) : rest;
    if (still === null) continue;
    const felt = { force, track, isParked: parked, rest: still, front: own ?? other };
    for (const moment of momentsOf(felt, thresholds))
      moments.push({ ...moment, key, at: secondsOf(key) + moment.seconds });
    yield;
  }
  // A trip that was told by another one's mounting, or has none to tell, is not looked at again.
  const isOpen = own === null && other === null && sums.steps > 0;
  return { moments, up: up && (own || isOpen) ? up.join(" ") : null, front: own?.join(" ") ?? null };
}

/** The direction of the car's front, by the nearest of other trips with the camera mounted alike; null when there is none. */
export function mountedAs(up: Direction, others: ReturnType<Parts["mountingsNear"]>): Direction | null {
  const found = others.find((one) => isSameMounting(up, directionIn(one.up)));
  return found ? directionIn(found.front) : null;
}

export function directionIn(text: string): Direction {
  const [x = 0, y = 0, z = 0] = text.split(" ").map(Number);
  return [x, y, z];
}

function restOf(force: Force): Rest | null {
  const counts = new RestCounts();
  counts.add(force);
  return counts.rest();
}

function lengthOf(track: Track | null, force: Force | null): number {
  return Math.max(0, track?.t.at(-1) ?? 0, force?.t.at(-1) ?? 0);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function columnsOf({ t, lat, lon, speed }: TripLine, indexes: readonly number[], levelOf: (at: number) => number) {
  const column = (values: Int32Array) => Int32Array.from(indexes, (at) => values[at] ?? 0);
  return {
    t: column(t),
    lat: column(lat),
    lon: column(lon),
    speed: column(speed),
    level: Int32Array.from(indexes, levelOf),
  };
}

function endsOfLine({ lat, lon }: TripLine): WayEnds | null {
  const placeAt = (at: number) => {
    const [north, east] = [lat.at(at), lon.at(at)];
    if (north === undefined || east === undefined) return null;
    return { lat: north / STEPS_PER_DEGREE, lon: onEarth(east / STEPS_PER_DEGREE) };
  };
  const [first, last] = [placeAt(0), placeAt(-1)];
  return first && last && { first, last };
}
