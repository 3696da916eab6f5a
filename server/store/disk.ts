import { statfs } from "node:fs/promises";

export interface Disk {
  totalBytes: number;
  /** Including what only root may use: a disk is as full as its files make it. */
  freeBytes: number;
  usedBytes: number;
  /** 0..1; 0 when the filesystem does not tell its size. */
  usedRatio: number;
  /** What this process may still write: without root's reserve and beyond no quota. */
  availableBytes: number;
}

/** How full the filesystem holding `path` is. Rejects with the system's error when the path is not there. */
export async function readDisk(path: string): Promise<Disk> {
  const found: { bsize: bigint; frsize?: bigint; blocks: bigint; bfree: bigint; bavail: bigint } = await statfs(path, {
    bigint: true,
  });
  // Counts are in fragments; some FUSE filesystems name a larger block for transfers beside it.
  const unit = found.frsize || found.bsize;
  const totalBytes = Number(found.blocks * unit);
  const freeBytes = Number(found.bfree * unit);
  const usedBytes = Math.max(0, totalBytes - freeBytes);
  if (totalBytes === 0) {
    // Some network mounts tell nothing. That must not read as a full disk.
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
