import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { MAP_FILE_HEAD, mapFileProblem } from "../../domain/viewer/map_file.ts";
import { errorCode } from "../error_code.ts";
import { openServedFile, readPart } from "../library/opened_file.ts";

/** Tells why a file of this name in the config folder cannot be the map, as the rest of a sentence; null when it can. */
export async function ownMapProblem(configDir: string, name: string): Promise<string | null> {
  const path = join(configDir, name);
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return `is a link: put ${name} itself into ${configDir}`;
    if (!found.isFile()) return `is no file: ${path}`;
    using file = await openServedFile(configDir, name);
    if (file === null) return `cannot be read: ${path}`;
    const problem = mapFileProblem(await readPart(file, 0, MAP_FILE_HEAD), file.size);
    return problem && `${problem}: ${path}`;
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT"
      ? `is not there: put the file ${name} into ${configDir} first`
      : `cannot be read (${code})`;
  }
}
