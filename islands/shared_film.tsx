/** @jsxImportSource preact */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { SharedFilm } from "../server/domain/shares/film_clock.ts";
import { clipBeside, eventAfter, eventsOf } from "../server/domain/shares/shared_clips.ts";
import { SpanClock } from "../server/domain/shares/span_clock.ts";
import { formatBytes } from "../server/domain/text/format.ts";
import { formatNamed } from "../server/domain/text/time_format.ts";
import { ZoneTime } from "../server/domain/text/zone_time.ts";
import { Icon, type IconName } from "./parts/icon.tsx";
import { hasLarge, Layouts, type SharedLayout } from "./shared/layouts.tsx";
import type { SharedFilmProps } from "./shared/shared_props.ts";
import { TimePart } from "./shared/time_part.tsx";
import { Together } from "./shared/together.ts";
import { Reading, TrackMap, useTrack } from "./shared/track_map.tsx";
import { markOf } from "./viewer/timeline/clips_lane.tsx";
import { wallClock } from "./viewer/timeline/time_window.ts";

const STEP_SECONDS = 5;

/** The films of a link, side by side, for people without a sign-in. Without a script each has its browser's own controls. */
export default function SharedFilmPlayer(props: SharedFilmProps) {
  const { films, seconds, clips, hasSound, canDownload, speedUnit } = props;
  const format = formatNamed(props.format);
  const together = useMemo(() => new Together(films, seconds), []);
  const clock = useMemo(() => new SpanClock(props.starts, props.skip), []);
  const isAlive = useSignal(false);
  const kind = useSignal<SharedLayout>("side");
  /** The direction of the large camera. */
  const large = useSignal(films[0]?.direction ?? null);
  const stage = useRef<HTMLDivElement>(null);
  const { track, isComing } = useTrack(props.track);
  const events = useComputed(() => eventsOf(clips, track.value?.forces ?? [], (type) => markOf(type) === "event"));
  const go = {
    event: () => {
      const event = eventAfter(events.peek(), together.time.peek());
      if (event !== null) together.seek(event.begins);
    },
    clip: (by: 1 | -1) => {
      const begins = clipBeside(clips, together.time.peek(), by);
      if (begins !== null) together.seek(begins);
    },
  };
  const full = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void stage.current?.requestFullscreen?.().catch(() => {});
  };
  useEffect(() => {
    isAlive.value = true;
    showOwnTimes(document, props.format);
    const stop = together.start();
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || isOwn(event.key, event.target)) return;
      const act = keyActions(together, { full, makeLarge, ...go })[event.key];
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
  const clockAt = (time: number) => wallClock(clock.wallAt(time), format);
  const hasClips = clips.length > 1;
  return (
    <>
      {films.length > 1 && (
        <div class="sh-layouts needs-script">
          <Layouts kind={kind} cameras={films.length} />
        </div>
      )}
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
        <div class="row sh-steps">
          {hasClips && button("Previous clip (P)", "i-prev", () => go.clip(-1))}
          {button("Back 5 s (left arrow)", "i-back5", () => together.seekBy(-STEP_SECONDS))}
          {button(
            together.isPlaying.value ? "Pause (Space)" : "Play (Space)",
            together.isPlaying.value ? "i-pause" : "i-play",
            () => together.toggle(),
            "play",
          )}
          {button("On 5 s (right arrow)", "i-fwd5", () => together.seekBy(STEP_SECONDS))}
          {hasClips && button("Next clip (N)", "i-next", () => go.clip(1))}
        </div>
        <p class={format.hours === 12 ? "clock is-12" : "clock"}>
          {clockAt(together.time.value)} <span>of {clockAt(seconds)}</span>
        </p>
        <div class="row">
          {events.value.length > 0 && (
            <button class="b b-quiet sh-event" type="button" title="Next event (E)" onClick={go.event}>
              <Icon name="t-event" />
              <span>Next event</span>
            </button>
          )}
          <button
            class="b b-quiet"
            type="button"
            title="Speed (< and >)"
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
        clips={clips}
        events={events}
        track={track}
        isTrackComing={isComing.value}
        unit={speedUnit}
        format={format}
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

interface Ways {
  readonly full: () => void;
  readonly makeLarge: (at: number) => void;
  readonly event: () => void;
  readonly clip: (by: 1 | -1) => void;
}

function keyActions(together: Together, { full, makeLarge, event, clip }: Ways): Readonly<Record<string, () => void>> {
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
    e: event,
    p: () => clip(-1),
    n: () => clip(1),
    "<": () => together.rateBy(-1),
    ">": () => together.rateBy(1),
    f: full,
  };
}

/** Buttons and links are pressed with keys of their own. */
function isOwn(key: string, target: EventTarget | null): boolean {
  return (key === " " || key === "Enter") && target instanceof Element && target.closest("button, a") !== null;
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
