import { open, readFile } from "node:fs/promises";
import { momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { groupOf, KEY_LENGTH, nameOf } from "../../domain/recordings/recording_name.ts";
import type { Log } from "../../log.ts";
import { Turns } from "../../turns.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import type { EndingSet, FolderNames } from "../library/name_index.ts";

/** The first line of a list that was begun: one without it was only ever added to. */
const FIRST_LINE = "# recordings that this service brought home";
/** Number of recordings no longer at home that are remembered: those restored from the trash are among them. */
const MOST_GONE = 10_000;

type Folders = Iterable<Pick<FolderNames, "moments">>;

/**
 * `brought.txt` in the config folder: the recordings that this service brought home. Each is on its line before its
 * video has its name, so that a kill at any moment leaves no unknown one. A line that cannot be written holds until the
 * restart.
 */
export class BroughtRecordings {
  readonly #path: string;
  readonly #log: Log;
  /** By moment, its directions as bits. */
  readonly #known = new Map<number, number>();
  #isBegun: boolean;
  #waiting: string[] = [];
  readonly #turns = new Turns(1);
  #isWarned = false;

  private constructor(path: string, log: Log, lines: readonly string[]) {
    this.#path = path;
    this.#log = log;
    this.#isBegun = lines[0] === FIRST_LINE;
    for (const line of lines) this.#remember(momentNumber(line), bitOf(line[KEY_LENGTH]));
  }

  static async open(path: string, log: Log): Promise<BroughtRecordings> {
    try {
      return new BroughtRecordings(path, log, (await readFile(path, "latin1")).split("\n"));
    } catch (error) {
      if (errorCode(error) === "ENOENT") return new BroughtRecordings(path, log, []);
      log.warning("retention", `${path} cannot be read (${errorCode(error)}); Dashdock asks before it deletes`);
      return new BroughtRecordings(path, log, [FIRST_LINE]);
    }
  }

  /** False where only an earlier version of this program has brought recordings, which kept no list. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Notes a video that is about to get its name. Resolves when that is on the disk, or was refused; never rejects. */
  async note(name: string): Promise<void> {
    if (!this.#remember(momentNumber(name), bitOf(name[KEY_LENGTH]))) return;
    this.#waiting.push(nameOf(groupOf(name), name.charAt(KEY_LENGTH)));
    // Those that come while a write is under way go together with the next one.
    await this.#turns.run(() => this.#append());
  }

  /** Begins the list anew, with what lies in these folders. */
  begin(folders: Folders): Promise<void> {
    this.#known.clear();
    this.#isBegun = true;
    this.#rememberAll(folders);
    return this.#rewrite();
  }

  /** Adds what lies in these folders. */
  async add(folders: Folders): Promise<void> {
    if (this.#rememberAll(folders)) await this.#rewrite();
  }

  /** True when this service brought all videos in these folders. */
  hasAll(folders: Folders): boolean {
    const bits = new Bits();
    for (const { moments } of folders)
      for (const [moment, set] of moments) if (bits.of(set) & ~(this.#known.get(moment) ?? 0)) return false;
    return true;
  }

  /** Forgets the oldest of those that are in none of these folders, when they have become many. */
  async bound(folders: Folders): Promise<void> {
    if (this.#known.size <= MOST_GONE) return;
    const here = new Set<number>();
    for (const { moments } of folders) for (const moment of moments.keys()) here.add(moment);
    const gone = [...this.#known.keys()].filter((moment) => !here.has(moment)).sort((one, other) => one - other);
    // Not with every run: each time the whole file is written.
    if (gone.length <= 2 * MOST_GONE) return;
    for (const moment of gone.slice(0, -MOST_GONE)) this.#known.delete(moment);
    await this.#rewrite();
  }

  /** @returns whether it was not known */
  #remember(moment: number, bit: number): boolean {
    const known = this.#known.get(moment) ?? 0;
    if (moment < 0 || (bit & ~known) === 0) return false;
    this.#known.set(moment, known | bit);
    return true;
  }

  /** @returns whether any was not known */
  #rememberAll(folders: Folders): boolean {
    const bits = new Bits();
    let isNew = false;
    for (const { moments } of folders)
      for (const [moment, set] of moments) if (this.#remember(moment, bits.of(set))) isNew = true;
    return isNew;
  }

  async #append(): Promise<void> {
    const lines = this.#waiting.splice(0);
    if (lines.length === 0) return;
    await this.#write(async () => {
      await using file = await open(this.#path, "a", 0o600);
      // The newline comes first: the last line may have been torn by a power cut.
      await file.appendFile(lines.map((line) => `\n${line}`).join(""));
      await file.datasync();
    });
  }

  #rewrite(): Promise<void> {
    return this.#turns.run(async () => {
      this.#waiting = [];
      const lines: string[] = [FIRST_LINE];
      for (const [moment, bits] of this.#known)
        for (let letter = 0; letter < 26; letter++)
          if (bits & (1 << letter)) lines.push(nameOf(momentKey(moment), String.fromCharCode(65 + letter)));
      await this.#write(() => replaceFile(this.#path, lines.join("\n")));
    });
  }

  async #write(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#isWarned = false;
    } catch (error) {
      const why = `${this.#path} could not be written (${errorCode(error) || error})`;
      if (!this.#isWarned)
        this.#log.warning("retention", `${why}; after a restart Dashdock asks again before it deletes`);
      this.#isWarned = true;
    }
  }
}

/** The directions of which a set has videos, as bits. */
class Bits {
  /** Equal sets are one object, so there are some dozen. */
  readonly #known = new Map<EndingSet, number>();

  of(set: EndingSet): number {
    const known = this.#known.get(set);
    if (known !== undefined) return known;
    let bits = 0;
    for (const ending of set.endings) if (ending.endsWith(".mp4")) bits |= bitOf(ending[0]);
    this.#known.set(set, bits);
    return bits;
  }
}

function bitOf(letter: string | undefined): number {
  const at = (letter ?? "").charCodeAt(0) - 65;
  return at >= 0 && at < 26 ? 1 << at : 0;
}
