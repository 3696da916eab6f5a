import { effect } from "@preact/signals";
import { PLACE_COOKIE, placeText } from "../../server/domain/viewer/last_place.ts";
import { reached } from "../browser/address.ts";
import type { Browsing } from "./browsing.ts";
import type { SyncedPlayers } from "./player/synced_players.ts";

/** While it plays the place is written down this often, and after each seek this soon. */
const PLAYING_MS = 5000;
const STILL_MS = 500;
const YEAR_SECONDS = 31_536_000;

interface Parts {
  readonly browsing: Browsing;
  readonly players: SyncedPlayers;
  /** The key of the newest clip there was when the page was drawn. */
  readonly newest: string;
}

/** Writes down what is seen: in the address for a reload, in a cookie for the next visit. @returns what ends it */
export function keepPlace(page: Document, { browsing, players, newest }: Parts): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written = "";
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const { key } = browsing;
    if (key === null) return;
    const seconds = players.time.peek();
    const text = placeText({ key, seconds, newest });
    if (text === written) return;
    written = text;
    page.cookie = `${PLACE_COOKIE}=${text}; path=${reached("/", page)}; max-age=${YEAR_SECONDS}; samesite=lax`;
    browsing.address.write(browsing.pathOf(key, seconds), "replace");
  };
  let wasPlaying = players.isPlaying.peek();
  const end = effect(() => {
    const isPlaying = players.isPlaying.value;
    // Read, so that both count.
    void [browsing.shown.value, players.time.value];
    if (isPlaying !== wasPlaying) clearTimeout(timer);
    if (isPlaying !== wasPlaying) timer = undefined;
    wasPlaying = isPlaying;
    timer ??= setTimeout(write, isPlaying ? PLAYING_MS : STILL_MS);
  });
  const leave = () => page.visibilityState === "hidden" && write();
  page.addEventListener("visibilitychange", leave);
  addEventListener("pagehide", write);
  return () => {
    end();
    clearTimeout(timer);
    page.removeEventListener("visibilitychange", leave);
    removeEventListener("pagehide", write);
  };
}
