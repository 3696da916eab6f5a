import { shortClock } from "../recordings/camera_clock.ts";
import { typeOf } from "../recordings/recording_name.ts";
import { counted, formatSeconds } from "../text/format.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { isHere } from "./coming_text.ts";
import { metersBetween } from "./fix_steps.ts";
import type { JourneyClock } from "./journey_clock.ts";
import type { TripTrack } from "./trip_telemetry.ts";
import { keyOf } from "./viewer_address.ts";
import type { Trip, ViewerRecording } from "./viewer_schema.ts";

/** Time between the end of a clip and the clip that plays after it. */
export interface Skipped {
  /** Seconds without a recording that is here; 0 where one clip follows the other. */
  readonly seconds: number;
  /** Clips in it that are still on the camera. */
  readonly waiting: number;
  /** The car was somewhere else afterwards: it was driven meanwhile. */
  readonly wasDriven: boolean;
}

/** Clip that plays next in a trip. */
export interface NextOfTrip {
  readonly recording: ViewerRecording;
  /** Seconds into it: the time before has played as a part of other clips. */
  readonly start: number;
  readonly skipped: Skipped;
}

/** The letter of what pushed the parked car. */
const IMPACT = "I";
/** A shorter time without a recording is shown as such: people do not call it parking. */
const SHORTEST_STAY_SECONDS = 60;
/** A receiver wanders by less while the car stands, and a street is longer. */
const DRIVEN_METERS = 300;

/** The clip that plays after another one of its trip: the next that is here, whatever its kind; null after the last. */
export function nextOfTrip(
  { segments }: Pick<Trip, "segments">,
  clock: JourneyClock,
  key: string,
  track: TripTrack | null,
): NextOfTrip | null {
  const here = clock.segments.find((one) => one.key === key);
  const after = here && clock.after(key);
  if (!here || !after) return null;
  const end = here.offset + here.length;
  let waiting = 0;
  for (const [index, place] of clock.segments.entries()) {
    // Time that other clips have filmed too plays once.
    const start = index === after.index ? after.seconds : place.from;
    const segment = segments.find((one) => keyOf(one) === place.key);
    if (index < after.index || start >= place.length || segment === undefined) continue;
    if (isHere(segment)) {
      const { offset_seconds: _, ...recording } = segment;
      const begin = place.offset + start;
      const seconds = Math.max(0, Math.round((begin - end) * 1000) / 1000);
      const wasDriven = track !== null && isDriven(track, end, begin);
      return { recording, start, skipped: { seconds, waiting, wasDriven } };
    }
    waiting++;
  }
  return null;
}

/** `32 min parked`, `4 min not recorded`, `2 clips are still on the camera`; null where nothing was left out. */
export function skippedInWords({ seconds, waiting, wasDriven }: Skipped): string | null {
  if (waiting > 0) return `${counted(waiting, "clip")} ${waiting === 1 ? "is" : "are"} still on the camera`;
  if (seconds === 0) return null;
  const isStay = seconds >= SHORTEST_STAY_SECONDS && !wasDriven;
  return `${formatSeconds(seconds)} ${isStay ? "parked" : "not recorded"}`;
}

/** `Next movement 22:41, 32 min later`. */
export function nextMovementInWords({ recording, skipped }: NextOfTrip, format: TimeFormat = USUAL_FORMAT): string {
  return `Next movement ${shortClock(keyOf(recording), format)}, ${formatSeconds(skipped.seconds)} later`;
}

/** `7 movements, 1 impact` around the parked car. @param keys of the clips */
export function movementsInWords(keys: readonly string[]): string {
  const impacts = keys.filter((key) => typeOf(key) === IMPACT).length;
  return `${counted(keys.length, "movement")}${impacts === 0 ? "" : `, ${counted(impacts, "impact")}`}`;
}

/** The movement after this one (1) or before it (-1); null where there is none. @param keys of a stay; null on a drive */
export function movementBeside(keys: readonly string[] | null, key: string, by: 1 | -1): string | null {
  const at = keys?.indexOf(key) ?? -1;
  return at < 0 ? null : (keys?.[at + by] ?? null);
}

/** True when the car stands elsewhere behind a time than before it, as far as its places are known. */
function isDriven({ t, lat, lon }: TripTrack, from: number, to: number): boolean {
  const last = t.findLastIndex((time) => time <= from + 1);
  const first = t.findIndex((time) => time >= to - 1);
  if (last < 0 || first < 0) return false;
  const fixAt = (at: number) => ({ lat: lat[at] ?? 0, lon: lon[at] ?? 0 });
  return metersBetween(fixAt(last), fixAt(first)) > DRIVEN_METERS;
}
