import type { Clock } from "../../clock.ts";
import { gpsSteps } from "../../domain/recordings/gps_file.ts";
import { readGsensor } from "../../domain/recordings/gsensor_file.ts";
import type { GpsPoint } from "../../domain/recordings/sensor_schema.ts";
import { forceOf } from "../../domain/viewer/force.ts";
import { trackOf } from "../../domain/viewer/track.ts";
import type { Trip } from "../../domain/viewer/trips.ts";
import { type Log, messageOf } from "../../log.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import type { SegmentDays } from "../../store/clips/segment_days.ts";
import type { TelemetryFiles, TelemetryStamp } from "../../store/clips/telemetry_files.ts";
import type { KnownTrip, PlacesDatabase } from "../../store/config/places_database.ts";
import type { Library } from "../../store/library/library.ts";
import type { Segment } from "../../store/library/recording_files.ts";
import { inTurns, nextTurn } from "../../turns.ts";
import { signatureOf, tripsOfLibrary } from "./library_trips.ts";
import { fingerprintOf, type PlaceRules, rulesText } from "./place_rules.ts";
import { directionIn, mountedAs, placedTripSteps, type ReadClip } from "./placed_trip.ts";

export interface PlacesFillerParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: PlacesDatabase;
  readonly library: Pick<Library, "groups" | "available">;
  readonly segments: Pick<RecordingIndex, "inDays">;
  readonly telemetry: Pick<TelemetryFiles, "stamps" | "bytes">;
  readonly rules: () => PlaceRules;
  /** False while the folder is away or another one: what it holds is not known then. */
  readonly isHere: () => boolean | Promise<boolean>;
  /** True while a run or an import goes on. */
  readonly isBusy: () => boolean;
  /** Called when all is looked through. */
  readonly ended?: () => void;
}

/** Clips that are looked through, of how many. */
export interface Indexing {
  readonly done: number;
  readonly total: number;
  /** True while nothing goes on, because the database cannot be written or the recordings are away; else left out. */
  readonly stopped?: true;
}

/** For each millisecond of work so many of rest. */
const REST = 0.3;
/** Work that is done in one go: small libraries need no rest. */
const WITHOUT_REST_MS = 50;
/** While a run goes on, nothing is read. */
const BUSY_MS = 500;
/** Files are asked whether they changed after so long, and after so many times as long as asking took. */
const CHECK_MS = 5000;
const CHECK_REST = 30;
/** Longer files are of no clip. They would keep others waiting, so the rest of them is left out. */
const MOST_BYTES = { gps: 512 * 1024, gsensor: 192 * 1024 };
const MOST_FIXES = 3000;
/** A disk that refused what was read may have room again after a while. */
const FAILED_MS = 60_000;
/** An answer waits so long for what is nearly done. */
const PATIENCE_MS = 30;

/** Looks through the library in the background, newest trips first, and keeps what it finds in the database. */
export class PlacesFiller {
  readonly #parts: PlacesFillerParts;
  readonly #ending = new AbortController();
  #filling: Promise<void> | null = null;
  #isAskedAgain = false;
  /** The library as it was when it was looked through to the end. */
  #current: { readonly days: SegmentDays; readonly rules: string; readonly generation: number } | null = null;
  #progress: Indexing = { done: 0, total: 0 };
  #isStopped = false;
  #checkAt = 0;
  /** After a failure it is not tried again before then. */
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(parts: PlacesFillerParts) {
    this.#parts = parts;
  }

  /** Looks through what is not known yet. Never rejects. */
  start(): void {
    if (this.#ending.signal.aborted || this.#parts.clock.elapsed() < this.#notBefore) return;
    this.#isAskedAgain = this.#filling !== null;
    this.#filling ??= this.#run().finally(() => {
      this.#filling = null;
      if (this.#isAskedAgain) this.start();
    });
  }

  /** Looks whether something changed, and waits a moment for what that needs. Resolves with what is still to be done. */
  async ask(): Promise<Indexing | null> {
    const { clock, segments, isBusy } = this.#parts;
    const days = await segments.inDays();
    if (!this.#isCurrent(days) || clock.elapsed() >= this.#checkAt) {
      this.start();
      const patience = new AbortController();
      if (!isBusy()) await Promise.race([this.#filling, clock.sleep(PATIENCE_MS, patience.signal).catch(() => {})]);
      patience.abort();
    }
    if (this.#isCurrent(await segments.inDays())) return null;
    const { done, total } = this.#progress;
    const all = days.counts.reduce((sum, { count }) => sum + count, 0);
    const most = Math.max(total, all);
    // Before the first sync there is no folder yet, and nothing to be read.
    if (this.#isStopped && most === 0) return null;
    return { done, total: most, ...(this.#isStopped && { stopped: true }) };
  }

  /** Resolves when nothing is left to be looked through, or it was ended. */
  async done(): Promise<void> {
    while (this.#filling) await this.#filling;
  }

  async close(): Promise<void> {
    this.#isAskedAgain = false;
    this.#ending.abort();
    await this.done();
  }

  #isCurrent(days: SegmentDays): boolean {
    const { database, rules } = this.#parts;
    const known = this.#current;
    return known?.days === days && known.rules === rulesText(rules()) && known.generation === database.generation;
  }

  async #run(): Promise<void> {
    try {
      await this.#fill();
      this.#parts.ended?.();
    } catch (error) {
      this.#isStopped = true;
      this.#notBefore = this.#parts.clock.elapsed() + FAILED_MS;
      if (!this.#ending.signal.aborted)
        this.#parts.log.warning("places", `Places were not looked through: ${messageOf(error)}`);
    }
  }

  async #fill(): Promise<void> {
    const { database, library, segments, isHere, clock } = this.#parts;
    const pace = new Pace(this.#parts, this.#ending.signal);
    if (!library.available) await segments.inDays();
    // A folder that is away holds what it held.
    const isAway = !library.available || !(await isHere());
    this.#isStopped ||= isAway;
    if (isAway) return;
    await pace.whileBusy();
    await inTurns(database.tidy());
    const rules = this.#parts.rules();
    const fingerprint = await fingerprintOf(library, rules);
    const days = await segments.inDays();
    const known = new Map(database.known().map((trip) => [trip.first, trip]));
    const { generation } = database;
    const trips = await tripsOfLibrary(days, rules);
    const firsts = new Set(trips.map(({ clips }) => clips[0]?.key));
    for (const { id, first } of known.values()) if (!firsts.has(first)) await inTurns(database.remove(id));
    const total = trips.reduce((sum, { clips }) => sum + clips.length, 0);
    this.#progress = { done: 0, total };
    const began = clock.elapsed();
    const checks = began >= this.#checkAt;
    for (const trip of trips.toReversed()) {
      await this.#look(trip, rules, known.get(trip.clips[0]?.key ?? "") ?? null, { checks, pace });
      this.#progress = { done: this.#progress.done + trip.clips.length, total };
    }
    await this.#calibrate(trips, rules, pace);
    if (generation !== database.generation) return;
    if (checks) this.#checkAt = clock.elapsed() + Math.max(CHECK_MS, (clock.elapsed() - began) * CHECK_REST);
    database.fingerprint = fingerprint;
    this.#isStopped = false;
    this.#current = { days, rules: rulesText(rules), generation };
  }

  async #look(
    trip: Trip<Segment>,
    rules: PlaceRules,
    known: KnownTrip | null,
    { checks, pace }: { readonly checks: boolean; readonly pace: Pace },
  ): Promise<void> {
    const { telemetry } = this.#parts;
    const signature = signatureOf(trip, rules);
    if (known?.signature === signature && !checks) {
      await pace.step();
      return;
    }
    const stamps: TelemetryStamp[] = [];
    for (const clip of trip.clips) {
      stamps.push(...(await telemetry.stamps([clip])));
      await pace.step();
    }
    const told = Bun.hash(stamps.map(({ gps, gsensor }) => `${gps?.version} ${gsensor?.version}`).join("\n")).toString(
      36,
    );
    if (known?.signature === signature && known.stamps === told) return;
    await this.#read(stamps, rules, { signature, stamps: told, replaced: known?.id ?? null, pace });
  }

  async #read(
    stamps: readonly TelemetryStamp[],
    rules: PlaceRules,
    row: {
      readonly signature: string;
      readonly stamps: string;
      readonly replaced: number | null;
      readonly pace: Pace;
    },
  ): Promise<void> {
    const { database, telemetry } = this.#parts;
    const { pace, replaced, ...told } = row;
    const clips: ReadClip[] = [];
    for (const stamp of stamps) {
      const { gps, gsensor } = await telemetry.bytes(stamp, MOST_BYTES);
      const fixes = gps && (await pace.through(gpsSteps(gps)));
      await pace.step();
      const track = fixes && trackOf(thinned(fixes.points));
      await pace.step();
      const samples = gsensor && readGsensor(gsensor);
      const force = samples && forceOf(samples);
      clips.push({ key: stamp.segment.key, track, utc: fixes?.startUtc ?? null, force });
      await pace.step();
    }
    const mountingsNear = (begin: number) => database.mountingsNear(begin);
    const placed = await pace.through(placedTripSteps(clips, { ...rules, mountingsNear }));
    if (!(await pace.through(database.put({ ...placed, ...told }, replaced))))
      throw new Error("places.db cannot be written");
    this.#isStopped = false;
  }

  /** Trips that did not tell how the camera is mounted take it from those around them, which were read meanwhile. */
  async #calibrate(trips: readonly Trip<Segment>[], rules: PlaceRules, pace: Pace): Promise<void> {
    const { database, telemetry } = this.#parts;
    const open = database.known().filter(({ isUncalibrated }) => isUncalibrated);
    if (open.length === 0) return;
    const byFirst = new Map(trips.map((trip) => [trip.clips[0]?.key, trip]));
    for (const { first, signature, stamps: told, id, begin, up } of open) {
      const trip = byFirst.get(first);
      await pace.step();
      if (trip === undefined || mountedAs(directionIn(up ?? ""), database.mountingsNear(begin)) === null) continue;
      const stamps = await telemetry.stamps(trip.clips);
      await this.#read(stamps, rules, { signature, stamps: told, replaced: id, pace });
    }
  }
}

/** Gives way to everything else after each step, and rests when it has worked for a while. */
class Pace {
  readonly #parts: Pick<PlacesFillerParts, "clock" | "isBusy">;
  readonly #signal: AbortSignal;
  #worked = 0;
  #unrested = 0;
  #began: number;

  constructor(parts: Pick<PlacesFillerParts, "clock" | "isBusy">, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
    this.#began = parts.clock.elapsed();
  }

  /** @throws when it is ended */
  async step(): Promise<void> {
    const { clock } = this.#parts;
    this.#signal.throwIfAborted();
    const took = clock.elapsed() - this.#began;
    // The clock is asked with each step, and others run only after some milliseconds.
    if (took < STEP_MS) return;
    this.#worked += took;
    this.#unrested += took;
    await nextTurn();
    await this.whileBusy();
    if (this.#worked > WITHOUT_REST_MS && this.#unrested * REST > 1) {
      await clock.sleep(this.#unrested * REST, this.#signal);
      this.#unrested = 0;
    }
    this.#began = clock.elapsed();
  }

  /** Does one step after the other, and gives way between them. @throws when it is ended */
  async through<T>(steps: Generator<void, T>): Promise<T> {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      await this.step();
    }
  }

  /** Resolves when no run goes on. @throws when it is ended */
  async whileBusy(): Promise<void> {
    const { clock, isBusy } = this.#parts;
    while (isBusy()) await clock.sleep(BUSY_MS, this.#signal);
  }
}

/** At most so many fixes, spread evenly: what a receiver writes more often than a few times a second tells no more. */
function thinned(points: readonly GpsPoint[]): readonly GpsPoint[] {
  const every = Math.ceil(points.length / MOST_FIXES);
  return every <= 1 ? points : points.filter((_, at) => at % every === 0);
}

/** Work of so many milliseconds is done before others may run. */
const STEP_MS = 4;
