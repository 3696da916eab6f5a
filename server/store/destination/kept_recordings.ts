import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { momentNumber } from "../../domain/recordings/recording_name.ts";
import type { Kept } from "../../domain/retention/deletion.ts";
import { replaceFile, stampOf } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import { ANY_FOLDER, type SameFolder } from "./destination_place.ts";
import { OWN_FOLDER } from "./own_folder.ts";

/** Of the shape of the file. */
export const KEPT_VERSION = 1;

const FILE = v.object({
  version: v.literal(KEPT_VERSION),
  recordings: v.record(v.string(), v.object({ at: v.string(), note: v.nullable(v.string()) })),
});

/** Relative to the destination. */
export const KEPT_PATH = join(OWN_FOLDER, "kept.json");

/** What is marked as kept. */
export type KeptMap = ReadonlyMap<number, { readonly key: string; readonly kept: Kept }>;

interface Known {
  /** Of the file; null for none. */
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
 * config folder. What changes it runs in the own folder's guard.
 */
export class KeptRecordings {
  readonly #path: string;
  readonly #place: SameFolder;
  #known: Known | null = null;
  #version = 0;

  constructor(root: string, place: SameFolder = ANY_FOLDER) {
    this.#path = join(root, KEPT_PATH);
    this.#place = place;
  }

  /** Grows when what is kept may have changed. */
  get version(): number {
    return this.#version;
  }

  /** What is kept, by moment. @throws KeptUnknown with a sentence, without a full stop */
  async all(): Promise<KeptMap> {
    const { map, problem } = await this.#read();
    if (problem !== null) throw new KeptUnknown(problem);
    return map;
  }

  /** As `all`, for readers that only show it: nothing while it cannot be read. */
  async shown(): Promise<KeptMap> {
    return (await this.#read()).map;
  }

  /** Why it cannot be known what is kept, as a sentence without a full stop; null when it is known. */
  async problem(): Promise<string | null> {
    return (await this.#read()).problem;
  }

  /** Marks recordings, or takes the marks of those off that have null. @throws KeptUnknown, and the file system's own errors */
  async change(changes: ReadonlyMap<string, Kept | null>): Promise<void> {
    const map = new Map(await this.all());
    if (changes.size === 0) return;
    for (const [key, kept] of changes) {
      if (kept === null) map.delete(momentNumber(key));
      else map.set(momentNumber(key), { key, kept });
    }
    const recordings = Object.fromEntries(
      [...map.values()].sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ key, kept }) => [key, kept]),
    );
    const text = `${JSON.stringify({ version: KEPT_VERSION, recordings }, null, 1)}\n`;
    this.#place.requireSame();
    const stamp = await replaceFile(this.#path, text, { mode: 0o644 });
    this.#version++;
    this.#known = { stamp, map, problem: null };
  }

  async #read(): Promise<Known> {
    const found = await stampOf(this.#path).catch((error: unknown) => `unreadable ${errorCode(error)}`);
    // A link whose target is missing is no list with nothing in it.
    const isLost = found === null && (await lstat(this.#path).catch(() => null)) !== null;
    const stamp = isLost ? "unreadable ELOOP" : found;
    if (this.#known !== null && this.#known.stamp === stamp) return this.#known;
    this.#version++;
    this.#known = { stamp, ...(await readKept(this.#path)) };
    return this.#known;
  }
}

async function readKept(path: string): Promise<{ map: KeptMap; problem: string | null }> {
  const nothing: KeptMap = new Map();
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const code = errorCode(error);
    const isLink = (await lstat(path).catch(() => null)) !== null;
    if ((code === "ENOENT" && !isLink) || code === "ENOTDIR") return { map: nothing, problem: null };
    return { map: nothing, problem: `${KEPT_PATH} in the recordings folder cannot be read (${code})` };
  }
  const found = v.safeParse(v.pipe(v.string(), v.parseJson(), FILE), text);
  const problem = `${KEPT_PATH} in the recordings folder is damaged, so it is unknown what is kept; mend it or remove it`;
  if (!found.success) return { map: nothing, problem };
  const map = new Map<number, { key: string; kept: Kept }>();
  for (const [key, kept] of Object.entries(found.output.recordings)) {
    const moment = momentNumber(key);
    if (moment < 0) return { map: nothing, problem };
    map.set(moment, { key, kept });
  }
  return { map, problem: null };
}
