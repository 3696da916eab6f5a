import { constants } from "node:fs";
import { access, mkdir, stat } from "node:fs/promises";
import { type Refusal, unreadable } from "../../domain/status/destination_state.ts";
import { errorCode } from "../error_code.ts";

/**
 * Makes sure a destination is a folder that can be written, and makes it when `create`; without, one that is still to be
 * made is fine.
 * @returns null when it is, else why not; what is not about the folder itself is thrown
 */
export async function makeDestination(root: string, create: boolean): Promise<Refusal | null> {
  try {
    if (create) await mkdir(root, { recursive: true });
    if (!(await stat(root)).isDirectory()) return NO_FOLDER;
    if (create) await access(root, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const code = errorCode(error);
    switch (code) {
      case "ENOENT":
        return create ? ["the destination folder does not exist and cannot be made", "unknown"] : null;
      case "EEXIST":
      case "ENOTDIR":
        return NO_FOLDER;
      case "EACCES":
      case "EPERM":
        return ["the destination folder is not writable for this user; check its owner and mode", "unknown"];
      case "EROFS":
        return ["the destination folder is on a read-only file system", "unknown"];
      case "EIO":
      case "ENOTCONN":
      case "ENXIO":
      case "ESTALE":
      case "ETIMEDOUT":
        return unreadable(code);
    }
    throw error;
  }
}

const NO_FOLDER: Refusal = ["the destination is not a folder", "unknown"];
