import { effect, type Signal, signal } from "@preact/signals";
import type { ViewerRecording } from "../../../server/domain/api/viewer_schema.ts";
import type { Browsing } from "../browsing.ts";
import type { SyncedPlayers } from "./synced_players.ts";

/** So long before its end, as it is played, the videos after it are made ready. */
const AHEAD_SECONDS = 8;

interface Parts {
  readonly browsing: Browsing;
  readonly players: SyncedPlayers;
}

/** What plays after the clip on show, its videos loaded before that clip is over: a drive plays without a gap. */
export class Standby {
  readonly next: Signal<ViewerRecording | null> = signal(null);
  readonly #parts: Parts;
  #asked: string | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks for it near the end of each clip. @returns what ends it */
  follow(): () => void {
    const { browsing, players } = this.#parts;
    return effect(() => {
      const { key } = browsing;
      if (key !== this.#asked) {
        this.#asked = null;
        this.next.value = null;
      }
      const [length, rate] = [players.length.value, players.rate.value];
      const isNear = length > 0 && length - players.time.value < AHEAD_SECONDS * Math.max(1, rate);
      if (key === null || !isNear || !players.isPlaying.value || this.#asked !== null) return;
      this.#asked = key;
      void browsing.continuation().then(
        (found) => {
          if (browsing.key === key) this.next.value = found;
        },
        // It is asked for again when the clip is over.
        () => {},
      );
    });
  }
}
