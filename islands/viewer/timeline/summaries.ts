import { shortClock } from "../../../server/domain/recordings/camera_clock.ts";
import { counted } from "../../../server/domain/text/format.ts";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import { clockOf } from "../../../server/domain/text/zone_time.ts";
import { forceText, type SpeedUnit, speedInWords } from "../../../server/domain/viewer/distance_text.ts";
import type { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import type { TripTelemetry } from "../../../server/domain/viewer/trip_telemetry.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import type { Telemetry, Trip } from "../../../server/domain/viewer/viewer_schema.ts";
import { typeInWords } from "../../parts/recording_type.tsx";
import { wallAt, wallClock } from "./time_window.ts";

/** Most moments that are told one by one. */
const MOST_TOLD = 4;
/** Kinds with too many clips to tell their times one by one. */
const USUAL: readonly string[] = ["N", "P"];

/** The lane of clips in words: how many of which type, when, and where nothing was recorded. */
export function clipsInWords({ segments }: Trip, clock: JourneyClock, format: TimeFormat): string {
  const kinds = new Map<string, string[]>();
  for (const clip of segments) kinds.set(clip.type, [...(kinds.get(clip.type) ?? []), shortClock(keyOf(clip), format)]);
  const told = [...kinds].map(([type, times]) => {
    const when = USUAL.includes(type) || times.length > MOST_TOLD ? "" : ` at ${listed(times)}`;
    return `${times.length} ${typeInWords(type).toLowerCase()}${when}`;
  });
  const clockAt = (time: number) => clockOf(wallAt(clock.wallAt(time)), format);
  const gaps = clock.gaps();
  const missing =
    gaps.length === 0
      ? ""
      : gaps.length <= MOST_TOLD
        ? `; nothing recorded ${listed(gaps.map(([from, to]) => `${clockAt(from - 0.01)} to ${clockAt(to)}`))}`
        : `; nothing recorded in ${gaps.length} gaps`;
  const away = new Set(segments.filter(({ coming }) => coming !== null).map(keyOf));
  const open = clock.segments
    .filter(({ isGuess, key }) => isGuess && !away.has(key))
    .map(({ key }) => shortClock(key, format));
  const unknown =
    open.length === 0
      ? ""
      : open.length <= MOST_TOLD
        ? `; the length of ${listed(open)} is not known`
        : `; the length of ${open.length} is not known`;
  const onCamera = away.size === 0 ? "" : `; ${away.size === 1 ? "1 is" : `${away.size} are`} still on the camera`;
  return `${counted(segments.length, "clip")}: ${told.join(", ")}${missing}${unknown}${onCamera}.`;
}

/** The lane of speeds in words. */
export function speedLaneInWords({ fastest_knots: fastest }: Telemetry, unit: SpeedUnit): string {
  return fastest === null ? "No speed is known." : `Speed over time, 0 to ${speedInWords(fastest, unit)}.`;
}

/** The lane of forces in words. */
export function forceInWords(
  { strongest_g: most }: Telemetry,
  { peaks }: TripTelemetry,
  clock: JourneyClock,
  format: TimeFormat,
): string {
  if (most === null) return "No force is known.";
  const [first, ...others] = peaks;
  if (first === undefined) return `Forces: at most ${forceText(most)} g.`;
  const strongest = others.reduce((best, peak) => (peak.magnitude > best.magnitude ? peak : best), first);
  const { longitudinal, lateral, magnitude, time } = strongest;
  const what =
    Math.abs(longitudinal) >= Math.abs(lateral) ? (longitudinal < 0 ? "braking" : "accelerating") : "sideways";
  const more = others.length === 0 ? "" : `, and ${counted(others.length, "further strong moment")}`;
  return `Forces: strongest ${forceText(magnitude)} g ${what} at ${wallClock(clock.wallAt(time), format)}${more}.`;
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
