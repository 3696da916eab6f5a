/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type CameraView, playedPath } from "../../../server/domain/viewer/viewer_address.ts";
import { Icon } from "../../parts/icon.tsx";
import type { Actions } from "../actions.ts";
import { FocusHandover, toPlayer } from "../focus_handover.tsx";
import type { StageLayout } from "./stage_layout.ts";
import type { SyncedPlayers } from "./synced_players.ts";
import { hasNoPicture, type VideoError, videoErrorOf } from "./video_error.ts";

export interface FilmProps {
  readonly camera: CameraView;
  /** Its camera's place: the first one leads. */
  readonly index: number;
  /** 0 for the large one, else its place among the small ones, from 1. */
  readonly small: number;
  /** Seconds at which it begins. */
  readonly start: number;
  readonly players: SyncedPlayers;
  readonly layout: StageLayout;
  readonly actions: Actions;
  readonly address: string;
  /** On show; made ready, unseen; or still seen until the one on show has its picture. */
  readonly role: "shown" | "next" | "past";
  readonly isHydrated: boolean;
  /** Told when the picture of what is on show is there, or is known not to come. */
  readonly ready: () => void;
}

/** `HTMLMediaElement.HAVE_CURRENT_DATA` */
const CURRENT_DATA = 2;

/** One video of a camera, or why it cannot play. */
export function Film(props: FilmProps) {
  const { camera, address, role, index, small, start, players, layout, actions, isHydrated, ready } = props;
  const { direction, name, thumb } = camera;
  const place = useRef<HTMLVideoElement>(null);
  const videoError = useSignal<VideoError | null>(null);
  const isBoxed = useSignal(false);
  const isShown = role === "shown";
  // Later `SyncedPlayers` sets them: a change here would count as one by hand.
  const { current: first } = useRef({
    isMuted: index > 0 || !isShown,
    source: start > 0 ? `${playedPath(address)}#t=${start}` : playedPath(address),
    poster: isShown && start === 0 ? (thumb ?? undefined) : undefined,
  });

  const giveUp = (found: VideoError) => {
    videoError.value = found;
    if (found.kind === "hevc" || found.kind === "undecodable") layout.cannotShow(direction);
    ready();
    if (place.current) players.giveUp(place.current);
  };
  const hasFailed = () => place.current && (place.current.error || hasNoPicture(place.current));
  const find = async () => {
    const found = await videoErrorOf({ ...camera, address });
    // Meanwhile another try may have begun.
    if (hasFailed()) giveUp(found);
  };
  const check = () => {
    const video = place.current;
    if (!isShown || !video) return;
    if (hasFailed()) void find();
    else if (video.videoWidth > 0) {
      layout.canShow(direction);
      isBoxed.value = Math.abs(video.videoWidth / video.videoHeight - 16 / 9) > 0.02;
      if (video.readyState >= CURRENT_DATA && !video.seeking) ready();
    }
  };
  useLayoutEffect(() => {
    if (!isShown || !place.current) return;
    const leave = players.attach(place.current, index);
    // It may have failed, or come, before.
    check();
    return leave;
  }, [index, isShown]);
  useEffect(() => {
    const video = place.current;
    // A removed element keeps its file open, and what it has loaded, until it is collected.
    return () => {
      video?.removeAttribute("src");
      video?.load();
    };
  }, []);

  return (
    <>
      <video
        ref={place}
        class={`is-${role}${isBoxed.value ? " is-boxed" : ""}`}
        src={first.source}
        poster={first.poster}
        controls={!isHydrated}
        playsInline
        muted={first.isMuted}
        preload={isHydrated ? "auto" : "metadata"}
        aria-label={isShown ? `${name} camera` : undefined}
        aria-hidden={isShown ? undefined : "true"}
        tabIndex={isHydrated ? -1 : undefined}
        hidden={videoError.value !== null}
        onError={check}
        onLoadedMetadata={check}
        onLoadedData={check}
        onSeeked={check}
        onClick={(event) => {
          if (!isHydrated) return;
          if (small === 0) players.toggle();
          else if (event.detail < 2) actions.focus(index);
        }}
        onDblClick={() => isHydrated && actions.toggleFullScreen()}
      />
      {isShown && videoError.value === null && (
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
      {isShown && (
        <div class="cam-says" role="status">
          {videoError.value && (
            <>
              {videoError.value.kind === "hevc" && thumb && <img class="cam-still" src={thumb} alt="" />}
              <Icon name="s-failed" class="i is-failed" />
              <p>
                <b class="strong">{videoError.value.title}</b> <span class="cam-why">{videoError.value.words}</span>
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
                videoError.value.kind !== "gone" && (
                  <a class="b" href={`${address}?download=1`} download>
                    <Icon name="i-download" />
                    Download {name}
                    {videoError.value.size && `, ${videoError.value.size}`}
                  </a>
                )
              )}
            </>
          )}
        </div>
      )}
    </>
  );
}
