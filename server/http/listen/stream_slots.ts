import { AppError } from "../../domain/api/errors.ts";

/** How many streams may be open in all and by one session, and the way to end them together. */
export class StreamSlots {
  readonly #name: string;
  readonly limit: number;
  /** So that a browser with many tabs leaves some to the others. */
  readonly sessionLimit: number;
  /** The session of each stream, by the function that ends it. */
  readonly #closers = new Map<() => void, string | null>();

  /** @param name what people call such streams */
  constructor({ limit = 16, name = "live views" }: { readonly limit?: number; readonly name?: string } = {}) {
    this.#name = name;
    this.limit = limit;
    this.sessionLimit = Math.ceil(limit / 2);
  }

  /** How many are taken. */
  get open(): number {
    return this.#closers.size;
  }

  /**
   * Takes a slot for a stream that `close` ends; returns the way to give it back, once.
   * @param session whose it is; null in the modes without sessions
   * @throws AppError TOO_MANY_STREAMS
   */
  take(close: () => void, session: string | null = null): () => void {
    if (this.#closers.size >= this.limit) throw this.#tooMany(this.limit, "");
    const own = [...this.#closers.values()].filter((owner) => owner !== null && owner === session);
    if (own.length >= this.sessionLimit) throw this.#tooMany(this.sessionLimit, " by you");
    // A function of its own, so that giving back one slot can never free another's.
    const closer = () => close();
    this.#closers.set(closer, session);
    return () => this.#closers.delete(closer);
  }

  close(): void {
    for (const close of [...this.#closers.keys()]) close();
  }

  #tooMany(limit: number, whose: string): AppError {
    const message = `${limit} ${this.#name} are open already${whose}. Close one or try again in a moment.`;
    return new AppError("TOO_MANY_STREAMS", message, { limit });
  }
}
