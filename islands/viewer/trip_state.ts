import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { JourneyClock } from "../../server/domain/viewer/journey_clock.ts";
import { TripTelemetry } from "../../server/domain/viewer/trip_telemetry.ts";
import { TrueClock, toldError } from "../../server/domain/viewer/true_clock.ts";
import { keyOf, type Shown } from "../../server/domain/viewer/viewer_address.ts";
import type { Telemetry, Trip } from "../../server/domain/viewer/viewer_schema.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import type { Browsing } from "./browsing.ts";
import { isSame } from "./list/recording_list.ts";
import type { SyncedPlayers } from "./player/synced_players.ts";

interface Parts {
  /** `viewer.journey_mode` */
  readonly mode: "progressive" | "full";
  /** The clip that the page was opened with, and by how much the clock was ahead in its trip. */
  readonly shown: Shown;
  readonly clockOffset: number | null;
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
  /** Seconds by which the camera's clock was ahead of the satellites, when that is worth telling. */
  readonly clockError: ReadonlySignal<number | null> = computed(() => toldError(this.#clockOffset()));
  /** Times by the satellites are shown, in place of those of the camera's clock. */
  readonly showsGpsTime: Signal<boolean> = signal(false);
  /** Seconds that are taken off times as they are shown. */
  readonly shift: ReadonlySignal<number> = computed(() => (this.showsGpsTime.value ? (this.clockError.value ?? 0) : 0));
  /** The clock whose times are shown. */
  readonly shownClock: ReadonlySignal<JourneyClock | null> = computed(() => {
    const segments = this.trip.value?.segments;
    const { value: shift } = this.shift;
    if (!segments || shift === 0) return this.clock.value;
    return new TrueClock(
      segments.map((one) => ({ ...one, key: keyOf(one) })),
      shift,
    );
  });
  /** Seconds on the trip's clock at what is seen; null while the trip is not known. */
  readonly time: ReadonlySignal<number | null>;
  /** The keys of the movements around the parked car that what is on show is one of; null on a drive. */
  readonly movements: ReadonlySignal<readonly string[] | null>;
  /** Telemetry of this trip; null until it is there. */
  readonly telemetry: ReadonlySignal<Telemetry | null>;
  /** The same on the trip's clock, for readings. */
  readonly figures: ReadonlySignal<TripTelemetry | null>;
  /** Part that the map and the curves draw: all, or with `progressive` the part that has been reached so far. */
  readonly drawn: ReadonlySignal<TripTelemetry | null>;
  /** Why the telemetry did not come, as a sentence; it is asked for again with the page's refresh. */
  readonly telemetryProblem: Signal<string | null> = signal(null);
  /** Marked range, within this trip only. */
  readonly range: Signal<TripRange | null> = signal(null);
  readonly #parts: Parts;
  readonly #telemetry: Signal<{ readonly of: Trip; readonly read: Telemetry } | null> = signal(null);
  /** The key of the latest clip of this trip that was on show. */
  readonly #reached: Signal<string | null> = signal(null);
  #asked: string | null = null;
  /** The trip whose telemetry was asked for last. */
  #told: Trip | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { browsing, players } = parts;
    this.time = computed(() => {
      const { key } = browsing;
      return key === null ? null : (this.clock.value?.timeOf(key, players.time.value) ?? null);
    });
    this.movements = computed(() => {
      const { key, list } = browsing;
      if (key === null) return null;
      const { value: known } = this.trip;
      // The list knows it sooner.
      const { kind, clips } =
        this.#has(key) && known ? { kind: known.kind, clips: known.segments.map(keyOf) } : (list.tripOf(key) ?? {});
      return kind === "parked" ? (clips ?? null) : null;
    });
    this.telemetry = computed(() => {
      const found = this.#telemetry.value;
      return found && beginningOf(found.of) === beginningOf(this.trip.value) ? found.read : null;
    });
    this.figures = computed(() => this.#figuresOf(this.telemetry.value));
    this.drawn = computed(() => {
      const read = this.telemetry.value;
      const { value: reached } = this.#reached;
      if (parts.mode === "full" || read === null) return this.figures.value;
      const last = read.segments.findIndex(({ key }) => key === reached);
      return this.#figuresOf({ ...read, segments: read.segments.slice(0, last + 1) });
    });
  }

  /** Keeps the trip that of the clip on show. @returns what ends it */
  follow(): () => void {
    const { browsing } = this.#parts;
    const trip = effect(() => {
      const { key } = browsing;
      if (key !== null && !this.#has(key) && this.#asked !== key) void this.#load(key);
    });
    let before: string | null = null;
    const telemetry = effect(() => {
      const now = this.trip.value;
      if (now === null) return;
      const beginning = beginningOf(now);
      if (before !== null && beginning !== before) this.range.value = null;
      before = beginning;
      // Places in the queue and marks change again and again, and say nothing of the way.
      if (this.#told === null || !isSame(wayParts(now), wayParts(this.#told))) void this.#loadTelemetry(now);
    });
    const reached = effect(() => {
      const { key } = browsing;
      const offset = key === null ? null : this.clock.value?.offsetOf(key);
      const before = this.clock.value?.offsetOf(this.#reached.peek() ?? "");
      if (typeof offset === "number" && offset > (before ?? -1)) this.#reached.value = key;
    });
    return () => {
      for (const end of [trip, telemetry, reached]) end();
    };
  }

  /** Looks for clips that came and went since. */
  async refresh(): Promise<void> {
    const { key } = this.#parts.browsing;
    if (key !== null) await this.#load(key);
    const { value: trip } = this.trip;
    if (trip !== null && this.telemetryProblem.value !== null) await this.#loadTelemetry(trip);
  }

  /** The trip of a clip: as it is known, else as the service tells it. @throws Refusal */
  async tripOf(key: string): Promise<Trip> {
    const known = this.trip.peek();
    return known !== null && this.#has(key) ? known : await this.readTrip(key);
  }

  /** The trip of a clip as it is now. @throws Refusal */
  async readTrip(key: string): Promise<Trip> {
    const read = await send<Trip>(`GET /api/viewer/trips/${encodeURIComponent(key)}`);
    // The trip on show is renewed as well.
    if (this.#has(key) && !isSame(read, this.trip.peek())) this.trip.value = read;
    return read;
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
    const segment = this.trip.value?.segments[to.index];
    if (segment && keyOf(segment) === to.key) {
      const { offset_seconds: _, ...recording } = segment;
      browsing.showKnown(recording, { start: to.seconds, step: "replace" });
    } else await browsing.show(to.key, { start: to.seconds, step: "replace" });
  }

  /** As soon as the list or the page knows it, so that nothing moves when the trip comes. */
  #clockOffset(): number | null | undefined {
    const { browsing, shown, clockOffset } = this.#parts;
    const { key } = browsing;
    if (key === null) return null;
    if (this.#has(key)) return this.trip.value?.clock_offset_seconds;
    const isFirst = shown.kind === "recording" && keyOf(shown.recording) === key;
    return browsing.list.tripOf(key)?.clock_offset_seconds ?? (isFirst ? clockOffset : null);
  }

  #figuresOf(telemetry: Telemetry | null): TripTelemetry | null {
    const { value: clock } = this.clock;
    return telemetry && clock ? new TripTelemetry(telemetry, clock) : null;
  }

  #has(key: string): boolean {
    return this.trip.value?.segments.some((one) => keyOf(one) === key) ?? false;
  }

  async #load(key: string): Promise<void> {
    this.#asked = key;
    const trip = await this.readTrip(key).catch(() => null);
    // Meanwhile a clip of another trip may have been chosen, and its answer be there.
    if (this.#asked !== key) return;
    if (trip !== null && !isSame(trip, this.trip.value)) this.trip.value = trip;
  }

  async #loadTelemetry(of: Trip): Promise<void> {
    const key = beginningOf(of);
    if (key === null) return;
    this.#told = of;
    try {
      const read = await send<Telemetry>(`GET /api/viewer/trips/${encodeURIComponent(key)}/telemetry`);
      // Meanwhile another trip may be on show, and its answer be there.
      if (this.#told !== of) return;
      this.#telemetry.value = { of, read };
      this.telemetryProblem.value = null;
    } catch (error) {
      if (this.#told === of) this.telemetryProblem.value = sentenceOfError(error);
    }
  }
}

/** Parts of a trip that decide which telemetry it has. */
function wayParts({ segments }: Trip): unknown {
  return segments.map(({ coming: _, kept: __, ...segment }) => segment);
}

/** The key of a trip's first clip, which tells trips apart. */
function beginningOf(trip: Trip | null): string | null {
  const first = trip?.segments[0];
  return first ? keyOf(first) : null;
}
