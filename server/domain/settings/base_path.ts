import { shown } from "../text/shown.ts";

const LONGEST = 200;
const PARTS = /^(\/[A-Za-z0-9._~-]+)+$/;
const DOTS = /\/\.{1,2}(\/|$)/;

/** True for a path below which the service can be reached, such as `/dashcam`. */
export function isBasePath(text: string): boolean {
  return text.length <= LONGEST && PARTS.test(text) && !DOTS.test(text);
}

/** Returns a sentence about the fault of the path below which the service is reached, or null; it may be empty. */
export function basePathProblem(text: string): string | null {
  if (text === "" || isBasePath(text)) return null;
  return `${shown(text)} is no path such as /dashcam: expected at most ${LONGEST} letters, digits, dots, dashes, underscores and ~, with a slash before each part and none at the end`;
}
