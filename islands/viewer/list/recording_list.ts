import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { isEvent } from "../../../server/domain/retention/keep_times.ts";
import {
  daysTogether,
  type ListedDay,
  recordingsTogether,
  tripsTogether,
} from "../../../server/domain/viewer/days_of_cameras.ts";
import { filterQuery, isEverything, type ListFilter, type Only } from "../../../server/domain/viewer/list_filter.ts";
import { dayOfKey, keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type {
  DayRecordings,
  Days,
  DayTrips,
  TripSummary,
  ViewerRecording,
} from "../../../server/domain/viewer/viewer_schema.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import type { DayContent, ViewerProps } from "../viewer_props.ts";

/** A day's content as far as it has come. */
export interface DayState {
  readonly recordings: readonly ViewerRecording[] | null;
  readonly trips: readonly TripSummary[] | null;
  readonly isComing: boolean;
  /** Why they did not come. */
  readonly problem: string | null;
}

const UNKNOWN: DayState = { recordings: null, trips: null, isComing: false, problem: null };

/** Days and recordings of the list: all, or only those that a filter names; and the parts of them that are open. */
export class RecordingList {
  readonly days: Signal<readonly ListedDay[]>;
  readonly states: Signal<Readonly<Record<string, DayState>>>;
  readonly open: Signal<readonly string[]>;
  /** The keys with which the trips begin whose clips are shown. */
  readonly openTrips: Signal<readonly string[]> = signal([]);
  readonly filter: Signal<ListFilter>;
  readonly only: ReadonlySignal<Only | null> = computed(() => this.filter.value.only);
  /** Filter of the list that is being fetched: the next choice begins with it. Null when it is on show. */
  readonly wanted: Signal<ListFilter | null> = signal(null);
  readonly #coming = new Map<string, Promise<readonly ViewerRecording[]>>();
  /** Grows with every change of the filter: what was asked before is of another list. */
  #generation = 0;

  constructor(props: Pick<ViewerProps, "days" | "day" | "filter">) {
    const { days, day, filter } = props;
    this.days = signal(days);
    this.states = signal(day ? { [day.date]: { ...UNKNOWN, recordings: day.recordings, trips: day.trips } } : {});
    this.open = signal(day ? [day.date] : []);
    this.filter = signal(filter);
  }

  stateOf(date: string): DayState {
    return this.states.value[date] ?? UNKNOWN;
  }

  /** A recording in the list; null when it is not there, or its day has not been read. */
  find(key: string): ViewerRecording | null {
    return this.stateOf(dayOfKey(key) ?? "").recordings?.find((one) => keyOf(one) === key) ?? null;
  }

  /** Opens or closes a day in the list. Recordings stay once they were fetched. */
  toggleDay(date: string): void {
    if (this.open.value.includes(date)) this.open.value = this.open.value.filter((one) => one !== date);
    else {
      this.openDay(date);
      this.load(date).catch(() => {});
    }
  }

  /** A day with a single trip shows its clips at once. */
  #openOnlyTrip(date: string): void {
    const { trips } = this.stateOf(date);
    const [first] = trips?.[0]?.clips ?? [];
    if (trips?.length === 1 && first !== undefined && !this.openTrips.value.includes(first)) this.toggleTrip(first);
  }

  openDay(date: string): void {
    if (!this.open.value.includes(date)) this.open.value = [...this.open.value, date];
  }

  /** @param first the key with which the trip begins */
  toggleTrip(first: string): void {
    const { value } = this.openTrips;
    this.openTrips.value = value.includes(first) ? value.filter((one) => one !== first) : [...value, first];
  }

  /** The trip of a recording as far as the list holds it; null when it does not. */
  tripOf(key: string): TripSummary | null {
    const date = dayOfKey(key);
    return (date !== null && this.stateOf(date).trips?.find(({ clips }) => clips.includes(key))) || null;
  }

  /** Shows a recording's row: opens its day and its trip. */
  reveal(key: string): void {
    const date = dayOfKey(key);
    if (date === null || !this.find(key)) return;
    const first = this.tripOf(key)?.clips[0];
    batch(() => {
      this.openDay(date);
      if (first !== undefined && !this.openTrips.value.includes(first)) this.toggleTrip(first);
    });
  }

  /** A day's recordings, newest first, asked for once. @throws Refusal, whose sentence is then the day's problem */
  load(date: string): Promise<readonly ViewerRecording[]> {
    const { recordings } = this.stateOf(date);
    return recordings ? Promise.resolve(recordings) : this.#fetch(date);
  }

  /**
   * Makes the list hold only these, or all; a day of it is open at once.
   * @param date the day to open; the newest when it is not there
   * @throws Refusal; the list then stays as it was
   */
  async change(filter: ListFilter, date: string | null): Promise<void> {
    const mine = ++this.#generation;
    this.wanted.value = filter;
    try {
      // Mostly there is something of that day: asked for at once, it comes with the days.
      const [days, ofDay] = await Promise.all([daysOf(filter), date === null ? null : contentOf(date, filter)]);
      const wanted = days.find((day) => day.date === date) ?? days[0];
      const content = wanted && (wanted.date === date ? ofDay : await contentOf(wanted.date, filter));
      if (mine !== this.#generation) return;
      this.#coming.clear();
      batch(() => {
        this.filter.value = filter;
        this.days.value = days;
        this.states.value = wanted && content ? { [wanted.date]: { ...UNKNOWN, ...content } } : {};
        this.open.value = wanted ? [wanted.date] : [];
      });
    } finally {
      if (mine === this.#generation) this.wanted.value = null;
    }
  }

  /**
   * Looks for what has come and gone.
   * @param dates days that may hold something else although they hold as many as before
   * @param changed is called right before the list changes
   */
  async refresh(dates: readonly (string | null | undefined)[], changed: () => void): Promise<void> {
    const mine = this.#generation;
    const filter = this.filter.value;
    const days = await daysOf(filter);
    const counts = new Map(this.days.value.map(({ date, count }) => [date, count]));
    const read = days
      .filter(({ date, count }) => counts.get(date) !== count || dates.includes(date) || this.isIncomplete(date))
      .filter(({ date }) => this.stateOf(date).recordings !== null)
      .map(async ({ date }) => [date, await contentOf(date, filter)] as const);
    const fresh = (await Promise.all(read)).filter(([date, now]) => {
      const { recordings, trips } = this.stateOf(date);
      return !isSame(now, { recordings, trips });
    });
    if (mine !== this.#generation) return;
    const gone = Object.keys(this.states.value).filter((date) => !days.some((day) => day.date === date));
    if (fresh.length === 0 && gone.length === 0 && isSame(days, this.days.value)) return;
    changed();
    batch(() => {
      for (const [date, { trips }] of fresh) this.#keepOpen(this.stateOf(date).trips ?? [], trips ?? []);
      this.days.value = days;
      for (const date of gone) this.#set(date, { ...UNKNOWN, recordings: [] });
      for (const [date, content] of fresh) this.#set(date, { ...UNKNOWN, ...content });
    });
  }

  /** Takes over what has become of a recording. */
  replace(recording: ViewerRecording): void {
    const key = keyOf(recording);
    this.#edit(dayOfKey(key) ?? "", (all) => all.map((one) => (keyOf(one) === key ? recording : one)));
  }

  /** Takes recordings out that are here no more, and their days with the last of them. */
  drop(keys: readonly string[]): void {
    const gone = new Set(keys);
    const dropped = new Map<string, number>();
    for (const date of keys.map((key) => dayOfKey(key) ?? "")) dropped.set(date, (dropped.get(date) ?? 0) + 1);
    batch(() => {
      for (const date of dropped.keys()) this.#edit(date, (all) => all.filter((one) => !gone.has(keyOf(one))));
      this.days.value = this.days.value
        .map((day) => (dropped.has(day.date) ? { ...day, count: day.count - (dropped.get(day.date) ?? 0) } : day))
        .filter(({ count }) => count > 0);
    });
  }

  /** True when the server had not read all files of a day yet, or the camera has more of it. */
  isIncomplete(date = this.open.value[0] ?? ""): boolean {
    const { recordings, trips } = this.stateOf(date);
    return (
      (recordings?.some(
        ({ size_bytes: size, type, strongest, coming }) =>
          // Its place in the queue changes with every recording that comes.
          coming !== null || size === null || (isEvent(type) && strongest === null),
      ) ??
        false) ||
      (trips?.some((trip) => !trip.is_complete) ?? false)
    );
  }

  /** A trip that has lost its first clip, or gained one before it, stays open under its new beginning. */
  #keepOpen(before: readonly TripSummary[], after: readonly TripSummary[]): void {
    const open = this.openTrips.value;
    const clips = before.filter((trip) => open.includes(trip.clips[0] ?? "")).flatMap((trip) => trip.clips);
    const firsts = after
      .filter((trip) => trip.clips.some((clip) => clips.includes(clip)))
      .map((trip) => trip.clips[0] ?? "");
    const more = firsts.filter((first) => !open.includes(first));
    if (more.length > 0) this.openTrips.value = [...open, ...more];
  }

  #edit(date: string, edit: (all: readonly ViewerRecording[]) => readonly ViewerRecording[]): void {
    const state = this.stateOf(date);
    if (state.recordings) this.#set(date, { ...state, recordings: edit(state.recordings) });
  }

  #fetch(date: string): Promise<readonly ViewerRecording[]> {
    const coming = this.#coming.get(date);
    if (coming) return coming;
    const mine = this.#generation;
    const set = (state: DayState) => {
      if (mine === this.#generation) this.#set(date, state);
    };
    set({ ...UNKNOWN, isComing: true });
    const asked = contentOf(date, this.filter.value)
      .then((content) => {
        set({ ...UNKNOWN, ...content });
        this.#openOnlyTrip(date);
        return content.recordings;
      })
      .catch((error: unknown) => {
        set({ ...UNKNOWN, problem: sentenceOfError(error) });
        throw error;
      })
      .finally(() => {
        if (this.#coming.get(date) === asked) this.#coming.delete(date);
      });
    this.#coming.set(date, asked);
    return asked;
  }

  #set(date: string, state: DayState): void {
    this.states.value = { ...this.states.value, [date]: state };
  }
}

/** Days with recordings, newest first. @throws Refusal */
export async function daysOf(filter: ListFilter): Promise<readonly ListedDay[]> {
  const asked = isEverything(filter) ? ("" as const) : (`?${filterQuery(filter).slice(1)}` as const);
  return daysTogether((await send<Days>(`GET /api/viewer/days${asked}`)).days);
}

/** A day's recordings, newest first. @throws Refusal */
export async function recordingsOf(date: string, filter: ListFilter): Promise<readonly ViewerRecording[]> {
  const { days } = await send<DayRecordings>(`GET /api/viewer/recordings?date=${date}${filterQuery(filter)}`);
  return recordingsTogether(days);
}

async function contentOf(date: string, filter: ListFilter): Promise<DayContent> {
  const [recordings, trips] = await Promise.all([
    recordingsOf(date, filter),
    isEverything(filter) ? send<DayTrips>(`GET /api/viewer/trips?date=${date}`) : null,
  ]);
  return { recordings, trips: trips && tripsTogether(trips.days) };
}

/** True when two answers of the API are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
