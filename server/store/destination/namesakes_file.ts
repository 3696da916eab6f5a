import { dirname, join } from "node:path";
import { parseRecording } from "../../domain/recordings/recording_name.ts";
import { replaceFile } from "../atomic_file.ts";
import { isOwnFolder } from "../path_facts.ts";
import { readPlainText } from "../plain_file.ts";
import type { SameFolder } from "./destination_place.ts";
import { OWN_FOLDER } from "./own_folder.ts";

/** The camera's file of one name, as far as the camera was asked. */
export interface NamesakeRecord {
  /** Number of that recording among those of its name at home. */
  readonly ordinal: number;
  /** Its length on the camera; null before it was asked. */
  readonly length: number | null;
  /** It is to be asked: it may be another one by now. */
  readonly isDue: boolean;
}

/** A list, so that another one is told from it. */
export interface ListStamp {
  readonly address: string;
  /** Checksum of the names. */
  readonly sum: string;
  /** The newest name with a date; empty for none. */
  readonly newest: string;
}

/** `list 192.168.1.99 1f3a 20260607_101500_NF.mp4` */
const LIST = /^list (\S{1,300}) ([0-9a-z]{1,20}) (\S{0,40})$/;
/** `20180101_000010_NF.mp4 2 1048576`; with a question mark it is to be asked. */
const RECORD = /^(\S{18,40}) ([0-9]{1,2}) ([0-9]{1,15}|-)( \?)?$/;

/**
 * `namesakes` in the destination's own folder: names that a camera gave more than once, or may have, and which recording
 * it has under them now. Without it they are asked once more.
 */
export class NamesakesFile {
  readonly #path: string;
  readonly #place: SameFolder;
  readonly #records: Map<string, NamesakeRecord>;
  #list: ListStamp | null;
  #isChanged = false;

  private constructor(path: string, place: SameFolder, text: string) {
    this.#path = path;
    this.#place = place;
    this.#records = new Map();
    this.#list = null;
    for (const line of text.split("\n")) {
      const [, address, sum, newest] = LIST.exec(line) ?? [];
      if (address !== undefined && sum !== undefined) this.#list = { address, sum, newest: newest ?? "" };
      const [, name, ordinal, length, due] = RECORD.exec(line) ?? [];
      if (name === undefined || parseRecording(name)?.ordinal !== 1 || !(Number(ordinal) >= 1)) continue;
      const known = length === "-" ? null : Number(length);
      this.#records.set(name, { ordinal: Number(ordinal), length: known, isDue: due !== undefined });
    }
  }

  static async open(root: string, place: SameFolder): Promise<NamesakesFile> {
    const path = join(root, OWN_FOLDER, "namesakes");
    return new NamesakesFile(path, place, await readPlainText(path).catch(() => ""));
  }

  /** The list that was judged last; null before the first. */
  get list(): ListStamp | null {
    return this.#list;
  }

  /** By the name on the camera. */
  get records(): ReadonlyMap<string, NamesakeRecord> {
    return this.#records;
  }

  /** Takes another list: what it does not name is forgotten. */
  take(list: ListStamp, isListed: (name: string) => boolean): void {
    this.#list = list;
    for (const name of this.#records.keys()) if (!isListed(name)) this.#records.delete(name);
    this.#isChanged = true;
  }

  set(name: string, record: NamesakeRecord): void {
    this.#records.set(name, record);
    this.#isChanged = true;
  }

  /** Writes what is new. A disk that refuses costs requests, nothing else. @throws DestinationProblem */
  async save(): Promise<void> {
    if (!this.#isChanged || !isOwnFolder(dirname(this.#path))) return;
    this.#isChanged = false;
    const { address = "", sum = "", newest = "" } = this.#list ?? {};
    let text = address === "" ? "" : `list ${address} ${sum} ${newest}\n`;
    for (const [name, { ordinal, length, isDue }] of this.#records)
      text += `${name} ${ordinal} ${length ?? "-"}${isDue ? " ?" : ""}\n`;
    this.#place.requireSame();
    await replaceFile(this.#path, text, { mode: 0o644 }).catch(() => {
      this.#isChanged = true;
    });
  }
}
