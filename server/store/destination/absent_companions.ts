import { dirname, join } from "node:path";
import { replaceFile } from "../atomic_file.ts";
import { isOwnFolder } from "../path_facts.ts";
import { readPlainText } from "../plain_file.ts";
import { ANY_FOLDER, type SameFolder } from "./destination_place.ts";
import { OWN_FOLDER } from "./own_folder.ts";

/** Time after each answer that there is no such file until the camera is asked again; after the last, never. */
const ASK_AGAIN_MS: readonly number[] = [3_600_000, 86_400_000];

interface Absence {
  /** Number of such answers. */
  times: number;
  /** When it last did, epoch milliseconds. */
  at: number;
  /** The camera's list of that moment then. */
  listed: string;
}

/** `20260607_101500_NF.thm 2 1790000000000 1f3a` */
const LINE = /^(\S{18,40}) ([1-9][0-9]{0,5}) ([0-9]{1,15}) (\S{1,20})$/;

/**
 * Companions that the camera does not have, as for most parked recordings: without this memory, which outlives runs, a
 * full card would cost thousands of requests in every run. A small text file in the destination's own folder.
 */
export class AbsentCompanions {
  readonly #path: string;
  readonly #absent: Map<string, Absence>;
  readonly #place: SameFolder;
  #isChanged = false;

  private constructor(path: string, absent: Map<string, Absence>, place: SameFolder) {
    this.#path = path;
    this.#place = place;
    this.#absent = absent;
  }

  /** Reads what earlier runs learned; lines that cannot be read are forgotten. */
  static async open(root: string, place: SameFolder = ANY_FOLDER): Promise<AbsentCompanions> {
    const path = join(root, OWN_FOLDER, "absent");
    const text = await readPlainText(path).catch(() => "");
    const absent = new Map<string, Absence>();
    for (const line of text.split("\n")) {
      const [, name, times, at, listed] = LINE.exec(line) ?? [];
      if (name && listed) absent.set(name, { times: Number(times), at: Number(at), listed });
    }
    return new AbsentCompanions(path, absent, place);
  }

  get isEmpty(): boolean {
    return this.#absent.size === 0;
  }

  /**
   * True when the camera need not be asked for the file now.
   * @param listed what the camera lists of its moment now
   */
  has(name: string, listed: string, now: number): boolean {
    const known = this.#absent.get(name);
    if (known === undefined || known.listed !== listed) return false;
    const pause = ASK_AGAIN_MS[known.times - 1];
    if (pause === undefined) return true;
    // A time in the future was written by a clock that has been set back since.
    return now >= known.at && now - known.at < pause;
  }

  /** True when the camera ever answered that it lacks the file, while it listed the same of its moment. */
  isKnown(name: string, listed: string): boolean {
    return this.#absent.get(name)?.listed === listed;
  }

  /** Notes that the camera answered that it does not have the file. */
  note(name: string, listed: string, now: number): void {
    const known = this.#absent.get(name);
    const times = known?.listed === listed ? known.times + 1 : 1;
    this.#absent.set(name, { times, at: Math.round(now), listed });
    this.#isChanged = true;
  }

  /** Forgets all files of which this is not true. */
  keepOnly(isListed: (name: string) => boolean): void {
    for (const name of this.#absent.keys()) {
      if (isListed(name)) continue;
      this.#absent.delete(name);
      this.#isChanged = true;
    }
  }

  /**
   * Writes what was learned, when there is something new. A disk that refuses costs requests, nothing else.
   * @throws DestinationProblem
   */
  async save(): Promise<void> {
    if (!this.#isChanged || !isOwnFolder(dirname(this.#path))) return;
    this.#isChanged = false;
    let text = "";
    for (const [name, { times, at, listed }] of this.#absent) text += `${name} ${times} ${at} ${listed}\n`;
    this.#place.requireSame();
    await replaceFile(this.#path, text, { mode: 0o644 }).catch(() => {});
  }
}
