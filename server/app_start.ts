import type { Clock } from "./clock.ts";
import type { SyncPatience } from "./engine/sync/patience.ts";
import type { LogSink } from "./log.ts";

/** Where the service finds and keeps what is its own. */
export interface AppPaths {
  configDir: string;
  /** Overrides `system.destination` for this process. */
  destination?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** What the service is given to work with; tests bring their own. */
export interface AppTools {
  clock?: Clock;
  /**
   * Where log lines go besides the file, in the form the settings say, and what only the one who started this may read;
   * nowhere when left out.
   */
  print?: (text: string) => void;
  /** Where they go as well, for what has a display of its own. */
  sink?: LogSink;
  /** How long a run bears with a camera that breaks off; the usual when left out. */
  patience?: SyncPatience;
}
