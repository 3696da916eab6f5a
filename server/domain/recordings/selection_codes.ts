import { shown } from "../text/shown.ts";
import { DIRECTIONS, TYPES } from "./recording_codes.ts";
import { upperCode } from "./upper_code.ts";

/** Returns a sentence about the fault of an include/exclude code such as `P` or `nf`, or null. */
export function codeProblem(code: string): string | null {
  const [type = "", direction] = upperCode(code);
  if (code.length <= 2 && type in TYPES && (direction === undefined || direction in DIRECTIONS)) return null;
  const types = Object.keys(TYPES).join(" ");
  const directions = Object.keys(DIRECTIONS).join(" ");
  return `${shown(code)} is not a recording code: expected one type letter (${types}), alone or with a direction (${directions})`;
}

/** Splits a comma list such as `P, NF`; blanks and empty items are dropped. */
export function splitList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** True when include and exclude let a recording through: empty include means all, exclude wins. */
export function isSelected(
  type: string,
  direction: string,
  include: readonly string[],
  exclude: readonly string[],
): boolean {
  return (include.length === 0 || names(include, type, direction)) && !names(exclude, type, direction);
}

function names(codes: readonly string[], type: string, direction: string): boolean {
  for (const code of codes) if (code === type || code === type + direction) return true;
  return false;
}

/** Splits a recording code: `NF` → kind `N` and camera `F`, in that order; null when it is none. */
export function partsOfCode(code: string): { type: string; direction: string } | null {
  const [type = "", direction = ""] = upperCode(code);
  return codeProblem(code) === null ? { type, direction } : null;
}
