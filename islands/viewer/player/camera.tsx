/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { CameraView } from "../../../server/domain/viewer/viewer_address.ts";
import { Icon } from "../../parts/icon.tsx";
import type { Actions } from "../actions.ts";
import { FocusHandover, toPlayer } from "../focus_handover.tsx";
import type { SyncedPlayers } from "./synced_players.ts";
import { useHydrated } from "./use_hydrated.ts";
import { hasNoPicture, undecodable, type VideoError, videoErrorOf } from "./video_error.ts";

interface CameraProps {
  readonly camera: CameraView;
  /** Its place: the first is heard, and leads. */
  readonly index: number;
  readonly isAlone: boolean;
  /** 0 for the large one, else its place among the small ones, from 1. */
  readonly small: number;
  /** Seconds at which it begins. */
  readonly start: number;
  readonly players: SyncedPlayers;
  readonly actions: Actions;
  /** What the instruments show, over the picture. */
  readonly hud: ComponentChildren;
}

/** One camera's native player, or why it cannot play. */
export function Camera({ camera, index, isAlone, small, start, players, actions, hud }: CameraProps) {
  const { direction, name, address, thumb } = camera;
  const place = useRef<HTMLVideoElement>(null);
  const videoError = useSignal<VideoError | null>(null);
  const isBoxed = useSignal(false);
  const isHydrated = useHydrated();
  // Later `SyncedPlayers` sets it: a change here would count as one by hand.
  const { current: isMutedAtFirst } = useRef(index > 0);
  const source = start > 0 ? `${address}#t=${start}` : address;

  const giveUp = (found: VideoError) => {
    videoError.value = found;
    if (place.current) players.giveUp(place.current);
  };
  const find = async () => {
    const found = await videoErrorOf(address);
    // Meanwhile another video may have been put in its place.
    if (place.current?.error) giveUp(found);
  };
  const check = () => {
    const video = place.current;
    if (video?.error) void find();
    else if (video && hasNoPicture(video)) giveUp(undecodable());
    else if (video && video.videoWidth > 0)
      isBoxed.value = Math.abs(video.videoWidth / video.videoHeight - 16 / 9) > 0.02;
  };
  useEffect(() => (place.current ? players.attach(place.current, index) : undefined), [index]);
  useEffect(() => {
    const video = place.current;
    // A removed element keeps its file open, and what it has loaded, until it is collected.
    return () => {
      video?.removeAttribute("src");
      video?.load();
    };
  }, []);
  useLayoutEffect(() => {
    videoError.value = null;
    // It may have failed before this script was there.
    check();
  }, [source]);

  const isLarge = small === 0;
  const label = (
    <>
      {name} {!isAlone && <kbd>{index + 1}</kbd>}
    </>
  );
  return (
    <div class={`cam ${isLarge ? "is-main" : `is-small small-${small}`}`} data-camera={direction}>
      <figure class={`cam-pic${isBoxed.value ? " is-boxed" : ""}`}>
        <video
          ref={place}
          src={source}
          poster={start > 0 ? undefined : (thumb ?? undefined)}
          controls
          playsInline
          muted={isMutedAtFirst}
          preload="metadata"
          aria-label={`${name} camera`}
          hidden={videoError.value !== null}
          onError={check}
          onLoadedMetadata={check}
        />
        <figcaption>
          {isHydrated && !isAlone ? (
            <button
              class="cam-name"
              type="button"
              aria-pressed={isLarge}
              title={`Make this camera large (${index + 1})`}
              onClick={() => actions.focus(index)}
            >
              {label}
            </button>
          ) : (
            <span class="cam-name">{label}</span>
          )}
        </figcaption>
        {videoError.value === null && (
          <a
            class="cam-save"
            href={`${address}?download=1`}
            download
            title={`Download ${name}`}
            aria-label={`Download ${name}`}
          >
            <Icon name="i-download" />
          </a>
        )}
        {videoError.value === null && hud}
        <div class="cam-says" role="status">
          {videoError.value && (
            <>
              <Icon name="s-failed" class="i is-failed" />
              <p>
                <b class="strong">{videoError.value.title}</b> {videoError.value.words}
              </p>
              {videoError.value.kind === "unanswered" ? (
                <FocusHandover to={toPlayer}>
                  <button
                    class="b"
                    type="button"
                    onClick={() => {
                      videoError.value = null;
                      place.current?.load();
                    }}
                  >
                    Try again
                  </button>
                </FocusHandover>
              ) : (
                videoError.value.kind === "undecodable" && (
                  <a class="b" href={`${address}?download=1`} download>
                    <Icon name="i-download" />
                    Download {name}
                  </a>
                )
              )}
            </>
          )}
        </div>
      </figure>
    </div>
  );
}
