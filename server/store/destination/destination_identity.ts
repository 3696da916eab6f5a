import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isObject } from "../../domain/settings/settings_migrations.ts";
import {
  isAcceptable,
  type Refusal,
  refusalOf,
  type Standing,
  unreadable,
} from "../../domain/status/destination_standing.ts";
import { type Log, messageOf } from "../../log.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import type { Library } from "../library/library.ts";
import { isFolder } from "../path_facts.ts";
import { giveId, newId, readId } from "./destination_id.ts";

const LOGGER = "destination";

/** In place of an id: the next sync takes the one that it finds, or gives one. */
const ACCEPTED = "";

/** The destination that was used last, as the config folder keeps it. */
interface Remembered {
  readonly path: string;
  readonly id: string;
  /** Recordings were seen there, or brought there. */
  readonly had_recordings: boolean;
}

export interface IdentityParts {
  readonly root: string;
  readonly library: Library;
  readonly log: Log;
}

/**
 * Tells the destination that was used before from an empty folder at its path, which is what is left when its disk is
 * not mounted: the destination carries an id, and the config folder remembers it.
 */
export class DestinationIdentity {
  readonly #root: string;
  readonly #library: Library;
  readonly #log: Log;
  /** Where it is remembered; null for a command without a config folder, which compares nothing. */
  readonly #file: string | null;
  #remembered: Remembered | null;
  /** What the file holds, as far as it is known; null when it is behind. */
  #saved: Remembered | null;
  #standing: Standing = "known";
  /** The id that the destination had when a run began; null when it could not be marked. */
  #used: string | null = null;

  private constructor({ root, library, log }: IdentityParts, file: string | null, remembered: Remembered | null) {
    this.#root = resolve(root);
    this.#library = library;
    this.#log = log;
    this.#file = file;
    this.#remembered = remembered?.path === this.#root ? remembered : null;
    this.#saved = this.#remembered;
  }

  /** With what `file` remembers; one that cannot be used is a warning, and the folder is then taken as it is. */
  static async open(parts: IdentityParts & { readonly file: string }): Promise<DestinationIdentity> {
    return new DestinationIdentity(parts, parts.file, await readRemembered(parts.file, parts.log));
  }

  /** Gives destinations an id, and neither remembers nor compares it. */
  static withoutMemory(parts: IdentityParts): DestinationIdentity {
    return new DestinationIdentity(parts, null, null);
  }

  /** The standing at the last check. */
  get standing(): Standing {
    return this.#standing;
  }

  /** Checks the folder; returns why a run must not write there, null when it may. */
  async refusal(): Promise<Refusal | null> {
    try {
      this.#standing = await this.#judge(() => this.#library.refresh());
    } catch (error) {
      if (errorCode(error) === "") throw error;
      return unreadable(errorCode(error));
    }
    return refusalOf(this.#standing);
  }

  /** The standing now, for pages that ask every few seconds: where the disk refuses, the last one stays. */
  async check(): Promise<Standing> {
    try {
      this.#standing = await this.#judge(() => this.#library.refreshIfOlder());
    } catch {
      // The library reports a folder that cannot be read.
    }
    return this.#standing;
  }

  /** Marks the destination, when it is not yet, and remembers it. Trouble with that is a warning and stops no sync. */
  async use(): Promise<void> {
    this.#used = null;
    try {
      const found = await readId(this.#root);
      const { id: wanted, had_recordings } = this.#remembered ?? { id: ACCEPTED, had_recordings: false };
      const id = found ?? (await giveId(this.#root, wanted === ACCEPTED ? newId() : wanted));
      this.#used = id;
      const isSame = id === this.#remembered?.id;
      if (found === null && isSame && had_recordings)
        this.#log.info(LOGGER, `the recordings folder ${this.#root} had lost its .dashdock/id; it was written anew`);
      // Once in a process: afterwards the library is refreshed by each run.
      if (this.#file !== null && !this.#library.available) await this.#library.refresh();
      const has = this.#library.recordingCount > 0;
      await this.#remember({ path: this.#root, id, had_recordings: has || (isSame && had_recordings) });
      this.#standing = "known";
    } catch (error) {
      this.#log.warning(LOGGER, `the recordings folder ${this.#root} could not be marked: ${messageOf(error)}`);
    }
  }

  /** Whether what is at the path now is what a run began with. */
  async isInUse(): Promise<boolean> {
    if (!isFolder(this.#root)) return false;
    return this.#used === null || (await readId(this.#root).catch(() => null)) === this.#used;
  }

  /** A recording came home: from now on an empty folder in its place is another one. */
  async noteRecording(): Promise<void> {
    if (this.#remembered === null || this.#remembered.had_recordings) return;
    await this.#remember({ ...this.#remembered, had_recordings: true });
  }

  /** From now on the folder that is there is the one to use. False when it is that already. */
  async accept(): Promise<boolean> {
    if (!isAcceptable(await this.check())) return false;
    this.#standing = "accepted";
    this.#log.info(LOGGER, `the recordings folder ${this.#root} is used as it is from now on`);
    await this.#remember({ path: this.#root, id: ACCEPTED, had_recordings: false });
    return true;
  }

  async #judge(refresh: () => Promise<void>): Promise<Standing> {
    if (this.#remembered?.id === ACCEPTED) return "accepted";
    if (!this.#remembered?.had_recordings) return "known";
    const id = await readId(this.#root);
    if (id === this.#remembered.id) return "known";
    if (id !== null) return "other";
    if (!isFolder(this.#root)) return "gone";
    // A hidden folder may have been deleted by hand; what is certain not to be mounted holds no recordings.
    await refresh();
    return this.#library.available && this.#library.recordingCount > 0 ? "known" : "unmarked";
  }

  async #remember(remembered: Remembered): Promise<void> {
    this.#remembered = this.#file === null ? null : remembered;
    if (this.#file === null || (this.#saved && isEqual(this.#saved, remembered))) return;
    try {
      await replaceFile(this.#file, `${JSON.stringify(remembered)}\n`);
      this.#saved = remembered;
    } catch (error) {
      this.#saved = null;
      const what = `${this.#file} could not be written: ${messageOf(error)}`;
      this.#log.warning(LOGGER, `${what}; a restart forgets what is to be remembered of the recordings folder`);
    }
  }
}

async function readRemembered(file: string, log: Log): Promise<Remembered | null> {
  try {
    const root: unknown = JSON.parse(await readFile(file, "utf8"));
    if (isRemembered(root)) return root;
    log.warning(LOGGER, `${file} is damaged; the recordings folder is taken as it is`);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    log.warning(LOGGER, `${file} cannot be used: ${messageOf(error)}; the recordings folder is taken as it is`);
  }
  return null;
}

function isRemembered(value: unknown): value is Remembered {
  if (!isObject(value)) return false;
  const { path, id, had_recordings } = value;
  return typeof path === "string" && typeof id === "string" && typeof had_recordings === "boolean";
}

function isEqual(a: Remembered, b: Remembered): boolean {
  return a.path === b.path && a.id === b.id && a.had_recordings === b.had_recordings;
}
