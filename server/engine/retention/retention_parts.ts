import type { Clock } from "../../clock.ts";
import type { DeletionReceipt } from "../../domain/retention/deletion.ts";
import type { HeldReason } from "../../domain/retention/deletion_cause.ts";
import type { UnreachableLimit } from "../../domain/retention/limit_reach.ts";
import type { Log } from "../../log.ts";
import { DeletedRecordings } from "../../store/destination/deleted_recordings.ts";
import type { DestinationIdentity } from "../../store/destination/destination_identity.ts";
import { readDisk } from "../../store/destination/disk_usage.ts";
import { KeptRecordings, type MarksMemory } from "../../store/destination/kept_recordings.ts";
import { OwnFolderGuard } from "../../store/destination/own_folder_guard.ts";
import { RestoredRecordings } from "../../store/destination/restored_recordings.ts";
import { Stills } from "../../store/destination/stills.ts";
import { Trash } from "../../store/destination/trash.ts";
import type { TrashBatch } from "../../store/destination/trash_batch.ts";
import type { LibraryMoment } from "../../store/destination/trash_moves.ts";
import type { Library } from "../../store/library/library.ts";
import { LibrarySizes } from "../../store/library/library_sizes.ts";
import type { DeletionConsent } from "./deletion_consent.ts";
import type { DueParts } from "./due.ts";

/** The parts that deleting needs. */
export interface RetentionParts extends DueParts {
  readonly library: Library;
  readonly kept: KeptRecordings;
  readonly sizes: LibrarySizes;
  readonly trash: Trash;
  /** Pictures that were kept with recordings. */
  readonly stills: Stills;
  readonly guard: Pick<OwnFolderGuard, "run">;
  readonly deleted: DeletedRecordings;
  readonly restored: RestoredRecordings;
  /** Without it the rules themselves are the consent, as on the command line. */
  readonly consent: DeletionConsent | null;
  /** Keeps receipts; null for a command, which keeps none. */
  readonly receipts: { add(receipt: DeletionReceipt): void; has(id: string): boolean } | null;
  /** Called with the moments that a deletion has taken; left out where nothing keeps what became of them. */
  readonly onDeleted?: (batch: TrashBatch, moments: readonly number[]) => void;
  /**
   * Results of the last pass, or null. `problem`: why it could delete nothing, without a full stop. `held`: why it held
   * its deletion. `unreachable`: limits that it could not reach.
   */
  readonly standing: {
    problem: string | null;
    held: HeldReason | null;
    unreachable: readonly UnreachableLimit[];
  };
  readonly clock: Clock;
  readonly log: Log;
}

interface Place {
  readonly root: string;
  readonly library: Library;
  readonly identity: DestinationIdentity;
  readonly clock: Clock;
  readonly log: Log;
  /** Name of this process, for the log of another one. */
  readonly command: string;
  /** Called with moments before they are moved to the trash. */
  readonly leaving?: (moments: readonly LibraryMoment[]) => void;
}

/** Opens the parts that deleting in a destination needs, for the service and for the command. */
export function openRetention(
  { root, library, identity, clock, log, command, leaving }: Place,
  {
    marks,
    ...given
  }: Pick<RetentionParts, "consent" | "receipts" | "isOnCamera" | "onDeleted"> & { readonly marks?: MarksMemory },
): RetentionParts {
  return {
    ...given,
    library,
    clock,
    log,
    standing: { problem: null, held: null, unreachable: [] },
    guard: new OwnFolderGuard({ root, identity, clock, log, command }),
    trash: new Trash({
      root,
      home: library,
      copies: library,
      clock,
      log,
      place: identity,
      ...(leaving && { leaving }),
    }),
    stills: new Stills(root, identity),
    kept: new KeptRecordings(root, identity, marks),
    deleted: new DeletedRecordings(root, identity),
    restored: new RestoredRecordings(root, identity),
    sizes: new LibrarySizes({ root, clock }),
    disk: () => readDisk(root),
  };
}
