import * as v from "valibot";
import { DIRECTIONS } from "./recording_codes.ts";

/** Letter of a camera direction. */
export const DIRECTION_LETTER = v.picklist(Object.keys(DIRECTIONS) as (keyof typeof DIRECTIONS)[]);

/** A picture that was kept with a recording: what it shows, and when. */
export interface StillName {
  /** Key of the recording. */
  readonly key: string;
  readonly direction: string;
  /** Since the recording's beginning. */
  readonly milliseconds: number;
  readonly format: StillFormat;
}
export type StillFormat = "jpg" | "png";

const NAME = /^([FRIO])_([0-9]{8})\.(jpg|png)$/;
const KEYED = /^([0-9]{8}_[0-9]{6}_[A-Z](?:\.[1-9][0-9]?)?)_([FRIO]_[0-9]{8}\.(?:jpg|png))$/;
/** Longest recording of which pictures are kept: what fits into the digits of a name. */
export const MOST_MILLISECONDS = 99_999_999;

/** Name within its recording, which sorts by direction and time: `F_00012345.jpg`. */
export function stillName({ direction, milliseconds, format }: Omit<StillName, "key">): string {
  return `${direction}_${String(milliseconds).padStart(8, "0")}.${format}`;
}

/** Name of the file in the folder of all stills: `20260607_101500_N_F_00012345.jpg`. */
export function stillFile(still: StillName): string {
  return `${still.key}_${stillName(still)}`;
}

/** Reads a name within a recording; null for any other text. */
export function parseStillName(key: string, name: string): StillName | null {
  const [, direction, milliseconds, format] = NAME.exec(name) ?? [];
  if (direction === undefined) return null;
  return { key, direction, milliseconds: Number(milliseconds), format: format as StillFormat };
}

/** Reads the name of a file in the folder of all stills; null for any other text. */
export function parseStillFile(file: string): StillName | null {
  const [, key, name] = KEYED.exec(file) ?? [];
  return key === undefined || name === undefined ? null : parseStillName(key, name);
}
