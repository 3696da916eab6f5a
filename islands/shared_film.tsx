/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { SharedFilm } from "../server/domain/shares/film_clock.ts";
import { formatBytes } from "../server/domain/text/format.ts";
import { formatNamed } from "../server/domain/text/time_format.ts";
import { exactClockOf, wallOf, ZoneTime } from "../server/domain/text/zone_time.ts";
import { Icon, type IconName } from "./parts/icon.tsx";
import { hasLarge, Layouts, type SharedLayout } from "./shared/layouts.tsx";
import type { SharedFilmProps } from "./shared/shared_props.ts";
import { TimePart } from "./shared/time_part.tsx";
import { Together } from "./shared/together.ts";
import { Reading, TrackMap, useTrack } from "./shared/track_map.tsx";

const STEP_SECONDS = 5;

/** The films of a link, side by side, for people without a sign-in. Without a script each has its browser's own controls. */
export default function SharedFilmPlayer(props: SharedFilmProps) {
  const { films, seconds, starts, hasSound, canDownload, speedUnit } = props;
  const format = formatNamed(props.format);
  const together = useMemo(() => new Together(films, seconds), []);
  const isAlive = useSignal(false);
  const kind = useSignal<SharedLayout>("side");
  /** The direction of the large camera. */
  const large = useSignal(films[0]?.direction ?? null);
  const stage = useRef<HTMLDivElement>(null);
  const { track, isComing } = useTrack(props.track);
  const full = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void stage.current?.requestFullscreen?.().catch(() => {});
  };
  useEffect(() => {
    isAlive.value = true;
    showOwnTimes(document, props.format);
    const stop = together.start();
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
      const act = keyActions(together, full, makeLarge)[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => {
      stop();
      document.removeEventListener("keydown", press);
    };
  }, []);
  const clock = (time: number) => exactClockOf(wallOf(Math.floor(starts + time) * 1000), format);
  const look = films.length > 1 ? `is-${kind.value} cams-${Math.min(4, films.length)}` : "cams-1";
  const isLarge = (direction: string) => hasLarge(kind.value) && large.value === direction;
  /** The camera over which speed and force stand. */
  const told = hasLarge(kind.value) ? large.value : films[0]?.direction;
  const makeLarge = (at: number) => {
    const film = films[at];
    if (film === undefined || films.length < 2) return;
    if (!hasLarge(kind.value)) kind.value = "focus";
    large.value = film.direction;
  };
  const button = (name: string, icon: IconName, act: () => void, more = "") => (
    <button
      class={`b b-icon ${more}`.trim()}
      type="button"
      title={name}
      aria-label={name.replace(/ \(.*/, "")}
      onClick={act}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <>
      <div class={`sh-stage ${look}`} ref={stage} data-playing={together.isPlaying.value ? "" : undefined}>
        {films.map((film, at) => (
          <Camera
            key={film.direction}
            film={film}
            number={films.length > 1 ? at + 1 : null}
            isLarge={isLarge(film.direction)}
            hasControls={!isAlive.value}
            put={together.put}
            press={() => {
              if (hasLarge(kind.value) && !isLarge(film.direction)) makeLarge(at);
              else together.toggle();
            }}
          >
            {film.direction === told && <Reading track={track} time={together.time} unit={speedUnit} />}
          </Camera>
        ))}
      </div>
      <div class="transport needs-script" role="group" aria-label="Playback">
        {button("Back 5 s (left arrow)", "i-back5", () => together.seekBy(-STEP_SECONDS))}
        {button(
          together.isPlaying.value ? "Pause (Space)" : "Play (Space)",
          together.isPlaying.value ? "i-pause" : "i-play",
          () => together.toggle(),
          "play",
        )}
        {button("On 5 s (right arrow)", "i-fwd5", () => together.seekBy(STEP_SECONDS))}
        <p class="clock">
          {clock(together.time.value)} <span>of {clock(seconds)}</span>
        </p>
        <div class="row">
          {films.length > 1 && <Layouts kind={kind} cameras={films.length} />}
          <button
            class="b b-quiet"
            type="button"
            title="Speed"
            aria-label={`Playback speed, ${together.rate.value} times`}
            onClick={() => together.nextRate()}
          >
            {together.rate}×
          </button>
          {hasSound &&
            button(
              together.isMuted.value ? "Sound on (M)" : "Sound off (M)",
              together.isMuted.value ? "i-mute" : "i-volume",
              () => together.mute(),
            )}
          {button("Full screen (F)", "i-full", full)}
        </div>
      </div>
      <TimePart
        together={together}
        seconds={seconds}
        clock={clock}
        track={track}
        isTrackComing={isComing.value}
        unit={speedUnit}
      />
      <TrackMap track={track} time={together.time} />
      {canDownload && (
        <p class="sh-save">
          {films.map(({ direction, name, address, bytes }) => (
            <a key={direction} class="b" href={`${address}?download=1`} download>
              <Icon name="i-download" />
              {name}, {formatBytes(bytes)}
            </a>
          ))}
        </p>
      )}
    </>
  );
}

interface CameraProps {
  readonly film: SharedFilm;
  /** The key that makes it large; null for the only one. */
  readonly number: number | null;
  readonly isLarge: boolean;
  readonly hasControls: boolean;
  readonly put: Together["put"];
  readonly press: () => void;
  readonly children: preact.ComponentChildren;
}

function Camera({ film, number, isLarge, hasControls, put, press, children }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const hasFailed = useSignal(false);
  useEffect(() => {
    put(film, video.current);
    return () => put(film, null);
  }, [film]);
  return (
    <figure class={isLarge ? "cam is-large" : "cam"}>
      <video
        ref={video}
        src={film.address}
        preload="metadata"
        playsInline
        // Which of them is heard follows when all are there.
        muted
        controls={hasControls}
        controlsList="nodownload"
        onClick={hasControls ? undefined : press}
        onError={() => {
          hasFailed.value = true;
        }}
      />
      <figcaption class="cam-name">
        {film.name}
        {number !== null && <kbd>{number}</kbd>}
      </figcaption>
      {hasFailed.value && <p class="sh-failed">This browser cannot show this video.</p>}
      {children}
    </figure>
  );
}

function keyActions(
  together: Together,
  full: () => void,
  makeLarge: (at: number) => void,
): Readonly<Record<string, () => void>> {
  return {
    1: () => makeLarge(0),
    2: () => makeLarge(1),
    3: () => makeLarge(2),
    4: () => makeLarge(3),
    " ": () => together.toggle(),
    k: () => together.toggle(),
    ArrowLeft: () => together.seekBy(-STEP_SECONDS),
    ArrowRight: () => together.seekBy(STEP_SECONDS),
    m: () => together.mute(),
    f: full,
  };
}

/** Buttons and fields have keys of their own. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, input, a, select, textarea") !== null;
}

/** The page is drawn without the zone of the service, which would tell where it is: here times are in the reader's own. */
function showOwnTimes(page: Document, format: string | undefined): void {
  const zone = new ZoneTime(Intl.DateTimeFormat().resolvedOptions().timeZone, formatNamed(format));
  for (const place of page.querySelectorAll<HTMLTimeElement>("time[data-own-zone]")) {
    const at = Date.parse(place.dateTime);
    const day = zone.day(at, 0);
    place.textContent =
      place.dataset["ownZone"] === "day" ? zone.day(at, at) : `${day}, ${zone.clock(at)} ${zone.name(at)}`;
  }
}
