/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { CameraView } from "../../../server/domain/viewer/viewer_address.ts";
import { Icon } from "../../parts/icon.tsx";
import type { Actions } from "../actions.ts";
import { FocusHandover, toPlayer } from "../focus_handover.tsx";
import type { SyncedPlayers } from "./synced_players.ts";
import { useHydrated } from "./use_hydrated.ts";
import { hasNoPicture, troubleOf, undecodable, type VideoError } from "./video_error.ts";

interface CameraProps {
  readonly camera: CameraView;
  /** Its place: the first is heard, and leads. */
  readonly index: number;
  readonly isAlone: boolean;
  readonly isLarge: boolean;
  /** Seconds at which it begins. */
  readonly start: number;
  readonly players: SyncedPlayers;
  readonly actions: Actions;
}

/** One camera's native player, or why it cannot play. */
export function Camera({ camera, index, isAlone, isLarge, start, players, actions }: CameraProps) {
  const { direction, name, address, thumb } = camera;
  const place = useRef<HTMLVideoElement>(null);
  const trouble = useSignal<VideoError | null>(null);
  const isBoxed = useSignal(false);
  const isAlive = useHydrated();
  // From then on the lockstep says who is heard: a change here would be heard as one by hand.
  const { current: isMutedAtFirst } = useRef(index > 0);
  const source = start > 0 ? `${address}#t=${start}` : address;

  const giveUp = (found: VideoError) => {
    trouble.value = found;
    if (place.current) players.giveUp(place.current);
  };
  const find = async () => {
    const found = await troubleOf(address);
    // Meanwhile another video may have been put in its place.
    if (place.current?.error) giveUp(found);
  };
  const look = () => {
    const video = place.current;
    if (video?.error) void find();
    else if (video && hasNoPicture(video)) giveUp(undecodable());
    else if (video && video.videoWidth > 0)
      isBoxed.value = Math.abs(video.videoWidth / video.videoHeight - 16 / 9) > 0.02;
  };
  useEffect(() => (place.current ? players.attach(place.current, index) : undefined), [index]);
  useEffect(() => {
    const video = place.current;
    // An element that is gone still holds its file open and what it has loaded of it, until it is collected.
    return () => {
      video?.removeAttribute("src");
      video?.load();
    };
  }, []);
  useLayoutEffect(() => {
    trouble.value = null;
    // It may have failed before this script was there.
    look();
  }, [source]);

  const label = (
    <>
      {name} {!isAlone && <kbd>{index + 1}</kbd>}
    </>
  );
  return (
    <figure class={`cam${isLarge ? " is-main" : ""}${isBoxed.value ? " is-boxed" : ""}`} data-camera={direction}>
      <video
        ref={place}
        src={source}
        poster={start > 0 ? undefined : (thumb ?? undefined)}
        controls
        playsInline
        muted={isMutedAtFirst}
        preload="metadata"
        aria-label={`${name} camera`}
        hidden={trouble.value !== null}
        onError={look}
        onLoadedMetadata={look}
      />
      <figcaption>
        {isAlive && !isAlone ? (
          <button
            class="cam-name"
            type="button"
            aria-pressed={isLarge}
            title={`${isLarge ? "All cameras alike" : "Make this camera large"} (${index + 1})`}
            onClick={() => actions.focus(index)}
          >
            {label}
          </button>
        ) : (
          <span class="cam-name">{label}</span>
        )}
      </figcaption>
      {trouble.value === null && (
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
      <div class="cam-says" role="status">
        {trouble.value && (
          <>
            <Icon name="s-failed" class="i is-failed" />
            <p>
              <b class="strong">{trouble.value.title}</b> {trouble.value.words}
            </p>
            {trouble.value.kind === "unanswered" ? (
              <FocusHandover to={toPlayer}>
                <button
                  class="b"
                  type="button"
                  onClick={() => {
                    trouble.value = null;
                    place.current?.load();
                  }}
                >
                  Try again
                </button>
              </FocusHandover>
            ) : (
              trouble.value.kind === "undecodable" && (
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
  );
}
