interface Dated {
  readonly date: string;
}

/** Items of several cameras by day, newest first; those of one day in the order of the cameras. */
export function newestFirst<T extends Dated>(items: readonly T[]): T[] {
  return items.toSorted((one, other) => (one.date < other.date ? 1 : one.date > other.date ? -1 : 0));
}

/** Items of the newest day: without a date each camera answers with its own newest day. */
export function ofNewestDay<T extends Dated>(items: readonly T[]): T[] {
  const [newest] = newestFirst(items);
  return items.filter(({ date }) => date === newest?.date);
}

/** Adds numbers of the same name. */
export function summed(numbers: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [name, value] of numbers.flatMap((one) => Object.entries(one)))
    sums.set(name, (sums.get(name) ?? 0) + value);
  return Object.fromEntries(sums);
}
