import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./error_code.ts";

/** True when a folder can be written to or, before it is there, made. */
export async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    return errorCode(error) === "ENOENT" && dirname(path) !== path && (await isWritable(dirname(path)));
  }
}
