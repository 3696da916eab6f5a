/** @jsxImportSource preact */
import { useComputed } from "@preact/signals";
import { cameraClock } from "../../../server/domain/recordings/camera_clock.ts";
import { formatCount } from "../../../server/domain/text/format.ts";
import { exactClockAt } from "../../../server/domain/viewer/trip_text.ts";
import { isPlainClick } from "../../browser/plain_click.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { openTrips } from "../list/trips_sheet.ts";
import { wordsOf } from "../timeline/play_head.tsx";
import { Scrub } from "../timeline/scrub.tsx";
import { wallClock } from "../timeline/time_window.ts";
import type { Parts } from "../viewer_parts.ts";
import { useReading } from "./hud.tsx";
import { FASTEST_WITH_SOUND, RATES } from "./rates.ts";

/**
 * Under the pictures: what moves all of them at once. In full screen with the thin time line over them; on a phone the first
 * part is at the thumb, and the second one above the time line.
 */
export function Transport(
  parts: Parts<"list" | "browsing" | "playback" | "trip" | "moments" | "actions" | "format" | "speedUnit">,
) {
  const { browsing, trip, moments, actions } = parts;
  const { players, repeat, fullScreen, goingOn } = parts.playback;
  const { earlier, later } = browsing.neighbourPaths();
  const isPlaying = players.isPlaying.value || goingOn.countdown.value !== null;
  const { isTooFast } = players.sound;
  const isMuted = players.sound.isMuted.value || isTooFast;
  const moment =
    trip.movements.value !== null ? "movement" : moments.all.value.length > 0 ? "moment" : ("event" as const);
  const event = (by: 1 | -1, more: string) => (
    <TransportButton
      name={by > 0 ? `Next ${moment} (E)` : `Previous ${moment} (Shift+E)`}
      icon={by > 0 ? "i-evnext" : "i-evprev"}
      class={more}
      act={() => void actions.step(by)}
    />
  );
  const full = (more: string) => (
    <TransportButton name="Full screen (F)" icon="i-full" class={more} act={() => fullScreen.toggle()} />
  );
  return (
    <div class="vw-controls vw-keep">
      <Scrub {...parts} />
      <div class="transport" role="group" aria-label="Playback">
        <div class="tr-main">
          <a class="b b-icon vx-home" href="/" title="Dashboard" aria-label="Dashdock, dashboard">
            <Icon name="logo" class="logo" />
          </a>
          <TripsButton class="at-thumb" />
          {event(-1, "on-small is-wide")}
          <NeighbourLink href={earlier} name="Previous clip (P)" icon="i-prev" go={() => void actions.move(-1)} />
          <TransportButton name="Back 5 s (left arrow)" icon="i-back5" act={() => actions.seekBy(-5)} />
          <TransportButton
            name={isPlaying ? "Pause (Space, K)" : "Play (Space, K)"}
            icon={isPlaying ? "i-pause" : "i-play"}
            class="play"
            act={() => players.toggle()}
          />
          <TransportButton name="On 5 s (right arrow)" icon="i-fwd5" act={() => actions.seekBy(5)} />
          <NeighbourLink href={later} name="Next clip (N)" icon="i-next" go={() => void actions.move(1)} />
          {event(1, "on-small")}
          {full("at-thumb")}
        </div>
        <div class="tr-now">
          <Clock {...parts} />
          <Now {...parts} />
          <div class="row push needs-script">
            {event(-1, "on-desk")}
            <button
              class="b b-quiet next-event on-desk"
              type="button"
              title={`Next ${moment} (E)`}
              aria-label={`Next ${moment}`}
              onClick={() => void actions.step(1)}
            >
              <Icon name={moment !== "movement" ? "t-event" : "i-evnext"} />
              <span>Next {moment}</span>
            </button>
            {trip.range.value !== null && (
              <TransportButton
                name="Repeat the marked range (R)"
                icon="i-sync"
                isPressed={repeat.isOn.value}
                act={() => repeat.toggle()}
              />
            )}
            <Speed {...parts} />
            <TransportButton
              name={
                isTooFast ? `No sound above ${FASTEST_WITH_SOUND}× (M)` : isMuted ? "Sound on (M)" : "Sound off (M)"
              }
              icon={isMuted ? "i-mute" : "i-volume"}
              act={() => players.sound.toggle()}
            />
            {full("not-thumb")}
            <TripsButton class="in-full" />
          </div>
        </div>
      </div>
    </div>
  );
}

/** Opens the list where it has no place beside the pictures. */
function TripsButton({ class: more }: { readonly class: string }) {
  return (
    <button
      class={`b trips-open needs-script ${more}`}
      type="button"
      aria-haspopup="dialog"
      onClick={() => openTrips(document)}
    >
      <Icon name="i-list" />
      Trips
    </button>
  );
}

/** Speed and force at the picture that is seen: in full screen, where they do not lie over the picture. */
function Now({ trip, speedUnit }: Parts<"trip" | "speedUnit">) {
  const words = useReading(trip);
  if (words === null) return null;
  return <p class="tr-reading">{wordsOf(words, speedUnit).join(" · ")}</p>;
}

interface TransportButtonProps {
  /** With its key behind it, which only the tip shows. */
  readonly name: string;
  readonly icon: IconName;
  readonly act: () => void;
  readonly isPressed?: boolean;
  readonly class?: string;
}

function TransportButton({ name, icon, act, isPressed, class: more = "" }: TransportButtonProps) {
  return (
    <button
      class={`b b-icon needs-script ${more}`.trim()}
      type="button"
      title={name}
      aria-label={withoutKey(name)}
      aria-pressed={isPressed}
      onClick={act}
    >
      <Icon name={icon} />
    </button>
  );
}

interface NeighbourLinkProps {
  /** Null at the end of all clips. */
  readonly href: string | null;
  readonly name: string;
  readonly icon: IconName;
  readonly go: () => void;
}

/**
 * To another clip: a link, so that it works without script and opens in a new tab. At the end of all clips it
 * stays, without an address: a reader who has pressed it so far must not lose the focus.
 */
function NeighbourLink({ href, name, icon, go }: NeighbourLinkProps) {
  const label = withoutKey(name);
  // The same kind of element in both cases, so that it is kept, and at no moment one that cannot have the focus.
  if (href === null)
    return (
      // biome-ignore lint/a11y/useValidAnchor: a link without an address is one that leads nowhere for now
      <a class="b b-icon clip-link" role="link" tabIndex={0} aria-disabled="true" title={name} aria-label={label}>
        <Icon name={icon} />
      </a>
    );
  return (
    <a
      class="b b-icon clip-link"
      href={href}
      tabIndex={0}
      title={name}
      aria-label={label}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        go();
      }}
    >
      <Icon name={icon} />
    </a>
  );
}

/** The camera's own clock at the moment that is seen, and where the trip ends. */
function Clock({
  browsing,
  list: { recordings },
  playback: { players },
  trip,
  format,
}: Parts<"list" | "browsing" | "playback" | "trip" | "format">) {
  const { key } = browsing;
  // Told anew once a second, and not with every frame.
  const second = useComputed(() => Math.floor(players.time.value + 0.001));
  const end = useComputed(() => {
    const { value: clock } = trip.shownClock;
    return clock && wallClock(clock.wallAt(clock.length), format);
  });
  if (key === null) return null;
  const { end: listed } = recordings.tripOf(key) ?? {};
  const last = end.value ?? (listed && exactClockAt(listed, format));
  const { value: movements } = trip.movements;
  const place = movements && `movement ${formatCount(movements.indexOf(key) + 1)} of ${formatCount(movements.length)}`;
  return (
    <p class="clock">
      {cameraClock(key, second.value - trip.shift.value, format)} <span>{place ?? (last && `of ${last}`)}</span>
    </p>
  );
}

function Speed({ playback: { players } }: Parts<"playback">) {
  const now = players.rate.value;
  const rates = RATES.includes(now) ? RATES : [...RATES, now].sort((one, other) => one - other);
  return (
    <select
      class="speed"
      aria-label="Playback speed"
      title="Playback speed (<, >)"
      value={String(now)}
      onChange={(event) => players.setRate(Number(event.currentTarget.value))}
    >
      {rates.map((rate) => (
        <option key={rate} value={String(rate)} selected={rate === now}>
          {rate}×
        </option>
      ))}
    </select>
  );
}

function withoutKey(name: string): string {
  return name.replace(/ \([^)]*\)$/, "");
}
