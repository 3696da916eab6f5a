import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { objectKey } from "../../domain/offsite/object_key.ts";
import { type Rank, rankOf } from "../../domain/offsite/what_goes.ts";
import { momentKey } from "../../domain/recordings/moment_number.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { KeptMap } from "../../store/destination/kept_recordings.ts";
import { pathOfFile } from "../../store/destination/sums_rows.ts";
import type { Library } from "../../store/library/library.ts";
import { MARKER_ENDING } from "../../store/library/name_index.ts";
import { isSliceEnd, nextTurn } from "../../turns.ts";

/** A camera whose recordings are sent. */
export interface SentCamera {
  readonly camera: { readonly id: string };
  readonly recordings: { readonly root: string };
  readonly library: Pick<Library, "available" | "version" | "folderContents" | "refresh">;
  readonly retention: { readonly kept: { readonly shown: () => Promise<KeptMap>; readonly version: number } };
}

/** A file that is to be sent. */
export interface WaitingFile<C extends SentCamera = SentCamera> {
  readonly camera: C;
  /** Relative to the destination. */
  readonly path: string;
  /** In the bucket. */
  readonly key: string;
  /** Number of its moment. */
  readonly moment: number;
  readonly rank: Rank;
  readonly isVideo: boolean;
  readonly size: number;
}

export interface Waiting<C extends SentCamera = SentCamera> {
  /** Those that are sent first, in their order. */
  readonly files: readonly WaitingFile<C>[];
  readonly recordings: number;
  readonly bytes: number;
}

/** Files that are looked up at once: a library of many years never is in memory as a whole. */
const MOST_FILES = 2000;
/** Position of the type in `YYYYMMDD_HHMMSS_T`. */
const TYPE_AT = 16;

/**
 * Finds what is at home, is to be sent, and is not known to the bucket.
 * @param note is called with each of them, also with those that are too many to be told now
 */
export async function waitingFiles<C extends SentCamera>(
  cameras: readonly C[],
  { what, prefix, passphrase }: Pick<Settings["offsite"], "what" | "prefix" | "passphrase">,
  isKnown: (key: string) => boolean,
  signal: AbortSignal,
  note: (file: WaitingFile) => void = () => {},
): Promise<Waiting<C>> {
  let files: WaitingFile<C>[] = [];
  let recordings = 0;
  let bytes = 0;
  let handled = 0;
  const isEncrypted = passphrase !== null;
  for (const camera of cameras) {
    if (!camera.library.available) continue;
    const kept = await camera.retention.kept.shown();
    for (const { path: folder, moments } of [...camera.library.folderContents])
      for (const [moment, { endings }] of [...moments]) {
        if (isSliceEnd(++handled)) await nextTurn();
        signal.throwIfAborted();
        const rank = rankOf({ type: momentKey(moment).charAt(TYPE_AT), isKept: kept.has(moment) }, what);
        if (rank === null) continue;
        for (const ending of endings) {
          if (ending.endsWith(MARKER_ENDING)) continue;
          const path = pathOfFile({ moment, ending, folder });
          const key = objectKey({ camera: camera.camera.id, path }, { prefix, isEncrypted });
          if (isKnown(key)) continue;
          const size = await sizeOf(join(camera.recordings.root, path));
          if (size === null) continue;
          const isVideo = ending.endsWith(".mp4");
          if (isVideo) recordings += 1;
          bytes += size;
          const file = { camera, path, key, moment, rank, isVideo, size };
          note(file);
          files.push(file);
        }
        if (files.length > 2 * MOST_FILES) files = first(files);
      }
  }
  return { files: first(files), recordings, bytes };
}

/** Kept ones, then events, then others; the newest first. A video goes before its companions. */
function first<C extends SentCamera>(files: readonly WaitingFile<C>[]): WaitingFile<C>[] {
  return files
    .toSorted(
      (one, other) =>
        one.rank - other.rank ||
        other.moment - one.moment ||
        Number(other.isVideo) - Number(one.isVideo) ||
        (one.key < other.key ? -1 : 1),
    )
    .slice(0, MOST_FILES);
}

/** Length of a file; null for a link, and for what has gone. */
async function sizeOf(path: string): Promise<number | null> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
}
