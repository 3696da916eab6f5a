import { type Signal, signal } from "@preact/signals";
import type { Api, ViewerDay, ViewerRecording } from "../../server/domain/api.ts";
import { isDay } from "../../server/domain/camera_time.ts";
import {
  continuationOf,
  dayOfKey,
  distinct,
  keyOf,
  mayCrossMidnight,
  type Neighbours,
  type Shown,
  viewerPath,
  wantedOf,
} from "../../server/domain/viewing.ts";
import { send, sentenceOfError } from "../client.ts";
import { Address, type Step } from "./address.ts";

/** What the server drew, and what the island goes on with. */
export interface ViewerProps {
  /** Days with recordings, newest first. */
  readonly days: readonly ViewerDay[];
  /** The day that is open, and what it holds; null when there is none. */
  readonly day: { readonly date: string; readonly recordings: readonly ViewerRecording[] } | null;
  readonly shown: Shown;
  readonly neighbours: Neighbours;
  /** `viewer.continuous_play`: recordings of other types follow, too. */
  readonly allTypes: boolean;
  /** Days of other years are named with their year. */
  readonly thisYear: number;
  /** When there is nothing to see: why, and what comes next. */
  readonly nothing: string;
}

/** A day's recordings as far as they have come. */
export interface DayState {
  readonly recordings: readonly ViewerRecording[] | null;
  readonly isComing: boolean;
  /** Why they did not come. */
  readonly problem: string | null;
}

/** What is said when the recordings in a row are over. */
export interface RowEnd {
  readonly next: ViewerRecording | null;
}

const UNKNOWN: DayState = { recordings: null, isComing: false, problem: null };
/** How many further days are searched for a recording of the chosen types. */
const MOST_DAYS_SEARCHED = 7;

/** Which days and recordings there are, which are chosen, and the way from one to the next. */
export class Browsing {
  readonly address: Address = new Address();
  readonly days: Signal<readonly ViewerDay[]>;
  readonly states: Signal<Readonly<Record<string, DayState>>>;
  readonly open: Signal<readonly string[]>;
  readonly shown: Signal<Shown>;
  readonly rowEnd: Signal<RowEnd | null> = signal(null);
  /** Why the recording that was asked for could not be shown. */
  readonly problem: Signal<{ readonly words: string; readonly again: () => void } | null> = signal(null);
  /** Type letters; none means all. */
  readonly types: Signal<readonly string[]> = signal([]);
  readonly #drawn: Pick<ViewerProps, "shown" | "neighbours" | "allTypes">;
  readonly #coming = new Map<string, Promise<readonly ViewerRecording[]>>();
  /** Grows with every choice: an answer to an older one is too late. */
  #generation = 0;

  constructor(props: ViewerProps) {
    this.#drawn = props;
    this.days = signal(props.days);
    this.states = signal(props.day ? { [props.day.date]: { ...UNKNOWN, recordings: props.day.recordings } } : {});
    this.open = signal(props.day ? [props.day.date] : []);
    this.shown = signal(props.shown);
  }

  stateOf(date: string): DayState {
    return this.states.value[date] ?? UNKNOWN;
  }

  /** The key of what is shown; null when it is no recording. */
  get key(): string | null {
    const { value } = this.shown;
    return value.kind === "recording" ? keyOf(value.recording) : null;
  }

  isWanted({ type }: ViewerRecording): boolean {
    return this.types.value.length === 0 || this.types.value.includes(type);
  }

  /** Opens or closes a day in the list. What was fetched once stays. */
  toggleDay(date: string): void {
    if (this.open.value.includes(date)) this.open.value = this.open.value.filter((one) => one !== date);
    else {
      this.#openDay(date);
      this.load(date).catch(() => {});
    }
  }

  toggleType(letter: string): void {
    const { value } = this.types;
    this.types.value = value.includes(letter) ? value.filter((one) => one !== letter) : [...value, letter];
  }

  /** A day's recordings, newest first, asked for once. @throws what the day's state then says */
  load(date: string): Promise<readonly ViewerRecording[]> {
    const { recordings } = this.stateOf(date);
    return recordings ? Promise.resolve(recordings) : this.#fetch(date);
  }

  /**
   * Shows a recording; the address follows, as a step to go back from or in place of the last one.
   * @returns whether it is on show now: it may be gone, or something else may have been chosen meanwhile
   */
  async show(key: string, { start = 0, step = "push" }: { start?: number; step?: Step } = {}): Promise<boolean> {
    const mine = ++this.#generation;
    this.problem.value = null;
    this.rowEnd.value = null;
    const date = dayOfKey(key);
    let recordings: readonly ViewerRecording[] = [];
    try {
      if (date) recordings = await this.load(date);
    } catch (error) {
      if (mine !== this.#generation) return false;
      const again = () => void this.show(key, { start, step });
      this.problem.value = { words: sentenceOfError(error), again };
      return false;
    }
    if (mine !== this.#generation) return false;
    const recording = recordings.find((one) => keyOf(one) === key);
    this.shown.value = recording ? { kind: "recording", recording, start } : { kind: "gone", key };
    if (recording && date) this.#openDay(date);
    this.address.write(key, start, step);
    return recording !== undefined;
  }

  /** Shows what the address asks for, after the browser went back or forward. */
  async follow(address: Location): Promise<void> {
    const wanted = wantedOf(new URLSearchParams(address.search));
    if (wanted.kind === "recording") {
      await this.show(wanted.key, { start: wanted.start, step: "none" });
      return;
    }
    const mine = ++this.#generation;
    this.problem.value = null;
    this.rowEnd.value = null;
    const date = wanted.kind === "day" ? wanted.date : this.days.value[0]?.date;
    const newest = date !== undefined && isDay(date) ? (await this.load(date).catch(() => []))[0] : undefined;
    if (mine !== this.#generation) return;
    if (newest) await this.show(keyOf(newest), { step: "none" });
    else this.shown.value = date === undefined ? { kind: "nothing" } : { kind: "empty_day", date };
  }

  /** Addresses of what was recorded before and after: of the day, while a day beyond has not been read yet. */
  ways(): { readonly earlier: string | null; readonly later: string | null } {
    const key = this.#placeInTime();
    if (key === null) return { earlier: null, later: null };
    const [at, days] = [this.#dayIndex(key), this.days.value];
    const known = days.slice(Math.max(0, at - 1), at + 2).flatMap(({ date }) => this.stateOf(date).recordings ?? []);
    const keys = known.filter((one) => this.isWanted(one)).map(keyOf);
    const { shown, neighbours } = this.#drawn;
    const drawn = shown.kind === "recording" && keyOf(shown.recording) === key ? neighbours : null;
    const way = (near: string | undefined, there: string | null | undefined, beyond: ViewerDay | undefined) => {
      const to = near ?? there;
      return to ? viewerPath(to) : beyond ? `/viewer?date=${beyond.date}` : null;
    };
    return {
      earlier: way(
        keys
          .filter((one) => one < key)
          .sort()
          .at(-1),
        drawn?.earlier,
        days[at + 1],
      ),
      later: way(keys.filter((one) => one > key).sort()[0], drawn?.later, days[at - 1]),
    };
  }

  /** The next recording in time (1) or the one before (-1), over the ends of days, of the chosen types. */
  async find(by: 1 | -1): Promise<ViewerRecording | null> {
    const key = this.#placeInTime();
    if (key === null) return null;
    const days = this.days.value;
    const at = this.#dayIndex(key);
    for (let moved = 0; moved <= MOST_DAYS_SEARCHED; moved++) {
      const day = days[at - by * moved];
      // A recording that is gone may have been older than all that are here.
      if (!day && moved === 0) continue;
      if (!day) return null;
      const found = (await this.load(day.date)).filter(
        (one) => this.isWanted(one) && (by > 0 ? keyOf(one) > key : keyOf(one) < key),
      );
      const next = by > 0 ? found.at(-1) : found[0];
      if (next) return next;
    }
    return null;
  }

  /** What plays by itself after what is shown; null when the recordings in a row are over. */
  async continuation(): Promise<ViewerRecording | null> {
    const { value } = this.shown;
    if (value.kind !== "recording") return null;
    const key = keyOf(value.recording);
    const at = this.#dayIndex(key);
    const dates = [this.days.value[at], mayCrossMidnight(key) ? this.days.value[at - 1] : undefined];
    const later: ViewerRecording[] = [];
    for (const day of dates) if (day) later.push(...[...(await this.load(day.date))].reverse());
    const ordered = later.filter((one) => keyOf(one) > key);
    return continuationOf(value.recording, ordered, this.#drawn.allTypes);
  }

  /**
   * Looks for new recordings; what is on show stays where it is.
   * @param changed is called right before the list changes
   * @param isStill whether nothing plays: then a camera that has come home joins the ones on show
   */
  async refresh(changed: () => void, isStill: () => boolean): Promise<void> {
    const { days } = await send<Api["GET /api/viewer/days"]>("GET /api/viewer/days");
    const counts = new Map(this.days.value.map(({ date, count }) => [date, count]));
    // Another camera and the picture of a moment may come home later than the moment itself, and it counts once.
    const mayGrow = [days[0]?.date, dayOfKey(this.key ?? "")];
    const read = days
      .filter(({ date, count }) => counts.get(date) !== count || mayGrow.includes(date) || this.isIncomplete(date))
      .filter(({ date }) => this.stateOf(date).recordings !== null)
      .map(async ({ date }) => [date, await recordingsOf(date)] as const);
    const fresh = (await Promise.all(read)).filter(([date, now]) => !isSame(now, this.stateOf(date).recordings));
    if (fresh.length > 0 || !isSame(days, this.days.value)) {
      changed();
      this.days.value = days;
      for (const [date, recordings] of fresh) this.#set(date, { ...UNKNOWN, recordings });
    }
    this.#completeShown(isStill());
    if (this.shown.value.kind === "nothing" && days[0]) await this.follow(location);
  }

  /** Takes over what has come to be known of the recording on show; videos that play are not disturbed. */
  #completeShown(isStill: boolean): void {
    const { value } = this.shown;
    if (value.kind !== "recording") return;
    const key = keyOf(value.recording);
    const fresh = this.stateOf(dayOfKey(key) ?? "").recordings?.find((one) => keyOf(one) === key);
    if (!fresh || isSame(fresh, value.recording)) return;
    if (isStill || isSame(fresh.videos, value.recording.videos)) this.shown.value = { ...value, recording: fresh };
  }

  /** Whether the server had not read all sizes and lengths of a day yet when it answered. */
  isIncomplete(date = this.open.value[0] ?? ""): boolean {
    return this.stateOf(date).recordings?.some(({ size_bytes: size }) => size === null) ?? false;
  }

  #fetch(date: string): Promise<readonly ViewerRecording[]> {
    const coming = this.#coming.get(date);
    if (coming) return coming;
    this.#set(date, { ...UNKNOWN, isComing: true });
    const asked = recordingsOf(date)
      .then((recordings) => {
        this.#set(date, { ...UNKNOWN, recordings });
        return recordings;
      })
      .catch((error: unknown) => {
        this.#set(date, { ...UNKNOWN, problem: sentenceOfError(error) });
        throw error;
      })
      .finally(() => this.#coming.delete(date));
    this.#coming.set(date, asked);
    return asked;
  }

  #set(date: string, state: DayState): void {
    this.states.value = { ...this.states.value, [date]: state };
  }

  #openDay(date: string): void {
    if (!this.open.value.includes(date)) this.open.value = [...this.open.value, date];
  }

  /** Where we are in time, also when the recording itself is gone. */
  #placeInTime(): string | null {
    const { value } = this.shown;
    return value.kind === "gone" ? value.key : this.key;
  }

  /** Where a key's day is in the list, or where it would be: the first day that is not later. */
  #dayIndex(key: string): number {
    const date = dayOfKey(key) ?? "";
    const at = this.days.value.findIndex((day) => day.date <= date);
    return at < 0 ? this.days.value.length : at;
  }
}

async function recordingsOf(date: string): Promise<readonly ViewerRecording[]> {
  const { days } = await send<Api["GET /api/viewer/recordings"]>(`GET /api/viewer/recordings?date=${date}`);
  return distinct(days[0]?.recordings ?? []);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
