import type { ClipTables } from "./clip_tables.ts";

/** Clips that one decoder can take one after the other; null when they fit, else the end of a sentence about the second. */
export function misfit(one: ClipTables, other: ClipTables): string | null {
  if ((one.sound === null) !== (other.sound === null)) return other.sound === null ? "has no sound" : "has sound";
  if (one.tracks !== other.tracks) return "has other tracks";
  const [here, there] = [one.picture, other.picture];
  if (here.width !== there.width || here.height !== there.height || !isSame(here.matrix, there.matrix))
    return "has pictures of another size";
  if (here.entry.codec !== there.entry.codec) return "has pictures that are coded in another way";
  if (here.scale !== there.scale) return "counts its pictures in other steps";
  if (one.sound?.entry.codec !== other.sound?.entry.codec) return "has sound that is coded in another way";
  if (one.sound?.scale !== other.sound?.scale) return "counts its sound in other steps";
  return null;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
