import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { send, sentenceOfError } from "../../browser/client.ts";

export type Question = `GET /api/${string}`;

/** The part of `send` that is used; tests pass their own. */
type Send = (question: Question, body: undefined, leaving: AbortSignal) => Promise<unknown>;

/** A question that changes again within this time is not asked: while an end is dragged, it does with every step. */
const REST_MS = 250;

/** The answer to a question that changes. An answer that is not needed any more is given up. */
export class Asked<T> {
  /** The last one that came; it may be of an earlier question while `isReading`. */
  readonly answer: Signal<T | null> = signal(null);
  readonly isReading: Signal<boolean> = signal(true);
  /** Why there is none, as a sentence. */
  readonly problem: Signal<string | null> = signal(null);
  readonly #send: Send;

  constructor(ask: Send = send) {
    this.#send = ask;
  }

  /** @param question null for none @param state asked anew when this changes @returns what ends it */
  follow(question: ReadonlySignal<Question | null>, state: ReadonlySignal<unknown>): () => void {
    let isFirst = true;
    return effect(() => {
      const { value: asked } = question;
      state.value;
      this.problem.value = null;
      this.isReading.value = asked !== null;
      if (asked === null) {
        this.answer.value = null;
        return;
      }
      const leaving = new AbortController();
      const timer = setTimeout(() => void this.#ask(asked, leaving.signal), isFirst ? 0 : REST_MS);
      isFirst = false;
      return () => {
        clearTimeout(timer);
        leaving.abort();
      };
    });
  }

  async #ask(question: Question, leaving: AbortSignal): Promise<void> {
    try {
      const answer = await this.#send(question, undefined, leaving);
      if (leaving.aborted) return;
      this.answer.value = answer as T;
    } catch (error) {
      if (leaving.aborted) return;
      this.answer.value = null;
      this.problem.value = sentenceOfError(error);
    }
    this.isReading.value = false;
  }
}
