import { formatSeconds } from "../text/format.ts";
import { JourneyClock, type TimedClip } from "./journey_clock.ts";

/** A clock that is off by less is not worth a word. */
const TOLD_FROM_SECONDS = 120;
/** Zones differ by whole steps, in seconds; so near to one it is the zone that is wrong. */
const ZONE_STEP_SECONDS = 900;
const ZONE_TOLERANCE_SECONDS = 90;

/** The clock of a trip with times by the satellites: the camera's clock was so many seconds ahead of them. */
export class TrueClock extends JourneyClock {
  readonly #ahead: number;

  constructor(clips: readonly TimedClip[], ahead: number) {
    super(clips);
    this.#ahead = ahead;
  }

  override wallAt(time: number): number {
    return super.wallAt(time) - this.#ahead;
  }

  override timeAtWall(wall: number): number {
    return super.timeAtWall(wall + this.#ahead);
  }
}

/** The seconds by which a camera's clock was ahead, when that is worth telling; else null. */
export function toldError(ahead: number | null | undefined): number | null {
  return ahead == null || Math.abs(ahead) < TOLD_FROM_SECONDS ? null : ahead;
}

/** `The camera’s clock was 2 h 30 min ahead of GPS. Set its clock or time zone in the camera’s app, or` */
export function clockErrorInWords(ahead: number): string {
  const rest = Math.abs(ahead) % ZONE_STEP_SECONDS;
  const isZone =
    Math.abs(ahead) > ZONE_STEP_SECONDS - ZONE_TOLERANCE_SECONDS &&
    Math.min(rest, ZONE_STEP_SECONDS - rest) <= ZONE_TOLERANCE_SECONDS;
  const amount = `${formatSeconds(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} GPS`;
  return `The camera’s clock was ${amount}. Set its clock${isZone ? " or time zone" : ""} in the camera’s app, or`;
}
