import type { Database } from "bun:sqlite";
import type { MapBox } from "../../domain/places/map_box.ts";
import { MOMENT_KINDS, type MomentKind } from "../../domain/places/moments.ts";
import { onEarth, STEPS_PER_DEGREE } from "../../domain/places/trip_line.ts";
import type { WayEnds } from "../../domain/viewer/trip_way.ts";
import type { Log } from "../../log.ts";
import { PLACES_VERSION } from "../file_versions.ts";
import { DamagedRow, RebuildableDatabase } from "../rebuildable_database.ts";
import { fixesFromBytes, type StoredFixes } from "./line_bytes.ts";

/** A clip as a trip in the database has it. */
export interface PlacedClip {
  readonly key: string;
  /** Seconds from the beginning of the trip. */
  readonly begin: number;
  /** Real time at its beginning by the satellites, epoch milliseconds; null without them. */
  readonly utc: number | null;
}

/** A stretch without a gap. */
export interface PlacedStretch {
  /** Milliseconds on the clock of the trip. */
  readonly from: number;
  readonly to: number;
  readonly speed: number | null;
  readonly heading: number | null;
}

/** A trip without its line. */
export interface PlacedTrip {
  readonly id: number;
  /** The key of its first recording. */
  readonly first: string;
  /** Beginning and end in seconds on the wall, by the camera's clock. */
  readonly begin: number;
  readonly end: number;
  /** Null without a line. */
  readonly box: MapBox | null;
  /** Number of fixes of its line at each zoom. */
  readonly counts: readonly number[];
  /** Number of clips. */
  readonly clips: number;
  /** Letters of the types of its recordings, each once. */
  readonly types: string;
}

/** Details of a trip, which are read when they are needed. */
export interface TripDetails {
  readonly clips: readonly PlacedClip[];
  readonly stretches: readonly PlacedStretch[];
  /** Places of the first and the last fix; null without one. */
  readonly ends: WayEnds | null;
}

/** A part of a line, with the fixes between which it lies. */
export interface PlacedPart {
  readonly trip: number;
  readonly box: MapBox;
  /** Milliseconds on the clock of the trip. */
  readonly from: number;
  readonly to: number;
  /** Null for a part that lies in the box. */
  readonly fixes: Uint8Array | null;
}

/** Something that happened, as the database has it. */
export interface PlacedMoment {
  /** Seconds on the wall, by the camera's clock. */
  readonly at: number;
  readonly key: string;
  readonly seconds: number;
  readonly kind: MomentKind;
  readonly strength: number;
  readonly speed: number | null;
  readonly speedBefore: number | null;
  readonly speedAfter: number | null;
  readonly lat: number | null;
  readonly lon: number | null;
}

/** Mounting of the camera during a trip, as texts of numbers; null where that is not known. */
export interface TripMounting {
  readonly up: string | null;
  readonly front: string | null;
}

/** A trip as it is written. */
export interface NewTrip extends Omit<PlacedTrip, "id" | "clips">, TripDetails, TripMounting {
  /** Tells whether the trip has to be read again. */
  readonly signature: string;
  readonly stamps: string;
  /** The fixes that zooms up to one need, in one text for each of `LINE_ZOOMS`; none without a line. */
  readonly lines: readonly Uint8Array[];
  readonly parts: readonly { readonly box: MapBox; from: number; to: number; readonly fixes: Uint8Array }[];
  readonly moments: readonly PlacedMoment[];
}

/** Facts that are known of a trip when the library is looked through. */
export interface KnownTrip {
  readonly id: number;
  readonly first: string;
  readonly signature: string;
  readonly stamps: string;
  readonly clips: number;
  readonly begin: number;
  readonly up: string | null;
  /** True when its moments wait for another trip that tells how the camera is mounted. */
  readonly isUncalibrated: boolean;
}

/** Zooms up to which a line is kept in one, with no more fixes than these need. Closer ones read all fixes. */
export const LINE_ZOOMS: readonly number[] = [8, 12, 16];

const TABLES = [
  `create table trips (
    id integer primary key, first text not null, signature text not null, stamps text not null, clipCount integer not null,
    begin real not null, end real not null, west real, south real, east real, north real, counts text not null,
    parts integer not null, up text, front text, types text not null,
    firstLat real, firstLon real, lastLat real, lastLon real, stretches text not null, clips text not null
  )`,
  "create index trips_begin on trips (begin)",
  `create table parts (
    id integer primary key, "from" integer not null, "to" integer not null, fixes blob not null
  )`,
  "create table lines (id integer primary key, fixes blob not null)",
  "create virtual table part_boxes using rtree (id, west, east, south, north, begin, end)",
  `create table moments (
    trip integer not null, at real not null, key text not null, seconds real not null, kind text not null,
    strength real not null, speed real, speedBefore real, speedAfter real, lat real, lon real
  )`,
  // Each order of one kind is read from its index alone, however few of the many are wanted.
  "create index moments_at on moments (kind, at, strength)",
  "create index moments_strength on moments (kind, strength, at)",
  "create index moments_trip on moments (trip)",
  // A trip that is being written: what is there of it when the program ends has to go.
  "create table writing (trip integer primary key)",
];
/** A trip has fewer parts. */
const PARTS = 65_536;
/** Parts that are written at once, between which others run. */
const SLICE = 100;
/** The times of parts are numbers of 24 bits, so they are counted in minutes from then on. */
const MINUTES_FROM = Date.UTC(2000, 0, 1) / 60_000;
/** Place in a database's head of the number that its program may choose, by SQLite's file format. */
const FINGERPRINT_SQL = "pragma application_id";

/**
 * Where the car was and what happened, of all clips, in a file that may be deleted at any time: all of it is read from
 * the recordings again. A damaged file and one of another version are begun anew. No method throws.
 */
export class PlacesDatabase {
  readonly #file: RebuildableDatabase;
  #trips: Map<number, PlacedTrip> | null = null;
  #sorted: readonly PlacedTrip[] | null = null;
  /** Moments as they were counted last. */
  #counts: { asked: string; opening: number; counts: Record<MomentKind, number> } | null = null;
  /** Opening of the file that the trips were read from. */
  #opening = 0;

  /** @param parts with the path of the file, which is opened when it is asked for the first time */
  constructor(parts: { path: string; log: Log }) {
    this.#file = new RebuildableDatabase({
      ...parts,
      topic: "places",
      loss: "no places are found",
      tables: TABLES,
      version: PLACES_VERSION,
      newer: "replace",
      mostRemade: 10,
      mostFailures: Number.POSITIVE_INFINITY,
    });
  }

  /** Another number when the file was begun anew. */
  get generation(): number {
    return this.#file.generation;
  }

  /** All trips, those that ended last first. */
  trips(): readonly PlacedTrip[] {
    if (this.#opening !== this.#file.opening) {
      this.#trips = null;
      this.#sorted = null;
    }
    const known = this.#trips ?? this.#readTrips();
    this.#sorted ??= [...known.values()].sort((one, other) => other.end - one.end || other.id - one.id);
    return this.#sorted;
  }

  /** Details of some trips, by their ids. */
  details(trips: readonly number[]): ReadonlyMap<number, TripDetails> {
    const sql = `select id, clips, stretches, firstLat, firstLon, lastLat, lastLon from trips
      where id in (select value from json_each(?))`;
    type Row = EndsRow & { readonly id: number; readonly clips: string; readonly stretches: string };
    const found = this.#file.try((db) => {
      const rows = db.query<Row, [string]>(sql).all(JSON.stringify(trips));
      return new Map(
        rows.map(({ id, clips, stretches, ...row }) => [
          id,
          { clips: listIn(clips), stretches: listIn(stretches), ends: endsIn(row) },
        ]),
      );
    });
    return found ?? new Map();
  }

  /** The fixes of some trips that a zoom needs and some more, part after part, by the ids of the trips. */
  lines(trips: readonly number[], zoom: number): ReadonlyMap<number, readonly Uint8Array[]> {
    const which = LINE_ZOOMS.findIndex((most) => zoom <= most);
    if (which < 0) return new Map(trips.map((trip) => [trip, this.#partsOf(trip)]));
    const sql = "select id, fixes from lines where id in (select value from json_each(?))";
    const ids = JSON.stringify(trips.map((trip) => trip * LINE_ZOOMS.length + which));
    const rows = this.#file.try((db) => db.query<{ id: number; fixes: Uint8Array }, [string]>(sql).all(ids)) ?? [];
    return new Map(rows.map(({ id, fixes }) => [(id - which) / LINE_ZOOMS.length, [fixes]]));
  }

  /** All fixes of a trip, by time, part after part. The first of a part is the last of the one before, if none is missing. */
  #partsOf(trip: number): readonly Uint8Array[] {
    const sql = "select fixes from parts where id between ? and ? order by id";
    const rows = this.#file.try((db) =>
      db.query<{ fixes: Uint8Array }, [number, number]>(sql).all(trip * PARTS, trip * PARTS + PARTS - 1),
    );
    return (rows ?? []).map(({ fixes }) => fixes);
  }

  /** Parts of lines near a box, by trip and time; of trips between two times on the wall. */
  partsNear(box: MapBox, begin: number, end: number): readonly PlacedPart[] {
    const sql = `select b.id, b.west, b.east, b.south, b.north, p."from", p."to",
      case when b.west >= $west and b.east <= $east and b.south >= $south and b.north <= $north then null
        else p.fixes end as fixes
      from part_boxes b join parts p on p.id = b.id where b.west <= $east and b.east >= $west and b.south <= $north and b.north >= $south
      and b.begin <= $end and b.end >= $begin order by b.id`;
    const given = { ...box, begin: minutesOf(begin), end: minutesOf(end) };
    const rows = this.#file.try((db) => db.query<PartRow, [typeof given]>(sql).all(given));
    return (rows ?? []).map(({ id, from, to, fixes, west, south, east, north }) => {
      return { trip: Math.floor(id / PARTS), box: { west, south, east, north }, from, to, fixes };
    });
  }

  /**
   * Moments in order, at most so many.
   * @param order by time or by strength; the largest first
   */
  moments(asked: {
    readonly from: number;
    readonly to: number;
    readonly kinds: readonly MomentKind[];
    readonly min: number;
    readonly order: "at" | "strength";
    /** Those above are passed over. */
    readonly most: number;
    readonly limit: number;
  }): readonly PlacedMoment[] {
    const { kinds, order, limit, ...range } = asked;
    const first = order === "at" ? "at desc" : "strength desc, at desc";
    const found = kinds.map(
      (kind) => `select * from (select rowid from moments indexed by moments_${order}
        where kind = '${kind}' and at >= $from and at < $to and strength >= $min and ${order} <= $most
        order by ${first} limit $limit)`,
    );
    const sql = `select at, key, seconds, kind, strength, speed, speedBefore, speedAfter, lat, lon from moments
      where rowid in (${found.join(" union all ")}) order by ${first}, key desc, kind desc limit $limit`;
    const given = { ...range, limit };
    return this.#file.try((db) => db.query<PlacedMoment, [typeof given]>(sql).all(given)) ?? [];
  }

  /** Number of moments by kind. */
  momentCounts(asked: {
    readonly from: number;
    readonly to: number;
    readonly min: number;
  }): Record<MomentKind, number> {
    const question = `${asked.from} ${asked.to} ${asked.min}`;
    const told = this.#counts;
    if (told?.asked === question && told.opening === this.#file.opening) return told.counts;
    const sql = `select count(*) as count from moments indexed by moments_at
      where kind = $kind and at >= $from and at < $to and strength >= $min`;
    const counts = { brake: 0, accelerate: 0, turn: 0, bump: 0, impact: 0, parked_bump: 0 };
    const isTold = this.#file.try((db) => {
      const query = db.query<{ count: number }, [typeof asked & { kind: MomentKind }]>(sql);
      for (const kind of MOMENT_KINDS) counts[kind] = query.get({ ...asked, kind })?.count ?? 0;
      return true;
    });
    if (isTold) this.#counts = { asked: question, opening: this.#file.opening, counts };
    return counts;
  }

  /** The place of the last fix before a time on the wall; null when none is known. */
  lastPlaceBefore(at: number): { readonly lat: number; readonly lon: number } | null {
    // In the midst of a trip its end is not known yet: it counts as far as it came, or else the trip before.
    const sql = `select id, begin, end, parts, lastLat as lat, lastLon as lon from trips
      where begin <= ? and lastLat is not null order by begin desc limit 2`;
    return this.#file.try((db) => {
      for (const { lat, lon, ...trip } of db.query<LastPlaceRow, [number]>(sql).all(at)) {
        if (trip.end <= at || trip.parts === 0) return { lat, lon };
        const reached = placeReached(db, trip, Math.round((at - trip.begin) * 1000));
        if (reached) return reached;
      }
      return null;
    });
  }

  /** Trips as the last look found them. */
  known(): readonly KnownTrip[] {
    const sql = `select id, first, signature, stamps, clipCount as clips, begin, up,
      up is not null and front is null as uncalibrated from trips`;
    type Row = Omit<KnownTrip, "isUncalibrated"> & { readonly uncalibrated: number };
    const rows = this.#file.try((db) => db.query<Row, []>(sql).all()) ?? [];
    return rows.map(({ uncalibrated, ...row }) => ({ ...row, isUncalibrated: uncalibrated === 1 }));
  }

  /** Mountings of trips that tell theirs, the nearest in time first: some before a time on the wall and some after it. */
  mountingsNear(begin: number): readonly { readonly up: string; readonly front: string }[] {
    const sql = (side: string) =>
      `select up, front, begin from trips where front is not null and begin ${side} limit 20`;
    type Row = { readonly up: string; readonly front: string; readonly begin: number };
    const before = this.#file.try((db) => db.query<Row, [number]>(sql("< ? order by begin desc")).all(begin)) ?? [];
    const after = this.#file.try((db) => db.query<Row, [number]>(sql("> ? order by begin")).all(begin)) ?? [];
    return [...before, ...after.slice(0, 20)].sort(
      (one, other) => Math.abs(one.begin - begin) - Math.abs(other.begin - begin),
    );
  }

  /**
   * Writes a trip, in place of another one where that is given. Yields while it writes; nothing of it shows before all does.
   * @returns false when it cannot be written now
   */
  *put(trip: NewTrip, replaced: number | null): Generator<void, boolean> {
    const id = this.#begin();
    if (id === null) return false;
    for (let at = 0; at < trip.parts.length; at += SLICE) {
      const written = this.#file.try((db) => {
        const put = db.query("insert into parts values ($id, $from, $to, $fixes)");
        const place = db.query("insert into part_boxes values ($id, $west, $east, $south, $north, $begin, $end)");
        db.transaction(() => {
          for (const [index, { box, from, to, fixes }] of trip.parts.slice(at, at + SLICE).entries()) {
            const part = id * PARTS + at + index;
            put.run({ id: part, from, to, fixes });
            place.run({ id: part, ...box, begin: minutesOf(trip.begin), end: minutesOf(trip.end) });
          }
        })();
        return true;
      });
      if (written === null) return false;
      yield;
    }
    const isWritten = this.#file.try((db) => {
      db.transaction(() => {
        const { box, clips, stretches, parts, moments, counts, lines, ends, ...rest } = trip;
        const given = {
          ...rest,
          ...(box ?? { west: null, south: null, east: null, north: null }),
          ...rowOfEnds(ends),
          id,
          counts: counts.join(" "),
          clipCount: clips.length,
          parts: parts.length,
          clips: JSON.stringify(clips),
          stretches: JSON.stringify(stretches),
        };
        db.query(
          `insert into trips values ($id, $first, $signature, $stamps, $clipCount, $begin, $end, $west, $south, $east,
            $north, $counts, $parts, $up, $front, $types, $firstLat, $firstLon, $lastLat, $lastLon,
            $stretches, $clips)`,
        ).run(given);
        const put = db.query(
          `insert into moments values ($trip, $at, $key, $seconds, $kind, $strength, $speed, $speedBefore, $speedAfter,
            $lat, $lon)`,
        );
        const putLine = db.query("insert into lines values ($id, $fixes)");
        for (const [at, fixes] of lines.entries()) putLine.run({ id: id * LINE_ZOOMS.length + at, fixes });
        for (const moment of moments) put.run({ trip: id, ...moment });
        db.query("delete from writing where trip = ?").run(id);
        if (replaced !== null) this.#hide(db, replaced);
      })();
      return true;
    });
    if (isWritten === null) return false;
    const { first, begin, end, box, counts, types } = trip;
    this.#trips?.set(id, { id, first, begin, end, box, counts, clips: trip.clips.length, types });
    this.#sorted = null;
    this.#counts = null;
    if (replaced === null) return true;
    this.#trips?.delete(replaced);
    yield* this.#removeParts(replaced);
    return true;
  }

  /** Forgets a trip; yields while it does. */
  *remove(trip: number): Generator<void> {
    const isGone = this.#file.try((db) => {
      db.transaction(() => this.#hide(db, trip))();
      return true;
    });
    if (isGone === null) return;
    this.#trips?.delete(trip);
    this.#sorted = null;
    this.#counts = null;
    yield* this.#removeParts(trip);
  }

  /** Takes away what is left of trips that were being written or removed when the program ended. */
  *tidy(): Generator<void> {
    const sql = "select trip from writing";
    const left = this.#file.try((db) => db.query<{ trip: number }, []>(sql).all()) ?? [];
    for (const { trip } of left) yield* this.#removeParts(trip);
  }

  /** Number that stands for the library and the settings as they were when all was looked through. */
  get fingerprint(): number | null {
    const row = this.#file.try((db) => db.query<{ application_id: number }, []>(FINGERPRINT_SQL).get());
    return row?.application_id ?? null;
  }

  set fingerprint(value: number) {
    this.#file.try((db) => {
      db.run(`${FINGERPRINT_SQL} = ${Math.trunc(value)}`);
      return null;
    });
  }

  close(): void {
    this.#file.close();
  }

  #begin(): number | null {
    return this.#file.try((db) => {
      const sql = `select max((select coalesce(max(id), 0) from trips), (select coalesce(max(trip), 0) from writing)) as id`;
      const id = (db.query<{ id: number }, []>(sql).get()?.id ?? 0) + 1;
      db.query("insert into writing values (?)").run(id);
      return id;
    });
  }

  #hide(db: Database, trip: number): void {
    db.query("insert or ignore into writing values (?)").run(trip);
    db.query("delete from moments where trip = ?").run(trip);
    db.query("delete from trips where id = ?").run(trip);
    const [from, to] = [trip * LINE_ZOOMS.length, (trip + 1) * LINE_ZOOMS.length - 1];
    db.query("delete from lines where id between ? and ?").run(from, to);
  }

  *#removeParts(trip: number): Generator<void> {
    const sql = `select id from parts where id between ? and ? limit ${SLICE}`;
    for (;;) {
      const rows = this.#file.try((db) =>
        db.query<{ id: number }, [number, number]>(sql).all(trip * PARTS, trip * PARTS + PARTS - 1),
      );
      const isDone = this.#file.try((db) => {
        const removals = ["part_boxes", "parts"].map((table) => db.query(`delete from ${table} where id = ?`));
        db.transaction(() => {
          for (const { id } of rows ?? []) for (const remove of removals) remove.run(id);
          if ((rows?.length ?? 0) < SLICE) db.query("delete from writing where trip = ?").run(trip);
        })();
        return true;
      });
      if (rows === null || isDone === null || rows.length < SLICE) return;
      yield;
    }
  }

  #readTrips(): Map<number, PlacedTrip> {
    const sql = "select id, first, begin, end, west, south, east, north, counts, types, clipCount as clips from trips";
    const rows = this.#file.try((db) => db.query<TripRow, []>(sql).all());
    const found = new Map<number, PlacedTrip>();
    for (const { west, south, east, north, counts, ...row } of rows ?? []) {
      const box = west === null ? null : { west, south: south ?? 0, east: east ?? 0, north: north ?? 0 };
      found.set(row.id, { ...row, box, counts: counts === "" ? [] : counts.split(" ").map(Number) });
    }
    this.#opening = this.#file.opening;
    if (rows !== null) this.#trips = found;
    return found;
  }
}

interface PartRow extends MapBox, Pick<PlacedPart, "from" | "to" | "fixes"> {
  readonly id: number;
}

interface TripRow extends Pick<PlacedTrip, "id" | "first" | "begin" | "end" | "clips" | "types"> {
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly counts: string;
}

interface LastPlaceRow {
  readonly id: number;
  readonly begin: number;
  readonly end: number;
  readonly parts: number;
  readonly lat: number;
  readonly lon: number;
}

/** The place of the last fix of a trip up to a time on its clock; null before its first one. */
function placeReached(db: Database, { id }: Pick<LastPlaceRow, "id">, ms: number) {
  const sql = `select fixes from parts where id between ? and ? and "from" <= ? order by id desc limit 1`;
  const row = db
    .query<{ fixes: Uint8Array }, [number, number, number]>(sql)
    .get(id * PARTS, id * PARTS + PARTS - 1, ms);
  if (row === null) return null;
  const { t, lat, lon } = fixesIn(row.fixes);
  const last = t.findLastIndex((time) => time <= ms);
  if (last < 0) return null;
  return { lat: (lat[last] ?? 0) / STEPS_PER_DEGREE, lon: onEarth((lon[last] ?? 0) / STEPS_PER_DEGREE) };
}

/** @throws DamagedRow for bytes that are no fixes */
function fixesIn(bytes: Uint8Array): StoredFixes {
  try {
    return fixesFromBytes(bytes);
  } catch {
    throw new DamagedRow("a line in it cannot be read");
  }
}

/** @throws DamagedRow for a text that is no list */
function listIn(text: string) {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // Said below.
  }
  throw new DamagedRow("a trip in it cannot be read");
}

function minutesOf(wall: number): number {
  return wall / 60 - MINUTES_FROM;
}

interface EndsRow {
  readonly firstLat: number | null;
  readonly firstLon: number | null;
  readonly lastLat: number | null;
  readonly lastLon: number | null;
}

function rowOfEnds(ends: WayEnds | null): EndsRow {
  return {
    firstLat: ends?.first.lat ?? null,
    firstLon: ends?.first.lon ?? null,
    lastLat: ends?.last.lat ?? null,
    lastLon: ends?.last.lon ?? null,
  };
}

function endsIn({ firstLat, firstLon, lastLat, lastLon }: EndsRow): WayEnds | null {
  if (firstLat === null || firstLon === null || lastLat === null || lastLon === null) return null;
  return { first: { lat: firstLat, lon: firstLon }, last: { lat: lastLat, lon: lastLon } };
}
