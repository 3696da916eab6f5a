/** Adds a row to the table. */
export type Add = (work: string, figure: string, bar: string) => void;

/** A part of the benchmarks, which can be asked for by its name: some rows of the table. */
export interface Part {
  name: string;
  /** @param rounds of each pair; what takes minutes is measured once */
  measure(add: Add, rounds: number): Promise<void>;
}
