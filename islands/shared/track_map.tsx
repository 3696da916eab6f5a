/** @jsxImportSource preact */
import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { forceAt, type SharedForce } from "../../server/domain/shares/shared_force.ts";
import type { SharedFix } from "../../server/domain/shares/shared_track.ts";
import { forceText, type SpeedUnit, speedIn, speedUnitName } from "../../server/domain/viewer/distance_text.ts";
import { reached } from "../browser/address.ts";

const WIDTH = 320;
const HEIGHT = 180;
const MARGIN = 16;
/** A fix holds no longer. */
const FRESH_SECONDS = 3;

/** Fixes of a link in stretches, and the forces along them. */
export interface SharedWay {
  readonly stretches: readonly (readonly SharedFix[])[];
  readonly forces: readonly SharedForce[];
}

/** The way of a link, loaded once; null until it is here, and when it cannot be had. */
export function useTrack(address: string | null) {
  const track = useSignal<SharedWay | null>(null);
  const isComing = useSignal(address !== null);
  useEffect(() => {
    if (address === null) return;
    fetch(reached(address))
      .then(async (answer) => {
        if (answer.ok) track.value = (await answer.json()) as SharedWay;
      })
      // The film goes without it.
      .catch(() => {})
      .finally(() => {
        isComing.value = false;
      });
  }, [address]);
  return { track, isComing };
}

type Track = ReadonlySignal<SharedWay | null>;

/** Where the car is at a time; null where that is not shown. */
function fixAt(way: SharedWay | null, time: number): SharedFix | null {
  for (const stretch of way?.stretches ?? []) {
    const fix = stretch.findLast(([at]) => at <= time + 0.5);
    if (fix && time - fix[0] <= FRESH_SECONDS) return fix;
  }
  return null;
}

/** Speed of the car and the force on it, over the picture. */
export function Reading({ track, time, unit }: { track: Track; time: ReadonlySignal<number>; unit: SpeedUnit }) {
  const speed = useComputed(() => {
    const knots = fixAt(track.value, time.value)?.[3] ?? null;
    return knots === null ? null : Math.round(speedIn(knots, unit));
  });
  const force = useComputed(() => {
    const g = forceAt(track.value?.forces ?? [], time.value);
    return g === null ? null : forceText(g);
  });
  if (speed.value === null && force.value === null) return null;
  return (
    <p class="hud">
      {speed.value !== null && (
        <span>
          <b>{speed}</b> <small>{speedUnitName(unit)}</small>
        </span>
      )}
      {force.value !== null && (
        <span>
          <b>{force}</b> <small>g</small>
        </span>
      )}
    </p>
  );
}

/** The way as a line, north up, without streets: no other server is asked for anything. */
export function TrackMap({ track, time }: { track: Track; time: ReadonlySignal<number> }) {
  const fixes = track.value?.stretches.flat() ?? [];
  const car = useComputed(() => fixAt(track.value, time.value));
  if (track.value === null) return null;
  if (fixes.length === 0)
    return (
      <p class="sh-way-none">No places are shown: this part is near an end of the trip, or the camera had no GPS.</p>
    );
  const [lats, lons] = [fixes.map(([, lat]) => lat), fixes.map(([, , lon]) => lon)];
  const [south, north, west, east] = [Math.min(...lats), Math.max(...lats), Math.min(...lons), Math.max(...lons)];
  // A degree of longitude is as wide as its latitude lets it be.
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(1e-5, (east - west) * narrow),
    (HEIGHT - 2 * MARGIN) / Math.max(1e-5, north - south),
  );
  const x = (lon: number) => WIDTH / 2 + (lon - (west + east) / 2) * narrow * scale;
  const y = (lat: number) => HEIGHT / 2 - (lat - (south + north) / 2) * scale;
  const line = (stretch: readonly SharedFix[]) =>
    stretch.map(([, lat, lon], at) => `${at === 0 ? "M" : "L"}${x(lon).toFixed(1)} ${y(lat).toFixed(1)}`).join("");
  return (
    <figure class="sh-way">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="The way, north up">
        <path d={track.value.stretches.map(line).join("")} />
        {car.value && <circle cx={x(car.value[2])} cy={y(car.value[1])} r={6} />}
      </svg>
      <figcaption>North is up. Places near both ends of the trip are left out.</figcaption>
    </figure>
  );
}
