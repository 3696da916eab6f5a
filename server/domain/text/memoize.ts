/** Enough for every zone and schedule one installation uses at a time. */
const MOST = 64;

/**
 * A function that reckons each answer once. For pure functions of a short text only: the answer never depends on when
 * or for whom it was reckoned, so nobody can tell that it was kept. Making one formatter costs more than a whole card.
 */
export function remember<T>(reckon: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const there = known.get(text);
    if (there !== undefined) return there;
    const fresh = reckon(text);
    if (known.size >= MOST) known.clear();
    known.set(text, fresh);
    return fresh;
  };
}
