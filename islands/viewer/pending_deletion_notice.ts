import { type Signal, signal } from "@preact/signals";
import type { Amount, HeldDeletion, RetentionState } from "../../server/domain/retention/deletion.ts";
import type { RetentionPreview } from "../../server/domain/retention/deletion_schema.ts";
import type { Only } from "../../server/domain/viewer/list_filter.ts";
import { send, sentenceOfError } from "../browser/client.ts";
import { KEEP_EVERYTHING } from "../parts/keep_everything.ts";
import type { LibraryTotals } from "./list/library_totals.ts";
import { isSame, type RecordingList } from "./list/recording_list.ts";
import type { ViewerProps } from "./viewer_props.ts";

interface Parts {
  readonly list: RecordingList;
  readonly totals: LibraryTotals;
  /** Reads the list anew. @throws Refusal */
  readonly refresh: () => Promise<void>;
  /** Called right before what is seen of it changes. */
  readonly changed?: () => void;
}

/** Amount that the list stands for, recordings that the next run would delete, and the user's answer to that. */
export class PendingDeletionNotice {
  /** Amount that the list stands for when it does not hold everything; null while it is not known. */
  readonly amount: Signal<Amount | null>;
  readonly held: Signal<HeldDeletion | null>;
  /** Answer to the deletion on hold, as a sentence, or the reason why the answer did not arrive. */
  readonly said: Signal<{ readonly words: string; readonly isTrouble: boolean } | null> = signal(null);
  /** An answer is on its way. */
  readonly isAnswering: Signal<boolean> = signal(false);
  readonly #parts: Parts;
  /** Filter that `amount` belongs to. */
  #of: Only | null;

  constructor(props: Pick<ViewerProps, "onlyAmount" | "held" | "filter">, parts: Parts) {
    this.amount = signal(props.onlyAmount);
    this.held = signal(props.held);
    this.#of = props.filter.only;
    this.#parts = parts;
  }

  /** Reads how much it is now. @throws Refusal */
  async refresh(): Promise<void> {
    const { list, totals } = this.#parts;
    const { value: only } = list.only;
    if (only !== this.#of) {
      this.#of = only;
      this.amount.value = null;
      this.held.value = null;
      this.said.value = null;
    }
    await totals.refresh();
    if (only === null) return;
    const { held, kept } = await send<RetentionState>("GET /api/retention");
    const known = kept.recordings === null ? null : { ...kept, recordings: kept.recordings };
    const amount = only === "kept" ? known : (held ?? (await due()));
    if (list.only.value !== only || isSame([held, amount], [this.held.value, this.amount.value])) return;
    this.#parts.changed?.();
    this.held.value = held;
    this.amount.value = amount;
  }

  /** Approves the deletion on hold. */
  letDelete(): Promise<void> {
    return this.#answer("The next scheduled run deletes them.", () => send("POST /api/retention/confirm"));
  }

  /** Nothing is deleted by any rule from now on. */
  keepEverything(): Promise<void> {
    return this.#answer("Everything is kept: no run deletes anything until a keep time or a limit is set again.", () =>
      send("PATCH /api/settings/retention", KEEP_EVERYTHING),
    );
  }

  async #answer(words: string, ask: () => Promise<unknown>): Promise<void> {
    if (this.isAnswering.value) return;
    this.isAnswering.value = true;
    try {
      await ask();
      this.held.value = null;
      this.said.value = { words, isTrouble: false };
      await this.#parts.refresh();
    } catch (error) {
      this.said.value = { words: sentenceOfError(error), isTrouble: true };
    } finally {
      this.isAnswering.value = false;
    }
  }
}

async function due(): Promise<Amount | null> {
  const preview = await send<RetentionPreview>("GET /api/retention/preview");
  if (!preview.valid || preview.recordings === null) return null;
  return { recordings: preview.recordings, bytes: preview.bytes };
}
