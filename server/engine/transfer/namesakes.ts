import type { Clock } from "../../clock.ts";
import type { Dashcam } from "../../dashcam/camera.ts";
import type { OpenedBody } from "../../dashcam/opened.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import type { Listing } from "../../domain/recordings/camera_listing.ts";
import { firstOfMoment, momentNumber, ordinalOfMoment } from "../../domain/recordings/moment_number.ts";
import {
  checkRecordingName,
  groupOf,
  hashOf,
  hasUnsetClock,
  MOST_NAMESAKES,
  ordinalOf,
  withOrdinal,
} from "../../domain/recordings/recording_name.ts";
import type { CameraList } from "../../domain/sync/camera_list.ts";
import { repeatable } from "../../domain/sync/repeated_names.ts";
import { counted } from "../../domain/text/format.ts";
import type { Log } from "../../log.ts";
import type { Destination } from "../../store/destination/destination.ts";
import { type NamesakeRecord, NamesakesFile } from "../../store/destination/namesakes_file.ts";
import type { Library } from "../../store/library/library.ts";
import { type OpenFile, openServedFile, readPart } from "../../store/library/opened_file.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import { openPart } from "./transfer_outcome.ts";

/** Bytes of a video that are compared, from a third of it on: there every video has pictures of its own. */
const COMPARED = 16 * 1024;
/** Longest time for questions before anything comes home; the others are asked behind that. */
export const ASKED_FIRST_MS = 10_000;

export interface NamesakesParts {
  readonly dashcam: Dashcam;
  readonly library: Library;
  readonly recordings: Pick<Destination, "root" | "requireSame">;
  readonly retention: Pick<RetentionParts, "deleted" | "trash">;
  readonly clock: Clock;
  readonly log: Log;
}

/** The camera's file of a name, as far as it could be learned. */
interface Compared {
  /** Null when the camera has nothing there now. */
  readonly isSame: boolean | null;
  readonly length: number | null;
}

/**
 * Tells recordings of one name apart. A camera whose clock went back gives another recording the name of one at home.
 * For each list, it is asked once for a length and a few bytes of it. Another recording has a number of its own at
 * home.
 */
export class Namesakes {
  readonly #parts: NamesakesParts;
  readonly #raw: Listing;
  readonly #file: NamesakesFile;
  /** By the first recording of a name, numbers from 2 on that are at home. */
  readonly #further = new Map<number, number[]>();
  /** By the same, which one the camera has; only where that is not the first. */
  readonly #current = new Map<number, number>();

  private constructor(parts: NamesakesParts, raw: Listing, file: NamesakesFile) {
    this.#parts = parts;
    this.#raw = raw;
    this.#file = file;
    for (const { moments } of parts.library.folderContents)
      for (const moment of moments.keys()) {
        const ordinal = ordinalOfMoment(moment);
        if (ordinal === 1) continue;
        const first = firstOfMoment(moment);
        this.#further.set(first, [...(this.#further.get(first) ?? []), ordinal]);
      }
    this.#number();
  }

  /**
   * Judges a list by the one before.
   * @param before what is remembered of this camera; null for nothing
   */
  static async open(parts: NamesakesParts, listing: Listing, before: CameraList | null): Promise<Namesakes> {
    const file = await NamesakesFile.open(parts.recordings.root, parts.recordings);
    const namesakes = new Namesakes(parts, listing, file);
    namesakes.#judge(before);
    return namesakes;
  }

  /** The list with the names that its recordings have at home. */
  get listing(): Listing {
    const isOwn = ({ name }: Listing["files"][number]) => ordinalOf(name) > 1;
    if (this.#current.size === 0 && !this.#raw.files.some(isOwn)) return this.#raw;
    const files = this.#raw.files.flatMap((file) => {
      // A name of ours that a camera made up would stand for another one.
      if (isOwn(file)) return [];
      const ordinal = this.#current.get(momentNumber(file.name));
      return [ordinal === undefined ? file : { ...file, name: withOrdinal(file.name, ordinal) }];
    });
    return { ...this.#raw, files };
  }

  /** True while it is unknown if this recording is the one at home. @param name as at home */
  isUnsure = (name: string): boolean => this.#file.records.get(withOrdinal(name, 1))?.isDue === true;

  /**
   * Asks the camera about recordings that are in doubt. A question that it does not answer now waits for the next sync.
   * @param limitMs no question is begun after so long
   * @returns whether anything was answered
   * @throws the signal's reason
   */
  async ask(signal: AbortSignal, limitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { clock, log } = this.#parts;
    const until = clock.elapsed() + limitMs;
    let answered = 0;
    for (const [name, record] of this.#file.records) {
      if (!record.isDue || clock.elapsed() > until) continue;
      try {
        const found = await this.#ask(name, record, signal);
        if (found === null) continue;
        this.#file.set(name, { ...found, isDue: false });
        if (found.ordinal !== record.ordinal) this.#number();
        answered++;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof DashcamProblem)) throw error;
        log.debug("sync", `${name} could not be compared with what is at home: ${error.message}`);
        if (error.isConnection) break;
      }
    }
    return answered > 0;
  }

  /** Remembers what is not known yet, and what is. */
  save(): Promise<void> {
    return this.#file.save();
  }

  /** As `save`, at the end of a run; logs what is not known. */
  async end(): Promise<void> {
    const due = this.#file.records
      .values()
      .filter(({ isDue }) => isDue)
      .toArray().length;
    const what = `${counted(due, "recording")} whose name the camera may have given again`;
    if (due > 0) this.#parts.log.info("sync", `Not compared yet: ${what}; the next sync asks for it`);
    await this.save();
  }

  #judge(before: CameraList | null): void {
    const { files, strangeCount } = this.#raw;
    // A failed answer proves nothing.
    if (files.length === 0 || strangeCount > 0) return;
    const { address } = this.#parts.dashcam;
    const known = this.#file.list?.address === address ? this.#file.list : null;
    const sum = sumOf(files);
    const isOther = known?.sum !== sum;
    // Most runs get the list of the run before, of 50,000 names.
    if (!isOther && this.#further.size === 0) return;
    const names = files.map(({ name }) => name).filter((name) => isVideo(name));
    const doubtful = new Set<string>();
    if (isOther) {
      const isListedBefore = (name: string) => before?.includes(this.#atHome(name)) === true;
      const newest = (before === null ? known?.newest : newestOf(namesIn(before))) || null;
      for (const name of repeatable(names, { newest, has: before && isListedBefore })) doubtful.add(name);
      // Most cameras give no name twice: nothing is looked up then.
      let listed: ReadonlySet<string> | null = null;
      const isListed = (name: string) => {
        listed ??= new Set(names);
        return listed.has(name);
      };
      this.#file.take({ address, sum, newest: newestOf(names) ?? "" }, isListed);
    }
    for (const name of this.#further.size > 0 ? names : doubtful) {
      const record = this.#file.records.get(name);
      const isRepeated = this.#further.has(momentNumber(name)) && record === undefined;
      if (!(isRepeated || doubtful.has(name)) || !this.#isComparable(name)) continue;
      this.#file.set(name, { ...(record ?? { ordinal: 1, length: null }), isDue: true });
    }
  }

  /** True when there is anything to compare it with. */
  #isComparable(name: string): boolean {
    const isDeleted = () => this.#parts.retention.deleted.latest.has(momentNumber(this.#atHome(name)));
    const isMeasured = (this.#file.records.get(name)?.length ?? null) !== null;
    return this.#numbersAtHome(name).length > 0 || (isMeasured && isDeleted());
  }

  /** The numbers of a name that are at home, the latest first. */
  #numbersAtHome(name: string): number[] {
    const all = [1, ...(this.#further.get(momentNumber(name)) ?? [])];
    return all.filter((ordinal) => this.#parts.library.has(withOrdinal(name, ordinal))).sort((a, b) => b - a);
  }

  #atHome(name: string): string {
    return withOrdinal(name, this.#current.get(momentNumber(name)) ?? 1);
  }

  /** Numbers the moments. A number that one direction shows holds for its moment. */
  #number(): void {
    this.#current.clear();
    for (const [name, { ordinal }] of this.#file.records) {
      const first = momentNumber(name);
      if (ordinal > (this.#current.get(first) ?? 1)) this.#current.set(first, ordinal);
    }
  }

  /** Asks the camera which recording of its name it has; null when that is not to be known now. */
  async #ask(name: string, record: NamesakeRecord, signal: AbortSignal): Promise<Omit<NamesakeRecord, "isDue"> | null> {
    const { library, recordings } = this.#parts;
    const numbers = this.#numbersAtHome(name);
    let length: number | null = null;
    for (const ordinal of numbers) {
      const own = withOrdinal(name, ordinal);
      using file = await openServedFile(recordings.root, `${library.folderOf(own) ?? ""}/${own}`.replace(/^\//, ""));
      if (file === null) return null;
      if (length !== null && length !== file.size) continue;
      const compared = await this.#compare(name, file, signal);
      if (compared.isSame === null) return record;
      length = compared.length ?? length;
      if (compared.isSame) return { ordinal, length };
    }
    if (numbers.length === 0) length = await this.#lengthOf(name, signal);
    // A recording that was deleted here has nothing but its length.
    const isGone = !numbers.includes(record.ordinal) && (length === null || length === record.length);
    if (isGone) return record;
    const ordinal = await this.#nextNumber(name);
    return ordinal === null ? null : { ordinal, length };
  }

  async #compare(name: string, file: OpenFile, signal: AbortSignal): Promise<Compared> {
    const { dashcam } = this.#parts;
    const from = Math.floor(file.size / 3);
    const part = await openPart(dashcam, name, { from, to: Math.min(file.size, from + COMPARED) }, signal);
    if (part.kind === "beyond") return { isSame: false, length: part.total };
    const opened = part.kind === "body" ? part : await dashcam.open(name, { from: 0 }, signal);
    if (opened.kind !== "body") return { isSame: null, length: null };
    try {
      const { start, total: length } = opened;
      if (length !== null && length !== file.size) return { isSame: false, length };
      const ours = await readPart(file, start, COMPARED);
      return { isSame: Buffer.compare(ours, await firstOf(opened, ours.length)) === 0, length };
    } finally {
      opened.close();
    }
  }

  async #lengthOf(name: string, signal: AbortSignal): Promise<number | null> {
    const part = await openPart(this.#parts.dashcam, name, { from: 0, to: COMPARED }, signal);
    if (part.kind !== "body") return null;
    part.close();
    return part.total;
  }

  /** A number that no recording of that name has here; null when there is none left. */
  async #nextNumber(name: string): Promise<number | null> {
    const { library, retention, log } = this.#parts;
    const inTrash = new Set((await retention.trash.entries()).map(({ key }) => key));
    const isTaken = (own: string) =>
      library.has(own) || inTrash.has(groupOf(own)) || retention.deleted.latest.has(momentNumber(own));
    let ordinal = Math.max(2, this.#current.get(momentNumber(name)) ?? 1);
    while (ordinal <= MOST_NAMESAKES && isTaken(withOrdinal(name, ordinal))) ordinal++;
    if (ordinal > MOST_NAMESAKES) {
      const why = `there are ${MOST_NAMESAKES} recordings of that name here already`;
      log.warning("sync", `${name} is another recording on the camera and cannot come home: ${why}`);
      return null;
    }
    const own = withOrdinal(name, ordinal);
    log.info("sync", `The camera has given the name ${name} to another recording: it comes home as ${own}`);
    return ordinal;
  }
}

function isVideo(name: string): boolean {
  return checkRecordingName(name) === "recording" && ordinalOf(name) === 1;
}

/** The newest name that has a date; null for none. */
function newestOf(names: Iterable<string>): string | null {
  let newest: string | null = null;
  for (const name of names) if (!hasUnsetClock(name) && (newest === null || name > newest)) newest = name;
  return newest;
}

function* namesIn(list: CameraList): Generator<string> {
  for (let at = 0; at < list.size; at++) yield list.nameAt(at);
}

/** The order in which a camera lists files means nothing. */
function sumOf(files: Listing["files"]): string {
  let sum = 0;
  for (const { name } of files) sum += hashOf(name) >>> 0;
  return `${files.length}x${sum.toString(36)}`;
}

/** The first bytes of a body; fewer when it ends before. */
async function firstOf(body: OpenedBody, length: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (let piece = await body.read(); piece !== null; piece = await body.read()) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= length) break;
  }
  return Buffer.concat(pieces).subarray(0, length);
}
