import type { ListedFile } from "../recordings/camera_listing.ts";
import { type ArtifactKind, endingOf, parseRecording, typeOf } from "../recordings/recording_name.ts";

/**
 * Group of files that are alike in size. Videos are grouped by type and direction (`NF`, `PR`), their low-resolution
 * copies apart (`NFS`). Companions are grouped by kind (`gps`).
 */
export type SizeClass = string;

/** The mean of the last files of one class. */
export interface LearnedSize {
  readonly bytes: number;
  /** Number of files it was learned from, up to the number that it goes by. */
  readonly files: number;
}

/** Speed of the videos, and the time for a companion, in the last runs. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** Null when no companion was asked for yet. */
  readonly companionSeconds: number | null;
}

/** Sizes and speeds learned from one camera's files. */
export interface LearnedSizes {
  readonly sizes: Readonly<Record<SizeClass, LearnedSize>>;
  readonly pace: Pace | null;
}

/** A mean goes by about so many files: ten files after a change of the resolution it is right again. */
const GOES_BY = 4;
/** Files from which on a size that is far off counts at most as one that is so many times off. */
const SETTLED_FROM = 4;
const FAR_OFF = 4;
/** The shortest and the longest that a file can be, in bytes. */
const VIDEO_SIZES = [1024, 16e9] as const;
const COMPANION_SIZES = [1, 64 * 1024 * 1024] as const;
/** A camera has some twenty; names of nonsense must not fill the memory. */
export const MOST_CLASSES = 64;
/** Equal listed sizes from which on they are a constant that the camera prints. */
const SEVERAL = 3;

/** The class of a file by its name and kind. */
export function sizeClassOf(name: string, kind: ArtifactKind): SizeClass {
  return kind === "mp4" ? videoClass(typeOf(name), endingOf(name)) : kind;
}

/** The class of videos of this type whose names end like this: `F.mp4`, `FS.mp4`. */
export function videoClass(type: string, ending: string): SizeClass {
  return type + ending.charAt(0) + (ending.charAt(1) === "S" ? "S" : "");
}

/** True when a file of this class can be so long. */
export function isPlausibleSize(of: SizeClass, bytes: number): boolean {
  const [least, most] = isVideoClass(of) ? VIDEO_SIZES : COMPANION_SIZES;
  return bytes >= least && bytes <= most;
}

/**
 * The sizes of videos that the camera's list tells, as far as they are to be believed: hints, since the camera may have
 * noted them while it was still recording. None when all are the same.
 */
export function listedSizes(files: readonly ListedFile[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { name, size } of files) {
    if (size === null || parseRecording(name) === null) continue;
    if (isPlausibleSize(sizeClassOf(name, "mp4"), size)) sizes.set(name, size);
  }
  return sizes.size >= SEVERAL && new Set(sizes.values()).size === 1 ? new Map() : sizes;
}

/**
 * Expected sizes of one camera's files. They are learned from the files that came, and fall back on the most similar
 * ones.
 */
export class ExpectedSizes {
  readonly #sizes: Map<SizeClass, LearnedSize>;
  readonly #others: readonly LearnedSizes[];
  #pace: Pace | null;
  #version = 0;

  /** @param others sizes known of other cameras, the one that was used last first */
  constructor(known: LearnedSizes | null = null, others: readonly LearnedSizes[] = []) {
    this.#sizes = new Map(Object.entries(known?.sizes ?? {}));
    this.#pace = known?.pace ?? null;
    this.#others = others;
  }

  /** Grows with everything that is learned. */
  get version(): number {
    return this.#version;
  }

  /** True when nothing was learned of this camera's videos. */
  get isEmpty(): boolean {
    return ![...this.#sizes.keys()].some(isVideoClass);
  }

  /** Pace of the last runs; null before the first. */
  get pace(): Pace | null {
    return this.#pace ?? this.#others.find(({ pace }) => pace !== null)?.pace ?? null;
  }

  get learned(): LearnedSizes {
    return { sizes: Object.fromEntries(this.#sizes), pace: this.#pace };
  }

  /** Estimates the bytes of a file of this class; null when nothing like it ever came. */
  of(wanted: SizeClass): number | null {
    // Asked for each file that comes, of which nearly all are of a class that is known.
    const own = this.#sizes.get(wanted)?.bytes ?? expectedAmong([...this.#sizes], wanted);
    if (own !== null) return own;
    for (const { sizes } of this.#others) {
      const found = expectedAmong(Object.entries(sizes), wanted);
      if (found !== null) return found;
    }
    return null;
  }

  /** Learns from a file that is here as a whole; one that cannot be so long teaches nothing. */
  learn(of: SizeClass, bytes: number): void {
    if (!isPlausibleSize(of, bytes)) return;
    const before = this.#sizes.get(of);
    if (before === undefined && this.#sizes.size >= MOST_CLASSES) return;
    const files = Math.min((before?.files ?? 0) + 1, GOES_BY);
    this.#sizes.set(of, { bytes: before ? moved(before, bytes, files) : bytes, files });
    this.#version++;
  }

  /** Learns how fast the run was that ends. */
  learnPace(pace: Pace | null): void {
    if (pace === null) return;
    const half = (before: number | null, now: number) => (before === null ? now : (before + now) / 2);
    const { bytesPerSecond, companionSeconds } = pace;
    const before = this.#pace;
    this.#pace = {
      bytesPerSecond: half(before?.bytesPerSecond ?? null, bytesPerSecond),
      companionSeconds:
        companionSeconds === null
          ? (before?.companionSeconds ?? null)
          : half(before?.companionSeconds ?? null, companionSeconds),
    };
    this.#version++;
  }
}

function moved(before: LearnedSize, bytes: number, files: number): number {
  const isSettled = before.files >= SETTLED_FROM;
  const size = isSettled ? Math.min(before.bytes * FAR_OFF, Math.max(before.bytes / FAR_OFF, bytes)) : bytes;
  return before.bytes + (size - before.bytes) / files;
}

function expectedAmong(known: readonly (readonly [SizeClass, LearnedSize])[], wanted: SizeClass): number | null {
  const mean = (isLike: (of: SizeClass) => boolean): number | null => {
    let bytes = 0;
    let files = 0;
    for (const [of, size] of known) {
      if (!isLike(of)) continue;
      bytes += size.bytes * size.files;
      files += size.files;
    }
    return files === 0 ? null : bytes / files;
  };
  const exact = mean((of) => of === wanted);
  if (exact !== null || !isVideoClass(wanted)) return exact;
  return (
    mean((of) => isVideoClass(of) && of.slice(1) === wanted.slice(1)) ??
    mean((of) => isVideoClass(of) && isCopy(of) === isCopy(wanted)) ??
    // A low-resolution copy is not larger than a recording; the other way round it would be far too little.
    (isCopy(wanted) ? mean(isVideoClass) : null)
  );
}

/** True for a class of videos. */
export function isVideoClass(of: SizeClass): boolean {
  return /^[A-Z]/.test(of);
}

function isCopy(of: SizeClass): boolean {
  return of.length > 2;
}
