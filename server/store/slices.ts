import { isSliceEnd, nextTurn } from "./library/list_directory.ts";

/** Long loops over 100,000 things, which let others run every few thousand steps. */

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

/** So many are put in order at once. */
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
  let [left, right] = [0, 0];
  while (left < one.length && right < other.length) {
    const [a, b] = [one[left] as T, other[right] as T];
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
