import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { MapPasses, Pass } from "../../server/domain/places/places_schema.ts";
import { sentenceOfError } from "../browser/client.ts";
import { type AskMap, askMap, type DrivesAsked, queryOf } from "./drives_store.ts";
import { boxText, earthBoxOf, type FlatBox } from "./map_view.ts";

/** Passes asked for at once. */
const AT_ONCE = 300;

/** Passes through the drawn box, the newest first; more of them as they are asked for. */
export class PassesStore {
  /** Null while there is no list. */
  readonly passes: Signal<readonly Pass[] | null> = signal(null);
  /** There are more than these. */
  readonly hasMore: Signal<boolean> = signal(false);
  readonly isBusy: Signal<boolean> = signal(false);
  /** True while clips are still being read: passes may be missing. */
  readonly isIndexing: Signal<boolean> = signal(false);
  /** Why they did not come, as a sentence. */
  readonly problem: Signal<string | null> = signal(null);
  readonly #asked: ReadonlySignal<DrivesAsked>;
  readonly #ask: AskMap;
  #waiting: AbortController | null = null;
  #box: FlatBox | null = null;
  #next: string | null = null;

  constructor(asked: ReadonlySignal<DrivesAsked>, ask: AskMap = askMap) {
    this.#asked = asked;
    this.#ask = ask;
  }

  /** Lists the passes through a box from the newest on; null ends the list. */
  async list(box: FlatBox | null): Promise<void> {
    this.#waiting?.abort();
    this.#box = box;
    this.#next = null;
    this.hasMore.value = false;
    this.problem.value = null;
    this.passes.value = null;
    if (box === null) this.isBusy.value = false;
    else await this.#load();
  }

  /** Adds those that follow; after a failure tries again. */
  async more(): Promise<void> {
    if (this.#box === null || this.isBusy.value) return;
    if (this.hasMore.value || this.problem.value !== null) await this.#load();
  }

  async #load(): Promise<void> {
    const box = this.#box;
    if (box === null) return;
    const waiting = new AbortController();
    this.#waiting = waiting;
    this.isBusy.value = true;
    this.problem.value = null;
    const from = this.#next === null ? "" : `&next=${encodeURIComponent(this.#next)}`;
    const query = `bbox=${boxText(earthBoxOf(box))}&limit=${AT_ONCE}${from}${queryOf(this.#asked.value)}`;
    try {
      const answer = await this.#ask<MapPasses>(`/api/map/passes?${query}`, waiting.signal);
      if (waiting.signal.aborted) return;
      this.#next = answer.next;
      this.hasMore.value = answer.next !== null;
      this.isIndexing.value = answer.indexing !== null;
      this.passes.value = [...(this.passes.value ?? []), ...answer.passes];
    } catch (error) {
      if (waiting.signal.aborted) return;
      this.problem.value = sentenceOfError(error);
    }
    this.isBusy.value = false;
  }
}
