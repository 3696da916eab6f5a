import type { Clock } from "../../clock.ts";
import type { Visit } from "../../domain/plan/visit.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Log } from "../../log.ts";
import type { LedgerFile } from "../../store/config/ledger.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { DeletedRecordings } from "../../store/destination/deleted_recordings.ts";
import type { DestinationIdentity } from "../../store/destination/destination_identity.ts";
import type { Trash } from "../../store/destination/trash.ts";
import type { Library } from "../../store/library/library.ts";
import type { KnownList } from "../listed/known_list.ts";

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
