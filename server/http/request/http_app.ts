import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { KeyList } from "../../store/config/key_list.ts";
import type { SettingsSource } from "../../store/config/settings_source.ts";
import type { ShareList } from "../../store/config/share_list.ts";
import type { Reach } from "./reach.ts";
import type { Sessions } from "./sessions.ts";
import type { StreamSlots } from "./stream_slots.ts";

/** Counts the wrong guesses of an address. */
export interface GuessThrottle {
  /** @throws AppError RATE_LIMITED while the address is locked */
  check(address: string): void;
  /** Counts a guess. @throws AppError RATE_LIMITED while the address is locked */
  begin(address: string): unknown;
  /**
   * Takes a place among those whose answer takes its time, and returns the way to give it back; null when answers are quick.
   * @throws AppError RATE_LIMITED when all are taken
   */
  wait(device: null): (() => void) | null;
}

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
  /** Keys of programs. */
  readonly keys: KeyList;
  readonly throttle: GuessThrottle;
  readonly streams: StreamSlots;
  readonly reach: Reach;
  /** False until everything is open, and again while it closes. */
  isReady(): boolean;
}

/** The same of an app that may still be opening: `opened` is all of it, and null until then. */
export interface OpeningHttpApp<A> extends HttpApp {
  readonly opened: A | null;
}
