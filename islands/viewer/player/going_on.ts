import { effect, type Signal, signal } from "@preact/signals";
import { secondsOf } from "../../../server/domain/recordings/recording_name.ts";
import { formatSeconds } from "../../../server/domain/text/format.ts";
import { isHere } from "../../../server/domain/viewer/coming_text.ts";
import { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import { type NextOfTrip, nextOfTrip, skippedInWords } from "../../../server/domain/viewer/trip_play.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { Trip, ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { sentenceOfError } from "../../browser/client.ts";
import type { Browsing } from "../browsing.ts";
import type { Keeping } from "../keeping.ts";
import type { TripState } from "../trip_state.ts";
import type { Repeat } from "./repeat.ts";
import type { SyncedPlayers } from "./synced_players.ts";

/** Milliseconds that a note about a skipped part stands over the picture. */
const NOTE_MS = 2000;
/** Seconds that the last picture of a movement stands before the next one plays. */
const COUNTED_SECONDS = 5;

interface Parts {
  readonly browsing: Browsing;
  readonly players: SyncedPlayers;
  readonly trip: TripState;
  readonly repeat: Repeat;
  readonly keeping: Keeping;
  /** `viewer.continuous_play`: the next trip follows by itself. */
  readonly isContinuous: boolean;
}

/** Clip that plays when the one on show is over. */
export interface Upcoming extends NextOfTrip {
  /** It waits for a countdown that can be stopped: the next movement around the parked car. */
  readonly isCounted: boolean;
  /** Note over the picture when it begins; null for none. */
  readonly note: string | null;
}

/** A movement that is about to play. */
export interface Countdown {
  readonly next: Upcoming;
  /** Whole seconds that are left, of so many. */
  readonly left: number;
  readonly of: number;
}

/** Goes on when a clip is over: through its whole trip, over the times between, and where it is wanted into the next one. */
export class GoingOn {
  /** Clip that is ready to follow the one on show; null until it is known. */
  readonly ready: Signal<Upcoming | null> = signal(null);
  readonly countdown: Signal<Countdown | null> = signal(null);
  /** Note about the part that was skipped just now. */
  readonly note: Signal<string | null> = signal(null);
  readonly #parts: Parts;
  /** The clip that the countdown stands on. */
  #counted: string | null = null;
  #tick: ReturnType<typeof setInterval> | undefined;
  #noteEnds: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Ends a countdown where something else is chosen or played. @returns what ends it */
  follow(): () => void {
    const { browsing, players } = this.#parts;
    players.stopWaiting = () => this.stop();
    const end = effect(() => {
      const { key } = browsing;
      const isElsewhere = players.isPlaying.value || players.time.value < players.length.value - 1;
      const { value: countdown } = this.countdown;
      if (countdown !== null && (isElsewhere || key !== this.#counted)) this.stop();
    });
    return () => {
      end();
      this.stop();
      clearTimeout(this.#noteEnds);
      players.stopWaiting = () => false;
    };
  }

  /** Clip that follows another; null at the end. @throws Refusal */
  async following(key: string): Promise<Upcoming | null> {
    const { trip, isContinuous } = this.#parts;
    // Clips may have come home since it was read.
    const known = await trip.tripOf(key);
    const next = this.#nextIn(known, key) ?? this.#nextIn(await trip.readTrip(key), key);
    if (next) return next;
    const { kind, later } = await trip.tripOf(key);
    if (later === null || (kind === "drive" && !isContinuous)) return null;
    const after = await trip.readTrip(later);
    const recording = withoutOffset(after.segments.find(isHere));
    // Two stays in a row are one: the car was not driven, and only midnight lies between.
    const isSameStay = kind === "parked" && after.kind === "parked";
    if (recording === null || !(isContinuous || isSameStay)) return null;
    const seconds = Math.max(0, secondsOf(keyOf(recording)) - endOf(known));
    const skipped = { seconds, waiting: 0, wasDriven: false };
    const note = isSameStay ? null : `Next trip, ${formatSeconds(seconds)} later`;
    return { recording, start: 0, skipped, isCounted: isSameStay, note };
  }

  /** The clip on show is over: plays on, counts down, or says that the trip ends here. */
  async goOn(): Promise<void> {
    const { browsing, players, repeat, keeping } = this.#parts;
    if (repeat.takesOver()) return;
    const { key: ended } = browsing;
    // The note being written belongs to this recording, and would be lost.
    if (ended === null || keeping.writing.value === ended) return;
    try {
      const next = this.ready.value ?? (await this.following(ended));
      if (browsing.key !== ended) return;
      if (next?.isCounted) this.#count(next);
      else if (next) this.#play(next);
      else {
        const end = await this.#endOf(ended);
        if (browsing.key === ended && !players.isPlaying.value) browsing.journeyEnd.value = end;
      }
    } catch (error) {
      if (browsing.key === ended)
        browsing.problem.value = { words: sentenceOfError(error), again: () => void this.goOn() };
    }
  }

  /** Plays what is counted down to at once. */
  playNow(): void {
    const { value } = this.countdown;
    if (value) this.#play(value.next);
  }

  /** The countdown ends, and the last picture stays. @returns whether there was one */
  stop(): boolean {
    const wasCounting = this.countdown.peek() !== null;
    clearInterval(this.#tick);
    this.countdown.value = null;
    return wasCounting;
  }

  #nextIn(trip: Trip, key: string): Upcoming | null {
    const { figures, trip: shown } = this.#parts.trip;
    const track = shown.peek() === trip ? (figures.peek()?.track ?? null) : null;
    const next = nextOfTrip(trip, clockOf(trip), key, track);
    if (next === null) return null;
    const isCounted = trip.kind === "parked" && next.skipped.seconds > 0;
    return { ...next, isCounted, note: isCounted ? null : skippedInWords(next.skipped) };
  }

  #count(next: Upcoming): void {
    this.stop();
    this.#counted = this.#parts.browsing.key;
    this.countdown.value = { next, left: COUNTED_SECONDS, of: COUNTED_SECONDS };
    this.#tick = setInterval(() => {
      const left = (this.countdown.peek()?.left ?? 0) - 1;
      if (left > 0) this.countdown.value = { next, left, of: COUNTED_SECONDS };
      else this.#play(next);
    }, 1000);
  }

  #play({ recording, start, note }: Upcoming): void {
    const { browsing, players } = this.#parts;
    this.stop();
    players.isPlaying.value = true;
    browsing.showKnown(recording, { start, step: "replace" });
    clearTimeout(this.#noteEnds);
    this.note.value = note;
    this.#noteEnds = setTimeout(() => {
      this.note.value = null;
    }, NOTE_MS);
  }

  /** Clip behind the end: one that is still on the camera, or the first of the next trip. */
  async #endOf(key: string): Promise<{ readonly next: ViewerRecording | null }> {
    const { trip } = this.#parts;
    const { segments, later } = await trip.tripOf(key);
    const at = segments.findIndex((one) => keyOf(one) === key);
    const beyond = segments[at + 1] ?? (later === null ? undefined : (await trip.readTrip(later)).segments[0]);
    return { next: withoutOffset(beyond) };
  }
}

function clockOf({ segments }: Trip): JourneyClock {
  return new JourneyClock(segments.map((one) => ({ ...one, key: keyOf(one) })));
}

/** The camera's own clock at a trip's end. */
function endOf(trip: Trip): number {
  const clock = clockOf(trip);
  return clock.wallAt(clock.length);
}

function withoutOffset(segment: Trip["segments"][number] | undefined): ViewerRecording | null {
  if (segment === undefined) return null;
  const { offset_seconds: _, ...recording } = segment;
  return recording;
}
