import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import { APPEND_PLAIN, READ_PLAIN, readPlainFile } from "../plain_file.ts";
import { FolderOwner, makeOwnFolder, OWN_FOLDER } from "./own_folder.ts";

/** Files that came home, for other programs: paths relative to the destination. */
export const NEW_FILES_PATH = join(OWN_FOLDER, "new.jsonl");
export const TRIGGER_PATH = join(OWN_FOLDER, "new.trigger");

/** Lines of the list; then its older half goes. */
export const MOST_NEW_FILES = 10_000;
const MODE = 0o644;
const LINE_END = 0x0a;
/** Longer than any line. */
const TAIL_BYTES = 64 * 1024;

/** A file that came home whole, as other programs read it. */
export interface NewFile {
  /** Below the destination, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Key of its recording. */
  readonly key: string;
  /** Id of the camera. */
  readonly camera: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/**
 * `.dashdock/new.jsonl`, a line for each file that came home whole, and `.dashdock/new.trigger`, whose time is that of the
 * last run that brought something. A line is added with one write; one that a crash has cut off is taken away by the next.
 */
export class NewFilesList {
  readonly #root: string;
  readonly #path: string;
  readonly #owner: FolderOwner;
  /** Lines of the file, when it had this size; null when it has to be read. */
  #counted: { readonly size: number; readonly lines: number } | null = null;

  constructor(root: string) {
    this.#root = root;
    this.#path = join(root, NEW_FILES_PATH);
    this.#owner = new FolderOwner(join(root, OWN_FOLDER));
  }

  /** Adds lines, all or none. Errors are the file system's own. */
  async add(files: readonly NewFile[]): Promise<void> {
    await makeOwnFolder(this.#root);
    const text = Buffer.from(files.map((file) => `${JSON.stringify(file)}\n`).join(""));
    await using file = await open(this.#path, APPEND_PLAIN, MODE);
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`${NEW_FILES_PATH} is not a file`);
    if (found.size === 0) {
      // The mode given to open is only what the process's umask lets through.
      await file.chmod(MODE);
      this.#owner.give(file.fd);
    }
    const size = await this.#wholeSize(found.size);
    if (size < found.size) await file.truncate(size);
    try {
      for (let done = 0; done < text.length; ) done += (await file.write(text.subarray(done))).bytesWritten;
    } catch (error) {
      await file.truncate(size).catch(() => {});
      throw error;
    }
    const before = this.#counted?.size === size ? this.#counted.lines : await this.#countLines(size);
    this.#counted = { size: size + text.length, lines: before + files.length };
    if (this.#counted.lines > MOST_NEW_FILES) await this.#dropOlderHalf();
  }

  /** Time of the oldest line, as epoch milliseconds; null when there is none. */
  async begin(): Promise<number | null> {
    const line = (await this.#slice(0, TAIL_BYTES)).toString("utf8").split("\n", 1)[0] ?? "";
    const [, at = ""] = /"at":"([^"]*)"\}$/.exec(line) ?? [];
    const time = Date.parse(at);
    return Number.isNaN(time) ? null : time;
  }

  /** Gives the trigger file this time, and makes it where there is none. Errors are the file system's own. */
  async trigger(now: number): Promise<void> {
    await makeOwnFolder(this.#root);
    const path = join(this.#root, TRIGGER_PATH);
    await using file = await open(path, APPEND_PLAIN, MODE);
    if (!(await file.stat()).isFile()) throw new Error(`${TRIGGER_PATH} is not a file`);
    await file.chmod(MODE).catch(() => {});
    this.#owner.give(file.fd);
    await file.utimes(now / 1000, now / 1000);
  }

  /** Size up to the last line that ends. */
  async #wholeSize(size: number): Promise<number> {
    if (size === 0) return 0;
    const from = Math.max(0, size - TAIL_BYTES);
    const tail = await this.#slice(from, size - from);
    return from + tail.lastIndexOf(LINE_END) + 1;
  }

  async #slice(from: number, length: number): Promise<Buffer> {
    try {
      await using file = await open(this.#path, READ_PLAIN);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return Buffer.alloc(0);
      throw error;
    }
  }

  async #countLines(size: number): Promise<number> {
    const bytes = (await readPlainFile(this.#path)).subarray(0, size);
    let lines = 0;
    for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) lines++;
    return lines;
  }

  async #dropOlderHalf(): Promise<void> {
    const lines = (await readPlainFile(this.#path)).toString("utf8").split("\n").slice(0, -1);
    const left = lines.slice(lines.length - MOST_NEW_FILES / 2);
    const text = Buffer.from(`${left.join("\n")}\n`);
    await replaceFile(this.#path, text, { mode: MODE });
    this.#counted = { size: text.length, lines: left.length };
  }
}

/** Time of the last change of a file's contents, name or owner; null when it is gone. */
export async function changedAt(path: string): Promise<number | null> {
  return await stat(path).then(
    ({ ctimeMs }) => ctimeMs,
    () => null,
  );
}
