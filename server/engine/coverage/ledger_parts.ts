import type { Clock } from "../../clock.ts";
import type { Trouble } from "../../domain/coverage/judgement.ts";
import type { Visit } from "../../domain/plan/visit.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Log } from "../../log.ts";
import type { LedgerFile } from "../../store/config/ledger.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { DeletedRecordings } from "../../store/destination/deleted_recordings.ts";
import type { DestinationIdentity } from "../../store/destination/destination_identity.ts";
import type { Trash } from "../../store/destination/trash.ts";
import type { TrashBatch } from "../../store/destination/trash_batch.ts";
import type { Library } from "../../store/library/library.ts";
import type { KnownList } from "../listed/known_list.ts";

/** The deletion that took a recording. */
export type Leaving = Pick<TrashBatch, "cause" | "by" | "at">;

/** News of recordings that is not in the ledger yet. */
export interface LedgerNews {
  /** By the names of videos. */
  readonly troubles: Map<string, Trouble>;
  readonly sizes: Map<string, number>;
  /** By moment. */
  readonly leavings: Map<number, Leaving>;
  /** Moments of which files at home are damaged, or whole again. */
  readonly touched: Set<number>;
}

export interface LedgerParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly file: LedgerFile;
  readonly library: Library;
  readonly destination: Pick<DestinationIdentity, "standing" | "check">;
  readonly listed: Pick<KnownList, "counts" | "judged">;
  readonly retention: { readonly trash: Pick<Trash, "entries">; readonly deleted: Pick<DeletedRecordings, "latest"> };
  readonly settings: { readonly current: Settings };
  readonly history: Pick<RunHistory, "since">;
  /** The visits that had not ended by then, epoch milliseconds. */
  readonly visits: (since: number) => readonly Visit[];
  /** Moments that a user does not wait for any more. */
  readonly givenUp: () => ReadonlySet<number>;
  /** Names of files at home that are known to be damaged. */
  readonly damaged: () => readonly { readonly name: string }[];
}
