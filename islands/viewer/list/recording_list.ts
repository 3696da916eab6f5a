import { batch, type Signal, signal } from "@preact/signals";
import type { DayRecordings, Days, ViewerDay, ViewerRecording } from "../../../server/domain/api/viewer_schema.ts";
import { dayOfKey, distinct, keyOf, type Only } from "../../../server/domain/viewer/viewer_address.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import type { ViewerProps } from "../viewer_props.ts";

/** A day's recordings as far as they have come. */
export interface DayState {
  readonly recordings: readonly ViewerRecording[] | null;
  readonly isComing: boolean;
  /** Why they did not come. */
  readonly problem: string | null;
}

const UNKNOWN: DayState = { recordings: null, isComing: false, problem: null };

/** Which days and recordings there are: all, or only those that are kept or due; and what is seen of them. */
export class RecordingList {
  readonly days: Signal<readonly ViewerDay[]>;
  readonly states: Signal<Readonly<Record<string, DayState>>>;
  readonly open: Signal<readonly string[]>;
  readonly only: Signal<Only | null>;
  /** The list is about to hold other recordings. */
  readonly isChanging: Signal<boolean> = signal(false);
  /** Type letters; none means all. */
  readonly types: Signal<readonly string[]> = signal([]);
  readonly #coming = new Map<string, Promise<readonly ViewerRecording[]>>();
  /** Grows with every change of `only`: what was asked before is of another list. */
  #generation = 0;

  constructor(props: Pick<ViewerProps, "days" | "day" | "only">) {
    this.days = signal(props.days);
    this.states = signal(props.day ? { [props.day.date]: { ...UNKNOWN, recordings: props.day.recordings } } : {});
    this.open = signal(props.day ? [props.day.date] : []);
    this.only = signal(props.only);
  }

  stateOf(date: string): DayState {
    return this.states.value[date] ?? UNKNOWN;
  }

  /** A recording in the list; null when it is not there, or its day has not been read. */
  find(key: string): ViewerRecording | null {
    return this.stateOf(dayOfKey(key) ?? "").recordings?.find((one) => keyOf(one) === key) ?? null;
  }

  isWanted({ type }: ViewerRecording): boolean {
    return this.types.value.length === 0 || this.types.value.includes(type);
  }

  /** Opens or closes a day in the list. What was fetched once stays. */
  toggleDay(date: string): void {
    if (this.open.value.includes(date)) this.open.value = this.open.value.filter((one) => one !== date);
    else {
      this.openDay(date);
      this.load(date).catch(() => {});
    }
  }

  openDay(date: string): void {
    if (!this.open.value.includes(date)) this.open.value = [...this.open.value, date];
  }

  toggleType(letter: string): void {
    const { value } = this.types;
    this.types.value = value.includes(letter) ? value.filter((one) => one !== letter) : [...value, letter];
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
  async change(only: Only | null, date: string | null): Promise<void> {
    const mine = ++this.#generation;
    this.isChanging.value = true;
    try {
      const days = await daysOf(only);
      const wanted = days.find((day) => day.date === date) ?? days[0];
      const recordings = wanted ? await recordingsOf(wanted.date, only) : [];
      if (mine !== this.#generation) return;
      this.#coming.clear();
      batch(() => {
        this.only.value = only;
        this.types.value = [];
        this.days.value = days;
        this.states.value = wanted ? { [wanted.date]: { ...UNKNOWN, recordings } } : {};
        this.open.value = wanted ? [wanted.date] : [];
      });
    } finally {
      if (mine === this.#generation) this.isChanging.value = false;
    }
  }

  /**
   * Looks for what has come and gone.
   * @param dates days that may hold something else although they hold as many as before
   * @param changed is called right before the list changes
   */
  async refresh(dates: readonly (string | null | undefined)[], changed: () => void): Promise<void> {
    const mine = this.#generation;
    const only = this.only.value;
    const days = await daysOf(only);
    const counts = new Map(this.days.value.map(({ date, count }) => [date, count]));
    const read = days
      .filter(({ date, count }) => counts.get(date) !== count || dates.includes(date) || this.isIncomplete(date))
      .filter(({ date }) => this.stateOf(date).recordings !== null)
      .map(async ({ date }) => [date, await recordingsOf(date, only)] as const);
    const fresh = (await Promise.all(read)).filter(([date, now]) => !isSame(now, this.stateOf(date).recordings));
    if (mine !== this.#generation) return;
    const gone = Object.keys(this.states.value).filter((date) => !days.some((day) => day.date === date));
    if (fresh.length === 0 && gone.length === 0 && isSame(days, this.days.value)) return;
    changed();
    batch(() => {
      this.days.value = days;
      for (const date of gone) this.#set(date, { ...UNKNOWN, recordings: [] });
      for (const [date, recordings] of fresh) this.#set(date, { ...UNKNOWN, recordings });
    });
  }

  /** Takes over what has become of a recording. */
  replace(recording: ViewerRecording): void {
    const key = keyOf(recording);
    this.#edit(dayOfKey(key) ?? "", (all) => all.map((one) => (keyOf(one) === key ? recording : one)));
  }

  /** Takes recordings out that are here no more, and their days with the last of them. */
  drop(keys: readonly string[]): void {
    batch(() => {
      for (const date of new Set(keys.map((key) => dayOfKey(key) ?? ""))) {
        const dropped = keys.filter((key) => dayOfKey(key) === date).length;
        this.#edit(date, (all) => all.filter((one) => !keys.includes(keyOf(one))));
        this.days.value = this.days.value
          .map((day) => (day.date === date ? { ...day, count: day.count - dropped } : day))
          .filter(({ count }) => count > 0);
      }
    });
  }

  /** Whether the server had not read all sizes and lengths of a day yet when it answered. */
  isIncomplete(date = this.open.value[0] ?? ""): boolean {
    return this.stateOf(date).recordings?.some(({ size_bytes: size }) => size === null) ?? false;
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
    const asked = recordingsOf(date, this.only.value)
      .then((recordings) => {
        set({ ...UNKNOWN, recordings });
        return recordings;
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
export async function daysOf(only: Only | null): Promise<readonly ViewerDay[]> {
  const asked = only === null ? ("" as const) : (`?only=${only}` as const);
  return (await send<Days>(`GET /api/viewer/days${asked}`)).days;
}

/** A day's recordings, newest first. @throws Refusal */
export async function recordingsOf(date: string, only: Only | null): Promise<readonly ViewerRecording[]> {
  const asked = only === null ? "" : `&only=${only}`;
  const { days } = await send<DayRecordings>(`GET /api/viewer/recordings?date=${date}${asked}`);
  return distinct(days[0]?.recordings ?? []);
}

/** Whether two answers of the API are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
