import { AppError } from "../../domain/answers/errors.ts";

/** Limits the streams that are open in all and by one session, and ends them together. */
export class StreamSlots {
  readonly #name: string;
  readonly limit: number;
  /** Most streams of one session. */
  readonly sessionLimit: number;
  /** The session of each stream, by the function that ends it; oldest first. */
  readonly #closers = new Map<() => void, string | null>();

  /** @param name what people call such streams */
  constructor({
    limit = 16,
    name = "live views",
    sessionLimit = limit,
  }: { readonly limit?: number; readonly name?: string; readonly sessionLimit?: number } = {}) {
    this.#name = name;
    this.limit = limit;
    this.sessionLimit = sessionLimit;
  }

  /** Number of open streams. */
  get open(): number {
    return this.#closers.size;
  }

  /**
   * Takes a slot for a stream that `close` ends; returns the way to give it back, once. When all are taken, a session that
   * has more than half of them loses its oldest one to another session.
   * @param session whose it is; null in the modes without sessions
   * @throws AppError TOO_MANY_STREAMS
   */
  take(close: () => void, session: string | null = null): () => void {
    if (this.#closers.size >= this.limit) this.#makeRoom(session);
    if (this.#closers.size >= this.limit) throw this.#tooMany(this.limit, "");
    if (session !== null && this.#of(session).length >= this.sessionLimit)
      throw this.#tooMany(this.sessionLimit, " by you");
    // A function of its own, so that giving back one slot can never free another's.
    const closer = () => close();
    this.#closers.set(closer, session);
    return () => this.#closers.delete(closer);
  }

  close(): void {
    for (const close of [...this.#closers.keys()]) close();
  }

  #of(session: string): (() => void)[] {
    return [...this.#closers].flatMap(([closer, owner]) => (owner === session ? [closer] : []));
  }

  #makeRoom(session: string | null): void {
    if (session === null) return;
    for (const other of new Set(this.#closers.values())) {
      if (other === null || other === session) continue;
      const [oldest, ...rest] = this.#of(other);
      if (rest.length < this.limit / 2) continue;
      oldest?.();
      return;
    }
  }

  #tooMany(limit: number, whose: string): AppError {
    const message = `${limit} ${this.#name} are open already${whose}. Close one or try again in a moment.`;
    return new AppError("TOO_MANY_STREAMS", message, { limit });
  }
}
