import type { Clock } from "./clock.ts";
import type { RetentionParts } from "./engine/retention/retention.ts";
import type { Log } from "./log.ts";
import { DeletedRecordings } from "./store/destination/deleted_recordings.ts";
import type { DestinationIdentity } from "./store/destination/destination_identity.ts";
import { readDisk } from "./store/destination/disk_usage.ts";
import { KeptRecordings } from "./store/destination/kept_recordings.ts";
import { OwnFolderGuard } from "./store/destination/own_folder_guard.ts";
import { Trash } from "./store/destination/trash.ts";
import type { Library } from "./store/library/library.ts";
import { LibrarySizes } from "./store/library/library_sizes.ts";

interface Place {
  readonly root: string;
  readonly library: Library;
  readonly identity: DestinationIdentity;
  readonly clock: Clock;
  readonly log: Log;
  /** What this process is, for the log of another one. */
  readonly command: string;
}

/** Opens what deleting in a destination takes, for the service and for the command. */
export function openRetention(
  { root, library, identity, clock, log, command }: Place,
  told: Pick<RetentionParts, "consent" | "receipts">,
): RetentionParts {
  return {
    ...told,
    library,
    clock,
    log,
    standing: { problem: null, held: null },
    guard: new OwnFolderGuard({ root, identity, clock, log, command }),
    trash: new Trash({ root, home: library, clock, log }),
    kept: new KeptRecordings(root),
    deleted: new DeletedRecordings(root),
    sizes: new LibrarySizes({ root, clock }),
    disk: () => readDisk(root),
  };
}
