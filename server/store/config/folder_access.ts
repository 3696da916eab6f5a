import { statSync } from "node:fs";

/**
 * Says that other users can look into the config folder, and what helps; null while they cannot. At once, as all that is
 * read there for a page.
 */
export function openFolderProblem(path: string): string | null {
  const mode = modeOf(path);
  if (mode === null || (mode & 0o077) === 0) return null;
  return `Other users of the machine can look into the config folder ${path}, which holds secrets. Run: chmod 700 ${path}`;
}

function modeOf(path: string): number | null {
  try {
    return statSync(path).mode;
  } catch {
    return null;
  }
}
