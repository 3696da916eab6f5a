import { type Signal, signal } from "@preact/signals";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import type { RecordingList } from "./recording_list.ts";

/** Days that are read at once. */
const DAYS_AT_ONCE = 4;

/** Several recordings of the list, chosen to do the same with all of them. */
export class Choosing {
  /** Rows have a box to choose them. */
  readonly isOn: Signal<boolean> = signal(false);
  readonly #keys: Signal<ReadonlySet<string>> = signal(new Set());
  readonly #list: RecordingList;
  /** Clip that a range begins with. */
  #last: string | null = null;
  #lastDay: string | null = null;

  constructor(list: RecordingList) {
    this.#list = list;
  }

  /** Chosen recordings that are still in the list: nothing happens to those out of sight. */
  get chosen(): ViewerRecording[] {
    const keys = this.#keys.value;
    if (keys.size === 0) return [];
    return this.#list.days.value.flatMap(({ date }) => this.#of(date).filter((one) => keys.has(keyOf(one))));
  }

  isChosen(key: string): boolean {
    return this.#keys.value.has(key);
  }

  /** Tells if all, some or none of a day are chosen. */
  partOf(date: string): "none" | "some" | "all" {
    return this.partOfKeys(this.#of(date).map(keyOf));
  }

  /** Tells the same for several recordings, such as those of a trip. */
  partOfKeys(keys: readonly string[]): "none" | "some" | "all" {
    const count = keys.filter((key) => this.isChosen(key)).length;
    return count === 0 ? "none" : count === keys.length ? "all" : "some";
  }

  /** Chooses all of several, or none of them. */
  toggleKeys(keys: readonly string[]): void {
    this.#put(keys, this.partOfKeys(keys) !== "all");
  }

  /** @param isRange from the one before to this one, all become as this one */
  toggle(key: string, isRange: boolean): void {
    const wanted = !this.isChosen(key);
    this.#put(isRange && this.#last !== null ? this.#range(this.#last, key) : [key], wanted);
    this.#last = key;
  }

  /**
   * Chooses all of a day, or none of it.
   * @param isRange with all days from the one before to this one
   * @throws Refusal when a day cannot be read; the days before it are chosen
   */
  async toggleDay(date: string, isRange = false): Promise<void> {
    const wanted = this.partOf(date) !== "all";
    const days = isRange && this.#lastDay !== null ? this.#daysBetween(this.#lastDay, date) : [date];
    this.#lastDay = date;
    if (days.length === 1) {
      await this.#list.load(date);
      this.#list.openDay(date);
      this.#put(this.#of(date).map(keyOf), wanted);
      return;
    }
    // Months of days stay closed: opened, their rows would be in the way.
    for (let at = 0; at < days.length; at += DAYS_AT_ONCE) {
      const some = days.slice(at, at + DAYS_AT_ONCE);
      await Promise.all(some.map((day) => this.#list.load(day)));
      this.#put(
        some.flatMap((day) => this.#of(day).map(keyOf)),
        wanted,
      );
    }
  }

  none(): void {
    this.#keys.value = new Set();
    this.#last = null;
    this.#lastDay = null;
  }

  /** Begins, or ends with nothing chosen. */
  turn(isOn: boolean): void {
    this.none();
    this.isOn.value = isOn;
  }

  #put(keys: readonly string[], isChosen: boolean): void {
    const all = new Set(this.#keys.value);
    for (const key of keys)
      if (isChosen) all.add(key);
      else all.delete(key);
    this.#keys.value = all;
  }

  /** The rows from one to another, as they are seen. */
  #range(from: string, to: string): string[] {
    const { days, open } = this.#list;
    const seen = days.value.filter(({ date }) => open.value.includes(date)).flatMap(({ date }) => this.#of(date));
    const keys = seen.map(keyOf);
    const one = keys.indexOf(from);
    const other = keys.indexOf(to);
    return one < 0 || other < 0 ? [to] : keys.slice(Math.min(one, other), Math.max(one, other) + 1);
  }

  #daysBetween(from: string, to: string): string[] {
    const days = this.#list.days.value.map(({ date }) => date);
    const one = days.indexOf(from);
    const other = days.indexOf(to);
    return one < 0 || other < 0 ? [to] : days.slice(Math.min(one, other), Math.max(one, other) + 1);
  }

  #of(date: string): ViewerRecording[] {
    return [...(this.#list.stateOf(date).recordings ?? [])];
  }
}
