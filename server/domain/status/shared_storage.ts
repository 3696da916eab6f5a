import { type DiskSpace, endOfSpace, isSpaceUsedUp } from "../runs/disk_space.ts";
import type { NamedCamera } from "../settings/more_cameras.ts";
import { formatBytes } from "../text/format.ts";
import type { CardTime, ZoneTime } from "../text/zone_time.ts";

/** A camera of several, with its place among them from 0 on. */
export interface StoredCamera extends NamedCamera {
  readonly place: number;
}

/** A camera's share of a disk. */
export interface CameraOnDisk {
  readonly camera: StoredCamera;
  /** Bytes of its recordings; null while they are not known. */
  readonly bytes: number | null;
  readonly trash_bytes: number;
  /** Bytes that wait on the camera; null while that is unknown. */
  readonly waiting_bytes: number | null;
  /** Bytes that can still come below its limit; null where the disk does not tell. */
  readonly room_bytes: number | null;
  /** Nothing more is downloaded at this level. */
  readonly stops_at_percent: number;
  /** Epoch milliseconds at which nothing more can come as things go; null when it will not be, or is unknown. */
  readonly full_at: number | null;
}

/** A disk with the cameras whose folders it holds. */
export interface SharedDisk {
  readonly space: DiskSpace;
  readonly used_percent: number;
  readonly cameras: readonly CameraOnDisk[];
}

/** Storage of several cameras, by disk. */
export interface SharedStorage extends CardTime {
  readonly disks: readonly SharedDisk[];
  /** Cameras whose folders are not available now. */
  readonly missing: readonly StoredCamera[];
}

/** A part of a disk: a camera's recordings, the trash of all, or what else lies there. */
export interface DiskPart {
  readonly of: StoredCamera | "trash" | "others";
  readonly bytes: number;
  /** Percent of the disk, as the bar shows it. */
  readonly from: number;
  readonly width: number;
}

/** Below the limit by no more percent than this the cell warns. */
const NEAR = 5;

/** Cuts the used part of a disk into what fills it; null while the recordings of a camera are not measured. */
export function partsOfDisk({ space, cameras }: SharedDisk): DiskPart[] | null {
  const { total_bytes: total, free_bytes: free } = space;
  if (total <= 0 || cameras.some(({ bytes }) => bytes === null)) return null;
  const used = total - free;
  const trash = cameras.reduce((sum, camera) => sum + camera.trash_bytes, 0);
  const ours = cameras.reduce((sum, { bytes }) => sum + (bytes ?? 0), trash);
  const all: Pick<DiskPart, "of" | "bytes">[] = [
    ...cameras.map(({ camera, bytes }) => ({ of: camera, bytes: bytes ?? 0 })),
    { of: "trash", bytes: trash },
    { of: "others", bytes: Math.max(0, used - ours) },
  ];
  let from = 0;
  return all.map((part) => {
    // Files can be longer than what they take of the disk: the bar ends where the disk does.
    const width = Math.min(100 - from, Math.round((part.bytes / total) * 1000) / 10);
    const placed = { ...part, from, width };
    from = Math.round((from + width) * 10) / 10;
    return placed;
  });
}

/** Says in a sentence where syncing stops, and about when; each limit once where the cameras have different ones. */
export function stopsInWords(cameras: readonly CameraOnDisk[], zone: ZoneTime): string {
  const limits = [...Map.groupBy(cameras, ({ stops_at_percent: stops }) => stops)].sort(
    ([one], [other]) => one - other,
  );
  const told = limits.map(([percent, of]) => {
    const whose = limits.length === 1 ? "" : `${namesOf(of)} `;
    const times = of.flatMap(({ full_at: at }) => (at === null ? [] : [at]));
    const when = times.length === 0 ? "" : `, about ${zone.date(Math.min(...times))}`;
    return `Syncing ${whose === "" ? "" : `of ${whose}`}stops at ${percent}\u00a0%${when}.`;
  });
  return told.join(" ");
}

/** Use of a disk by the cameras that sync to it: the first of them that cannot go on counts. */
export function levelOfDisk({ space, used_percent: used, cameras }: SharedDisk): "fine" | "attention" | "failed" {
  const limit = Math.min(...cameras.map(({ stops_at_percent: stops }) => stops));
  if (used >= limit || isSpaceUsedUp(space)) return "failed";
  return used >= 100 * endOfSpace(space, limit / 100) - NEAR ? "attention" : "fine";
}

/** Says that what waits on the cameras does not fit together; empty when it does, or while that is unknown. */
export function tooMuchTogether({ cameras }: SharedDisk): string {
  const waiting = cameras.reduce((sum, { waiting_bytes: bytes }) => sum + (bytes ?? 0), 0);
  const rooms = cameras.flatMap(({ room_bytes: room }) => (room === null ? [] : [room]));
  const room = Math.max(...rooms);
  if (rooms.length === 0 || waiting <= room) return "";
  return `About ${formatBytes(waiting)} wait on the cameras, and there is room for ${formatBytes(room)} below the limit.`;
}

function namesOf(cameras: readonly CameraOnDisk[]): string {
  const names = cameras.map(({ camera }) => camera.name);
  return names.length === 1 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
