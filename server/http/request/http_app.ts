import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { SettingsSource } from "../../store/config/settings_source.ts";
import type { ShareList } from "../../store/config/share_list.ts";
import type { Reach } from "./reach.ts";
import type { Sessions } from "./sessions.ts";
import type { StreamSlots } from "./stream_slots.ts";

/** Parts that `http/` uses of the app whose routes it serves. */
export interface HttpApp {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: SettingsSource;
  /** True when a proxy is in front, whose forwarding headers may count. */
  readonly trustProxy: boolean;
  /** The name this machine has in its network. */
  readonly machine: string;
  readonly sessions: Sessions;
  /** Links for people outside. */
  readonly shares: ShareList;
  readonly streams: StreamSlots;
  readonly reach: Reach;
  /** False until everything is open, and again while it closes. */
  isReady(): boolean;
}

/** The same of an app that may still be opening: `opened` is all of it, and null until then. */
export interface OpeningHttpApp<A> extends HttpApp {
  readonly opened: A | null;
}
