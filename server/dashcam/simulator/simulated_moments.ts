import { type RecordingName, secondsOf } from "../../domain/recordings/recording_name.ts";

/** One moment on the simulated card: its recordings, and the drive that it belongs to. */
export interface Moment {
  /** `YYYYMMDD_HHMMSS` in camera wall time. */
  base: string;
  /** `base` as epoch milliseconds, as if camera wall time were UTC. */
  at: number;
  type: string;
  flag: string;
  directions: readonly string[];
  /** The session of the drive, or for a parked moment that of the drive which brought the car there. */
  drive: number;
  /** Minutes since the drive began, and how many there are; 0 of 0 while parked. */
  minute: number;
  minutes: number;
}

const MINUTE = 60_000;

/**
 * Drives and stays of the car, read backwards in time. A letter is a moment: one per minute within a drive, further
 * apart while parked. The pattern starts again when it is used up, so a session's number gives its letters.
 */
export const SESSIONS = ["NNENN", "PPIP", "NNNMNN", "PP", "NNNNENNN", "PIPPP", "NNNN", "P"] as const;
/** Each so many moments carry the upload flag. */
const UPLOADED_EVERY = 7;

/**
 * The moments of a card with so many videos, latest first, ending shortly before `now`.
 * @param now epoch milliseconds
 * @param offsetMinutes camera wall time minus UTC
 */
export function planMoments(
  recordings: number,
  now: number,
  offsetMinutes: number,
  directions: readonly string[],
): Moment[] {
  const moments: Moment[] = [];
  // The latest moment began a little over a minute ago, so that it is over; seconds as they come.
  let at = Math.floor((now + offsetMinutes * MINUTE) / 1000) * 1000 - 75_000;
  let videos = 0;
  for (let session = 0; videos < recordings; session++) {
    const letters = SESSIONS[session % SESSIONS.length] ?? "N";
    const parked = letters.startsWith("P");
    for (let index = 0; index < letters.length && videos < recordings; index++) {
      const kept = directions.slice(0, recordings - videos);
      moments.push({
        base: baseOf(at),
        at,
        type: letters[index] ?? "N",
        flag: moments.length % UPLOADED_EVERY === UPLOADED_EVERY - 1 ? "L" : "",
        directions: kept,
        drive: parked ? session + 1 : session,
        minute: parked ? 0 : letters.length - 1 - index,
        minutes: parked ? 0 : letters.length,
      });
      videos += kept.length;
      at -= parked ? (11 + ((index * 17 + session * 5) % 23)) * MINUTE + 7000 : MINUTE;
    }
    at -= 4 * MINUTE;
  }
  return moments;
}

/** `YYYYMMDD_HHMMSS` of epoch milliseconds read as if they were UTC. */
export function baseOf(at: number): string {
  const text = new Date(at).toISOString();
  return `${text.slice(0, 10).replaceAll("-", "")}_${text.slice(11, 19).replaceAll(":", "")}`;
}

/** The reverse: epoch milliseconds of `YYYYMMDD_HHMMSS`, as if it were UTC. */
export function timeOf(base: string): number {
  return secondsOf(base) * 1000;
}

/** A moment for a recording that was put on the card by name: parked by its type, else a minute of the latest drive. */
export function momentOf({
  base,
  type,
  direction,
  flag,
}: Pick<RecordingName, "base" | "type" | "direction" | "flag">): Moment {
  const at = timeOf(base);
  const parked = type === "P" || type === "I";
  const minutes = parked ? 0 : SESSIONS[0].length;
  // The event's minute for an event, so that it brakes; any other by the clock.
  const minute = parked
    ? 0
    : type === "E"
      ? SESSIONS[0].length - 1 - SESSIONS[0].indexOf("E")
      : Math.floor(at / MINUTE) % minutes;
  return { base, at, type, flag, directions: [direction], drive: 0, minute, minutes };
}
