import { stat } from "node:fs/promises";

/** Says that other users can look into the config folder, and what helps; null while they cannot. */
export async function openFolderProblem(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null || (found.mode & 0o077) === 0) return null;
  return `Other users of the machine can look into the config folder ${path}, which holds secrets. Run: chmod 700 ${path}`;
}
