import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { momentAt, type TimedMoment, timeBeside } from "../../../server/domain/places/moment_text.ts";
import type { Moments, ToldMoment } from "../../../server/domain/places/places_schema.ts";
import { isEvent } from "../../../server/domain/retention/keep_times.ts";
import { landingOf } from "../../../server/domain/viewer/event_moment.ts";
import { dayOfKey, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import { send } from "../../browser/client.ts";
import { refreshWhileVisible, type Timers } from "../../browser/refresh_while_visible.ts";
import { followLibrary } from "../library_changes.ts";
import type { TripState } from "../trip_state.ts";

/** More than this happens in no trip. */
const MOST = 1000;
/** While recordings are still being read the moments are asked for again after this time. */
const AGAIN_MS = 4000;

/** The place of a moment in the list that it was chosen from. */
export interface ListedAt {
  readonly moment: ToldMoment;
  /** From 1 on. */
  readonly place: number;
  readonly total: number;
}

/** Moments of the trip on show, and the one that is seen. */
export class TripMoments {
  /** By time; empty until they are known. */
  readonly all: ReadonlySignal<readonly TimedMoment[]>;
  /** The moment at the picture that is seen; null for none. */
  readonly seen: ReadonlySignal<ToldMoment | null>;
  /** Set when one was chosen from the list of moments. */
  readonly listed: Signal<ListedAt | null> = signal(null);
  readonly #trip: Pick<TripState, "trip" | "clock" | "time">;
  readonly #ask: (query: string) => Promise<Moments>;
  readonly #told: Signal<readonly ToldMoment[]> = signal([]);
  #asked = "";
  /** True until an answer came that all recordings are read. */
  #isOpen = false;

  constructor(
    trip: Pick<TripState, "trip" | "clock" | "time">,
    ask = (query: string) => send<Moments>(`GET /api/viewer/moments?${query}`),
  ) {
    this.#trip = trip;
    this.#ask = ask;
    this.all = computed(() => {
      const { value: clock } = trip.clock;
      const timed = this.#told.value.flatMap((moment) => {
        const time = clock?.timeOf(moment.key, moment.seconds) ?? null;
        return time === null ? [] : [{ time, moment }];
      });
      return timed.sort((one, other) => one.time - other.time);
    });
    this.seen = computed(() => {
      const { value: time } = trip.time;
      return time === null ? null : (momentAt(this.all.value, time)?.moment ?? null);
    });
  }

  /**
   * Keeps the moments those of the trip on show, also while recordings are still being read and when others come home.
   * @returns what ends it
   */
  follow(page: Document, timers?: Timers): () => void {
    const asking = refreshWhileVisible({
      page,
      ...(timers && { timers }),
      everyMs: () => (this.#isOpen ? AGAIN_MS : null),
      ask: () => this.#read(this.#asked),
      show: (moments) => {
        this.#told.value = moments;
      },
    });
    const ask = () => {
      this.#isOpen = this.#asked !== "";
      if (this.#isOpen) void asking.refresh();
    };
    const ends = [
      effect(() => {
        const clips = this.#trip.trip.value?.segments.filter((clip) => clip.has_3gf) ?? [];
        const asked = clips.map(keyOf).join(" ");
        if (asked === this.#asked) return;
        this.#asked = asked;
        ask();
      }),
      followLibrary(page, ask),
      asking.stop,
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  /**
   * The time of the next stop of the trip (1) or the one before (-1): a moment, or an event of the camera in which none
   * was felt. Null past the last one, and for a trip without moments.
   */
  beside(by: 1 | -1): number | null {
    const { value: time } = this.#trip.time;
    const clock = this.#trip.clock.peek();
    const moments = this.all.peek();
    if (time === null || clock === null || moments.length === 0) return null;
    const felt = new Set(moments.map(({ moment }) => moment.key));
    const events = (this.#trip.trip.peek()?.segments ?? []).flatMap((clip) =>
      isEvent(clip.type) && !felt.has(keyOf(clip)) ? (clock.timeOf(keyOf(clip), landingOf(clip)) ?? []) : [],
    );
    const stops = [...moments.map((one) => one.time), ...events].sort((one, other) => one - other);
    return timeBeside(stops, time, by) ?? null;
  }

  async #read(asked: string): Promise<readonly ToldMoment[]> {
    // The question that was due for the trip before comes after that has gone.
    if (asked === "") return [];
    const keys = asked.split(" ");
    const from = dayOfKey(keys[0] ?? "") ?? "";
    const to = dayOfKey(keys.at(-1) ?? "") ?? "";
    const query = new URLSearchParams({ from, to, limit: String(MOST) });
    const { indexing, moments } = await this.#ask(`${query}`);
    const ofTrip = new Set(keys);
    if (asked === this.#asked) this.#isOpen = indexing !== null;
    return moments.filter(({ key }) => ofTrip.has(key));
  }
}
