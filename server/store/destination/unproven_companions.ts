import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArtifact } from "../../domain/recordings/recording_name.ts";
import { replaceFile } from "../atomic_file.ts";
import { isOwnFolder } from "../path_facts.ts";
import { readPlainText } from "../plain_file.ts";
import type { SameFolder } from "./destination_place.ts";
import { OWN_FOLDER } from "./own_folder.ts";
import { removeFile } from "./put_in_place.ts";

/** Result of asking again so far. */
interface Doubt {
  /** Number of runs in which the camera answered that it does not have it. */
  readonly absent: number;
  /** Number of times that nothing came that could take its place. */
  readonly fruitless: number;
  /** When it was last asked for in vain, epoch milliseconds. */
  readonly at: number;
}

/** One value for all: a full card has thousands of them. */
const NOT_ASKED: Doubt = { absent: 0, fruitless: 0, at: 0 };

/** `20260607_101500_N.gps 0 2 1790000000000`; with a minus behind the name it is proven. */
const LINE = /^(\S{18,40}) (?:([0-9]{1,3}) ([0-9]{1,6}) ([0-9]{1,15})|-)$/;
/** Time after each vain try until it is asked for again; the last one holds for all later tries. */
const ASK_AGAIN_MS: readonly number[] = [0, 3_600_000, 86_400_000];
/** Some fifty of them are written at once. */
const PROVEN_CHARS = 1200;
/** A card of such names is beyond any camera; the oldest are forgotten. */
const MOST = 20_000;

/**
 * Thumbnails and telemetry that came before their video. The camera may still have been writing them, or another card
 * may be in it since. They are in a text file in the destination's own folder, written before any of their videos
 * comes. After a kill at any moment they so stay in doubt until they were asked for again.
 */
export class UnprovenCompanions {
  readonly #path: string;
  #doubts: Map<string, Doubt>;
  readonly #place: SameFolder;
  /** True when the file holds more, or less, than what is known now. */
  #isChanged = false;
  /** Lines about what was proven that are not in the file yet. */
  #proven = "";

  private constructor(path: string, doubts: Map<string, Doubt>, place: SameFolder) {
    this.#path = path;
    this.#doubts = doubts;
    this.#place = place;
  }

  /** Reads what earlier runs left; lines that cannot be read are forgotten. */
  static async open(root: string, place: SameFolder): Promise<UnprovenCompanions> {
    const path = join(root, OWN_FOLDER, "unproven");
    const text = await readPlainText(path).catch(() => "");
    const unproven = new UnprovenCompanions(path, new Map(), place);
    for (const line of text.split("\n")) {
      const [, name, absent, fruitless, at] = LINE.exec(line) ?? [];
      if (name === undefined || parseArtifact(name) === null) continue;
      if (absent === undefined) unproven.#doubts.delete(name);
      else unproven.#doubts.set(name, { absent: Number(absent), fruitless: Number(fruitless), at: Number(at) });
    }
    return unproven;
  }

  get names(): readonly string[] {
    return [...this.#doubts.keys()];
  }

  has(name: string): boolean {
    return this.#doubts.has(name);
  }

  /** True when it is time to ask for it again. */
  isDue(name: string, now: number): boolean {
    const doubt = this.#doubts.get(name);
    if (doubt === undefined || doubt.fruitless === 0) return doubt !== undefined;
    const pause = ASK_AGAIN_MS[Math.min(doubt.fruitless, ASK_AGAIN_MS.length) - 1] ?? 0;
    // A time in the future was written by a clock that has been set back since.
    return now < doubt.at || now - doubt.at >= pause;
  }

  /** Adds names, on the disk before this resolves. A disk that refuses keeps no video from coming. @throws DestinationProblem */
  async add(names: Iterable<string>): Promise<void> {
    const before = this.#doubts.size;
    for (const name of names) if (!this.#doubts.has(name)) this.#doubts.set(name, NOT_ASKED);
    if (this.#doubts.size === before) return;
    this.#isChanged = true;
    await this.save();
  }

  /** It is proven. Soon in the file: after a kill all that were proven before would be asked for with it. */
  remove(name: string): void {
    if (!this.#doubts.delete(name)) return;
    this.#isChanged = true;
    this.#proven += `${name} -\n`;
    if (this.#proven.length < PROVEN_CHARS) return;
    this.#place.requireSame();
    try {
      if (isOwnFolder(dirname(this.#path))) appendFileSync(this.#path, this.#proven);
    } catch {
      // They are asked for once more than needed.
    }
    this.#proven = "";
  }

  /** Forgets all others. */
  keepOnly(isKept: (name: string) => boolean): void {
    for (const name of this.#doubts.keys())
      if (!isKept(name)) {
        this.#doubts.delete(name);
        this.#isChanged = true;
      }
  }

  /** The camera answered that it does not have it. Returns how many runs were told so. */
  noteAbsent(name: string): number {
    const absent = (this.#doubts.get(name)?.absent ?? 0) + 1;
    this.#doubts.set(name, { absent, fruitless: 0, at: 0 });
    this.#isChanged = true;
    return absent;
  }

  /** It was asked for, and nothing came that could take its place. */
  noteFruitless(name: string, now: number): void {
    const fruitless = (this.#doubts.get(name)?.fruitless ?? 0) + 1;
    this.#doubts.set(name, { absent: 0, fruitless, at: Math.round(now) });
    this.#isChanged = true;
  }

  /** Writes what changed; without any doubt there is no file. @throws DestinationProblem */
  async save(): Promise<void> {
    if (!this.#isChanged || !isOwnFolder(dirname(this.#path))) return;
    this.#place.requireSame();
    this.#isChanged = false;
    this.#proven = "";
    const known = [...this.#doubts];
    if (known.length > MOST)
      this.#doubts = new Map(known.sort(([one], [other]) => (one < other ? 1 : -1)).slice(0, MOST));
    let text = "";
    for (const [name, { absent, fruitless, at }] of this.#doubts) text += `${name} ${absent} ${fruitless} ${at}\n`;
    const write = text === "" ? removeFile(this.#path) : replaceFile(this.#path, text, { mode: 0o644 });
    await write.catch(() => {
      this.#isChanged = true;
    });
  }
}
