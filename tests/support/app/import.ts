import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { systemClock } from "../../../server/clock.ts";
import { importOnce } from "../../../server/commands/import_once.ts";
import type { LeftCause } from "../../../server/domain/import/left_out.ts";
import type { LogLine } from "../../../server/domain/logs/log_line.ts";
import type { ImportResult } from "../../../server/engine/import/run_import.ts";
import type { SyncRules } from "../../../server/engine/run/sync_rules.ts";
import { progressTopic } from "../../../server/engine/transfer/progress_report.ts";
import { Log } from "../../../server/log.ts";
import { fileOf, movieOf } from "../camera/mp4.ts";
import { KEEP_ALL } from "./keep_all.ts";
import { OURS } from "./sync.ts";

export const FRONT = "20260607_101500_NF.mp4";
export const REAR = "20260607_101500_NR.mp4";
export const EVENT = "20260607_101600_EF.mp4";

/** Everything comes. */
export const IMPORT_ALL: SyncRules = {
  ...KEEP_ALL,
  priority: "date",
  grouping: "none",
  include: [],
  exclude: [],
  skipMetadata: [],
  metadataFirst: false,
  retryFailedAfterMs: 0,
  deletes: false,
  maxUsedDiskPercent: 100,
  maxVideoBytes: 32e9,
  dryRun: false,
};

/** A whole video whose bytes are another's for another `of`. */
export function videoOf(bytes: number, of = 0): Uint8Array<ArrayBuffer> {
  const video = fileOf(movieOf("avc1"), bytes);
  video.fill(of, video.length - bytes);
  return video;
}

/** A card and a recordings folder beside it, in a folder of their own. */
export class ImportBench implements Disposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "dashdock-import-")));
  readonly card = join(this.root, "card");
  readonly home = join(this.root, "home");
  readonly topic = progressTopic();
  lines: LogLine[] = [];

  constructor() {
    mkdirSync(join(this.card, "BlackVue", "Record"), { recursive: true });
  }

  /** Puts a file on the card, in the folder where a camera has its recordings; returns its path. */
  put(name: string, bytes: Uint8Array | string = videoOf(1000)): string {
    return this.putAt(join("BlackVue", "Record", name), bytes);
  }

  /** Puts a file on the card. */
  putAt(path: string, bytes: Uint8Array | string): string {
    const place = join(this.card, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, bytes);
    return place;
  }

  /** Puts a whole video of so many bytes and more on the card that takes hardly any room there. */
  putLong(name: string, bytes: number): string {
    const head = videoOf(0);
    // The last box is that of the pictures, so far without any.
    new DataView(head.buffer).setUint32(head.length - 8, 8 + bytes);
    const place = this.put(name, head);
    truncateSync(place, head.length + bytes);
    return place;
  }

  /** Puts a file into the recordings folder; returns its path. */
  atHome(path: string, bytes: Uint8Array | string): string {
    const place = join(this.home, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, bytes);
    return place;
  }

  async import({
    move = false,
    folder = this.card,
    signal = new AbortController().signal,
    ...rules
  }: Partial<SyncRules> & { move?: boolean; folder?: string; signal?: AbortSignal } = {}): Promise<ImportResult> {
    this.lines = [];
    const log = new Log(systemClock, [(line) => this.lines.push(line)], { level: "DEBUG" });
    const order = { folder, move, homes: [], rules: { ...IMPORT_ALL, ...rules } };
    const { home: destination, topic } = this;
    return await importOnce(order, { destination, clock: systemClock, log, topic, signal });
  }

  /** Paths of all files below the recordings folder but our own, sorted. */
  async homeFiles(): Promise<string[]> {
    const ours = [".dashdock/sums.db", ".dashdock/new."];
    return (await filesBelow(this.home)).filter((path) => !ours.some((start) => path.startsWith(start)));
  }

  /** Paths of all files on the card, sorted. */
  async cardFiles(): Promise<string[]> {
    return await filesBelow(this.card);
  }

  /** The bytes of a file at home. */
  async bytesAtHome(path: string): Promise<Buffer> {
    return await readFile(join(this.home, path));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The causes of what was left, with the number of files. */
export function leftBy({ counts }: Pick<ImportResult, "counts">): Partial<Record<LeftCause, number>> {
  return Object.fromEntries(counts.left.map(({ cause, files }) => [cause, files]));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !OURS.includes(path))
    .sort();
}
