import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { LogLine } from "../../../server/domain/logs/log_line.ts";
import { momentKey } from "../../../server/domain/recordings/moment_number.ts";
import { allMoments } from "../../../server/engine/retention/due.ts";
import { Log } from "../../../server/log.ts";
import { type Moved, Trash } from "../../../server/store/destination/trash.ts";
import type { TrashEntry } from "../../../server/store/destination/trash_index.ts";
import { Library } from "../../../server/store/library/library.ts";
import { FakeClock } from "../app/clock.ts";
import { listTree } from "../app/sync.ts";

/** Folder of deleted recordings, below the destination. */
export const TRASH = ".dashdock/trash";
/** The batch of what is deleted by age at the bench's time. */
export const BATCH = "20261122T030000000Z-age";

/** The key of a moment. */
export const KEY = "20261101_100000_N";
/** A moment with two videos and all its companions. */
export const MOMENT = ["F.mp4", "F.thm", "R.mp4", "R.thm", ".3gf", ".gps"].map((ending) => KEY + ending);
export const OTHER = "20261101_100100_NF.mp4";

/** Paths of these names in a folder; the destination itself is "". */
export function asNames(folder: string, names: readonly string[]): string[] {
  return names.map((name) => (folder === "" ? name : `${folder}/${name}`));
}

/** A destination with a trash, and the files in both by their content. */
export class TrashBench implements Disposable {
  readonly clock = new FakeClock("2026-11-22T03:00:00Z");
  readonly lines: LogLine[] = [];
  readonly log = new Log(this.clock, [(line) => this.lines.push(line)]);
  readonly root: string;
  /** An empty folder beside the destination. */
  readonly elsewhere: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "trash-"));

  constructor() {
    this.root = join(this.#folder, "recordings");
    this.elsewhere = join(this.#folder, "elsewhere");
    mkdirSync(this.root);
    mkdirSync(this.elsewhere);
    // For tests in which another user looks.
    chmodSync(this.#folder, 0o755);
  }

  /** Puts files there; each says where it was put first, unless `content` does. */
  put(paths: readonly string[] | string, content?: string): void {
    for (const path of [paths].flat()) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), content ?? path);
    }
  }

  /** Opens the trash as a new process does, with nothing that the one before remembered. */
  async open(): Promise<{ library: Library; trash: Trash }> {
    const parts = { root: this.root, clock: this.clock, log: this.log };
    const library = new Library(parts);
    await library.refresh();
    return { library, trash: new Trash({ ...parts, home: library }) };
  }

  /** Everything that lies there, in files, by path. */
  files(): Record<string, string> {
    const files = listTree(this.root).filter((path) => !path.endsWith("/"));
    return Object.fromEntries(files.map((path) => [path, contentOf(join(this.root, path))]));
  }

  /** The recordings' files outside the trash. */
  atHome(): string[] {
    return Object.keys(this.files()).filter((path) => !path.startsWith(".dashdock/"));
  }

  /** The recordings' files in the trash, with their batch. */
  inTrash(): string[] {
    return Object.keys(this.files())
      .filter((path) => path.startsWith(`${TRASH}/`) && /\.(mp4|thm|gps|3gf)$/.test(path))
      .map((path) => path.slice(TRASH.length + 1));
  }

  /** Our own files in the trash beside recordings and lists of batches: a finished piece of work leaves none. */
  notes(): string[] {
    return listTree(join(this.root, TRASH)).filter((path) => path.startsWith("."));
  }

  /** Moves the moments of these keys, or all there are. */
  async take(
    keys: readonly string[] | null = null,
    what: { cause?: "age" | "room" | "hand"; signal?: AbortSignal } = {},
  ): Promise<Moved> {
    const { library, trash } = await this.open();
    await trash.prepare();
    const going = allMoments(library).filter(({ moment }) => keys === null || keys.includes(momentKey(moment)));
    const { cause = "age", signal } = what;
    return await trash.take(going, { cause, by: null, keep: { normal: "2w" } }, { signal });
  }

  /** Puts entries back to where they were. */
  async putBack(isWanted: (entry: TrashEntry) => boolean = () => true) {
    const { trash } = await this.open();
    await trash.prepare();
    const entries = (await trash.entries()).filter(isWanted);
    return await trash.putBack(
      entries.map((entry) => ({ entry, folder: entry.folder })),
      () => null,
    );
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function contentOf(path: string): string {
  return lstatSync(path).isSymbolicLink() ? "a link" : readFileSync(path, "utf8");
}
