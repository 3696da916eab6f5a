import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { TrashCause } from "../../server/domain/retention/deletion_cause.ts";
import type { KeepClass } from "../../server/domain/retention/keep_times.ts";
import {
  ALL_OF_TRASH,
  filteredDays,
  type RecordedDay,
  recordedAt,
  type TrashFilter,
} from "../../server/domain/retention/trash_days.ts";
import { type Choice, isChosen, partOf, withDay, withKeys } from "./choice.ts";
import { STEP } from "./contents.ts";
import { isLoaded, recordedDaysOf } from "./recorded_contents.ts";
import type { Trash } from "./trash.ts";

/** Days that are drawn at first, and so many more each time. */
const DAYS = 31;

/** A trash of thousands: by the day its clips were recorded on, filtered by kind and cause. */
export class RecordedView {
  readonly filter: Signal<TrashFilter> = signal(ALL_OF_TRASH);
  /** Days whose clips are shown. */
  readonly open: Signal<ReadonlySet<string>> = signal<ReadonlySet<string>>(new Set());
  /** All of them, and as far as the filter shows them. */
  readonly all: ReadonlySignal<readonly RecordedDay[]>;
  readonly days: ReadonlySignal<readonly RecordedDay[]>;
  readonly daysShown: Signal<number> = signal(DAYS);
  readonly #trash: Trash;
  readonly #rows: Signal<ReadonlyMap<string, number>> = signal<ReadonlyMap<string, number>>(new Map());
  /** The day from which a range reaches. */
  #anchor: string | null = null;

  constructor(trash: Trash) {
    this.#trash = trash;
    this.all = computed(() => recordedDaysOf(trash.contents.value));
    this.days = computed(() => filteredDays(this.all.value, this.filter.value));
    trash.shownDays = () => (trash.contents.value.isRecorded ? this.#shownRows() : trash.contents.value.days);
  }

  /** Number of rows of a day that are drawn. */
  rowsOf(date: string): number {
    return this.#rows.value.get(date) ?? STEP;
  }

  moreRows(date: string): void {
    this.#rows.value = new Map(this.#rows.value).set(date, this.rowsOf(date) + STEP);
  }

  moreDays(): void {
    this.daysShown.value += DAYS;
  }

  /** Shows only clips of a kind too, or no longer. */
  toggleKind(kind: KeepClass): void {
    const { kinds } = this.filter.value;
    this.filter.value = { ...this.filter.value, kinds: toggled(kinds, kind) };
    void this.#trash.load().catch(() => {});
  }

  toggleCause(cause: TrashCause): void {
    const { causes } = this.filter.value;
    this.filter.value = { ...this.filter.value, causes: toggled(causes, cause) };
    void this.#trash.load().catch(() => {});
  }

  /** Opens or closes a day. @throws Refusal */
  async toggleOpen(date: string): Promise<void> {
    const open = new Set(this.open.value);
    if (!open.delete(date)) open.add(date);
    this.open.value = open;
    await this.#trash.load();
  }

  /** Tells if all, some or none of a day's shown clips are chosen. */
  partOf({ date, recordings, entries }: RecordedDay): "all" | "some" | "none" {
    const choice = this.#trash.choice.value;
    if (!choice.has(date)) return "none";
    if (recordings.length < entries) return partOf(choice, date);
    const chosen = recordings.filter(({ key }) => isChosen(choice, date, key)).length;
    return chosen === 0 ? "none" : chosen === entries ? "all" : "some";
  }

  /**
   * Chooses what is shown of a day, or lets it go; as a range with all days from the one before. Under a filter it waits
   * until all clips are loaded: before that a day would count whole, with what the filter leaves out.
   * @throws Refusal
   */
  async chooseDay(date: string, on: boolean, isRange: boolean): Promise<void> {
    if (this.#isUnfiltered) await this.#trash.load();
    this.#chooseShownDay(date, on, isRange);
  }

  #chooseShownDay(date: string, on: boolean, isRange: boolean): void {
    const dates = this.days.value.map((day) => day.date);
    const from = isRange && this.#anchor !== null ? dates.indexOf(this.#anchor) : -1;
    const to = dates.indexOf(date);
    const range =
      from < 0 || to < 0
        ? this.days.value.filter((day) => day.date === date)
        : this.days.value.slice(Math.min(from, to), Math.max(from, to) + 1);
    let { value: choice } = this.#trash.choice;
    for (const day of range) choice = this.#withShown(choice, day, on);
    this.#trash.put(choice);
    this.#anchor = date;
  }

  /**
   * Chooses a day and then all up to another one, in place of what was reached before. Null while the filter waits for
   * the clips.
   */
  beginDays(date: string): ((to: string) => void) | null {
    if (this.#isUnfiltered) return null;
    const { value: before } = this.#trash.choice;
    this.#chooseShownDay(date, true, false);
    return (to) => {
      this.#trash.put(before);
      this.#chooseShownDay(date, true, false);
      this.#chooseShownDay(to, true, true);
    };
  }

  /** True when all shown clips are chosen. */
  get isAllChosen(): boolean {
    return this.days.value.length > 0 && this.days.value.every((day) => this.partOf(day) === "all");
  }

  /** Chooses all days that are shown, or lets them go; under a filter as `chooseDay`. @throws Refusal */
  async chooseAllDays(on: boolean): Promise<void> {
    if (this.#isUnfiltered) await this.#trash.load();
    let { value: choice } = this.#trash.choice;
    for (const day of this.days.value) choice = this.#withShown(choice, day, on);
    this.#trash.put(choice);
  }

  /** The clips shown that were recorded between two times, `YYYY-MM-DDTHH:MM`, both counted in. */
  between(from: string, to: string): { readonly day: RecordedDay; readonly keys: readonly string[] }[] {
    return this.days.value
      .filter(({ date }) => date >= from.slice(0, 10) && date <= to.slice(0, 10))
      .map((day) => ({
        day,
        keys: day.recordings.map(({ key }) => key).filter((key) => recordedAt(key) >= from && recordedAt(key) <= to),
      }))
      .filter(({ keys }) => keys.length > 0);
  }

  /** Chooses these, beside what is chosen. */
  chooseBetween(from: string, to: string): void {
    let { value: choice } = this.#trash.choice;
    for (const { day, keys } of this.between(from, to)) choice = withKeys(choice, this.#whole(day), keys, true);
    this.#trash.put(choice);
  }

  /** True while a filter is set that cannot be applied yet, since clips of a day are not loaded. */
  get #isUnfiltered(): boolean {
    const { kinds, causes } = this.filter.value;
    return (kinds.length > 0 || causes.length > 0) && !isLoaded(this.#trash.contents.value);
  }

  #shownRows(): RecordedDay[] {
    const open = this.days.value.filter(({ date }) => this.open.value.has(date));
    return open.map((day) => ({ ...day, recordings: day.recordings.slice(0, this.rowsOf(day.date)) }));
  }

  #withShown(choice: Choice, day: RecordedDay, on: boolean): Choice {
    const whole = this.#whole(day);
    if (day.entries === whole.entries) return withDay(choice, day.date, on);
    const keys = day.recordings.map(({ key }) => key);
    return withKeys(choice, whole, keys, on);
  }

  #whole(day: RecordedDay): RecordedDay {
    return this.all.value.find(({ date }) => date === day.date) ?? day;
  }
}

function toggled<T>(list: readonly T[], one: T): readonly T[] {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
}
