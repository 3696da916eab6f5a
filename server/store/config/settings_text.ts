import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { MASK, pathOf, type Settings } from "../../domain/settings/settings.ts";
import { isObject, migrate } from "../../domain/settings/settings_migrations.ts";
import {
  checkStored,
  type StoredCheck,
  toStored,
  type UnknownParts,
  type Unusable,
} from "../../domain/settings/stored_settings.ts";
import type { Log } from "../../log.ts";
import { copyOnce, replaceFile, stampFrom } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

const LOGGER = "settings";

/** A version of the file on disk: `stamp` shows cheaply that it changed, `text` that it really did. */
export interface FileVersion {
  readonly stamp: string;
  readonly text: string;
}

export interface SaveOptions {
  /** Nothing is done when the file was edited since it was read last. */
  readonly yielding?: boolean;
  /** The settings are in force also when the disk is full. */
  readonly unsaved?: boolean;
  /** Fields that the file keeps though they cannot be used. */
  readonly unusable?: readonly Unusable[];
  /** Parts of the file beyond the schema, when they change. */
  readonly unknown?: UnknownParts | undefined;
}

/** Options for opening a settings file. */
export interface SettingsFileOptions {
  readonly path: string;
  readonly log: Log;
  /** Called once, when there is no file yet; what it throws stops the start and nothing is written. */
  readonly seed: () => Settings | Promise<Settings>;
  /** Called with what the file holds, before anything is written; what it throws stops the start, or refuses the edit. */
  readonly judge?: (settings: Settings) => Promise<void>;
  readonly clock?: Clock;
}

export interface ChangeOptions extends Pick<SaveOptions, "unsaved"> {
  /** Tells if the change sets this field, even to the value in force. */
  readonly isSet?: (field: Unusable) => boolean;
  /** Called with what the change would lead to; its error is the refusal. */
  readonly judge?: ((changed: Settings, before: Settings) => Promise<void>) | undefined;
  /** Returns the parts at the top of the file that the schema does not know, as they are to be. */
  readonly root?: (root: UnknownParts["root"]) => Promise<UnknownParts["root"]>;
}

/** The text of the settings file, to the last character. */
export function canonical(settings: Settings, unknown: UnknownParts, unusable: readonly Unusable[] = []): string {
  return `${JSON.stringify(toStored(settings, unknown, unusable), null, 2)}\n`;
}

/** The error, in one line, of a file that cannot be used: which, why and the remedy. */
export function unusable(path: string, what: string, remedy: string): Error {
  return new Error(`Cannot use the settings file ${path}: ${what}. ${remedy}; the file is left as it is.`);
}

/** True when an edit leaves out the password that is set: an empty one that is written down is a decision. */
export function losesPassword(text: string, before: Settings, edited: Settings): boolean {
  if (before.auth.password_hash === "" || edited.auth.password_hash !== "") return false;
  const { auth } = JSON.parse(text) as { auth?: { password_hash?: unknown } };
  return auth?.password_hash === undefined;
}

/** The error of an edit that loses the password. */
export function passwordGone(path: string): Error {
  const what = `${pathOf("auth", "password_hash")} is gone, so that any visitor could choose the next password`;
  return unusable(path, what, "Put it back, or set it to an empty text to choose a new one");
}

/** The file's text, null when there is no file. Throws a sentence when it must not or cannot be read. */
export async function readSettings(path: string): Promise<FileVersion | null> {
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

/** Throws a sentence when the text as a whole cannot be used; never repeats the text, which holds secrets. */
export async function parseSettings(
  { path, judge }: Pick<SettingsFileOptions, "path" | "judge">,
  text: string,
): Promise<StoredCheck> {
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
  await judge?.(stored.settings);
  return stored;
}

/** Makes the folder of settings and sessions, for its owner only; one that is there stays as it is. */
export async function makeConfigFolder(path: string): Promise<void> {
  // The folder above may hold the recordings as well, which are for others, too.
  await mkdir(dirname(path), { recursive: true });
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Makes the file with its folder. @throws a sentence that names the file and the remedy */
export async function createSettingsFile(path: string, text: string): Promise<FileVersion> {
  try {
    await makeConfigFolder(dirname(path));
    return { stamp: (await replaceFile(path, text)) ?? "", text };
  } catch (error) {
    const remedy = "its folder must have room and be writable for the user that runs the service";
    throw new Error(`Cannot create the settings file ${path} (${errorCode(error) || String(error)}): ${remedy}`);
  }
}

/** Keeps the file as it is now under another name; an earlier copy of that name stays. Failing to is no reason to stop. */
export async function keepCopy(path: string, copy: string, log: Log): Promise<void> {
  try {
    if (await copyOnce(path, copy)) log.info(LOGGER, `${path} is kept as it was in ${copy}`);
  } catch (error) {
    log.warning(LOGGER, `${path} could not be copied to ${copy} (${errorCode(error) || String(error)})`);
  }
}

/** True when a request sets this field; the mask leaves it as it is. */
export function setsField(body: Readonly<Record<string, unknown>>, key: string): boolean {
  return Object.hasOwn(body, key) && body[key] !== MASK;
}

/** True when both are the same value of the same field. */
export function isSameField(one: Unusable, other: Unusable): boolean {
  return one.path === other.path && JSON.stringify(one.raw) === JSON.stringify(other.raw);
}

/** With a new session secret, when there is none. */
export function withSessionSecret(settings: Settings): Settings {
  if (settings.auth.session_secret !== "") return settings;
  const auth = Object.freeze({ ...settings.auth, session_secret: crypto.getRandomValues(new Uint8Array(32)).toHex() });
  return Object.freeze({ ...settings, auth });
}

/** Lists the problems of a file that can be used all the same, with what is done about each. */
export function warningsOf({ problems, unusable, contradictions }: StoredCheck): string[] {
  return [
    ...problems.map((problem) => `${problem}; the default is used`),
    ...unusable.map(({ problem, sentence }) => `${problem}. ${sentence}`),
    ...contradictions,
  ];
}

/** True when a system's code stands for a disk or a quota without room. */
export function isFull(code: string): boolean {
  return code === "ENOSPC" || code === "EDQUOT";
}

/** The error of a file that could not be written. @param code the system's */
export function notSaved(code: string): AppError {
  return isFull(code)
    ? new AppError("STORAGE_FULL", "Nothing was changed: the disk that holds the settings is full")
    : new AppError("SETTINGS_NOT_SAVED", `Nothing was changed: the settings file could not be written (${code})`);
}
