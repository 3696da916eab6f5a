import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Telemetry, Trip } from "../../server/domain/api/viewer_schema.ts";
import { JourneyClock } from "../../server/domain/viewer/journey_clock.ts";
import { keyOf } from "../../server/domain/viewer/viewer_address.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import type { Browsing } from "./browsing.ts";
import { isSame } from "./list/recording_list.ts";
import type { SyncedPlayers } from "./player/synced_players.ts";

interface Parts {
  readonly browsing: Browsing;
  readonly players: SyncedPlayers;
}

/** A part of the trip that was marked, in seconds on its clock; `from` is less than `to`. */
export interface TripRange {
  readonly from: number;
  readonly to: number;
}

/** The trip that what is on show belongs to, and its clock: everything beside the pictures reads and sets its time. */
export class TripState {
  /** Null until it is known. */
  readonly trip: Signal<Trip | null> = signal(null);
  readonly clock: ReadonlySignal<JourneyClock | null> = computed(() => {
    const segments = this.trip.value?.segments;
    return segments ? new JourneyClock(segments.map((one) => ({ ...one, key: keyOf(one) }))) : null;
  });
  /** Seconds on the trip's clock at what is seen; null while the trip is not known. */
  readonly time: ReadonlySignal<number | null>;
  /** Of this trip; null until it is there. */
  readonly telemetry: ReadonlySignal<Telemetry | null>;
  /** Why the telemetry did not come, as a sentence; it is asked for again with the page's refresh. */
  readonly telemetryProblem: Signal<string | null> = signal(null);
  /** What is marked; of this trip only. */
  readonly range: Signal<TripRange | null> = signal(null);
  readonly #parts: Parts;
  readonly #telemetry: Signal<{ readonly of: Trip; readonly read: Telemetry } | null> = signal(null);
  #asked: string | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { browsing, players } = parts;
    this.time = computed(() => {
      const { key } = browsing;
      return key === null ? null : (this.clock.value?.timeOf(key, players.time.value) ?? null);
    });
    this.telemetry = computed(() => {
      const found = this.#telemetry.value;
      return found && beginningOf(found.of) === beginningOf(this.trip.value) ? found.read : null;
    });
  }

  /** Keeps the trip that of the clip on show. @returns what ends it */
  follow(): () => void {
    const trip = effect(() => {
      const { key } = this.#parts.browsing;
      if (key !== null && !this.#has(key) && this.#asked !== key) void this.#load(key);
    });
    let before: string | null = null;
    const telemetry = effect(() => {
      const now = this.trip.value;
      if (now === null) return;
      const beginning = beginningOf(now);
      if (before !== null && beginning !== before) this.range.value = null;
      before = beginning;
      void this.#loadTelemetry(now);
    });
    return () => {
      trip();
      telemetry();
    };
  }

  /** Looks for clips that came and went since. */
  async refresh(): Promise<void> {
    const { key } = this.#parts.browsing;
    if (key !== null) await this.#load(key);
    const { value: trip } = this.trip;
    if (trip !== null && this.telemetryProblem.value !== null) await this.#loadTelemetry(trip);
  }

  /** Goes to a time on the trip's clock, in whichever clip that is; what plays goes on playing. */
  async seek(time: number): Promise<void> {
    const { browsing, players } = this.#parts;
    const clock = this.clock.value;
    const to = clock?.at(Math.max(0, Math.min(time, clock.length)));
    if (!to) return;
    if (to.key === browsing.key) {
      players.seek(to.seconds);
      return;
    }
    const wasPlaying = players.isPlaying.value;
    if (await browsing.show(to.key, { start: to.seconds, step: "replace" })) players.isPlaying.value = wasPlaying;
  }

  #has(key: string): boolean {
    return this.trip.value?.segments.some((one) => keyOf(one) === key) ?? false;
  }

  async #load(key: string): Promise<void> {
    this.#asked = key;
    const trip = await send<Trip>(`GET /api/viewer/trips/${encodeURIComponent(key)}`).catch(() => null);
    // Meanwhile a clip of another trip may have been chosen, and its answer be there.
    if (this.#asked !== key) return;
    if (trip !== null && !isSame(trip, this.trip.value)) this.trip.value = trip;
  }

  async #loadTelemetry(of: Trip): Promise<void> {
    const key = beginningOf(of);
    if (key === null) return;
    try {
      const read = await send<Telemetry>(`GET /api/viewer/trips/${encodeURIComponent(key)}/telemetry`);
      // Meanwhile another trip may be on show, and its answer be there.
      if (this.trip.value !== of) return;
      this.#telemetry.value = { of, read };
      this.telemetryProblem.value = null;
    } catch (error) {
      if (this.trip.value === of) this.telemetryProblem.value = sentenceOfError(error);
    }
  }
}

/** The key of a trip's first clip, which tells trips apart. */
function beginningOf(trip: Trip | null): string | null {
  const first = trip?.segments[0];
  return first ? keyOf(first) : null;
}
