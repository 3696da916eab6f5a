/** @jsxImportSource preact */
import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SharedFix } from "../../server/domain/shares/shared_track.ts";

const WIDTH = 320;
const HEIGHT = 180;
const MARGIN = 16;
const PER_KNOT = { kmh: 1.852, mph: 1.150779 } as const;
const NAMES = { kmh: "km/h", mph: "mph" } as const;
/** A fix holds no longer. */
const FRESH_SECONDS = 3;

interface Answer {
  readonly stretches: readonly (readonly SharedFix[])[];
}

/** The fixes of a link, loaded once; null until they are here. */
export function useTrack(address: string | null) {
  const track = useSignal<Answer["stretches"] | null>(null);
  useEffect(() => {
    if (address === null) return;
    fetch(address)
      .then(async (answer) => {
        if (answer.ok) track.value = ((await answer.json()) as Answer).stretches;
      })
      // The film goes without it.
      .catch(() => {});
  }, [address]);
  return track;
}

type Track = ReadonlySignal<Answer["stretches"] | null>;

/** Where the car is at a time; null where that is not shown. */
function fixAt(stretches: Answer["stretches"] | null, time: number): SharedFix | null {
  for (const stretch of stretches ?? []) {
    const fix = stretch.findLast(([at]) => at <= time + 0.5);
    if (fix && time - fix[0] <= FRESH_SECONDS) return fix;
  }
  return null;
}

/** How fast the car is, over the picture. */
export function Speed({ track, time, unit }: { track: Track; time: ReadonlySignal<number>; unit: "kmh" | "mph" }) {
  const speed = useComputed(() => {
    const knots = fixAt(track.value, time.value)?.[3] ?? null;
    return knots === null ? null : Math.round(knots * PER_KNOT[unit]);
  });
  return speed.value === null ? null : (
    <p class="hud">
      <b>{speed}</b> <small>{NAMES[unit]}</small>
    </p>
  );
}

/** The way as a line, north up, without streets: no other server is asked for anything. */
export function TrackMap({ track, time }: { track: Track; time: ReadonlySignal<number> }) {
  const fixes = track.value?.flat() ?? [];
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
        <path d={track.value.map(line).join("")} />
        {car.value && <circle cx={x(car.value[2])} cy={y(car.value[1])} r={6} />}
      </svg>
      <figcaption>North is up. Places near both ends of the trip are left out.</figcaption>
    </figure>
  );
}
