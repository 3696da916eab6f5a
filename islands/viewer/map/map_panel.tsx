/** @jsxImportSource preact */

import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { scaleBar } from "../../../server/domain/viewer/map_drawing.ts";
import { speedLegend, speedScale } from "../../../server/domain/viewer/speed_ramp.ts";
import type { ViewerRecording } from "../../../server/domain/viewer/viewer_schema.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { ForChange } from "../../parts/may_change.tsx";
import { clipsOf, lacksTrack } from "../trip_lacks.ts";
import type { Parts } from "../viewer_parts.ts";
import { lieOverPictures } from "./big_map.ts";
import type { MapState } from "./map_state.ts";
import { StreetsLine, StreetsQuestion } from "./streets.tsx";

const MOST_SCALE_PIXELS = 80;
/** Pixels that an arrow key moves the map. */
const STEP = 80;
/** A map less high has no room for a question; then a button asks it. */
const ROOMY_PIXELS = 240;

/** The track of the trip with the car on it, beside the pictures or over them. */
export function MapPanel(parts: Parts<"list" | "browsing" | "trip" | "map" | "speedUnit">) {
  const { trip, map } = parts;
  const place = useRef<HTMLDivElement>(null);
  const ground = useRef<HTMLDivElement>(null);
  const isBig = map.isBig.value;
  const hasTrack = useComputed(() => map.track.value !== null).value;
  const isNone = useComputed(() => !hasTrack && (trip.telemetry.value !== null || lacksTrack(parts))).value;

  useEffect(() => (ground.current ? map.open(ground.current) : undefined), []);
  useEffect(() => {
    if (hasTrack && (ground.current?.clientHeight ?? 0) >= ROOMY_PIXELS) map.offerStreets();
  }, [hasTrack, isBig]);
  useEffect(() => (isBig && place.current ? lieOverPictures(place.current) : undefined), [isBig]);

  const look = `map${isBig ? " map-big" : ""}${isNone ? " map-none" : ""}`;
  return (
    <>
      <div class={look} ref={place}>
        <div class="map-view">
          <div
            class="map-ground"
            ref={ground}
            role="application"
            aria-roledescription="map"
            aria-label={map.words.value || "Map"}
            hidden={!hasTrack}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move it
            tabIndex={0}
            onKeyDown={(event) => moveByKey(event, map)}
            // Keeps the focus: the map would take the arrow keys after every click on it, and they would no longer
            // seek.
            onMouseDown={(event) => event.preventDefault()}
          />
          {hasTrack && <Tools {...parts} />}
          {hasTrack && <Measures {...parts} />}
          {!hasTrack && <NoTrack {...parts} />}
          <p class="map-say map-scriptless small soft">The map needs JavaScript.</p>
          {hasTrack && <StreetsQuestion {...parts} />}
          {hasTrack && <StreetsLine {...parts} />}
        </div>
        {!isNone && <Legend {...parts} />}
      </div>
      {isBig && <p class="map-away small soft">The map lies over the picture.</p>}
    </>
  );
}

/** Its place is kept while the track is on its way. */
function Legend({
  browsing,
  list: { recordings },
  trip,
  speedUnit,
}: Parts<"list" | "browsing" | "trip" | "speedUnit">) {
  const told = trip.telemetry.value ?? recordings.tripOf(browsing.key ?? "");
  const labels = told && speedLegend(speedScale(told.fastest_knots, speedUnit));
  return (
    <div class="map-legend">
      <span>Speed, {speedUnit === "kmh" ? "km/h" : "mph"}</span>
      <svg viewBox="0 0 5 1" preserveAspectRatio="none" aria-hidden="true">
        {[1, 2, 3, 4, 5].map((step) => (
          <rect key={step} class={`ramp-${step}`} x={step - 1} width="1" height="1" />
        ))}
      </svg>
      <div>
        {/* Its height is kept while the trip's own top is not known. */}
        {labels?.map((text) => <span key={text}>{text}</span>) ?? "\u00a0"}
      </div>
    </div>
  );
}

const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};
const ZOOMS: Readonly<Record<string, 1 | -1>> = { "+": 1, "=": 1, "-": -1 };

function moveByKey(event: KeyboardEvent, map: MapState): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = STEPS[event.key];
  const zoom = ZOOMS[event.key];
  if (step) map.pan(...step);
  else if (zoom) map.zoom(zoom);
  else return;
  // Stops the key, which would also seek.
  event.preventDefault();
}

function Tools({ map }: Parts<"map">) {
  const streets = () => {
    if (map.hasStreets.value || map.ownMap !== null) void map.setStreets(!map.hasStreets.value);
    else {
      map.isBig.value = map.isBig.value || window.innerWidth < 720;
      map.asks.value = !map.asks.value;
    }
  };
  const streetsTool = <Tool name="Streets" icon="i-streets" isOn={map.hasStreets.value} press={streets} />;
  return (
    <div class="map-tools">
      <Tool name="Follow the car" keys="W" icon="i-follow" isOn={map.follows.value} press={() => map.follow()} />
      <Tool
        name="Large map"
        icon="i-full"
        isOn={map.isBig.value}
        press={() => {
          map.isBig.value = !map.isBig.value;
        }}
      />
      {map.ownMap !== null ? streetsTool : <ForChange>{streetsTool}</ForChange>}
      <Tool name="Closer" icon="i-plus" press={() => map.zoom(1)} />
      <Tool name="Farther" icon="i-minus" press={() => map.zoom(-1)} />
    </div>
  );
}

interface ToolProps {
  readonly name: string;
  readonly icon: IconName;
  readonly keys?: string;
  readonly isOn?: boolean;
  readonly press: () => void;
}

function Tool({ name, icon, keys, isOn, press }: ToolProps) {
  return (
    <button
      class="b b-icon"
      type="button"
      title={keys ? `${name} (${keys})` : name}
      aria-label={name}
      aria-pressed={isOn}
      onClick={press}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Scale, north, and a note when the place of the car is not known. */
function Measures({ map, speedUnit }: Parts<"map" | "speedUnit">) {
  const meters = map.metersPerPixel.value;
  const isLost = map.car.value?.hasFix === false;
  const scale = meters === null ? null : scaleBar(meters, MOST_SCALE_PIXELS, speedUnit);
  return (
    <>
      <svg class="map-north" viewBox="0 0 20 28" role="img" aria-label="North is up">
        <path d="M10 2l5 11-5-3-5 3z" />
        <text x="10" y="26" text-anchor="middle">
          N
        </text>
      </svg>
      {scale && (
        <p class="map-scale">
          <span>{scale.text}</span>
          <svg width={scale.pixels} height="6" aria-hidden="true">
            <path d={`M1 0v5h${scale.pixels - 2}v-5`} />
          </svg>
        </p>
      )}
      {isLost && <p class="map-lost">No fix</p>}
    </>
  );
}

/** Why there is no track, in its place. */
function NoTrack(parts: Parts<"list" | "browsing" | "trip">) {
  const { trip } = parts;
  const telemetry = trip.telemetry.value;
  const problem = trip.telemetryProblem.value;
  if (telemetry === null && problem === null && !lacksTrack(parts)) return null;
  const isUnread = telemetry === null && problem !== null;
  return (
    <div class="map-say">
      <Icon name="i-nogps" class="i i-l" />
      <p>
        <b>{isUnread ? "The track could not be read" : "No GPS in this trip"}</b>
      </p>
      <p class="soft small">{isUnread ? problem : whyNoGps(clipsOf(parts))}</p>
    </div>
  );
}

function whyNoGps(clips: readonly ViewerRecording[]): string {
  return clips.some(({ has_gps: has }) => has)
    ? "The camera found no satellites, as under a roof or just after starting."
    : "No GPS files came with these clips: the camera wrote none, or their download is turned off.";
}
