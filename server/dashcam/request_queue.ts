/**
 * One request at a time: a camera is a small server on a weak link, and parallel requests starve each other. Waiters
 * pass in the order they came; an aborted waiter leaves the queue.
 */
export class RequestQueue {
  #busy = false;
  readonly #waiting: (() => void)[] = [];

  get isBusy(): boolean {
    return this.#busy;
  }

  /** Resolves when it is this caller's turn, with the way out, which may be called more than once. */
  async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#busy) await this.#wait(signal);
    this.#busy = true;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy = false;
    };
  }

  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.push(turn);
    });
  }
}
