import { endOfSpace, roomBelow, tooMuchInWords } from "../../domain/runs/disk_space.ts";
import { isTooEarly } from "../../domain/runs/disk_trend.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { isAcceptable } from "../../domain/status/destination_state.ts";
import type { StorageForecast, StorageHealth } from "../../domain/status/health.ts";
import type { Destination } from "../../store/destination/destination.ts";
import type { DestinationIdentity } from "../../store/destination/destination_identity.ts";
import type { Trash } from "../../store/destination/trash.ts";
import type { Library } from "../../store/library/library.ts";
import { type WaitingParts, waitingBytes } from "../listed/waiting_bytes.ts";
import type { PendingDeletions } from "../retention/pending_deletions.ts";
import { type DiskUsageCache, percentOf, spaceOf } from "../transfer/disk_space.ts";
import { type CardTimeParts, cardTimeOf } from "../viewer/card_time.ts";
import { isFolderUnknown, type LastFolder } from "../viewer/last_known.ts";
import type { DiskForecast } from "./disk_forecast.ts";

/** The destination's disk, how many recordings are there, and how much is in the trash. */
export async function storageHealth(
  parts: {
    recordings: Destination;
    library: Library;
    destination: Pick<DestinationIdentity, "check" | "standing">;
    storage: DiskUsageCache;
    retention: { readonly trash: Pick<Trash, "amount"> };
    settings: { readonly current: Settings };
  } & WaitingParts,
): Promise<StorageHealth> {
  const { recordings, library, storage, retention, settings, destination } = parts;
  await library.refreshIfOlder();
  await destination.check();
  if (library.available && isAcceptable(destination.standing))
    return { available: false, reason: "another folder is in its place" };
  if (!library.available) return { available: false, reason: "destination not configured" };
  const disk = await storage.read().catch(() => null);
  if (!disk) return { available: false, reason: "the disk cannot be read" };
  const { usedBytes } = disk;
  const space = spaceOf(disk);
  const trash = await retention.trash.amount().catch(() => ({ bytes: 0, recordings: 0 }));
  return {
    available: true,
    destination: recordings.root,
    ...space,
    used_bytes: usedBytes,
    used_percent: percentOf(disk),
    recording_count: library.recordingCount,
    trash_bytes: trash.bytes,
    trash_recordings: trash.recordings,
    room_bytes: roomBelow(space, settings.current.retention.max_used_disk_percent, trash.bytes),
    waiting_bytes: await waitingBytes(parts),
  };
}

/** The disk as the storage card shows it: with the level the engine stops at, and when it is reached. */
export async function storageForecast(
  parts: Parameters<typeof storageHealth>[0] &
    CardTimeParts & {
      readonly diskForecast: DiskForecast;
      readonly deletions: Pick<PendingDeletions, "trash">;
      readonly lastKnown: Pick<LastFolder, "isKnown" | "known">;
    },
): Promise<StorageForecast> {
  const { keep, keep_event, keep_parking, keep_manual, max_used_disk_percent: most } = parts.settings.current.retention;
  const health = await storageHealth(parts);
  const heading = parts.diskForecast.heading(
    health.available ? endOfSpace(health, most / 100) : most / 100,
    parts.zone,
  );
  return {
    health,
    stops_at_percent: most,
    too_much: health.available ? tooMuchInWords(health) : "",
    full_at: heading.full_at === null || isTooEarly(heading) ? null : heading.full_at * 1000,
    days_with_runs: heading.days,
    keep: { keep, keep_event, keep_parking, keep_manual },
    trash: await parts.deletions.trash(),
    last_known: isFolderUnknown(parts) ? parts.lastKnown.known : null,
    ...cardTimeOf(parts),
  };
}
