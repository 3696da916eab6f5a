import { comparePositions, type ListPosition } from "../../domain/places/list_page.ts";
import { boxOfBoth, isWithin, type MapBox, overlaps, turnsOf } from "../../domain/places/map_box.ts";
import type { MomentKind } from "../../domain/places/moments.ts";
import { type Inside, joinedPasses, stretchesInside, touches } from "../../domain/places/passes.ts";
import type { MapDrives, MomentCounts, Pass, ToldMoment } from "../../domain/places/places_schema.ts";
import { onEarth, STEPS_PER_DEGREE, UNKNOWN_SPEED } from "../../domain/places/trip_line.ts";
import { decimalsAt } from "../../domain/places/zoom_levels.ts";
import { dayNumber } from "../../domain/recordings/moment_number.ts";
import { dateOf, midnightOf, nameOf, secondsOf } from "../../domain/recordings/recording_name.ts";
import { type KeepClass, keepClassOf } from "../../domain/retention/keep_times.ts";
import { keyIn } from "../../domain/settings/camera_key.ts";
import { mediaFolder } from "../../domain/viewer/media_folder.ts";
import type { WayEnds } from "../../domain/viewer/trip_way.ts";
import { isParked } from "../../domain/viewer/trips.ts";
import { fixesFromBytes, type StoredFixes } from "../../store/config/line_bytes.ts";
import type { PlacedPart, PlacedTrip, PlacesDatabase, TripDetails } from "../../store/config/places_database.ts";
import type { Library } from "../../store/library/library.ts";
import { partsOf } from "../../store/library/recording_files.ts";
import { nextTurn } from "../../turns.ts";
import { STRETCH_BEGINS } from "./placed_trip.ts";
import type { Indexing, PlacesFiller } from "./places_filler.ts";

export interface PlacesParts {
  /** The id of the camera. */
  readonly camera: string;
  readonly database: PlacesDatabase;
  readonly filler: PlacesFiller;
  readonly library: Pick<Library, "group">;
}

/** Days by the camera's clock, `YYYY-MM-DD`, both counted in; null for no end. */
export interface DaySpan {
  readonly from: string | null;
  readonly to: string | null;
}

/** Conditions of trips. */
export interface TripsAsked extends DaySpan {
  /** Kinds of which a trip has a recording; null for all trips. */
  readonly kinds?: readonly KeepClass[] | null;
}

type Drive = MapDrives["drives"][number];
/** A pass before its trip has a name. */
export interface PlacedPass extends Omit<Pass, "thumb" | "name"> {
  readonly ends: WayEnds | null;
}
type ToldPass = PlacedPass & Pick<Pass, "thumb">;
/** A moment before its place has a name. */
export type PlacedMoment = Omit<ToldMoment, "place">;

/** Points of one answer at most, and bytes that an answer may take before it is written. */
const MOST_POINTS = 5000;
const MOST_BYTES = 290_000;
const LINE_BYTES = 82;
const TYPE_BYTES = 20;
/** Types of most trips, which are not told. */
const NORMAL = "N";
const DAY_SECONDS = 86_400;
/** Trips that are looked at before others may run. */
const CHUNK = 200;

/** Answers where the car was and what happened. */
export class Places {
  readonly #parts: PlacesParts;

  constructor(parts: PlacesParts) {
    this.#parts = parts;
  }

  /** Looks whether something has come or gone. Resolves with what is still to be looked through; null when nothing is. */
  indexing(): Promise<Indexing | null> {
    return this.#parts.filler.ask();
  }

  /**
   * The trips whose line touches a box, newest first, as lines for a zoom.
   * @param share number of answers that are joined: each has so much less room
   */
  async drives(
    box: MapBox,
    zoom: number,
    { kinds = null, ...span }: TripsAsked,
    share = 1,
  ): Promise<Pick<MapDrives, "drives" | "cut">> {
    const { from, to } = wallOf(span);
    const wanted = this.#parts.database
      .trips()
      .filter((trip) => trip.counts.length > 0 && trip.begin >= from && trip.begin < to && hasKind(trip, kinds));
    const found: PlacedTrip[] = [];
    let least = 0;
    let typeBytes = 0;
    let isCut = false;
    for (const chunk of chunksOf(wanted)) {
      for (const trip of this.#touching(chunk, box)) {
        if (!this.#isHome(trip.first)) continue;
        least += trip.counts[0] ?? 0;
        if (trip.types !== NORMAL) typeBytes += ((trip.counts[0] ?? 0) / 2) * TYPE_BYTES;
        if (least > MOST_POINTS / share || typeBytes + bytesOf(least, least / 2, 0) > MOST_BYTES / share) {
          isCut = true;
          break;
        }
        found.push(trip);
      }
      if (isCut) break;
      await nextTurn();
    }
    let level = zoom;
    const pointsAt = (at: number) => found.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0);
    // Each line has two fixes that every zoom needs.
    const lines = pointsAt(0) / 2;
    const fits = (points: number) =>
      points <= MOST_POINTS / share && typeBytes + bytesOf(points, lines, level) <= MOST_BYTES / share;
    while (level > 0 && !fits(pointsAt(level))) level--;
    const drives: Drive[] = [];
    for (const chunk of chunksOf(found)) {
      const read = this.#parts.database.lines(
        chunk.map(({ id }) => id),
        level,
      );
      for (const trip of chunk) drives.push(...this.#linesOf(trip, read.get(trip.id) ?? [], level));
      await nextTurn();
    }
    return { drives, cut: isCut };
  }

  /** The part of the map in which all drives at home lie; null while none is known. */
  drivenBox(): MapBox | null {
    let all: MapBox | null = null;
    for (const { box, first, counts } of this.#parts.database.trips()) {
      if (box === null || counts.length === 0 || !this.#isHome(first)) continue;
      all = all === null ? box : boxOfBoth(all, box);
    }
    return all;
  }

  /**
   * Passes through a box in order, newest first, at most one more than `limit`.
   * @param after the position behind which they begin; null for the newest
   */
  async passes(
    box: MapBox,
    { kinds = null, ...span }: TripsAsked,
    after: ListPosition | null,
    limit: number,
  ): Promise<ToldPass[]> {
    const { from, to } = wallOf(span);
    const before = after === null ? Number.POSITIVE_INFINITY : (after.order[0] ?? 0) / 1000;
    const wanted = this.#parts.database
      .trips()
      .filter((trip) => trip.counts.length > 0 && trip.end >= from && trip.begin < to && trip.begin <= before)
      .filter((trip) => hasKind(trip, kinds));
    const found: PlacedPass[] = [];
    for (const chunk of chunksOf(wanted)) {
      const passes = this.#passesOf(chunk, box);
      for (const trip of chunk) {
        // Trips by their ends: what is left ended earlier.
        if (found.length > limit && found.filter((pass) => wallSeconds(pass) >= trip.end).length > limit) break;
        for (const pass of passes.get(trip.id) ?? []) {
          const wall = wallSeconds(pass);
          const isWanted = wall >= from && wall < to && this.#isHome(pass.key);
          if (isWanted && (after === null || comparePositions(this.positionOfPass(pass), after) > 0)) found.push(pass);
        }
      }
      const next = chunk.at(-1)?.end ?? 0;
      if (found.filter((pass) => wallSeconds(pass) >= next).length > limit) break;
      await nextTurn();
    }
    return found
      .sort((one, other) => comparePositions(this.positionOfPass(one), this.positionOfPass(other)))
      .slice(0, limit + 1)
      .map((pass) => ({ ...pass, thumb: this.#thumbOf(pass.key) }));
  }

  /** Moments in order, at most one more than `limit`. */
  async moments(
    asked: DaySpan & {
      readonly kinds: readonly MomentKind[];
      readonly min: number;
      readonly order: "time" | "strength";
      readonly after: ListPosition | null;
      readonly limit: number;
    },
  ): Promise<PlacedMoment[]> {
    const { database, camera } = this.#parts;
    const { from, to } = wallOf(asked);
    const byTime = asked.order === "time";
    const most = asked.after === null ? Number.MAX_SAFE_INTEGER : (asked.after.order[0] ?? 0) / 1000;
    const found: PlacedMoment[] = [];
    // Moments of recordings that are gone, and those at the very position, are read for nothing.
    for (let read = asked.limit + 100; ; read *= 4) {
      found.length = 0;
      const rows = database.moments({
        from,
        to,
        kinds: asked.kinds,
        min: asked.min,
        order: byTime ? "at" : "strength",
        most: most + 0.001,
        limit: read,
      });
      for (const { at, speedBefore, speedAfter, lat, lon, ...row } of rows) {
        if (found.length > asked.limit) break;
        if (!this.#isHome(row.key)) continue;
        const inferred = lat === null && isParked(row.key) ? database.lastPlaceBefore(at) : null;
        const moment = {
          ...row,
          speed_before: speedBefore,
          speed_after: speedAfter,
          lat: lat ?? inferred?.lat ?? null,
          lon: lon ?? inferred?.lon ?? null,
          place_inferred: inferred !== null,
          thumb: this.#thumbOf(row.key),
          camera,
        };
        if (asked.after !== null && comparePositions(positionOfMoment(moment, asked.order, camera), asked.after) <= 0)
          continue;
        found.push(moment);
      }
      if (found.length > asked.limit || rows.length < read) break;
    }
    return found;
  }

  /** Number of moments of each kind, of some strength or more. */
  momentCounts(asked: DaySpan & { readonly min: number }): MomentCounts {
    return this.#parts.database.momentCounts({ ...wallOf(asked), min: asked.min });
  }

  positionOfPass(pass: PlacedPass): ListPosition {
    return positionOfPass(pass, this.#parts.camera);
  }

  /** Trips of a chunk whose line leads into a box, in the same order. */
  #touching(trips: readonly PlacedTrip[], box: MapBox): readonly PlacedTrip[] {
    const near = trips.filter((trip) => turnsOf(box).some((turn) => trip.box && overlaps(trip.box, turn)));
    const parts = this.#partsIn(near, box);
    return near.filter((trip) => {
      if (isContained(trip, box)) return true;
      const own = parts.get(trip.id) ?? [];
      if (own.some(({ part }) => part.fixes === null)) return true;
      return own.some(({ part, turn }) => {
        const fixes = part.fixes && readFixes(part.fixes);
        return fixes !== null && touches(fixes, turn);
      });
    });
  }

  /** Parts of the lines of trips near a box, by trip; of trips that lie in it none are needed. */
  #partsIn(trips: readonly PlacedTrip[], box: MapBox): ReadonlyMap<number, readonly NearPart[]> {
    const turns = turnsOf(box);
    const asked = trips.filter(
      (trip) => !isContained(trip, box) && turns.some((turn) => trip.box && overlaps(trip.box, turn)),
    );
    const found = new Map<number, NearPart[]>();
    if (asked.length === 0) return found;
    const ids = new Set(asked.map(({ id }) => id));
    const begin = Math.min(...asked.map((trip) => trip.begin));
    const end = Math.max(...asked.map((trip) => trip.end));
    for (const turn of turns)
      for (const part of this.#parts.database.partsNear(turn, begin, end)) {
        if (!ids.has(part.trip)) continue;
        const own = found.get(part.trip);
        if (own) own.push({ part, turn });
        else found.set(part.trip, [{ part, turn }]);
      }
    return found;
  }

  /** The stretches of a trip inside a box, joined; for a trip that lies in it they are in its details. */
  #stretchesIn(near: readonly NearPart[]): Inside[] {
    const stretches: Inside[] = [];
    for (const { part, turn } of near) {
      const { from, to, fixes } = part;
      // It goes on where the one before has ended, or the stretch begins there: nothing of its fixes is needed.
      if (fixes === null) stretches.push({ from, to, speed: null, heading: null });
      else {
        const read = readFixes(fixes);
        if (read) stretches.push(...stretchesInside(read, turn));
      }
    }
    return stretches;
  }

  /** The passes of some trips, by their ids. */
  #passesOf(trips: readonly PlacedTrip[], box: MapBox): ReadonlyMap<number, readonly PlacedPass[]> {
    const near = this.#partsIn(trips, box);
    const wanted = trips.filter((trip) => near.has(trip.id) || isContained(trip, box));
    const partly = new Map(wanted.map(({ id }) => [id, this.#stretchesIn(near.get(id) ?? [])]));
    const inside = wanted.filter((trip) => isContained(trip, box) || (partly.get(trip.id)?.length ?? 0) > 0);
    const details = this.#parts.database.details(inside.map(({ id }) => id));
    return new Map(
      inside.map((trip) => {
        const known = details.get(trip.id) ?? { clips: [], stretches: [], ends: null };
        const stretches = isContained(trip, box) ? [...known.stretches] : (partly.get(trip.id) ?? []);
        stretches.sort((one, other) => one.from - other.from || one.to - other.to);
        return [trip.id, joinedPasses(stretches).flatMap((one) => this.#passOf(trip, known, one))];
      }),
    );
  }

  #passOf({ first }: PlacedTrip, { clips, stretches, ends }: TripDetails, inside: Inside): PlacedPass[] {
    const { from } = inside;
    const { speed, heading } = stretches.find((stretch) => stretch.from === from) ?? inside;
    const clip = clips.findLast(({ begin }) => begin * 1000 <= from) ?? clips[0];
    if (clip === undefined) return [];
    const seconds = Math.max(0, from / 1000 - clip.begin);
    return [
      {
        trip: first,
        key: clip.key,
        seconds: Math.round(seconds * 10) / 10,
        at: clip.utc === null ? null : new Date(Math.round(clip.utc + seconds * 1000)).toISOString(),
        speed,
        heading,
        camera: this.#parts.camera,
        ends,
      },
    ];
  }

  /** The lines of a trip for a zoom. */
  #linesOf(trip: PlacedTrip, stored: readonly Uint8Array[], zoom: number): Drive[] {
    const { camera } = this.#parts;
    const factor = 10 ** decimalsAt(zoom);
    const degrees = (steps: number) => Math.round((steps / STEPS_PER_DEGREE) * factor) / factor;
    const lines: Drive["points"][] = [];
    for (const [part, bytes] of stored.entries()) {
      const fixes = readFixes(bytes);
      if (!fixes) continue;
      for (let at = 0; at < fixes.t.length; at++) {
        const marked = fixes.level[at] ?? 0;
        const isStart = (marked & STRETCH_BEGINS) !== 0;
        if (isStart) lines.push([]);
        // Parts of a line share the fix between them.
        const isShared = part > 0 && at === 0 && !isStart;
        if (isShared || (marked & ~STRETCH_BEGINS) > zoom) continue;
        const speed = fixes.speed[at] ?? UNKNOWN_SPEED;
        const lon = onEarth((fixes.lon[at] ?? 0) / STEPS_PER_DEGREE);
        lines
          .at(-1)
          ?.push([
            degrees(fixes.lat[at] ?? 0),
            degrees(lon * STEPS_PER_DEGREE),
            speed === UNKNOWN_SPEED ? null : Math.round(speed / 100) / 10,
          ]);
      }
    }
    return lines
      .filter((points) => points.length > 1)
      .map((points) => ({
        trip: trip.first,
        camera,
        date: dateOf(trip.first),
        ...(trip.types === NORMAL ? {} : { types: trip.types }),
        points,
      }));
  }

  /** The address of a recording's thumbnail. */
  #thumbOf(key: string): string | null {
    const group = this.#parts.library.group(key);
    const ending = group && partsOf(group.endings)?.thumbnail;
    return ending ? mediaFolder(group.folder) + nameOf(key, ending) : null;
  }

  /** True for a recording that is at home now: the database follows a moment later. */
  #isHome(key: string): boolean {
    return this.#parts.library.group(key)?.endings.some((ending) => ending.endsWith(".mp4")) ?? false;
  }
}

/** True for a trip that has a recording of one of these kinds. */
function hasKind({ types }: PlacedTrip, kinds: readonly KeepClass[] | null): boolean {
  return kinds === null || [...types].some((type) => kinds.includes(keepClassOf(type)));
}

/** A part of a line, and the place of the box near it. */
interface NearPart {
  readonly part: PlacedPart;
  readonly turn: MapBox;
}

/** Position of a pass in a list. The name of its recording may carry the camera already. */
export function positionOfPass({ key, seconds }: Pick<Pass, "key" | "seconds">, camera: string): ListPosition {
  return { order: [Math.round((secondsOf(key) + seconds) * 1000)], name: keyIn(camera, bareOf(key)) };
}

/** Position of a moment in a list of this order. */
export function positionOfMoment(
  { key, seconds, kind, strength }: Pick<ToldMoment, "key" | "seconds" | "kind" | "strength">,
  order: "time" | "strength",
  camera: string,
): ListPosition {
  const at = Math.round((secondsOf(key) + seconds) * 1000);
  const name = `${keyIn(camera, bareOf(key))}.${kind}`;
  return { order: order === "time" ? [at] : [Math.round(strength * 1000), at], name };
}

function bareOf(key: string): string {
  return key.slice(key.indexOf("~") + 1);
}

function wallSeconds({ key, seconds }: Pick<Pass, "key" | "seconds">): number {
  return secondsOf(key) + seconds;
}

function wallOf({ from, to }: DaySpan): { readonly from: number; readonly to: number } {
  return {
    from: from === null ? -Number.MAX_SAFE_INTEGER : midnightOf(dayNumber(from)),
    to: to === null ? Number.MAX_SAFE_INTEGER : midnightOf(dayNumber(to)) + DAY_SECONDS,
  };
}

function isContained(trip: PlacedTrip, box: MapBox): boolean {
  return turnsOf(box).some((turn) => trip.box !== null && isWithin(trip.box, turn));
}

function bytesOf(points: number, lines: number, zoom: number): number {
  return lines * LINE_BYTES + points * (2 * decimalsAt(zoom) + 18);
}

function readFixes(bytes: Uint8Array): StoredFixes | null {
  try {
    return fixesFromBytes(bytes);
  } catch {
    return null;
  }
}

function* chunksOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += CHUNK) yield items.slice(at, at + CHUNK);
}
