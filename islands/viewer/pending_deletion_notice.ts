import { type Signal, signal } from "@preact/signals";
import {
  type Amount,
  amountsTogether,
  type HeldDeletion,
  type RetentionState,
} from "../../server/domain/retention/deletion.ts";
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
  /** On a page of all of several cameras, the ids of those of which something waits: each is answered for itself. */
  readonly heldOf: Signal<readonly string[]>;
  /** Answer to the deletion on hold, as a sentence, or the reason why the answer did not arrive. */
  readonly said: Signal<{ readonly words: string; readonly isTrouble: boolean } | null> = signal(null);
  /** An answer is on its way. */
  readonly isAnswering: Signal<boolean> = signal(false);
  readonly #parts: Parts;
  readonly #isOfAll: boolean;
  /** Filter that `amount` belongs to. */
  #of: Only | null;

  constructor(props: Pick<ViewerProps, "onlyAmount" | "held" | "heldOf" | "filter" | "whose">, parts: Parts) {
    this.amount = signal(props.onlyAmount);
    this.held = signal(props.held);
    this.heldOf = signal(props.heldOf ?? []);
    this.#isOfAll = props.whose?.only === null;
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
      this.heldOf.value = [];
      this.said.value = null;
    }
    await totals.refresh();
    if (only === null) return;
    const states = await this.#ofCameras<RetentionState>("GET /api/retention");
    const held = this.#isOfAll ? null : (states[0]?.held ?? null);
    const heldOf = this.#isOfAll ? states.flatMap((one) => (one.held === null ? [] : (one.camera ?? []))) : [];
    const amount = await this.#amount(only, states);
    const before = [this.held.value, this.heldOf.value, this.amount.value];
    if (list.only.value !== only || isSame([held, heldOf, amount], before)) return;
    this.#parts.changed?.();
    this.held.value = held;
    this.heldOf.value = heldOf;
    this.amount.value = amount;
  }

  /** Amount of the recordings that are kept or due, of all cameras on the page together. @throws Refusal */
  async #amount(only: Only, states: readonly OfCamera<RetentionState>[]): Promise<Amount | null> {
    if (only === "kept") return amountsTogether(states.map(({ kept }) => knownAmount(kept)));
    if (states.every(({ held }) => held !== null)) return amountsTogether(states.map(({ held }) => held));
    const previews = await this.#ofCameras<RetentionPreview>("GET /api/retention/preview");
    const due = new Map(previews.map((one) => [one.camera, one.valid ? knownAmount(one) : null]));
    return amountsTogether(states.map(({ camera, held }) => held ?? due.get(camera) ?? null));
  }

  /** Asks for each camera on the page. @throws Refusal */
  async #ofCameras<T>(request: `GET /api/${string}`): Promise<readonly OfCamera<T>[]> {
    if (!this.#isOfAll) return [await send<OfCamera<T>>(request)];
    return (await send<{ readonly cameras: readonly OfCamera<T>[] }>(`${request}?camera=all`)).cameras;
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

/** An answer, with whose it is where it is one of several. */
type OfCamera<T> = T & { readonly camera?: string };

function knownAmount({ recordings, bytes }: { readonly recordings: number | null; readonly bytes: number | null }) {
  return recordings === null ? null : { recordings, bytes };
}
