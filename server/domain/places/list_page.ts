/** Position of an item in a list that goes from large to small. */
export interface ListPosition {
  /** Compared in order; numbers are whole. */
  readonly order: readonly number[];
  /** Tells items of one order apart. */
  readonly name: string;
}

const TOKEN = /^(-?[0-9]{1,16}(?:,-?[0-9]{1,16}){0,2});([a-z0-9_.~-]{1,100})$/i;

/** Less than 0 when one item comes before the other. */
export function comparePositions(one: ListPosition, other: ListPosition): number {
  for (const [at, value] of one.order.entries()) {
    const by = (other.order[at] ?? 0) - value;
    if (by !== 0) return by;
  }
  return one.name === other.name ? 0 : one.name < other.name ? 1 : -1;
}

/** The text that leads to what comes after an item. */
export function nextAfter({ order, name }: ListPosition): string {
  return btoa(`${order.join(",")};${name}`)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** Reads what `nextAfter` wrote; null for anything else. */
export function readNext(text: string): ListPosition | null {
  if (!/^[A-Za-z0-9_-]{1,300}$/.test(text)) return null;
  try {
    const [, order = "", name = ""] = TOKEN.exec(atob(text.replaceAll("-", "+").replaceAll("_", "/"))) ?? [];
    return name === "" ? null : { order: order.split(",").map(Number), name };
  } catch {
    return null;
  }
}

/** A page of items that are behind `after`: the first so many, and where the next page begins. */
export function pageOf<T>(
  items: readonly T[],
  limit: number,
  positionOf: (item: T) => ListPosition,
): { readonly items: readonly T[]; readonly next: string | null } {
  const sorted = items.toSorted((one, other) => comparePositions(positionOf(one), positionOf(other)));
  const page = sorted.slice(0, limit);
  const last = page.at(-1);
  return { items: page, next: sorted.length > limit && last !== undefined ? nextAfter(positionOf(last)) : null };
}
