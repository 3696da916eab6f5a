import { open } from "node:fs/promises";
import { isObject, migrate } from "../domain/migrations.ts";
import type { Settings } from "../domain/settings.ts";
import { checkStored, type StoredCheck, toStored, type UnknownParts, type Unusable } from "../domain/settings_patch.ts";
import { stampFrom } from "./atomic_file.ts";
import { errorCode } from "./error_code.ts";

/** A version of the file on disk: `stamp` tells cheaply that it changed, `text` that it really did. */
export interface Seen {
  readonly stamp: string;
  readonly text: string;
}

/** What the settings file of these settings says, to the last character. */
export function canonical(settings: Settings, unknown: UnknownParts, unusable: readonly Unusable[] = []): string {
  return `${JSON.stringify(toStored(settings, unknown, unusable), null, 2)}\n`;
}

/** The one line that says which file cannot be used, why and what to do about it. */
export function unusable(path: string, what: string, remedy: string): Error {
  return new Error(`Cannot use the settings file ${path}: ${what}. ${remedy}; the file is left as it is.`);
}

/** The file's text, null when there is no file. Throws a sentence when it must not or cannot be read. */
export async function readSettings(path: string): Promise<Seen | null> {
  try {
    await using file = await open(path, "r");
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) throw unusable(path, "it is not a file", "Move it away");
    if ((stats.mode & 0o077n) !== 0n) {
      throw unusable(path, "it holds secrets, but others may read or change it", `Run: chmod 600 ${path}`);
    }
    // The stamp is taken first: what is written while we read shows up as a change later.
    return { stamp: stampFrom(stats), text: await file.readFile("utf8") };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return null;
    if (code === "") throw error;
    throw unusable(path, `it cannot be read (${code})`, "Make it readable for the user that runs the service");
  }
}

/** Throws a sentence when the text as a whole is no settings file; never repeats the text, which holds secrets. */
export function parseSettings(path: string, text: string): StoredCheck {
  const afresh = "Correct it, or move it away to start afresh";
  let root: unknown;
  try {
    root = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw unusable(path, "it is not valid JSON", afresh);
  }
  if (!isObject(root)) throw unusable(path, "it does not hold a JSON object", afresh);
  let stored: StoredCheck;
  try {
    stored = checkStored(migrate(root));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw unusable(path, `it ${error.message}`, "Use the program version that wrote it, or restore an older copy");
  }
  // With defaults in their place the next visitor would be asked to choose the password.
  if (stored.refusals.length > 0)
    throw unusable(
      path,
      stored.refusals.join("; "),
      "Correct it, or remove it to choose a new password in the browser",
    );
  return stored;
}
