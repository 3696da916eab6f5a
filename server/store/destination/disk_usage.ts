import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../error_code.ts";

export interface DiskUsage {
  totalBytes: number;
  /** Including what only root may use: a disk is as full as its files make it. */
  freeBytes: number;
  usedBytes: number;
  /** 0..1; 0 when the filesystem does not report its size. */
  usedRatio: number;
  /** Bytes that this process may still write: without root's reserve and beyond no quota. */
  availableBytes: number;
}

/** Answer of statfs(2), counts in blocks. */
interface Counts {
  readonly bsize: bigint;
  readonly frsize?: bigint;
  readonly blocks: bigint;
  readonly bfree: bigint;
  readonly bavail: bigint;
}

/** Answers of a file system that has no statfs at all, as some FUSE ones. */
const NO_STATFS: readonly string[] = ["ENOSYS", "ENOTSUP", "EOPNOTSUPP"];
const NO_COUNTS: Counts = { bsize: 0n, blocks: 0n, bfree: 0n, bavail: 0n };

/** Reads the use of the file system that holds `path`. Rejects with the system's error when the path is not there. */
export async function readDisk(path: string, counts: (path: string) => Promise<Counts> = countsOf): Promise<DiskUsage> {
  const found = await counts(path).catch((error: unknown) => {
    if (NO_STATFS.includes(errorCode(error))) return NO_COUNTS;
    throw error;
  });
  // Counts are in fragments; some FUSE filesystems name a larger block for transfers beside it.
  const unit = found.frsize || found.bsize;
  const totalBytes = Number(found.blocks * unit);
  const freeBytes = Number(found.bfree * unit);
  const usedBytes = Math.max(0, totalBytes - freeBytes);
  if (totalBytes === 0) {
    // Some network mounts report nothing. That must not read as a full disk.
    return { totalBytes, freeBytes, usedBytes, usedRatio: 0, availableBytes: Number.MAX_SAFE_INTEGER };
  }
  return {
    totalBytes,
    freeBytes,
    usedBytes,
    usedRatio: usedBytes / totalBytes,
    availableBytes: Number(found.bavail * unit),
  };
}

/** The same of a folder that may not be there yet: of the nearest one above it. Rejects with the system's error. */
export async function readDiskAbove(path: string): Promise<DiskUsage> {
  try {
    return await readDisk(path);
  } catch (error) {
    const above = dirname(path);
    if (errorCode(error) !== "ENOENT" || above === path) throw error;
    return await readDiskAbove(above);
  }
}

/** Returns the id of the disk that holds `path`; null when that cannot be read. */
export async function deviceOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).dev;
  } catch {
    return null;
  }
}

/** As `deviceOf`; of a folder that may not be there yet: of the nearest one above it. */
export async function deviceAbove(path: string): Promise<number | null> {
  const above = dirname(path);
  return (await deviceOf(path)) ?? (above === path ? null : await deviceAbove(above));
}

function countsOf(path: string): Promise<Counts> {
  return statfs(path, { bigint: true });
}
