/** Damage of a file: other bytes than it had, an end that is missing, a disk that cannot read it, or no file any more. */
export const DAMAGES = ["other_bytes", "cut_short", "unreadable", "missing"] as const;
export type Damage = (typeof DAMAGES)[number];

/** Checksums of a file, and by what is told whether it was changed on purpose since. */
export interface FileSum {
  readonly size: number;
  /** Time of its last change, epoch milliseconds. */
  readonly modified: number;
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string;
  readonly crc: number;
  /** A video whose structure ends with the file: a later one that does not is cut short. */
  readonly isWholeVideo: boolean;
}

/** FAT keeps times to two seconds, and some network disks round them otherwise than the disk behind them. */
const COARSE_MS = 2000;
/** FAT keeps local time, which daylight saving and another zone move by such steps, and by at most so much. */
const ZONE_STEP_MS = 15 * 60_000;
const MOST_ZONE_MS = 26 * 3_600_000;

/** True when two times may be the same one, as file systems keep them. */
export function isSameTime(one: number, other: number): boolean {
  const apart = Math.abs(one - other);
  if (apart <= COARSE_MS) return true;
  const beside = apart % ZONE_STEP_MS;
  return apart <= MOST_ZONE_MS + COARSE_MS && Math.min(beside, ZONE_STEP_MS - beside) <= COARSE_MS;
}

/**
 * Judges a file that was read again. Other bytes under the same size and time are damage: no program writes a file and
 * leaves its time. With another size or time its owner changed it, and its checksums are taken anew; but a video that
 * has lost its end, and a file that has become empty, are damaged whatever their time.
 */
export function judgeFile(known: FileSum, found: FileSum): "whole" | "changed" | Exclude<Damage, "missing"> {
  if (known.sha256 === found.sha256 && known.size === found.size) return "whole";
  if (found.size === 0 || (known.isWholeVideo && !found.isWholeVideo && found.size < known.size)) return "cut_short";
  return known.size === found.size && isSameTime(known.modified, found.modified) ? "other_bytes" : "changed";
}
