import { lstat, rename } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { momentNumber } from "../../domain/recordings/moment_number.ts";
import type { Kept } from "../../domain/retention/deletion.ts";
import { oneLine } from "../../log.ts";
import { replaceFile, stampFrom, stampOf } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import { KEPT_VERSION } from "../file_versions.ts";
import { readPlainText } from "../plain_file.ts";
import { ANY_FOLDER, type SameFolder } from "./destination_place.ts";
import { KEPT_PATH } from "./own_folder.ts";

const FILE = v.object({
  version: v.literal(KEPT_VERSION),
  recordings: v.record(
    v.string(),
    v.object({ at: v.string(), note: v.nullable(v.pipe(v.string(), v.transform(oneLine))) }),
  ),
});

/** A recording that is marked as kept. */
export interface KeptMark {
  readonly key: string;
  readonly kept: Kept;
}
/** By moment. */
export type KeptMap = ReadonlyMap<number, KeptMark>;

/** Memory of the marks in the config folder: the folder that holds the list may be lost. */
export interface MarksMemory {
  /** Grows when what is remembered has changed. */
  readonly version: number;
  /** Marks that went with a list which was gone, empty or unreadable, and that no user has given up or taken off. */
  readonly lost: KeptMap;
  /** Such marks hold all deleting. */
  readonly isHolding: boolean;
  /** Lost marks of which users have said nothing when they decided about deleting: what had them stays. */
  readonly spared: KeptMap;
  /** The list was read and holds these marks; none when it cannot be read. */
  follow(found: KeptMap): Promise<void>;
  /** This process has written a list with these marks. */
  note(written: KeptMap): Promise<void>;
  /** A user takes marks off; called before the list is written. */
  takeOff(moments: Iterable<number>): Promise<void>;
  giveUp(): Promise<void>;
  close(): Promise<void>;
}

interface Known {
  /** Stamp of the file; null for none. */
  readonly stamp: string | null;
  readonly map: KeptMap;
  readonly problem: string | null;
}

/** The list of kept recordings cannot be read: which ones are kept is unknown, so nothing may be deleted. */
export class KeptUnknown extends Error {
  override readonly name = "KeptUnknown";
}

/**
 * The recordings that are never deleted, in `.dashdock/kept.json` of the destination: they outlive the loss of the
 * config folder. All changes run in the own folder's guard.
 */
export class KeptRecordings {
  readonly #path: string;
  readonly #place: SameFolder;
  /** Null for a command without a config folder. */
  readonly #memory: MarksMemory | null;
  #known: Known | null = null;
  #version = 0;

  constructor(root: string, place: SameFolder = ANY_FOLDER, memory: MarksMemory | null = null) {
    this.#path = join(root, KEPT_PATH);
    this.#place = place;
    this.#memory = memory;
  }

  /** Grows when what is kept may have changed. */
  get version(): number {
    return this.#version + (this.#memory?.version ?? 0);
  }

  /** Returns the kept recordings by moment. @throws KeptUnknown with a sentence, without a full stop */
  async all(): Promise<KeptMap> {
    const map = await this.#listed();
    const spared = this.#memory?.spared;
    return spared === undefined || spared.size === 0 ? map : new Map([...spared, ...map]);
  }

  /**
   * As `all`, for the rules. While lost marks hold all deleting, only what the list says: what goes without the marks is
   * what a user has to know. @throws KeptUnknown
   */
  async forRules(): Promise<KeptMap> {
    const { map } = await this.#read();
    return this.#memory?.isHolding ? map : await this.all();
  }

  /**
   * Recordings that a run must not treat as past their age: those that can be read as kept, and those whose marks were
   * lost.
   */
  async spared(): Promise<KeptMap> {
    const { map } = await this.#read();
    return this.#memory === null ? map : new Map([...this.#memory.lost, ...map]);
  }

  /** Counts the marks that were lost with the list. */
  async lostCount(): Promise<number> {
    await this.#read();
    return this.#memory?.lost.size ?? 0;
  }

  /** As `all`, for readers that only show it: nothing while it cannot be read. */
  async shown(): Promise<KeptMap> {
    return (await this.#read()).map;
  }

  /**
   * Tells why the kept recordings cannot be known, as a sentence without a full stop. Null when they are known, or when
   * marks that were lost hold deleting, which says more.
   */
  async problem(): Promise<string | null> {
    const { problem } = await this.#read();
    return this.#memory?.isHolding ? null : problem;
  }

  /** Marks recordings, or takes the marks of those off that have null. @throws KeptUnknown, and the file system's own errors */
  async change(changes: ReadonlyMap<string, Kept | null>): Promise<void> {
    const before = await this.#listed();
    if (changes.size === 0) return;
    const map = new Map(before);
    const off: number[] = [];
    for (const [key, kept] of changes) {
      const moment = momentNumber(key);
      if (kept === null) off.push(moment);
      if (kept === null) map.delete(moment);
      else map.set(moment, { key, kept });
    }
    // Before the list is written: a mark that was taken off must not count as lost when the process is killed in between.
    await this.#memory?.takeOff(off);
    await this.#write(map).catch(async (error: unknown) => {
      await this.#memory?.note(before);
      throw error;
    });
  }

  /**
   * Puts the marks back that were lost; a list that cannot be read is set aside. Runs in the own folder's guard.
   * @returns how many. Errors are the file system's own.
   */
  async putBack(): Promise<number> {
    const { map, problem } = await this.#read();
    const lost = this.#memory?.lost ?? map;
    if (this.#memory === null || lost.size === 0) return 0;
    if (problem !== null) await this.#setAside();
    await this.#write(new Map([...lost, ...map]));
    return lost.size;
  }

  /** Forgets the marks that were lost: a user says that they are gone on purpose. Runs in the own folder's guard. */
  async giveUpLost(): Promise<void> {
    const { problem } = await this.#read();
    if (this.#memory === null || this.#memory.lost.size === 0) return;
    if (problem !== null) await this.#setAside();
    await this.#memory.giveUp();
  }

  /** Resolves when everything is remembered. */
  async close(): Promise<void> {
    await this.#memory?.close();
  }

  /** Returns the marks on the list. @throws KeptUnknown */
  async #listed(): Promise<KeptMap> {
    const { map, problem } = await this.#read();
    if (problem !== null) throw new KeptUnknown(problem);
    return map;
  }

  async #write(map: KeptMap): Promise<void> {
    const recordings = Object.fromEntries(
      [...map.values()].sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ key, kept }) => [key, kept]),
    );
    const text = `${JSON.stringify({ version: KEPT_VERSION, recordings }, null, 1)}\n`;
    this.#place.requireSame();
    const stamp = await replaceFile(this.#path, text, { mode: 0o644 });
    this.#version++;
    this.#known = { stamp, map, problem: null };
    await this.#memory?.note(map);
  }

  /** Gives what stands in the place of the list another name: a user may still get marks out of it. */
  async #setAside(): Promise<void> {
    for (let number = 1; ; number++) {
      const aside = `${this.#path}.damaged${number === 1 ? "" : `-${number}`}`;
      if ((await lstat(aside).catch(() => null)) !== null) continue;
      this.#place.requireSame();
      await rename(this.#path, aside);
      this.#known = null;
      return;
    }
  }

  async #read(): Promise<Known> {
    const stamp = await stampNow(this.#path);
    if (this.#known !== null && this.#known.stamp === stamp) return this.#known;
    const { version } = this;
    const read = await readKept(this.#path);
    // A list that was written meanwhile: what was read is older than what is known.
    if (version !== this.version) return await this.#read();
    this.#version++;
    this.#known = { stamp, ...read };
    await this.#memory?.follow(read.map);
    return this.#known;
  }
}

/** The stamp of the list; null when there is none. One question to the disk for what is no link: pages ask often. */
async function stampNow(path: string): Promise<string | null> {
  try {
    const found = await lstat(path, { bigint: true });
    if (!found.isSymbolicLink()) return stampFrom(found);
    // A link whose target is missing is no list with nothing in it.
    return (await stampOf(path)) ?? "unreadable ELOOP";
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" ? null : `unreadable ${code}`;
  }
}

async function readKept(path: string): Promise<{ map: KeptMap; problem: string | null }> {
  const nothing: KeptMap = new Map();
  let text: string;
  try {
    text = await readPlainText(path);
  } catch (error) {
    const code = errorCode(error);
    const isLink = (await lstat(path).catch(() => null)) !== null;
    if ((code === "ENOENT" && !isLink) || code === "ENOTDIR") return { map: nothing, problem: null };
    return { map: nothing, problem: `${KEPT_PATH} in the recordings folder cannot be read (${code})` };
  }
  const found = v.safeParse(v.pipe(v.string(), v.parseJson(), FILE), text);
  const problem = `${KEPT_PATH} in the recordings folder is damaged, so it is unknown what is kept; put a whole copy of it there, as from a backup`;
  if (!found.success) return { map: nothing, problem };
  const map = new Map<number, { key: string; kept: Kept }>();
  for (const [key, kept] of Object.entries(found.output.recordings)) {
    const moment = momentNumber(key);
    if (moment < 0) return { map: nothing, problem };
    map.set(moment, { key, kept });
  }
  return { map, problem: null };
}
