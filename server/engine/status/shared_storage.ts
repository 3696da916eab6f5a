import type { DiskSpace } from "../../domain/runs/disk_space.ts";
import type { NamedCamera } from "../../domain/settings/more_cameras.ts";
import { isAcceptable } from "../../domain/status/destination_state.ts";
import type { FleetFigures } from "../../domain/status/fleet.ts";
import type { CameraOnDisk, SharedDisk, SharedStorage, StoredCamera } from "../../domain/status/shared_storage.ts";
import type { DestinationIdentity } from "../../store/destination/destination_identity.ts";
import { deviceAbove } from "../../store/destination/disk_usage.ts";
import { everyMoment } from "../retention/due.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import { type DiskUsageCache, roomOfNewFolder, spaceOf } from "../transfer/disk_space.ts";
import { type CardTimeParts, cardTimeOf } from "../viewer/card_time.ts";
import type { BroughtToday } from "./brought_today.ts";
import { storageForecast } from "./health.ts";

type StorageParts = Parameters<typeof storageForecast>[0] & {
  readonly camera: NamedCamera;
  readonly retention: Pick<RetentionParts, "library" | "sizes">;
};

/** Longest wait of a page for the sizes of recordings. They are read on in the background. */
const SIZES_MS = 60;

/** Bytes of a camera's recordings at home; null while the sizes of some are still being read. */
export function recordingBytes({ library, sizes }: Pick<RetentionParts, "library" | "sizes">): Promise<number | null> {
  return sizes.total(library.version, () => everyMoment(library), SIZES_MS);
}

/** The disks of several cameras, each with the cameras that share it. */
export async function sharedStorage([main, ...others]: readonly [
  StorageParts,
  ...StorageParts[],
]): Promise<SharedStorage> {
  const found = await Promise.all([main, ...others].map(cameraOnDisk));
  const byDisk = Map.groupBy(
    found.filter((one) => one.disk !== null),
    ({ device }) => device,
  );
  const disks = [...byDisk.values()].flatMap((of): SharedDisk[] => {
    const disk = of[0]?.disk;
    return disk ? [{ ...disk, cameras: of.map(({ share }) => share) }] : [];
  });
  const missing = found.flatMap(({ disk, share }) => (disk === null ? [share.camera] : []));
  return { disks, missing, ...cardTimeOf(main) };
}

interface Found {
  readonly device: number | null;
  readonly disk: Pick<SharedDisk, "space" | "used_percent"> | null;
  readonly share: CameraOnDisk;
}

async function cameraOnDisk(parts: StorageParts, place: number): Promise<Found> {
  const { id, name, letter } = parts.camera;
  const camera: StoredCamera = { id, name, letter, place };
  const forecast = await storageForecast(parts);
  const { health, stops_at_percent, full_at } = forecast;
  const { root } = parts.recordings;
  const limits = { stops_at_percent, full_at };
  if (health.available) {
    const { total_bytes, free_bytes, available_bytes, used_percent, trash_bytes, waiting_bytes, room_bytes } = health;
    const bytes = await recordingBytes(parts.retention);
    return {
      device: await deviceAbove(root),
      disk: { space: { total_bytes, free_bytes, available_bytes }, used_percent },
      share: { camera, bytes, trash_bytes, waiting_bytes, room_bytes, ...limits },
    };
  }
  // The first sync makes the folder, on this disk.
  const isFirst = health.reason === "destination not configured" && !isAcceptable(parts.destination.standing);
  const room = isFirst ? await roomOfNewFolder(root) : null;
  const nothing = { camera, bytes: 0, trash_bytes: 0, waiting_bytes: null, room_bytes: null, ...limits };
  if (room === null) return { device: null, disk: null, share: nothing };
  const { used_percent, ...space } = room;
  return { device: await deviceAbove(root), disk: { space, used_percent }, share: nothing };
}

/** Figures of several cameras together. */
export async function fleetFigures(
  cameras: readonly (CardTimeParts & DiskParts & { readonly broughtToday: Pick<BroughtToday, "recordings"> })[],
): Promise<FleetFigures> {
  const today = cameras.map((one) => one.broughtToday.recordings(one.clock.now(), one.zone));
  return { home_today: today.reduce((sum, count) => sum + count, 0), space: await spaceTogether(cameras) };
}

interface DiskParts {
  readonly storage: Pick<DiskUsageCache, "read">;
  readonly recordings: { readonly root: string };
  readonly destination: Pick<DestinationIdentity, "standing">;
}

/** Space of the disks of several cameras together, each disk once; null where none tells. */
async function spaceTogether(cameras: readonly DiskParts[]): Promise<FleetFigures["space"]> {
  const found = await Promise.all(
    cameras.map(async ({ storage, recordings: { root }, destination }) => {
      const disk = await storage.read().catch(() => null);
      const isFirst = disk === null && !isAcceptable(destination.standing);
      return { device: await deviceAbove(root), space: isFirst ? await roomOfNewFolder(root) : disk && spaceOf(disk) };
    }),
  );
  const disks = new Map<number | null, DiskSpace>();
  for (const { device, space } of found) if (space !== null) disks.set(device, space);
  const told = [...disks.values()].flatMap(({ available_bytes: free, total_bytes: total }) =>
    free === null ? [] : [{ free, total }],
  );
  if (told.length === 0) return null;
  return {
    free_bytes: told.reduce((sum, { free }) => sum + free, 0),
    total_bytes: told.reduce((sum, { total }) => sum + total, 0),
  };
}
