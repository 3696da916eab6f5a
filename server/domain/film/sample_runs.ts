/**
 * Numbers of one sample after the other, kept as runs of equal ones as MP4 has them (ISO/IEC 14496-12 §8.6.1). Their
 * sums are times.
 */
export class SampleRuns {
  /** Samples up to the end of each run. */
  readonly #ends: Float64Array;
  readonly #values: Float64Array;
  /** Sum of all samples before each run. */
  readonly #sums: Float64Array;

  /** @param runs how many samples, and the number of each: pairs */
  constructor(runs: Iterable<readonly [count: number, value: number]>, length: number) {
    this.#ends = new Float64Array(length);
    this.#values = new Float64Array(length);
    this.#sums = new Float64Array(length);
    let [row, count, sum] = [0, 0, 0];
    for (const [samples, value] of runs) {
      this.#sums[row] = sum;
      this.#values[row] = value;
      count += samples;
      sum += samples * value;
      this.#ends[row] = count;
      row++;
    }
  }

  /** Number of samples. */
  get count(): number {
    return this.#ends.at(-1) ?? 0;
  }

  get bytes(): number {
    return this.#ends.byteLength * 3;
  }

  /** The smallest and the largest number. */
  get extremes(): readonly [least: number, most: number] {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of this.#values) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
    return [least, most];
  }

  /** The sum of all samples before this one. */
  sumBefore(sample: number): number {
    if (sample <= 0) return 0;
    const row = this.#rowOf(Math.min(sample, this.count) - 1);
    const before = row === 0 ? 0 : (this.#ends[row - 1] ?? 0);
    return (this.#sums[row] ?? 0) + (Math.min(sample, this.count) - before) * (this.#values[row] ?? 0);
  }

  valueAt(sample: number): number {
    return this.#values[this.#rowOf(sample)] ?? 0;
  }

  /** The first sample that begins at a sum of at least this; one behind the last when none does. For numbers from 0 on. */
  firstFrom(sum: number): number {
    let [low, high] = [0, this.#sums.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sums[middle] ?? 0) < sum) low = middle + 1;
      else high = middle;
    }
    // It lies in the run before, or is the first of this one.
    const row = low - 1;
    if (row < 0) return 0;
    const before = row === 0 ? 0 : (this.#ends[row - 1] ?? 0);
    const value = this.#values[row] ?? 0;
    const within = value > 0 ? Math.ceil((sum - (this.#sums[row] ?? 0)) / value) : Number.POSITIVE_INFINITY;
    return Math.min(this.#ends[row] ?? 0, before + within);
  }

  /** Yields the runs of the samples from one to another, the latter not included. */
  *between(from: number, to: number): Generator<readonly [count: number, value: number]> {
    for (let [row, at] = [this.#rowOf(from), from]; at < to && row < this.#ends.length; row++) {
      const end = Math.min(to, this.#ends[row] ?? 0);
      if (end > at) yield [end - at, this.#values[row] ?? 0];
      at = Math.max(at, end);
    }
  }

  #rowOf(sample: number): number {
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] ?? 0) <= sample) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
