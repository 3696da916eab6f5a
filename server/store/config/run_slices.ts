/** The stored runs, slice by slice, with those among them that could not be stored. */
export function* among<T extends { ts: number }>(slices: Iterable<T[]>, waiting: readonly T[]): Generator<T[]> {
  let rest = waiting;
  for (const slice of slices) {
    const end = slice.at(-1)?.ts ?? 0;
    const here = rest.filter(({ ts }) => ts <= end);
    rest = rest.slice(here.length);
    yield here.length === 0 ? slice : [...slice, ...here].sort(byEnd);
  }
  if (rest.length > 0) yield [...rest];
}

/** Orders runs by their ends, oldest first. */
export function byEnd(one: { ts: number }, other: { ts: number }): number {
  return one.ts - other.ts;
}
