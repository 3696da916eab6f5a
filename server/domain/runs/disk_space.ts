import type * as v from "valibot";
import { formatBytes } from "../text/format.ts";
import type { DISK_SPACE } from "./stats_schema.ts";

const NBSP = "\u00a0";

/**
 * A disk as far as its space is concerned. On screens *free* is always the space that can be written, by these
 * functions. Space reserved for root or beyond a quota is of no use here. The limit on how full the disk may become
 * counts it as free all the same.
 */
export type DiskSpace = v.InferOutput<typeof DISK_SPACE>;

/** The share of the disk, 0..1, from which on a page explains why less can be written than its files leave. */
const SHOWN_FROM = 0.05;
/** So little is as good as nothing: not even a thumbnail fits. */
const NOTHING_BYTES = 1024 * 1024;

/** Says how much is free: `84 GB`; null when it is not known. */
export function freeInWords({ available_bytes: free }: DiskSpace): string | null {
  return free === null ? null : formatBytes(free);
}

/** `84 GB free of 350 GB`. */
export function freeOfInWords(space: DiskSpace): string {
  const free = freeInWords(space);
  return free === null
    ? "The disk does not tell how much is free"
    : `${free} free of ${formatBytes(space.total_bytes)}`;
}

/** Says in a sentence why less is free than the disk's use lets one expect; empty while both are about the same. */
export function withheldInWords({ total_bytes: total, free_bytes, available_bytes: free }: DiskSpace): string {
  const withheld = free === null ? 0 : free_bytes - free;
  if (withheld <= total * SHOWN_FROM) return "";
  return `${formatBytes(withheld)} is reserved by the system and cannot be used.`;
}

/** True when nothing more can be written, at whatever use of the disk. */
export function isSpaceUsedUp({ available_bytes: free }: DiskSpace): boolean {
  return free !== null && free < NOTHING_BYTES;
}

/**
 * Bytes that can still come before syncing stops: below the limit, and as far as they can be written. Null where the disk
 * does not tell its size.
 * @param limit in percent of the disk
 * @param trash bytes of the disk that are given back when they are needed
 */
export function roomBelow(
  { total_bytes: total, free_bytes, available_bytes: free }: DiskSpace,
  limit: number,
  trash: number,
): number | null {
  if (free === null || total <= 0) return null;
  return Math.max(0, Math.floor(Math.min(free, (total * limit) / 100 - (total - free_bytes)) + trash));
}

/** That what waits on the camera does not fit, and what to do, as sentences; empty when it does, or while that is unknown. */
export function tooMuchInWords(of: {
  readonly waiting_bytes: number | null;
  readonly room_bytes: number | null;
}): string {
  const { waiting_bytes: waiting, room_bytes: room } = of;
  if (waiting === null || room === null || waiting <= room) return "";
  const left = room < NOTHING_BYTES ? "no room is left" : `there is room for ${formatBytes(room)}`;
  return `About ${formatBytes(waiting)} wait on the camera, and ${left} below the limit. Free space, keep recordings for less time, or raise the limit.`;
}

/** Bytes of a disk by what they are of: recordings that are here, the trash, everything else. */
export interface DiskContents {
  readonly recordings: number;
  readonly trash: number;
  readonly others: number;
}

/**
 * Says what fills a disk, without a full stop: `the disk holds 40 GB of recordings, 2 GB in the trash and 120 GB of
 * other files`.
 */
export function contentsInWords({ recordings, trash, others }: DiskContents): string {
  const [first, second, third] = [recordings, trash, others].map(formatBytes);
  return `the disk holds ${first} of recordings, ${second} in the trash and ${third} of other files`;
}

/**
 * Returns the used share of the disk, 0..1, at which nothing more can come: the limit, or less where less can be
 * written.
 * @param limit 0..1
 */
export function endOfSpace(
  { total_bytes: total, free_bytes, available_bytes: free }: DiskSpace,
  limit: number,
): number {
  if (free === null || total <= 0) return limit;
  return Math.min(limit, (total - free_bytes + free) / total);
}

/** `71.4 %`, and how much is free where that is known: `71.4 %, 84 GB free`. */
export function usedAndFreeInWords(usedPercent: number, space: DiskSpace): string {
  const free = freeInWords(space);
  return `${usedInWords(usedPercent)}${free === null ? "" : `, ${free} free`}`;
}

/**
 * Warns in a sentence about a stop at `percent` of the disk with the disk as full as it is; null when there is room
 * below it.
 */
export function diskStopWarning(percent: number, usedPercent: number): string | null {
  if (usedPercent < percent) return null;
  return `The disk is ${usedInWords(usedPercent)} full now: nothing more would come home.`;
}

function usedInWords(percent: number): string {
  return `${Math.round(percent * 10) / 10}${NBSP}%`;
}
