import { type Signal, signal } from "@preact/signals";
import type { RecordingFailure, TrashedRecording } from "../../server/domain/retention/deletion.ts";
import { goneInWords, restoredInWords } from "../../server/domain/retention/trash_text.ts";
import { type Asker, sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";
import { amountOf, between, type Choice, isChosen, NOTHING, rowOf, sumOf, withDay, withKeys } from "./choice.ts";
import { type Entry, emptied, entriesOf, grown, reread, type TrashProps, without } from "./contents.ts";
import { type TrashAction, workOn, workOnAll } from "./trash_actions.ts";

/** What is being done: with a row (its name), with the chosen ones, or with all. */
export interface TrashTask {
  readonly what: TrashAction;
  readonly of: "chosen" | "all" | { readonly row: string };
}

/** A dialog that is open, and how much it asks about. */
export interface Question {
  /** Each is a dialog of its own, also when the same is asked right after. */
  readonly nth: number;
  readonly kind: "empty-trash" | "restore-all" | "delete-chosen";
  /** Clips. */
  readonly entries: number;
  readonly recordings: number;
  readonly bytes: number;
}

/** Further days that are asked for at once. */
const MORE_DAYS = 30;

/** What lies in the trash, what is chosen of it, and what is done with it. */
export class Trash {
  readonly contents: Signal<TrashProps>;
  readonly choice: Signal<Choice> = signal<Choice>(NOTHING);
  /** What could not be restored, and why. */
  readonly failures: Signal<readonly RecordingFailure[]> = signal<readonly RecordingFailure[]>([]);
  readonly task: Signal<TrashTask | null> = signal<TrashTask | null>(null);
  /** Of very many: how many are through. */
  readonly through: Signal<{ readonly done: number; readonly all: number } | null> = signal(null);
  readonly question: Signal<Question | null> = signal<Question | null>(null);
  /** Why something has not been done. */
  readonly trouble: Signal<(TrashTask & { readonly words: string }) | null> = signal(null);
  /** Days of which more is coming. */
  readonly coming: Signal<ReadonlySet<string>> = signal<ReadonlySet<string>>(new Set());
  /** The row that takes the focus over when the control that has it goes; null for the head of the page. */
  focusRow: string | null = null;
  readonly #asker: Asker;
  /** The row from which a range reaches. */
  #anchor: string | null = null;
  #questions = 0;
  /** Grows with every change by hand: what was read before is too old. */
  #generation = 0;

  constructor(props: TrashProps, asker: Asker) {
    this.contents = signal(props);
    this.#asker = asker;
  }

  /** Whether the contents may change by themselves. */
  get isIdle(): boolean {
    return this.choice.value.size === 0 && this.task.value === null && this.question.value === null;
  }

  /** Chooses a row or lets it go; as a range with all rows from the one before. */
  choose(date: string, key: string, on: boolean, isRange: boolean): void {
    const { days } = this.contents.value;
    const day = days.find((one) => one.date === date);
    if (!day) return;
    const row = rowOf(date, key);
    const range = isRange && this.#anchor !== null ? between(days, this.#anchor, row) : [];
    let choice = withKeys(this.choice.value, day, [key], on);
    for (const part of range) choice = withKeys(choice, part.day, part.keys, on);
    this.#choose(choice);
    this.#anchor = row;
  }

  chooseDay(date: string, on: boolean): void {
    this.#choose(withDay(this.choice.value, date, on));
  }

  chooseNone(): void {
    const rows = this.#rows();
    this.focusRow = rows.find(({ date, key }) => isChosen(this.choice.value, date, key))?.row ?? null;
    this.#choose(NOTHING);
  }

  /** Asks before what cannot be undone, or is a lot; while something is being done, nothing else is asked. */
  ask(kind: Question["kind"]): void {
    if (this.task.value !== null) return;
    const { totals, days } = this.contents.value;
    const { entries, recordings, bytes } = kind === "delete-chosen" ? amountOf(this.choice.value, days) : totals;
    this.trouble.value = null;
    this.question.value = { nth: ++this.#questions, kind, entries, recordings, bytes };
  }

  /** Shows the next entries of a day. */
  async more(date: string): Promise<void> {
    const day = this.contents.value.days.find((one) => one.date === date);
    if (!day || this.coming.value.has(date)) return;
    this.coming.value = new Set([...this.coming.value, date]);
    try {
      const recordings = await grown(this.#asker, day);
      this.#generation++;
      const { days } = this.contents.value;
      this.contents.value = {
        ...this.contents.value,
        days: days.map((one) => (one.date === date ? { ...one, recordings } : one)),
      };
    } catch (error) {
      showToast(this.#asker.page, "failed", sentenceOfError(error));
    }
    this.coming.value = new Set([...this.coming.value].filter((one) => one !== date));
  }

  /** Shows further days. */
  async moreDays(): Promise<void> {
    try {
      const { value } = this.contents;
      this.contents.value = await reread(this.#asker, value, value.days.length + MORE_DAYS);
      this.#generation++;
    } catch (error) {
      showToast(this.#asker.page, "failed", sentenceOfError(error));
    }
  }

  /** Reads what is there by now, unless a task is under way. @throws Refusal */
  async refresh(): Promise<void> {
    if (!this.isIdle) return;
    const generation = this.#generation;
    const fresh = await reread(this.#asker, this.contents.value, this.contents.value.days.length);
    if (this.isIdle && generation === this.#generation) this.#show(fresh);
  }

  /** Restores or deletes one. */
  async workOnOne(what: TrashAction, date: string, recording: TrashedRecording): Promise<void> {
    const task: TrashTask = { what, of: { row: rowOf(date, recording.key) } };
    await this.#do(task, () => this.#workOn(task, [{ date, recording }]));
  }

  /** Restores or deletes what is chosen. @returns whether all went well */
  workOnChosen(what: TrashAction): Promise<boolean> {
    const task: TrashTask = { what, of: "chosen" };
    return this.#do(task, async () => this.#workOn(task, await this.#chosen()));
  }

  /** Restores or deletes all there is. @returns whether it was done */
  workOnAll(what: TrashAction): Promise<boolean> {
    return this.#do({ what, of: "all" }, async () => {
      const { totals } = this.contents.value;
      const failed = await workOnAll(this.#asker, what);
      this.focusRow = null;
      await this.#settle(failed.length === 0 ? emptied(this.contents.value) : this.contents.value);
      const left = this.contents.value.totals;
      const gone = {
        recordings: Math.max(0, totals.recordings - left.recordings),
        bytes: Math.max(0, totals.bytes - left.bytes),
      };
      this.#showResult(what, gone, failed, failed.length === 0 ? 0 : left.recordings);
      this.choice.value = NOTHING;
    });
  }

  #choose(choice: Choice): void {
    this.choice.value = choice;
    this.trouble.value = null;
  }

  /** One task at a time. @returns whether it was done */
  async #do(task: TrashTask, work: () => Promise<void>): Promise<boolean> {
    if (this.task.value !== null) return false;
    this.task.value = task;
    this.trouble.value = null;
    this.failures.value = [];
    this.#generation++;
    try {
      await work();
      return true;
    } catch (error) {
      this.trouble.value = { ...task, words: sentenceOfError(error) };
      return false;
    } finally {
      this.#generation++;
      this.task.value = null;
      this.through.value = null;
    }
  }

  /** @throws what ended it; what was done until then is done */
  async #workOn({ what, of }: TrashTask, list: readonly Entry[]): Promise<void> {
    const { gone, failed, error } = await workOn(this.#asker, what, list, (done) => {
      this.through.value = { done, all: list.length };
    });
    this.focusRow = this.#rowAfter(gone);
    const keys = new Set(failed.map(({ key }) => key));
    const stuck = sumOf(list.map(({ recording }) => recording).filter(({ key }) => keys.has(key)));
    if (gone.length > 0 || failed.length > 0) {
      await this.#settle(without(this.contents.value, gone));
      this.#showResult(what, sumOf(gone.map(({ recording }) => recording)), failed, stuck.recordings);
    }
    if (error !== null) throw error;
    if (of === "chosen") this.choice.value = NOTHING;
  }

  /** Takes over what is left, as the server has it when it can be asked. */
  async #settle(left: TrashProps): Promise<void> {
    let fresh = left;
    try {
      fresh = await reread(this.#asker, left, Math.max(left.days.length, MORE_DAYS));
    } catch {
      // The next refresh shows the rest.
    }
    this.#show(fresh);
  }

  /** What has gone can no longer be chosen. */
  #show(contents: TrashProps): void {
    this.contents.value = contents;
    let choice = this.choice.value;
    for (const [date, { isAll, keys }] of choice) {
      const day = contents.days.find((one) => one.date === date);
      const left = new Set(day?.recordings.map(({ key }) => key));
      const gone = [...keys].filter((key) => !left.has(key));
      choice = day ? withKeys(choice, day, gone, isAll) : withDay(choice, date, false);
    }
    if (choice !== this.choice.value) this.choice.value = choice;
  }

  #showResult(
    what: TrashAction,
    gone: { readonly recordings: number; readonly bytes: number },
    failed: readonly RecordingFailure[],
    stuck: number,
  ): void {
    this.failures.value = failed;
    const words = what === "restore" ? restoredInWords(gone.recordings, stuck) : goneInWords(gone);
    showToast(this.#asker.page, failed.length === 0 ? "fine" : "attention", words);
  }

  /** What is chosen, also what has not been shown. @throws Refusal */
  async #chosen(): Promise<Entry[]> {
    const list: Entry[] = [];
    for (const day of this.contents.value.days) {
      const choice = this.choice.value.get(day.date);
      if (choice === undefined) continue;
      const all = choice.isAll ? await entriesOf(this.#asker, day) : day.recordings;
      for (const recording of all)
        if (isChosen(this.choice.value, day.date, recording.key)) list.push({ date: day.date, recording });
    }
    return list;
  }

  #rows(): { readonly row: string; readonly date: string; readonly key: string }[] {
    const { days } = this.contents.value;
    return days.flatMap(({ date, recordings }) => recordings.map(({ key }) => ({ row: rowOf(date, key), date, key })));
  }

  /** The next row that stays, else the one before. */
  #rowAfter(gone: readonly Entry[]): string | null {
    const going = new Set(gone.map(({ date, recording }) => rowOf(date, recording.key)));
    const rows = this.#rows().map(({ row }) => row);
    const last = rows.findLastIndex((row) => going.has(row));
    const stays = (row: string) => !going.has(row);
    return rows.slice(last + 1).find(stays) ?? rows.slice(0, last + 1).findLast(stays) ?? null;
  }
}
