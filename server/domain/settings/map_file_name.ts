import { shown } from "../text/shown.ts";

/** With the ending as long as file systems take names. */
const NAME = /^[\w.-]{1,247}\.pmtiles$/;

/** Returns a sentence about the fault of a map file's name, or null. */
export function mapFileNameProblem(text: string): string | null {
  return NAME.test(text) ? null : `${shown(text)} is not the name of a .pmtiles file, without a folder`;
}
