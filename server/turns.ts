/** Long work that gives way to everything else: loops over 100,000 things, and requests that wait for their turn. */

/** Entries handled before others may run: about a millisecond's work. */
const SLICE = 1000;
/** Requests to the disk at once. */
const WIDTH = 2;

/** Calls `work` for every item, `width` at once; rejects as soon as one does. */
export async function each<T>(items: readonly T[], work: (item: T) => Promise<void>, width = WIDTH): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
}

/** True every few thousand steps of a long loop: time for `nextTurn`. */
export function isSliceEnd(handled: number): boolean {
  return handled % SLICE === 0;
}

/** Resolves after everything that is waiting had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Does steps one after the other, with a turn for everything else between them. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Lets a few pieces of work run at a time, in the order they came. */
export class Turns {
  readonly #width: number;
  #busy = 0;
  readonly #first: (() => void)[] = [];
  readonly #others: (() => void)[] = [];

  constructor(width = WIDTH) {
    this.#width = width;
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  /** True while a caller waits for a turn. */
  get isAwaited(): boolean {
    return this.#first.length + this.#others.length > 0;
  }

  /**
   * Resolves when it is the caller's turn, with the way to end it, which may be called more than once.
   * @param signal takes the caller out of the line; rejects with its reason
   * @param isFirst goes before all others that wait
   */
  async enter(signal?: AbortSignal, isFirst = false): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#busy < this.#width) this.#busy++;
    else await waitIn(isFirst ? this.#first : this.#others, signal);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      // The turn is handed over: given back first, a caller that comes just now could take it, too.
      const next = this.#first.shift() ?? this.#others.shift();
      if (next) next();
      else this.#busy--;
    };
  }

  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = await this.enter(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

function waitIn(line: (() => void)[], signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      line.splice(line.indexOf(turn), 1);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    line.push(turn);
  });
}

/** Calls `work` for every item, with a turn for everything else every few thousand of them. */
export async function eachInSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let handled = 0;
  for (const item of items) {
    work(item);
    if (isSliceEnd(++handled)) await nextTurn();
  }
}

/** A text with a line for every item, each with its end. */
export async function linesInSlices<T>(items: Iterable<T>, lineOf: (item: T) => string): Promise<string> {
  let text = "";
  await eachInSlices(items, (item) => {
    text += `${lineOf(item)}\n`;
  });
  return text;
}

/** Number of items that are put in order at once. */
const SORTED_AT_ONCE = 2000;

/** A sorted copy; what compares as equal keeps its order. */
export async function sortInSlices<T>(items: readonly T[], compare: (one: T, other: T) => number): Promise<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += SORTED_AT_ONCE) {
    runs.push(items.slice(at, at + SORTED_AT_ONCE).sort(compare));
    await nextTurn();
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) longer.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merge<T>(one: readonly T[], other: readonly T[], compare: (one: T, other: T) => number): Promise<T[]> {
  const merged: T[] = [];
  let left = 0;
  let right = 0;
  while (left < one.length && right < other.length) {
    const a = one[left] as T;
    const b = other[right] as T;
    if (compare(a, b) <= 0) {
      merged.push(a);
      left++;
    } else {
      merged.push(b);
      right++;
    }
    if (isSliceEnd(merged.length)) await nextTurn();
  }
  while (left < one.length) merged.push(one[left++] as T);
  while (right < other.length) merged.push(other[right++] as T);
  return merged;
}
