import type { Clock } from "../../clock.ts";
import type { Town, TownTable } from "../../domain/places/town_table.ts";
import { onEarth, STEPS_PER_DEGREE } from "../../domain/places/trip_line.ts";
import { metersBetween, type Place } from "../../domain/viewer/fix_steps.ts";
import { fixesFromBytes } from "../../store/config/line_bytes.ts";
import type { PlacesDatabase } from "../../store/config/places_database.ts";
import { nextTurn } from "../../turns.ts";

/** A town that the car has been to. */
export interface VisitedTown extends Town {
  readonly trips: number;
  /** The key with which the latest of them begins. */
  readonly last: string;
}

interface Parts {
  readonly database: Pick<PlacesDatabase, "trips" | "lines" | "generation">;
  readonly clock: Clock;
}

/** Along a line towns are looked for after so many metres. */
const STEP_METERS = 2000;
/** Lines are read as a map shows them that has a whole region on it. */
const FAR_ZOOM = 9;
/** Trips whose lines are read at once. */
const CHUNK = 50;
/** Work that is done in one go. */
const SLICE_MS = 5;
/** A search waits so long for what is not known yet. */
const PATIENCE_MS = 15;

/** Finds the towns along all trips, once for each trip, and remembers them. */
export class VisitedTowns {
  readonly #parts: Parts;
  /** Numbers of towns, by the trip. */
  readonly #byTrip = new Map<number, readonly number[]>();
  #generation = -1;
  #filling: Promise<void> | null = null;
  #all: readonly VisitedTown[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The towns as far as they are known within a moment; the rest is looked for in the background. */
  async all(towns: TownTable): Promise<readonly VisitedTown[]> {
    this.#filling ??= this.#fill(towns).finally(() => {
      this.#filling = null;
    });
    const patience = new AbortController();
    await Promise.race([this.#filling, this.#parts.clock.sleep(PATIENCE_MS, patience.signal).catch(() => {})]);
    patience.abort();
    return this.#all;
  }

  async #fill(towns: TownTable): Promise<void> {
    const { database, clock } = this.#parts;
    if (this.#generation !== database.generation) this.#byTrip.clear();
    this.#generation = database.generation;
    const trips = database.trips().filter(({ counts }) => counts.length > 0);
    const here = new Set(trips.map(({ id }) => id));
    let isChanged = false;
    for (const id of this.#byTrip.keys()) if (!here.has(id)) isChanged = this.#byTrip.delete(id) || isChanged;
    let began = clock.elapsed();
    const fresh = trips.flatMap(({ id }) => (this.#byTrip.has(id) ? [] : [id]));
    for (let from = 0; from < fresh.length; from += CHUNK) {
      const some = fresh.slice(from, from + CHUNK);
      const lines = database.lines(some, FAR_ZOOM);
      for (const id of some) {
        const line = lines.get(id);
        // It could not be read just now, and is tried again with the next search.
        if (line === undefined) continue;
        this.#byTrip.set(id, townsAlong(line.flatMap(placesOf), towns));
        isChanged = true;
        if (clock.elapsed() - began < SLICE_MS) continue;
        await nextTurn();
        began = clock.elapsed();
      }
    }
    if (!isChanged) return;
    const found = new Map<number, { trips: number; last: string }>();
    // Those that ended last come first.
    for (const { id, first } of trips)
      for (const number of this.#byTrip.get(id) ?? []) {
        const known = found.get(number);
        if (known) known.trips++;
        else found.set(number, { trips: 1, last: first });
      }
    this.#all = [...found]
      .map(([number, about]) => ({ ...towns.town(number), ...about }))
      .sort((one, other) => other.trips - one.trips);
  }
}

/** Numbers of the towns along a line, each once. */
function townsAlong(places: readonly Place[], towns: TownTable): readonly number[] {
  const found = new Set<number>();
  let before: Place | null = null;
  for (const place of places) {
    const meters = before === null ? 0 : metersBetween(before, place);
    if (before !== null && meters < STEP_METERS && place !== places.at(-1)) continue;
    // Between two fixes that are far apart the way is straight.
    const steps = before === null ? 1 : Math.min(1000, Math.max(1, Math.ceil(meters / STEP_METERS)));
    const from = before ?? place;
    for (let step = 1; step <= steps; step++) {
      const share = step / steps;
      const turn = place.lon - from.lon;
      const lon = onEarth(from.lon + (Math.abs(turn) > 180 ? turn - Math.sign(turn) * 360 : turn) * share);
      const number = towns.numberAt({ lat: from.lat + (place.lat - from.lat) * share, lon });
      if (number !== null) found.add(number);
    }
    before = place;
  }
  return [...found];
}

function placesOf(bytes: Uint8Array): readonly Place[] {
  try {
    const { lat, lon } = fixesFromBytes(bytes);
    return Array.from(lat, (steps, at) => {
      return { lat: steps / STEPS_PER_DEGREE, lon: onEarth((lon[at] ?? 0) / STEPS_PER_DEGREE) };
    });
  } catch {
    // The database is looked after elsewhere; a line that cannot be read leads nowhere.
    return [];
  }
}
