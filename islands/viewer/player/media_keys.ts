import { effect } from "@preact/signals";
import type { Actions } from "../actions.ts";
import type { SyncedPlayers } from "./synced_players.ts";

interface Parts {
  readonly players: SyncedPlayers;
  readonly actions: Actions;
  /** Title of the clip on show. */
  readonly title: () => string;
}

/** The keys of keyboards and headsets, and what lock screens show of what plays. @returns what ends it */
export function followMediaKeys({ players, actions, title }: Parts): () => void {
  if (!("mediaSession" in navigator)) return () => {};
  const { mediaSession } = navigator;
  const does: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play: () => players.play(),
    pause: () => players.pause(),
    seekbackward: ({ seekOffset }) => actions.seekBy(-(seekOffset ?? 5)),
    seekforward: ({ seekOffset }) => actions.seekBy(seekOffset ?? 5),
    seekto: ({ seekTime }) => players.seek(seekTime ?? players.time.value),
    previoustrack: () => void actions.move(-1),
    nexttrack: () => void actions.move(1),
  };
  for (const [action, handler] of Object.entries(does)) give(action as MediaSessionAction, handler);
  const end = effect(() => {
    mediaSession.playbackState = players.isPlaying.value ? "playing" : "paused";
    mediaSession.metadata = new MediaMetadata({ title: title(), artist: "Dashdock" });
  });
  return () => {
    end();
    for (const action of Object.keys(does)) give(action as MediaSessionAction, null);
    mediaSession.playbackState = "none";
  };
}

function give(action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
  try {
    navigator.mediaSession.setActionHandler(action, handler);
  } catch {
    // An action this browser does not know.
  }
}
