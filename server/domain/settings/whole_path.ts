import { shown } from "../text/shown.ts";

/**
 * What is wrong with the path of a setting, as a sentence, or null: it must begin at the root, or be empty. A relative
 * path would lead elsewhere with each folder the service is started from.
 */
export function wholePathProblem(path: string): string | null {
  if (path === "" || path.startsWith("/")) return null;
  return `${shown(path)} does not begin with /: write the whole path, such as /volume1/dashcam`;
}
