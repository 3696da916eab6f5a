import { type Signal, signal } from "@preact/signals";
import type { RecordingFailure, TrashDayHead, TrashedRecording } from "../../server/domain/retention/deletion.ts";
import { againInWords, goneInWords, restoredInWords } from "../../server/domain/retention/trash_text.ts";
import { type Asker, sentenceOfError } from "../browser/client.ts";
import { showToast } from "../browser/toast.ts";
import {
  amountOf,
  between,
  type Choice,
  isChosen,
  NOTHING,
  rowOf,
  sumOf,
  withDay,
  withKeys,
  withoutWorkedOn,
} from "./choice.ts";
import { type Entry, emptied, entriesOf, grown, reread, without } from "./contents.ts";
import type { TrashAction } from "./trash_actions.ts";
import type { TrashProps } from "./trash_props.ts";
import type { Question, TrashTask } from "./trash_task.ts";

/** Further days that are asked for at once. */
const MORE_DAYS = 30;

/** Contents of the trash, the chosen entries, and the actions on them. */
export class Trash {
  readonly contents: Signal<TrashProps>;
  readonly choice: Signal<Choice> = signal<Choice>(NOTHING);
  /** Recordings that could not be restored, and why. */
  readonly failures: Signal<readonly RecordingFailure[]> = signal<readonly RecordingFailure[]>([]);
  readonly task: Signal<TrashTask | null> = signal<TrashTask | null>(null);
  /** Progress of a long action: number of finished entries. */
  readonly through: Signal<{ readonly done: number; readonly all: number } | null> = signal(null);
  readonly question: Signal<Question | null> = signal<Question | null>(null);
  /** Reason why something has not been done. */
  readonly trouble: Signal<(TrashTask & { readonly words: string }) | null> = signal(null);
  /** Number of recordings restored last, until something else is done. */
  readonly restored: Signal<number> = signal(0);
  /** Days of which more is coming. */
  readonly coming: Signal<ReadonlySet<string>> = signal<ReadonlySet<string>>(new Set());
  /** The row that takes the focus over when the control that has it goes; null for the head of the page. */
  focusRow: string | null = null;
  /** The days whose rows a range can reach. */
  shownDays: () => readonly TrashDayHead[] = () => this.contents.value.days;
  readonly #asker: Asker;
  /** The row from which a range reaches. */
  #anchor: string | null = null;
  #loading: Promise<TrashProps> | null = null;
  #questions = 0;
  /** Grows with every change by hand: what was read before is too old. */
  #generation = 0;

  constructor(props: TrashProps, asker: Asker) {
    this.contents = signal(props);
    this.#asker = asker;
  }

  /** True while the contents may change by themselves. */
  get isIdle(): boolean {
    return this.choice.value.size === 0 && this.task.value === null && this.question.value === null;
  }

  /** Chooses a row or lets it go; as a range with all rows from the one before. */
  choose(date: string, key: string, on: boolean, isRange: boolean): void {
    const { days } = this.contents.value;
    const day = days.find((one) => one.date === date);
    if (!day) return;
    const row = rowOf(date, key);
    const range = isRange && this.#anchor !== null ? between(this.shownDays(), this.#anchor, row) : [];
    let choice = withKeys(this.choice.value, day, [key], on);
    for (const part of range) choice = withKeys(choice, wholeOf(days, part.day), part.keys, on);
    this.put(choice);
    this.#anchor = row;
  }

  chooseDay(date: string, on: boolean): void {
    this.put(withDay(this.choice.value, date, on));
  }

  /** Takes over what is chosen. */
  put(choice: Choice): void {
    this.choice.value = choice;
    this.trouble.value = null;
  }

  /** Fetches the clips of days of recording, once. @throws Refusal */
  async load(): Promise<void> {
    if (!this.contents.value.isRecorded) return;
    const generation = this.#generation;
    const { loaded } = await import("./recorded_contents.ts");
    this.#loading ??= loaded(this.#asker, this.contents.value).finally(() => {
      this.#loading = null;
    });
    const { days } = await this.#loading;
    if (generation === this.#generation) this.contents.value = { ...this.contents.value, days };
  }

  chooseNone(): void {
    const rows = this.#rows();
    this.focusRow = rows.find(({ date, key }) => isChosen(this.choice.value, date, key))?.row ?? null;
    this.put(NOTHING);
  }

  /**
   * Asks before what cannot be undone, or is a lot; while something is being done, nothing else is asked. What is chosen
   * is loaded before: the answer is about these clips, and about none that come meanwhile.
   */
  async ask(kind: Question["kind"]): Promise<void> {
    try {
      if (kind === "delete-chosen") await this.load();
    } catch (error) {
      showToast(this.#asker.page, "failed", sentenceOfError(error));
      return;
    }
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
    return this.#do(task, async () => {
      const list = await this.#chosen();
      const { value: before } = this.choice;
      await this.#workOn(task, list);
      this.choice.value = withoutWorkedOn(this.choice.value, before, list, this.contents.value.days);
    });
  }

  /** Restores or deletes all there is. @returns whether it was done */
  workOnAll(what: TrashAction): Promise<boolean> {
    return this.#do({ what, of: "all" }, async () => {
      const { totals } = this.contents.value;
      // Restored recordings can be deleted again only by name.
      const all =
        what === "restore"
          ? (await (await import("./recorded_contents.ts")).allEntries(this.#asker)).map(({ key }) => key)
          : [];
      const failed = await (await actions()).workOnAll(this.#asker, what);
      this.focusRow = null;
      await this.#settle(failed.length === 0 ? emptied(this.contents.value) : this.contents.value);
      const left = this.contents.value.totals;
      const gone = {
        recordings: Math.max(0, totals.recordings - left.recordings),
        bytes: Math.max(0, totals.bytes - left.bytes),
      };
      const stuck = new Set(failed.map(({ key }) => key));
      const back = all.filter((key) => !stuck.has(key));
      this.#showResult(what, { ...gone, keys: back }, failed, failed.length === 0 ? 0 : left.recordings);
      this.choice.value = NOTHING;
    });
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
  async #workOn({ what }: TrashTask, list: readonly Entry[]): Promise<void> {
    const { workOn } = await actions();
    const { gone, failed, error } = await workOn(this.#asker, what, list, (done) => {
      this.through.value = { done, all: list.length };
    });
    this.focusRow = this.#rowAfter(gone);
    const keys = new Set(failed.map(({ key }) => key));
    const stuck = sumOf(list.map(({ recording }) => recording).filter(({ key }) => keys.has(key)));
    if (gone.length > 0 || failed.length > 0) {
      await this.#settle(without(this.contents.value, gone));
      const done = gone.map(({ recording }) => recording);
      this.#showResult(what, { ...sumOf(done), keys: done.map(({ key }) => key) }, failed, stuck.recordings);
    }
    if (error !== null) throw error;
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

  /** Entries that have gone can no longer be chosen. */
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
    gone: { readonly recordings: number; readonly bytes: number; readonly keys: readonly string[] },
    failed: readonly RecordingFailure[],
    stuck: number,
  ): void {
    this.failures.value = failed;
    const words = what === "restore" ? restoredInWords(gone.recordings, stuck) : goneInWords(gone);
    this.restored.value = what === "restore" ? gone.recordings : 0;
    const undo = { label: "Undo", run: () => void this.#moveBack(gone.keys) };
    const canUndo = what === "restore" && gone.keys.length > 0;
    showToast(this.#asker.page, failed.length === 0 ? "fine" : "attention", words, canUndo ? undo : undefined);
  }

  /** Moves what was restored to the trash again. */
  async #moveBack(keys: readonly string[]): Promise<void> {
    const { page } = this.#asker;
    try {
      const { deleted, failed } = await (await actions()).moveToTrash(this.#asker, keys);
      this.restored.value = 0;
      this.#show(await reread(this.#asker, this.contents.value, MORE_DAYS));
      showToast(page, failed > 0 ? "attention" : "fine", againInWords(deleted, failed));
    } catch (error) {
      showToast(page, "failed", sentenceOfError(error));
    }
  }

  /** Chosen entries, also those that are not shown yet. @throws Refusal */
  async #chosen(): Promise<Entry[]> {
    const list: Entry[] = [];
    await this.load();
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

/** The script of what is done, which comes when something is. */
const actions = () => import("./trash_actions.ts");

/** A day with all it has, of which a filter may show less. */
const wholeOf = (days: readonly TrashDayHead[], day: TrashDayHead) => days.find(({ date }) => date === day.date) ?? day;
