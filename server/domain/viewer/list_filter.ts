import { typeOf } from "../recordings/recording_name.ts";

/** Parts that a list may hold instead of everything: kept recordings, or those that the next run would delete. */
export const ONLY = ["kept", "due"] as const;
export type Only = (typeof ONLY)[number];

/** Conditions of a list: a clip must meet all three kinds. */
export interface ListFilter {
  /** Type letters; none means all. */
  readonly types: readonly string[];
  /** Letters of cameras, of which a clip has one or more; none means all. */
  readonly cameras: readonly string[];
  /** Only kept or only due clips; null means all. */
  readonly only: Only | null;
}

export const NO_FILTER: ListFilter = { types: [], cameras: [], only: null };

/** Reads `?types=N,E`, `?cameras=F` and `?only=`. Characters other than letters do not count. */
export function filterOf(query: URLSearchParams): ListFilter {
  return { types: lettersOf(query.get("types")), cameras: lettersOf(query.get("cameras")), only: onlyOf(query) };
}

/** Reads `?only=`; anything else than the two means all clips. */
export function onlyOf(query: URLSearchParams): Only | null {
  return ONLY.find((one) => one === query.get("only")) ?? null;
}

/** The filter as the end of an address that has a query already: `&types=E&only=kept`; empty without one. */
export function filterQuery({ types, cameras, only }: ListFilter): string {
  const parts = [
    types.length > 0 ? `&types=${types.join(",")}` : "",
    cameras.length > 0 ? `&cameras=${cameras.join(",")}` : "",
    only === null ? "" : `&only=${only}`,
  ];
  return parts.join("");
}

/** True when it leaves nothing out. */
export function isEverything({ types, cameras, only }: ListFilter): boolean {
  return types.length === 0 && cameras.length === 0 && only === null;
}

/** True when two filters hold the same. */
export function isSameFilter(one: ListFilter, other: ListFilter): boolean {
  return filterQuery(one) === filterQuery(other);
}

/** True when a clip is of the types and cameras. This does not look at `only`. */
export function isOfKind(filter: ListFilter, key: string, cameras: Iterable<string>): boolean {
  if (filter.types.length > 0 && !filter.types.includes(typeOf(key))) return false;
  if (filter.cameras.length === 0) return true;
  for (const camera of cameras) if (filter.cameras.includes(camera)) return true;
  return false;
}

/** The filter with one letter more, or less when it has it. */
export function withLetter(filter: ListFilter, kind: "types" | "cameras", letter: string): ListFilter {
  const { [kind]: letters } = filter;
  const changed = letters.includes(letter) ? letters.filter((one) => one !== letter) : [...letters, letter].sort();
  return { ...filter, [kind]: changed };
}

/** Reads `N,E`: what is no letter does not count. */
export function lettersOf(text: string | null): string[] {
  const letters = (text ?? "").split(",").filter((letter) => /^[A-Z]$/.test(letter));
  return [...new Set(letters)].sort();
}
