import { shown } from "./address.ts";

/**
 * What is wrong with where a setting says that files shall go, as a sentence, or null: it must begin at the root. A
 * relative path would lead elsewhere with each folder the service is started from. Empty says nothing.
 */
export function wholePathProblem(path: string): string | null {
  if (path === "" || path.startsWith("/")) return null;
  return `${shown(path)} does not begin with /: write the whole path, such as /volume1/dashcam`;
}
