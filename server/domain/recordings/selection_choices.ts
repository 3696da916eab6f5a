import { DIRECTIONS, TYPES } from "./recording_codes.ts";
import { isSelected } from "./selection_codes.ts";

/** Recordings to be downloaded, as two lists of codes; an empty `include` means everything. */
export interface Selection {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const KINDS = Object.keys(TYPES);
const CAMERAS = Object.keys(DIRECTIONS);

/** True when anything of a kind is downloaded. */
export function hasKind({ include, exclude }: Selection, kind: string): boolean {
  return CAMERAS.some((camera) => isSelected(kind, camera, include, exclude));
}

/** True when anything of a camera may be downloaded, whatever kinds are left out. */
export function hasCamera({ include, exclude }: Selection, camera: string): boolean {
  const isLeftOut = KINDS.every((kind) => exclude.includes(kind + camera));
  return !isLeftOut && KINDS.some((kind) => isSelected(kind, camera, include, []));
}

/** The selection with all of a kind, or nothing of it. */
export function turnKind(selection: Selection, kind: string, isOn: boolean): Selection {
  const { include, exclude } = selection;
  if (!isOn) return { include, exclude: [...exclude.filter((code) => code !== kind), kind] };
  const isOther = (code: string) => !code.startsWith(kind) || (code.length > 1 && !hasCamera(selection, code.slice(1)));
  const isNamed = include.length === 0 || include.some((code) => code.startsWith(kind));
  return { include: isNamed ? include : [...include, kind], exclude: exclude.filter(isOther) };
}

/** The selection with a camera, or without it. */
export function turnCamera({ include, exclude }: Selection, camera: string, isOn: boolean): Selection {
  const others = exclude.filter((code) => code.length === 1 || code.slice(1) !== camera);
  if (!isOn) return { include, exclude: [...others, ...KINDS.map((kind) => kind + camera)] };
  const isNamed = include.length === 0 || KINDS.some((kind) => isSelected(kind, camera, include, []));
  const more = isNamed ? [] : [...new Set(include.map((code) => code.charAt(0)))].map((kind) => kind + camera);
  return { include: [...include, ...more], exclude: others };
}

/**
 * Counts the listed recordings that are left out. @param listed number of recordings of each kind and camera, such as
 * `NF`
 */
export function leftOut({ include, exclude }: Selection, listed: Readonly<Record<string, number>>): number {
  return Object.entries(listed).reduce(
    (sum, [code, count]) => (isSelected(code.charAt(0), code.charAt(1), include, exclude) ? sum : sum + count),
    0,
  );
}
