import { ordinalOf } from "../recordings/recording_name.ts";

const ORDINALS: Readonly<Record<number, string>> = { 2: "Second", 3: "Third" };

/** `Second recording of this name`, of a clip or trip whose names the camera had given before; null for the first. */
export function namesakeInWords(key: string): string | null {
  const ordinal = ordinalOf(key);
  if (ordinal === 1) return null;
  const word = ORDINALS[ordinal];
  return word === undefined ? `Recording ${ordinal} of this name` : `${word} recording of this name`;
}
