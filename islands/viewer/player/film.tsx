/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { CameraView } from "../../../server/domain/viewer/viewer_address.ts";
import { Icon } from "../../parts/icon.tsx";
import type { Actions } from "../actions.ts";
import { FocusHandover, toPlayer } from "../focus_handover.tsx";
import type { FullScreen } from "../full_screen.ts";
import type { Source } from "./film_runs.ts";
import { brokenOffAt } from "./player.ts";
import type { StageLayout } from "./stage_layout.ts";
import type { SyncedPlayers } from "./synced_players.ts";
import { brokenOff, hasNoPicture, type VideoError, videoErrorOf } from "./video_error.ts";

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
  readonly fullScreen: FullScreen;
  readonly source: Source;
  /** Called when it is a film of several clips that does not play, or breaks off. */
  readonly drop: () => void;
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
  const { camera, source, drop, role, index, small, start, players, layout, actions, fullScreen, isHydrated, ready } =
    props;
  const { direction, name, thumb } = camera;
  // A film has no message of its own: the clip that takes its place says what is wrong.
  const address = camera.address ?? "";
  const place = useRef<HTMLVideoElement>(null);
  const videoError = useSignal<VideoError | null>(null);
  const isBoxed = useSignal(false);
  const isShown = role === "shown";
  // Later `SyncedPlayers` sets them: a change here would count as one by hand.
  const { current: first } = useRef({
    isMuted: index > 0 || !isShown,
    address: start > 0 && source.part === null ? `${source.address}#t=${start}` : source.address,
    poster: isShown && start === 0 ? (thumb ?? undefined) : undefined,
  });

  // Only what was decoded is shown: before that the thumbnail is better than nothing.
  const hasFrame = useSignal(false);

  const giveUp = (found: VideoError) => {
    videoError.value = found;
    if (found.kind === "hevc" || found.kind === "undecodable" || found.kind === "empty") layout.cannotShow(direction);
    ready();
    if (place.current) players.giveUp(place.current);
    // The service may answer again in a moment, and another browser knows the codec.
    if (found.kind !== "unanswered" && found.kind !== "hevc") players.broken.passOver();
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
    const breaksAt = brokenOffAt(video);
    if (source.part !== null && (breaksAt !== null || hasFailed())) {
      players.remove(video);
      drop();
    } else if (breaksAt !== null) giveUp(brokenOff(name, breaksAt));
    else if (hasFailed()) {
      // At once: a browser pauses what it cannot play, and no other camera is meant.
      if (video.error !== null) players.giveUp(video);
      void find();
    } else if (video.videoWidth > 0) {
      layout.canShow(direction);
      isBoxed.value = Math.abs(video.videoWidth / video.videoHeight - 16 / 9) > 0.02;
      if (video.readyState >= CURRENT_DATA && !video.seeking) {
        hasFrame.value = true;
        ready();
      }
    }
  };
  useLayoutEffect(() => {
    if (!isShown || !place.current) return;
    const leave = players.attach(place.current, index, source.part);
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

  // Its last picture stays.
  const isCut = videoError.value?.kind === "broken_off";
  return (
    <>
      <video
        ref={place}
        class={`is-${role}${isBoxed.value ? " is-boxed" : ""}`}
        src={first.address}
        poster={hasFrame.value ? undefined : first.poster}
        controls={!isHydrated}
        playsInline
        muted={first.isMuted}
        preload={isHydrated ? "auto" : "metadata"}
        aria-label={isShown ? `${name} camera` : undefined}
        aria-hidden={isShown ? undefined : "true"}
        tabIndex={isHydrated ? -1 : undefined}
        hidden={videoError.value !== null && !isCut}
        onError={check}
        onLoadedMetadata={check}
        onLoadedData={check}
        onSeeked={check}
        onEnded={check}
        onEmptied={() => {
          if (isCut) videoError.value = null;
        }}
        onClick={(event) => {
          if (!isHydrated) return;
          if (small === 0) players.toggle();
          else if (event.detail < 2) actions.focus(index);
        }}
        onDblClick={() => isHydrated && fullScreen.toggle()}
      />
      {isShown && (videoError.value === null || isCut) && (
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
        <div class={isCut ? "cam-over" : "cam-says"} role="status">
          {isCut && (
            <p class="cam-cut">
              <Icon name="s-failed" class="i is-failed" />
              {videoError.value?.title}
            </p>
          )}
          {videoError.value && !isCut && (
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
                videoError.value.kind !== "gone" &&
                videoError.value.kind !== "empty" && (
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
