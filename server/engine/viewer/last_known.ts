import type { Clock } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import type { RetentionState } from "../../domain/retention/deletion.ts";
import type { RecentClip } from "../../domain/status/card_data.ts";
import { type DestinationState, isAcceptable } from "../../domain/status/destination_state.ts";
import type { LastKnown, RememberedFolder } from "../../domain/status/last_known.ts";
import type { RecordingCounts } from "../../domain/sync/recording_counts.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import type { LastKnownFile } from "../../store/config/last_known_file.ts";
import type { DiskUsage } from "../../store/destination/disk_usage.ts";
import type { Library } from "../../store/library/library.ts";
import { type DiskUsageCache, percentOf, spaceOf } from "../transfer/disk_space.ts";

/** Least time between two writes of news, besides the end of a run or of the service; then that for the time alone. */
const WRITTEN_MS = 60_000;
const SEEN_MS = 600_000;

export interface FolderParts {
  readonly library: Pick<Library, "rootProblem">;
  readonly destination: { readonly standing: DestinationState };
  readonly lastKnown: Pick<LastFolder, "isKnown">;
}

/**
 * True when the contents of the recordings folder are unknown: another folder is in its place, it is gone, or it cannot
 * be read. Before the first sync there is no folder, and it is true that it holds nothing.
 */
export function isFolderUnknown({ library, destination, lastKnown }: FolderParts): boolean {
  if (isAcceptable(destination.standing)) return true;
  const { rootProblem: problem } = library;
  if (problem === null || destination.standing === "accepted") return false;
  return lastKnown.isKnown || (problem.code !== "ENOENT" && problem.code !== "ENOTDIR");
}

/** Sources of the facts about the folder. */
export interface RememberParts extends FolderParts {
  readonly segments: Pick<RecordingIndex, "newest">;
  readonly storage: Pick<DiskUsageCache, "read">;
  readonly listed: { readonly known: RecordingCounts | null };
  readonly deletions: { state(): Promise<RetentionState> };
  readonly lastKnown: LastFolder;
}

/** Notes and writes what the folder holds now, as far as it is there: after a run no page may have looked at it. */
export async function rememberFolder(parts: RememberParts): Promise<void> {
  const newest = await parts.segments.newest();
  if (isFolderUnknown(parts) || parts.library.rootProblem !== null) return;
  const disk = await parts.storage.read().catch(() => null);
  parts.lastKnown.note({ newest, disk, counts: parts.listed.known, retention: await parts.deletions.state() });
  await parts.lastKnown.save();
}

interface Counted {
  readonly newest: { readonly base: string | null; readonly total: number };
  readonly disk: DiskUsage | null;
  readonly counts: RecordingCounts | null;
  readonly retention: RetentionState;
}

/** Facts about the recordings folder from when it was last there, over restarts. */
export class LastFolder {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #file: LastKnownFile;
  #remembered: RememberedFolder | null = null;
  #clips: readonly RecentClip[] = [];
  #isSaved = true;
  #savedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: { readonly root: string; readonly clock: Clock; readonly file: LastKnownFile }) {
    this.#root = parts.root;
    this.#clock = parts.clock;
    this.#file = parts.file;
  }

  /** Reads what was known before a restart. */
  async open(): Promise<void> {
    const found = await this.#file.read();
    if (found?.path !== this.#root) return;
    this.#remembered = found;
    this.#clips = found.clips;
  }

  get isKnown(): boolean {
    return this.#remembered !== null;
  }

  /** Null when it was never there, as far as is known. */
  get known(): LastKnown | null {
    if (this.#remembered === null) return null;
    const { path: _, clips: __, ...known } = this.#remembered;
    return known;
  }

  /** The clips that were shown then. */
  get clips(): readonly RecentClip[] {
    return this.#clips;
  }

  /** Notes what is known now that the folder is there. */
  note({ newest, disk, counts, retention }: Counted): void {
    const before = this.#remembered;
    this.#remembered = {
      path: this.#root,
      at: this.#clock.now(),
      recordings: newest.total,
      home: counts?.home ?? null,
      waiting: counts?.waiting ?? null,
      newest: newest.base,
      available_bytes: disk && spaceOf(disk).available_bytes,
      used_percent: disk && percentOf(disk),
      kept: retention.kept.recordings,
      trash_recordings: retention.trash.recordings,
      clips: this.#clips,
    };
    this.#isSaved = false;
    const isSame =
      before !== null && JSON.stringify({ ...before, at: 0 }) === JSON.stringify({ ...this.#remembered, at: 0 });
    if (this.#clock.elapsed() - this.#savedAt >= (isSame ? SEEN_MS : WRITTEN_MS)) void this.save();
  }

  noteClips(clips: readonly RecentClip[]): void {
    this.#clips = clips;
  }

  /** Another folder is the one to use from now on: what the old one held is nothing to wait for. */
  forget(): void {
    this.#remembered = null;
    this.#clips = [];
  }

  /** Writes what is new. */
  async save(): Promise<void> {
    if (this.#isSaved || this.#remembered === null) return;
    this.#isSaved = true;
    this.#savedAt = this.#clock.elapsed();
    await this.#file.write({ ...this.#remembered, clips: this.#clips });
  }

  /** Resolves when everything is written, also what began to be written before. */
  async close(): Promise<void> {
    await this.save();
    await this.#file.close();
  }
}

/** In place of an answer that says there is nothing. @throws AppError FOLDER_NOT_AVAILABLE while that is not known */
export function requireKnown(parts: FolderParts): void {
  if (isFolderUnknown(parts))
    throw new AppError(
      "FOLDER_NOT_AVAILABLE",
      "The recordings folder is not available, so what it holds is not known.",
    );
}
