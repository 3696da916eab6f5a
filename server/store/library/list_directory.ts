import type { Dirent } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../error_code.ts";

/** Entries handled before others may run: about a millisecond's work. */
const SLICE = 1000;
/** Requests to the disk at once. */
const WIDTH = 2;

/** What a listing calls with what it finds. */
export interface Visitor {
  /** True for names to ask the disk about when the directory does not show whether they are files. */
  wantsFile(name: string): boolean;
  wantsDirectory(name: string): boolean;
  file(name: string): void;
  directory(name: string): void;
}

/**
 * Lists one directory, letting others run every few thousand entries. A link to a file is a file, a link to a directory
 * is nothing. Only links and entries whose kind the filesystem does not report are asked about one by one.
 * @returns how many entries there were
 * @throws what the filesystem answers
 */
export async function listDirectory(path: string, visitor: Visitor): Promise<number> {
  const unclear: Dirent[] = [];
  let handled = 0;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isFile()) visitor.file(entry.name);
    else if (entry.isDirectory()) {
      if (visitor.wantsDirectory(entry.name)) visitor.directory(entry.name);
    } else if (visitor.wantsFile(entry.name) || (!entry.isSymbolicLink() && visitor.wantsDirectory(entry.name))) {
      unclear.push(entry);
    }
    if (isSliceEnd(++handled)) await nextTurn();
  }
  await each(unclear, async (entry) => {
    const kind = await kindOf(entry, path);
    // What the disk refuses to show is taken for what its name promises: unknown is not missing.
    if (kind === "file" || (kind === "refused" && visitor.wantsFile(entry.name))) visitor.file(entry.name);
    else if (kind !== "other" && visitor.wantsDirectory(entry.name)) visitor.directory(entry.name);
  });
  return handled;
}

/**
 * What an entry of the directory at `path` is: `"other"` also for one that has vanished or leads nowhere, `"refused"`
 * when the disk answers with an error.
 */
export async function kindOf(entry: Dirent, path: string): Promise<"file" | "directory" | "other" | "refused"> {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice()) return "other";
  try {
    const place = join(path, entry.name);
    const found = await lstat(place);
    if (found.isDirectory()) return "directory";
    return (found.isSymbolicLink() ? await stat(place) : found).isFile() ? "file" : "other";
  } catch (error) {
    return MISSING.includes(errorCode(error)) ? "other" : "refused";
  }
}
const MISSING: readonly string[] = ["ENOENT", "ENOTDIR", "ELOOP"];

/** Calls `work` for every item, `width` at once; rejects as soon as one does. */
export async function each<T>(items: readonly T[], work: (item: T) => Promise<void>, width = WIDTH): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
}

/** True every few thousand steps of a long loop: time for `nextTurn`. */
export function isSliceEnd(handled: number): boolean {
  return handled % SLICE === 0;
}

/** Resolves after everything that is waiting had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Does steps one after the other, with a turn for everything else between them. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Lets a few pieces of work run at a time, in the order they came. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(width = WIDTH) {
    this.#free = width;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
