import { hasUnsetClock } from "../recordings/recording_name.ts";

/** Known facts about the list before this one. */
export interface ListBefore {
  /** The name of its newest video, `YYYYMMDD_HHMMSS…`; null when it had none. */
  readonly newest: string | null;
  /** Tells if it had this video; null when its names are not known. */
  readonly has: ((name: string) => boolean) | null;
}

/**
 * The listed videos under whose names the camera may have other recordings by now: those of an unset clock, and, when the
 * list went backwards in time, what may have been recorded since. A clock that was put back names from then on what it
 * names again.
 * @param listed names of videos, of a list that is another than the one before
 */
export function repeatable(listed: readonly string[], before: ListBefore): ReadonlySet<string> {
  const from = firstRepeated(listed, before);
  return new Set(listed.filter((name) => hasUnsetClock(name) || (from !== null && name >= from)));
}

/** The name from which on names may be repeated; empty for all, null for none. */
function firstRepeated(listed: readonly string[], { newest, has }: ListBefore): string | null {
  if (newest === null) return null;
  const isBehind = (name: string) => !hasUnsetClock(name) && name < newest;
  const isNew = (name: string) => has !== null && isBehind(name) && !has(name);
  const first = smallest(listed.filter(isNew));
  // When the newest names are gone and no newer ones came, the card may have been emptied. Then each name may be
  // another recording's.
  return first ?? (listed.some((name) => !hasUnsetClock(name)) && !listed.some((name) => name >= newest) ? "" : null);
}

function smallest(names: readonly string[]): string | null {
  let first: string | null = null;
  for (const name of names) if (first === null || name < first) first = name;
  return first;
}
