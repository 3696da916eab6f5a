/**
 * A value that can be read, set and subscribed to. Publishing never waits: listeners are called in order and one that
 * throws is dropped, so a broken or departed listener cannot hold up the publisher or the others.
 */
export class Topic<T> {
  #value: T;
  readonly #listeners = new Set<(value: T) => void>();

  constructor(initial: T) {
    this.#value = initial;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch {
        this.#listeners.delete(listener);
      }
    }
  }

  /** Calls `listener` on every later set; returns the way to stop it. */
  subscribe(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
