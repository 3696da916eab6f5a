/** @jsxImportSource preact */

import { useSignal } from "@preact/signals";
import { isSameMoment, momentHeadline } from "../../server/domain/places/moment_text.ts";
import type { ToldMoment } from "../../server/domain/places/places_schema.ts";
import { shortClock } from "../../server/domain/recordings/camera_clock.ts";
import { neverDeleted } from "../../server/domain/retention/kept_text.ts";
import { splitKey } from "../../server/domain/settings/camera_key.ts";
import { formatBytes, formatCount, formatLength } from "../../server/domain/text/format.ts";
import { hereInWords, isHere } from "../../server/domain/viewer/coming_text.ts";
import { distanceInWords, NO_FIX, speedInWords } from "../../server/domain/viewer/distance_text.ts";
import { namesakeInWords } from "../../server/domain/viewer/namesake_text.ts";
import { movementsInWords } from "../../server/domain/viewer/trip_play.ts";
import { tripTimes, wallText } from "../../server/domain/viewer/trip_text.ts";
import { clockErrorInWords } from "../../server/domain/viewer/true_clock.ts";
import { camerasOf, headlineOf, keyOf } from "../../server/domain/viewer/viewer_address.ts";
import type { ViewerRecording } from "../../server/domain/viewer/viewer_schema.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { ForChange } from "../parts/may_change.tsx";
import { Whose } from "../parts/plate.tsx";
import { RecordingType } from "../parts/recording_type.tsx";
import { SaveButton } from "./export/save_button.tsx";
import { FocusHandover, toMiddle } from "./focus_handover.tsx";
import { NoteLine } from "./note_line.tsx";
import { LayoutButtons } from "./player/layout_buttons.tsx";
import { StillsRow } from "./stills/stills_row.tsx";
import type { Parts } from "./viewer_parts.ts";
import { whoseOf } from "./whose.ts";

/** Above the picture: what it is, and what can be done with it. */
export function Head(
  parts: Parts<
    | "list"
    | "browsing"
    | "playback"
    | "trip"
    | "moments"
    | "marks"
    | "saving"
    | "actions"
    | "thisYear"
    | "format"
    | "speedUnit"
    | "eventContext"
  >,
) {
  const { browsing, thisYear, format } = parts;
  const shown = browsing.shown.value;
  const isOpen = useSignal(false);
  const headline = headlineOf(shown, thisYear, format);
  if (shown.kind === "recording") {
    const { recording } = shown;
    const key = keyOf(recording);
    const name = tripHeadline(parts, key) ?? headline;
    const camera = whoseOf(parts.list.whose, key);
    const moment = parts.moments.seen.value;
    return (
      <div class={`vw-head vw-keep${isOpen.value ? " is-open" : ""}`}>
        <div>
          <h2>
            {camera && <Whose camera={camera} />}
            <span class="vw-name" title={name}>
              {name}
            </span>
            <RecordingType letter={recording.type} />
            {recording.kept && (
              <span class="badge is-busy">
                <Icon name="i-kept" />
                Kept
              </span>
            )}
          </h2>
          {moment ? (
            <p title={splitKey(key).bare}>{momentFacts(moment, parts)}</p>
          ) : (
            <p title={splitKey(key).bare}>
              {placesOfTrip(parts, key) ?? <span class="mono">{splitKey(key).bare}</span>}
              {factsOf(recording, tripFacts(parts, key), { ...parts, ...camera })}
              <HereFact {...parts} tripKey={key} />
            </p>
          )}
        </div>
        <button
          class="b b-icon b-quiet vw-more needs-script"
          type="button"
          aria-expanded={isOpen.value}
          aria-label="Layout and tools"
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <Icon name="i-more" />
        </button>
        <div class="row">
          <Tools recording={recording} {...parts} />
          <SaveButton recording={recording} {...parts} />
        </div>
        <button
          class="b b-icon vw-leave"
          type="button"
          title="Leave full screen (F, Esc)"
          aria-label="Leave full screen"
          onClick={() => parts.playback.fullScreen.leave()}
        >
          <Icon name="i-unfull" />
        </button>
        <ClockError {...parts} />
        <NoteLine key={key} recording={recording} {...parts} />
        <StillsRow recording={recording} {...parts} />
      </div>
    );
  }
  return (
    <div class="vw-head">
      <div>
        <h2>{headline}</h2>
        {shown.kind === "gone" && <p class="mono">{shown.key}</p>}
      </div>
    </div>
  );
}

/** `Fri 20 Nov, 08:00 to 08:40` of the trip of this clip; null until it is known. */
function tripHeadline(
  { list: { recordings }, trip, thisYear, format }: Parts<"list" | "trip" | "thisYear" | "format">,
  key: string,
): string | null {
  const { value: clock } = trip.shownClock;
  if (clock !== null && clock.offsetOf(key) !== null)
    return tripTimes(wallText(clock.wallAt(0)), wallText(clock.wallAt(clock.length)), thisYear, format);
  const summary = recordings.tripOf(key);
  return summary && tripTimes(summary.start, summary.end, thisYear, format);
}

/** `Home to Berlin`, of this clip's trip; null while that is not known. */
function placesOfTrip({ list: { recordings }, trip }: Parts<"list" | "trip">, key: string): string | null {
  const isOfTrip = trip.clock.value?.offsetOf(key) != null;
  return (isOfTrip ? trip.trip.value?.name : null) ?? recordings.tripOf(key)?.name ?? null;
}

/** Length and speed of this clip's trip, as far as they are known. */
function tripFacts(
  { list: { recordings }, trip, speedUnit }: Parts<"list" | "trip" | "speedUnit">,
  key: string,
): string[] {
  const isOfTrip = trip.clock.value?.offsetOf(key) != null;
  const telemetry = isOfTrip ? trip.telemetry.value : null;
  const listed = recordings.tripOf(key);
  const { distance_meters: distance, fastest_knots: fastest } = telemetry ??
    listed ?? { distance_meters: null, fastest_knots: null };
  const hasNoFix = telemetry
    ? telemetry.box === null && telemetry.segments.some(({ track }) => track !== null)
    : listed?.fixes === 0;
  const { value: movements } = trip.movements;
  if (movements !== null) return ["Parked", movementsInWords(movements)];
  return [
    // A receiver wanders by some metres where the car stands.
    distance !== null && distance >= SHORTEST_TRIP_METERS
      ? distanceInWords(distance, speedUnit)
      : hasNoFix
        ? NO_FIX
        : "",
    fastest === null || fastest < SLOWEST_TRIP_KNOTS ? "" : `fastest ${speedInWords(fastest, speedUnit)}`,
  ];
}

/** The camera's clock was wrong on this trip: by how much, what to do, and the way to see the times of the satellites. */
function ClockError({ trip }: Parts<"trip">) {
  const { value: ahead } = trip.clockError;
  if (ahead === null) return null;
  const { value: isGps } = trip.showsGpsTime;
  return (
    <div class="vw-note" data-clock-error>
      <Icon name="i-clock" />
      <p>
        {clockErrorInWords(ahead)} <a href="/settings#schedule">set the time zone here</a>.
      </p>
      <button
        class="text-b nowrap needs-script"
        type="button"
        aria-pressed={isGps}
        onClick={() => {
          trip.showsGpsTime.value = !isGps;
        }}
      >
        {isGps ? "Show camera time" : "Show GPS time"}
      </button>
    </div>
  );
}

/** `Braked hard, 0.62 g · 58 to 0 km/h · Weir · 3 of 126`: its place among those of the list, else of the trip. */
function momentFacts(moment: ToldMoment, { moments, speedUnit }: Parts<"moments" | "speedUnit">): string {
  const { value: listed } = moments.listed;
  const all = moments.all.value;
  const isListed = isSameMoment(listed?.moment ?? null, moment);
  const place = isListed ? (listed?.place ?? 0) : all.findIndex((one) => one.moment === moment) + 1;
  const total = isListed ? (listed?.total ?? 0) : all.length;
  const among = total > 1 ? ` · ${formatCount(place)} of ${formatCount(total)}` : "";
  return `${momentHeadline(moment, speedUnit)}${among}`;
}

/** Number of clips that are here, for a trip with some still on the camera. */
function HereFact({ list: { recordings }, trip, tripKey: key }: Parts<"list" | "trip"> & { readonly tripKey: string }) {
  const isOfTrip = trip.clock.value?.offsetOf(key) != null;
  const clips = (isOfTrip ? trip.trip.value?.segments : undefined) ?? [];
  const summary = recordings.tripOf(key);
  const all = isOfTrip ? clips.length : (summary?.clips.length ?? 0);
  const here = isOfTrip ? clips.filter(({ coming }) => coming === null).length : (summary?.here ?? 0);
  return (
    here < all && (
      <>
        {" · "}
        <span class="state is-busy">{hereInWords(here, all)}</span>
      </>
    )
  );
}

const SHORTEST_TRIP_METERS = 50;
const SLOWEST_TRIP_KNOTS = 2;

function factsOf(
  recording: ViewerRecording,
  ofTrip: readonly string[],
  { eventContext, format }: Parts<"format" | "eventContext">,
): string {
  const { duration_seconds: length, size_bytes: size, kept, kept_with: event } = recording;
  const isTold = kept !== null || ofTrip.some((fact) => fact !== "");
  const facts = [
    namesakeInWords(keyOf(recording)) ?? "",
    // A kept clip says in a sentence of its own why it is kept.
    ...(kept ? [] : ofTrip),
    length === null || isTold ? "" : formatLength(length),
    size === null || isTold ? "" : formatBytes(size),
    kept ? neverDeleted(recording.type, eventContext) : event === null ? "" : `kept with ${shortClock(event, format)}`,
  ];
  return facts.map((fact) => (fact === "" ? "" : ` · ${fact}`)).join("");
}

function Tools({
  recording,
  actions,
  marks: { keeping, deleting },
  playback: { layout },
}: Parts<"playback" | "marks" | "actions"> & { readonly recording: ViewerRecording }) {
  const { kept } = recording;
  const isPending = keeping.isPending(keyOf(recording));
  const isThere = isHere(recording);
  return (
    <FocusHandover class="row needs-script" to={toMiddle}>
      {camerasOf(recording).length > 1 && <LayoutButtons layout={layout} />}
      <Tool name="Previous event" letter="Shift+E" icon="i-evprev" isPhones act={() => void actions.step(-1)} />
      {isThere && (
        <ForChange>
          <Tool
            name={kept ? "Protected. Press to remove the protection" : "Keep this clip"}
            letter="B"
            icon={kept ? "i-kept" : "i-keep"}
            isPressed={kept !== null}
            isBusy={isPending}
            act={actions.toggleKept}
          />
          <Tool
            name={kept?.note ? "Edit the note" : "Add a note"}
            letter="T"
            icon="i-note"
            isBusy={isPending}
            act={actions.writeNote}
          />
        </ForChange>
      )}
      {isThere && (
        <Tool name="Save a picture of this frame" letter="X" icon="i-camera" act={() => void actions.savePictures()} />
      )}
      <Tool name="Copy link to this moment" icon="i-link" act={() => void actions.copyLink()} />
      {isThere && (
        <ForChange>
          <Tool
            name={kept ? "It is kept. Take the mark off to delete it" : "Delete this clip"}
            {...(kept ? {} : { letter: "Delete" })}
            icon="i-trash"
            isOff={kept !== null}
            isBusy={deleting.isBusy.value}
            act={() => void deleting.remove([recording])}
          />
        </ForChange>
      )}
    </FocusHandover>
  );
}

interface ToolProps {
  readonly name: string;
  /** Its key, which only the tip shows. */
  readonly letter?: string;
  readonly icon: IconName;
  readonly isPressed?: boolean;
  /** Its action is on its way. */
  readonly isBusy?: boolean;
  /** It can be pressed and then shows why it does nothing: `disabled` would lose the focus. */
  readonly isOff?: boolean;
  /** Only where the transport has no room for it. */
  readonly isPhones?: boolean;
  readonly act: () => void;
}

function Tool({ name, letter, icon, isPressed, isBusy = false, isOff = false, isPhones = false, act }: ToolProps) {
  return (
    <button
      class={`b b-icon${isPhones ? " is-ev" : ""}`}
      type="button"
      title={letter === undefined ? name : `${name} (${letter})`}
      aria-label={name}
      aria-pressed={isPressed}
      aria-busy={isBusy ? "true" : undefined}
      aria-disabled={isOff ? "true" : undefined}
      data-tool={icon === "i-kept" ? "i-keep" : icon}
      onClick={act}
    >
      <Icon name={icon} />
    </button>
  );
}
