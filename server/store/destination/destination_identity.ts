import { resolve } from "node:path";
import * as v from "valibot";
import {
  type DestinationState,
  isAcceptable,
  newerFormat,
  type Refusal,
  refusalOf,
  unreadable,
} from "../../domain/status/destination_state.ts";
import { type Log, messageOf } from "../../log.ts";
import { errorCode } from "../error_code.ts";
import { DESTINATION_FORMAT } from "../file_versions.ts";
import type { Library } from "../library/library.ts";
import { isFolder } from "../path_facts.ts";
import { jsonFormat, RememberedFile } from "../remembered_file.ts";
import { noteFormat, readFormat } from "./destination_format.ts";
import { giveId, newId, readId } from "./destination_id.ts";
import { DestinationPlace, whatLiesAt } from "./destination_place.ts";
import { DestinationProblem } from "./destination_problem.ts";

const LOGGER = "destination";

/** In place of an id: the next sync takes the one that it finds, or gives one. */
const ACCEPTED = "";

const REMEMBERED = v.object({
  path: v.string(),
  id: v.string(),
  /** Recordings were seen there, or brought there. */
  had_recordings: v.boolean(),
});
/** The destination that was used last, as the config folder keeps it. */
type Remembered = Readonly<v.InferOutput<typeof REMEMBERED>>;

export interface IdentityParts {
  readonly root: string;
  readonly library: Library;
  readonly log: Log;
}

/**
 * Tells the destination that was used before from an empty folder at its path. Such a folder is left when its disk is
 * not mounted. The destination carries an id, and the config folder remembers it.
 */
export class DestinationIdentity {
  readonly #root: string;
  readonly #library: Library;
  readonly #log: Log;
  /** The file that remembers it; null for a command without a config folder, which compares nothing. */
  readonly #file: RememberedFile<Remembered> | null;
  #remembered: Remembered | null;
  /** The file's contents, as far as they are known; null when the file is behind. */
  #saved: Remembered | null;
  #standing: DestinationState = "known";
  readonly #place: DestinationPlace;

  private constructor(
    { root, library, log }: IdentityParts,
    file: RememberedFile<Remembered> | null,
    remembered: Remembered | null,
  ) {
    this.#root = resolve(root);
    this.#library = library;
    this.#log = log;
    this.#place = new DestinationPlace(this.#root);
    this.#file = file;
    this.#remembered = remembered?.path === this.#root ? remembered : null;
    this.#saved = this.#remembered;
  }

  /** With what `file` remembers; one that cannot be used is a warning, and the folder is then taken as it is. */
  static async open(parts: IdentityParts & { readonly file: string }): Promise<DestinationIdentity> {
    const file = new RememberedFile<Remembered>({
      path: parts.file,
      log: parts.log,
      logger: LOGGER,
      format: jsonFormat(REMEMBERED),
      loss: "the recordings folder is taken as it is",
      unwritten: "a restart forgets what is to be remembered of the recordings folder",
    });
    return new DestinationIdentity(parts, file, await file.read());
  }

  /** Gives destinations an id, and neither remembers nor compares it. */
  static withoutMemory(parts: IdentityParts): DestinationIdentity {
    return new DestinationIdentity(parts, null, null);
  }

  /** The standing at the last check. */
  get standing(): DestinationState {
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
    const format = (await readFormat(this.#root)) ?? 0;
    if (format > DESTINATION_FORMAT) return newerFormat(format, DESTINATION_FORMAT);
    const refusal = refusalOf(this.#standing);
    if (refusal === null || this.#standing !== "unmarked") return refusal;
    const lies = whatLiesAt(this.#root);
    return lies === "" ? refusal : [`${refusal[0]}. ${lies}`, refusal[1]];
  }

  /**
   * As `refusal`, for work beside runs and in them: it goes on in the folder that the last run began with, or begins with
   * the one that is there.
   */
  async refusalOfWork(): Promise<Refusal | null> {
    const refusal = await this.refusal();
    if (refusal !== null) return refusal;
    if (!this.#place.isKnown) this.#place.begin(await readId(this.#root).catch(() => null));
    if (this.#place.isSame()) return null;
    const { message, reason } = this.#place.left();
    return [message, reason];
  }

  /** The standing now, for pages that ask every few seconds: where the disk refuses, the last one stays. */
  async check(): Promise<DestinationState> {
    try {
      this.#standing = await this.#judge(() => this.#library.refreshIfOlder());
    } catch {
      // The library reports a folder that cannot be read.
    }
    return this.#standing;
  }

  /**
   * Marks the destination, when it is not yet, and remembers it; after `refusal`. Trouble with that is a warning and stops
   * no sync.
   * @throws DestinationProblem when its disk has left since
   */
  async use(): Promise<void> {
    this.#place.begin(null);
    try {
      const found = await readId(this.#root);
      // The remembered id is another disk's: it is never given to the folder that this disk left behind.
      if (found === null && this.#remembered?.had_recordings) throw this.#place.left();
      const id = found ?? (await giveId(this.#root, newId()));
      this.#place.requireSame();
      this.#place.begin(id);
      const isSame = id === this.#remembered?.id;
      const had = this.#remembered?.had_recordings ?? false;
      // Once in a process: afterwards the library is refreshed by each run.
      if (this.#file !== null && !this.#library.available) await this.#library.refresh();
      const has = this.#library.recordingCount > 0;
      await this.#remember({ path: this.#root, id, had_recordings: has || (isSame && had) });
      this.#standing = "known";
      await noteFormat(this.#root);
    } catch (error) {
      if (error instanceof DestinationProblem) throw error;
      this.#log.warning(LOGGER, `the recordings folder ${this.#root} could not be marked: ${messageOf(error)}`);
    }
  }

  /** True when the folder is at the path that the last run began with, and work since. */
  get isSame(): boolean {
    return this.#place.isSame();
  }

  /** Called directly before each file gets its name, and each note of ours. @throws DestinationProblem */
  requireSame(): void {
    this.#place.requireSame();
  }

  /** A recording came home: from now on an empty folder in its place is another one. */
  async noteRecording(): Promise<void> {
    if (this.#remembered === null || this.#remembered.had_recordings) return;
    await this.#remember({ ...this.#remembered, had_recordings: true });
  }

  /** True when the file holds what is remembered: else a restart forgets it. */
  get isSaved(): boolean {
    return this.#file === null || this.#saved !== null;
  }

  /**
   * From now on the folder that is there is the one to use. False when it is that already.
   * @param forget forgets what is still to be written into the one before; called before anything can be written here
   */
  async accept(forget: () => void): Promise<boolean> {
    if (!isAcceptable(await this.check())) return false;
    this.#standing = "accepted";
    forget();
    this.#place.forget();
    this.#log.info(LOGGER, `the recordings folder ${this.#root} is used as it is from now on`);
    await this.#remember({ path: this.#root, id: ACCEPTED, had_recordings: false });
    return true;
  }

  async #judge(refresh: () => Promise<void>): Promise<DestinationState> {
    if (this.#remembered?.id === ACCEPTED) return "accepted";
    if (!this.#remembered?.had_recordings) return "known";
    const id = await readId(this.#root);
    if (id === this.#remembered.id) return "known";
    if (id !== null) return "other";
    if (!isFolder(this.#root)) return "gone";
    // Recordings in it prove nothing: they may have come when the disk was away.
    await refresh();
    return "unmarked";
  }

  async #remember(remembered: Remembered): Promise<void> {
    this.#remembered = this.#file === null ? null : remembered;
    if (this.#file === null || (this.#saved && isEqual(this.#saved, remembered))) return;
    await this.#file.write(remembered);
    this.#saved = this.#file.isSaved ? remembered : null;
  }
}

function isEqual(a: Remembered, b: Remembered): boolean {
  return a.path === b.path && a.id === b.id && a.had_recordings === b.had_recordings;
}
