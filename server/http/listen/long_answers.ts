import type { RequestContext } from "../request/request_context.ts";

/** Number of answers that are kept before the sent ones are looked for. */
const MANY = 64;

/** Answers that take their time: each is ended when its client would no longer be let in. */
export class LongAnswers {
  readonly #contexts = new Set<RequestContext>();
  #many = MANY;

  add(context: RequestContext): void {
    if (this.#contexts.size >= this.#many) {
      this.#forgetSent();
      this.#many = Math.max(MANY, 2 * this.#contexts.size);
    }
    this.#contexts.add(context);
  }

  /** Called when a session was ended or who may enter was changed. */
  judge(): void {
    this.#forgetSent();
    for (const context of this.#contexts) {
      if (context.isStillAdmitted) continue;
      this.#contexts.delete(context);
      void context.connection.end();
    }
  }

  #forgetSent(): void {
    for (const context of this.#contexts) if (!context.connection.isOpen()) this.#contexts.delete(context);
  }
}
