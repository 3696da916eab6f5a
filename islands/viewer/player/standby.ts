import { effect, type Signal, signal } from "@preact/signals";
import type { ViewerRecording } from "../../../server/domain/api/viewer_schema.ts";
import type { Browsing } from "../browsing.ts";
import type { SyncedPlayers } from "./synced_players.ts";

/** So long before its end, as it is played, the videos after it are made ready. */
const AHEAD_SECONDS = 8;
/** The last picture has come: what stands ready takes as long to begin as that one is seen. */
const LAST_PICTURE_SECONDS = 0.045;
/** `HTMLMediaElement.HAVE_FUTURE_DATA` */
const FUTURE_DATA = 3;

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
      const left = length - players.time.value;
      const isNear = length > 0 && left < AHEAD_SECONDS * Math.max(1, rate);
      const isLast = length > 0 && left < LAST_PICTURE_SECONDS * rate && players.isPlaying.value;
      if (isLast && this.next.value !== null && isReady()) {
        // Not from within: it changes what is compared here.
        queueMicrotask(() => browsing.key === key && players.isPlaying.value && players.onEnd());
        return;
      }
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

/** Whether all videos that stand ready can begin at once. */
function isReady(): boolean {
  const videos = [...document.querySelectorAll<HTMLVideoElement>("video.is-next")];
  return videos.length > 0 && videos.every(({ readyState }) => readyState >= FUTURE_DATA);
}
