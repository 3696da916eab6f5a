import { bytesBetween, type TrackTables } from "./clip_tables.ts";

/** Numbers that become more. */
class Numbers {
  #values = new Float64Array(64);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float64Array(2 * this.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  get all(): Float64Array {
    return this.#values.subarray(0, this.length);
  }
}

/** Runs of equal numbers that become more. */
export class Runs {
  readonly #counts = new Numbers();
  readonly #values = new Numbers();
  #count = 0;
  #value = Number.NaN;

  add(count: number, value: number): void {
    if (count <= 0) return;
    if (value === this.#value) {
      this.#count += count;
      return;
    }
    this.#flush();
    [this.#count, this.#value] = [count, value];
  }

  /** Counts and values. */
  get all(): readonly [counts: Float64Array, values: Float64Array] {
    this.#flush();
    return [this.#counts.all, this.#values.all];
  }

  #flush(): void {
    if (this.#count > 0) {
      this.#counts.push(this.#count);
      this.#values.push(this.#value);
    }
    [this.#count, this.#value] = [0, Number.NaN];
  }
}

/** A chunk of samples as it lies in a clip. */
export interface Chunk {
  readonly at: number;
  /** Number of its first sample in the clip. */
  readonly first: number;
  readonly samples: number;
}

/** Yields what is wanted of each chunk that has samples from one to another, the latter not included. */
export function* chunksBetween(
  { chunks, chunkFirsts, sizes }: TrackTables,
  from: number,
  to: number,
): Generator<Chunk> {
  let [low, high] = [0, chunks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunkFirsts[middle + 1] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  for (let chunk = low; chunk < chunks.length; chunk++) {
    const begin = chunkFirsts[chunk] ?? 0;
    const first = Math.max(from, begin);
    const end = Math.min(to, chunkFirsts[chunk + 1] ?? 0);
    if (first >= to) return;
    yield { at: (chunks[chunk] ?? 0) + bytesBetween(sizes, begin, first), first, samples: end - first };
  }
}

/** The tables of one track of a film, which become longer with each clip. Times are in the track's ticks. */
export class FilmTrack {
  readonly durations = new Runs();
  /** Delay from decoding to showing of samples. */
  readonly delays = new Runs();
  /** Samples in each chunk. */
  readonly chunkSamples = new Runs();
  /** Positions of chunks within the film's media. */
  readonly #chunks = new Numbers();
  readonly #keys = new Numbers();
  #sizes = new Uint32Array(1024);
  /** Bytes of every sample so far; null when they differ. */
  #each: number | null = null;
  count = 0;
  hasDelays = false;
  areAllKeys = true;
  /** When the last sample begins; its end is known when the next one, or the film's end, is. */
  last = 0;

  get chunks(): Float64Array {
    return this.#chunks.all;
  }

  /** Numbers of the samples that stand by themselves, from 1 on. */
  get keys(): Float64Array {
    return this.#keys.all;
  }

  /** Bytes of every sample; of each where they differ. */
  get sizes(): Uint32Array | number {
    return this.#each ?? this.#sizes.subarray(0, this.count);
  }

  /** Adds one sample, without its bytes and its place. */
  add(time: number, delay: number, isKey: boolean): void {
    this.#begin(time);
    this.last = time;
    this.delays.add(1, delay);
    if (delay !== 0) this.hasDelays = true;
    this.count++;
    if (isKey) this.#keys.push(this.count);
    else this.areAllKeys = false;
  }

  /** Adds samples of one length that are shown as they are decoded; which of them stand by themselves is told apart. */
  addRun(time: number, samples: number, lasts: number): void {
    this.#begin(time);
    this.durations.add(samples - 1, lasts);
    this.delays.add(samples, 0);
    this.last = time + (samples - 1) * lasts;
    this.count += samples;
  }

  /** Adds which samples from one to another, the latter not included, stand by themselves; all do for null. */
  addKeys(before: number, keys: Uint32Array | null, from: number, to: number): void {
    if (keys === null) {
      for (let at = from; at < to; at++) this.#keys.push(before + at - from + 1);
      return;
    }
    const [first, end] = [firstOf(keys, from), firstOf(keys, to)];
    for (let row = first; row < end; row++) this.#keys.push(before + (keys[row] ?? 0) - from + 1);
    if (end - first < to - from) this.areAllKeys = false;
  }

  /** Adds the bytes of samples that were, or will be, added; in the same order. */
  addSizes(at: number, sizes: Uint32Array | number, from: number, to: number): void {
    const need = at + to - from;
    if (this.#each === null && at === 0 && typeof sizes === "number") this.#each = sizes;
    else if (this.#each !== null && sizes !== this.#each) {
      const each = this.#each;
      this.#each = null;
      this.#room(need);
      this.#sizes.fill(each, 0, at);
    }
    if (this.#each !== null) return;
    this.#room(need);
    if (typeof sizes === "number") this.#sizes.fill(sizes, at, need);
    else this.#sizes.set(sizes.subarray(from, to), at);
  }

  addChunk(at: number, samples: number): void {
    this.#chunks.push(at);
    this.chunkSamples.add(1, samples);
  }

  /** Tells how long the last sample lasts. */
  finish(end: number): void {
    if (this.count > 0) this.durations.add(1, Math.max(1, end - this.last));
  }

  #begin(time: number): void {
    if (this.count > 0) this.durations.add(1, time - this.last);
  }

  #room(count: number): void {
    if (count <= this.#sizes.length) return;
    const larger = new Uint32Array(Math.max(count, 2 * this.#sizes.length));
    larger.set(this.#sizes);
    this.#sizes = larger;
  }
}

/** The first of rising numbers that is not below one. */
function firstOf(numbers: Uint32Array, least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
