import { shown } from "../text/shown.ts";

/**
 * Returns a sentence about the fault of a setting's path, or null. The path must begin at the root, or be empty. A
 * relative path would lead elsewhere with each folder the service is started from.
 */
export function wholePathProblem(path: string): string | null {
  if (path === "" || path.startsWith("/")) return null;
  return `${shown(path)} does not begin with /: write the whole path, such as /volume1/dashcam`;
}
