import type { Dashcam } from "../../dashcam/camera.ts";
import type { DestinationAnswer } from "../../domain/status/status_schema.ts";
import type { DestinationIdentity } from "../../store/destination/destination_identity.ts";
import type { Library } from "../../store/library/library.ts";
import { deviceAbove, isFolder } from "../../store/path_facts.ts";
import type { KnownList } from "../listed/known_list.ts";
import { listedOn } from "../listed/last_seen.ts";
import { roomOfNewFolder } from "../transfer/disk_space.ts";
import { isFolderUnknown, type LastFolder } from "../viewer/last_known.ts";

export interface FoundParts {
  readonly library: Pick<Library, "root" | "rootProblem" | "recordingCount" | "refreshIfOlder">;
  readonly destination: Pick<DestinationIdentity, "standing" | "check">;
  readonly lastKnown: Pick<LastFolder, "isKnown" | "known">;
  readonly listed: Pick<KnownList, "known" | "list">;
  readonly dashcam: Pick<Dashcam, "address">;
}

/**
 * Describes the recordings folder: its state, what was known of it when it was there, and what lies at its path now.
 */
export async function foundFolder(parts: FoundParts): Promise<DestinationAnswer> {
  const { library, destination, lastKnown, listed, dashcam } = parts;
  const { root } = library;
  await library.refreshIfOlder();
  await destination.check();
  const room = await roomOfNewFolder(root);
  return {
    path: root,
    standing: destination.standing,
    last_known: isFolderUnknown(parts) ? lastKnown.known : null,
    found: {
      is_there: isFolder(root),
      recordings: library.recordingCount,
      is_system_disk: (await deviceAbove(root)) === (await deviceAbove("/")),
      available_bytes: room?.available_bytes ?? null,
      total_bytes: room === null || room.total_bytes === 0 ? null : room.total_bytes,
    },
    on_camera: listed.known?.on_camera ?? listedOn(listed, dashcam),
  };
}
