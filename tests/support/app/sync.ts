import { setDefaultTimeout } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type Clock, systemClock } from "../../../server/clock.ts";
import { type OnceOptions, syncOnce } from "../../../server/commands/sync_once.ts";
import { hasFilesOf } from "../../../server/dashcam/generation.ts";
import { SimulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import type { CardFile } from "../../../server/dashcam/simulator/simulated_video.ts";
import { openSimulator, type Simulator, type SimulatorOptions } from "../../../server/dashcam/simulator/simulator.ts";
import type { SeenRequest } from "../../../server/dashcam/simulator/simulator_seen.ts";
import type { LogLine } from "../../../server/domain/logs/log_line.ts";
import { parseArtifact, parseRecording } from "../../../server/domain/recordings/recording_name.ts";
import { sameCutoff } from "../../../server/domain/retention/keep_times.ts";
import type { Snapshot } from "../../../server/domain/sync/job_progress.ts";
import type { SyncResult } from "../../../server/engine/run/sync.ts";
import type { SyncRules } from "../../../server/engine/run/sync_rules.ts";
import { progressTopic } from "../../../server/engine/transfer/progress_report.ts";
import { Log } from "../../../server/log.ts";
import type { Topic } from "../../../server/topic.ts";
import { KEEP_ALL } from "./keep_all.ts";
import { SHORT_WAITING } from "./wait_limits.ts";

// Real servers, disks and processes: five seconds are too little on a busy machine.
setDefaultTimeout(20_000);

/** Two moments, front and rear: the first is past, the second is the newest of both directions. */
export const VIDEOS = [
  "20260607_101500_NF.mp4",
  "20260607_101500_NR.mp4",
  "20260607_101600_EF.mp4",
  "20260607_101600_ER.mp4",
] as const;

/** Number of these files on a camera: with the newer interface there are no g-sensor files. */
export const FILES_OF = { legacy: 12, v1009: 10 } as const;

/** A card with these videos of so many bytes each, and the companions a camera writes beside them. */
export function cardOf(videos: readonly string[], size: number | ((name: string) => number) = 200_000): SimulatedCard {
  const card = new SimulatedCard(syntheticFootage(size));
  for (const name of videos) card.record(name);
  return card;
}

/** Files that a sync leaves in a destination beside recordings: its lock, and the mark that identifies it. */
export const OURS: readonly string[] = [".dashdock.lock", ".dashdock/", ".dashdock/format", ".dashdock/id"];

/** Files that come and go there, and that no test is about. */
export const UNSEEN: readonly string[] = [
  ".dashdock/lock",
  ".dashdock/namesakes",
  ".dashdock/new.jsonl",
  ".dashdock/new.trigger",
  ".dashdock/sums.db",
  ".dashdock/sums.db-journal",
];

/** Folder of deleted recordings. */
const TRASH = ".dashdock/trash/";

export type SyncOverrides = Partial<SyncRules> &
  Partial<Omit<OnceOptions, "rules">> & {
    signal?: AbortSignal;
    /** The first day that is kept, for every kind. */
    cutoff?: string | null;
  };

/** Files below the destination, compared with the card byte by byte. All lists are sorted. */
export interface Home {
  /** Names, without their folders, of files that are the card's to the last byte. */
  whole: string[];
  /** Paths of files with a recording's name that are not the card's, and of partials that are no beginning of them. */
  wrong: string[];
  /** Bytes by name, without the dot. */
  partials: Record<string, number>;
  /** Paths of failure markers. */
  markers: string[];
}

export interface BenchOptions extends Omit<SimulatorOptions, "card"> {
  card?: SimulatedCard;
}

/** A destination folder, a simulated camera and one sync after another between them. */
export class SyncBench implements AsyncDisposable {
  readonly card: SimulatedCard;
  readonly simulator: Simulator;
  /** Not made yet: the first sync does that. */
  readonly destination: string;
  readonly lines: LogLine[] = [];
  /** Called with every log line at the moment it is written: a point in the middle of a run. */
  onLine: (line: LogLine) => void = () => {};
  readonly topic: Topic<Snapshot> = progressTopic();
  /** Milliseconds that the wall clock is off; the clock for durations does not change with it. */
  clockOffset = 0;
  readonly clock: Clock = { ...systemClock, now: () => Date.now() + this.clockOffset };
  readonly #folder: string;
  /** Files that were ever on the card: one may go from there. */
  readonly #seen = new Map<string, CardFile>();

  private constructor(card: SimulatedCard, simulator: Simulator) {
    this.card = card;
    this.simulator = simulator;
    this.#folder = mkdtempSync(join(tmpdir(), "sync-"));
    this.destination = join(this.#folder, "recordings");
  }

  static async open(options: BenchOptions = {}): Promise<SyncBench> {
    const card = options.card ?? cardOf(VIDEOS);
    return new SyncBench(card, await openSimulator({ ...options, card }));
  }

  /** One sync through the front door. Patient with a busy machine unless told otherwise. */
  sync(overrides: SyncOverrides = {}): Promise<SyncResult> {
    for (const [name, file] of this.card.files) this.#seen.set(name, file);
    const {
      address,
      destination,
      timeoutMs,
      silenceMs,
      slowest,
      affinityKey,
      waitLimits,
      metrics,
      signal,
      cutoff,
      ...rules
    } = overrides;
    return syncOnce(
      {
        address: address ?? this.simulator.address,
        destination: destination ?? this.destination,
        timeoutMs: timeoutMs ?? 8000,
        silenceMs: silenceMs ?? 8000,
        ...(slowest && { slowest }),
        affinityKey: affinityKey ?? null,
        waitLimits: waitLimits ?? SHORT_WAITING,
        metrics: metrics ?? null,
        rules: {
          priority: "date",
          grouping: "none",
          include: [],
          exclude: [],
          skipMetadata: [],
          // Most tests are about one file after the other.
          metadataFirst: false,
          ...KEEP_ALL,
          trashMs: 7 * 86_400_000,
          cutoffs: sameCutoff(cutoff ?? null),
          retryFailedAfterMs: 24 * 3600 * 1000,
          deletes: false,
          maxUsedDiskPercent: 100,
          maxVideoBytes: 32e9,
          dryRun: false,
          ...rules,
        },
      },
      {
        clock: this.clock,
        log: new Log(this.clock, [(line) => this.lines.push(line), (line) => this.onLine(line)], { level: "DEBUG" }),
        topic: this.topic,
        signal: signal ?? new AbortController().signal,
      },
    );
  }

  /** Puts a file below the destination before or between syncs. */
  sizeOf(path: string): number {
    return statSync(join(this.destination, path)).size;
  }

  put(path: string, content: Uint8Array | string): void {
    mkdirSync(dirname(join(this.destination, path)), { recursive: true });
    writeFileSync(join(this.destination, path), content);
  }

  /** Puts the first bytes of a card's file there as an earlier run's partial. */
  async putPartial(name: string, bytes: number): Promise<void> {
    this.put(`.${name}`, (await this.card.bytes(name)).subarray(0, bytes));
  }

  home(): Promise<Home> {
    return compareWithCard(this.destination, async (name) => {
      const file = this.card.files.get(name) ?? this.#seen.get(name);
      return file ? await file.read(0, file.size) : null;
    });
  }

  /** Paths in the destination, without the trash and without the files of `UNSEEN`. */
  tree(): string[] {
    return listTree(this.destination).filter((path) => !path.startsWith(TRASH) && !UNSEEN.includes(path));
  }

  /** The paths, where they were, of the files in the trash, sorted. */
  trashed(): string[] {
    const files = listTree(this.destination).filter(
      (path) => path.startsWith(TRASH) && /\.(mp4|thm|gps|3gf)$/.test(path),
    );
    return files.map((path) => path.slice(TRASH.length).replace(/^[^/]+\//, "")).sort();
  }

  /** Every name on the card of which the camera has the file in the interface that it speaks now, sorted. */
  offered(): string[] {
    const { generation } = this.simulator;
    const isOffered = (name: string) => hasFilesOf(parseArtifact(name)?.kind ?? "mp4", generation);
    return [...this.card.files.keys()].filter(isOffered).sort();
  }

  /** Names asked of the camera since `from`, in order; a name that was asked twice is there twice. */
  asked(from = 0): string[] {
    return this.#filesAsked(from).map(({ name }) => name);
  }

  /** The `Range` headers, null for none, of the requests for a file since `from`. */
  rangesOf(name: string, from = 0): (string | null)[] {
    return this.#filesAsked(from).flatMap((asked) => (asked.name === name ? [asked.range] : []));
  }

  /** Resolves with the first snapshot, from now on, of which this is true. */
  until(isIt: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
    return new Promise((resolve) => {
      const off = this.topic.subscribe((snapshot) => {
        if (!isIt(snapshot)) return;
        off();
        resolve(snapshot);
      });
    });
  }

  /** The messages of log lines of at least this level. */
  told(...levels: LogLine["level"][]): string[] {
    return this.lines.filter(({ level }) => levels.includes(level)).map(({ message }) => message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.simulator.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #filesAsked(from: number): { name: string; range: string | null }[] {
    const asked = this.simulator.requests.slice(from).map((request) => ({ name: fileAsked(request), ...request }));
    return asked.flatMap(({ name, range }) => (name === null ? [] : [{ name, range }]));
  }
}

/** The file of the card that a request is about, in either interface; null for the list and the like. */
function fileAsked({ path, body }: SeenRequest): string | null {
  if (path.startsWith("/Record/")) return basename(path);
  if (/^\/[^/]+\.mp4$/.test(path)) return path.slice(1);
  if (path !== "/vodMetadata" || body === null) return null;
  const { file, types } = JSON.parse(body) as { file: string; types: string[] };
  return parseRecording(file)?.namesOf(types[0] === "gps" ? "gps" : "thm")[0] ?? null;
}

/** Every path below a folder, sorted, dotfiles included; folders end in a slash. Empty when it is not there. */
export function listTree(root: string): string[] {
  const paths: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      paths.push(entry.isDirectory() ? `${path}/` : path);
      if (entry.isDirectory()) walk(path);
    }
  };
  try {
    walk("");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  return paths.sort();
}

const RECORDED = /^[0-9]{8}_[0-9]{6}_[A-Z]+\.(mp4|thm|3gf|gps)$/;

/** Compares every file with a recording's name below `root` with what `original` answers for its name. */
export async function compareWithCard(
  root: string,
  original: (name: string) => Promise<Uint8Array | null>,
): Promise<Home> {
  const home: Home = { whole: [], wrong: [], partials: {}, markers: [] };
  for (const path of listTree(root)) {
    if (path.startsWith(TRASH)) continue;
    const name = basename(path);
    const hidden = name.startsWith(".");
    if (name.endsWith(".failed")) home.markers.push(path);
    if (!RECORDED.test(hidden ? name.slice(1) : name)) continue;
    const content = await readFile(join(root, path));
    const expected = await original(hidden ? name.slice(1) : name);
    if (hidden) home.partials[name.slice(1)] = content.length;
    else if (expected && content.equals(expected)) home.whole.push(name);
    else home.wrong.push(path);
    if (hidden && !(expected && content.equals(expected.subarray(0, content.length)))) home.wrong.push(path);
  }
  home.whole.sort();
  return home;
}
