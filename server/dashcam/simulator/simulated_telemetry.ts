import { DRIVE_HZ, type SimulatedDrives } from "./simulated_drive.ts";
import type { Moment } from "./simulated_moments.ts";
import { fraction, seedOf } from "./simulated_noise.ts";

/** Open sea far from any coast: no real address is on the way of the simulated car. */
const ORIGIN = { latitude: -24.5, longitude: -15.25 };
const METRES_PER_DEGREE = 111_320;
const KNOTS = 1.943844;

/** True when the camera wrote no `.gps` for this moment: half of the parked ones saw no satellites. */
export function lacksGps(moment: Moment): boolean {
  return moment.minutes === 0 && seedOf(moment.base) % 2 === 0;
}

/**
 * A `.gps` file: `[milliseconds]` of the camera's clock and an NMEA-0183 sentence per line, RMC and GGA every second.
 * The camera's clock counts its wall time as if that were UTC; the sentences have real UTC.
 * @param offsetMinutes camera wall time minus UTC
 */
export function gpsFile(moment: Moment, seconds: number, drives: SimulatedDrives, offsetMinutes: number): Uint8Array {
  const parked = moment.minutes === 0;
  const lines: string[] = [];
  for (let second = 0; second < (parked ? 1 : Math.ceil(seconds)); second++) {
    const stamp = moment.at + second * 1000;
    const point = parked ? drives.endOf(moment.drive) : drives.point(moment.drive, moment.minute * 60 + second);
    const utc = new Date(stamp - offsetMinutes * 60_000).toISOString();
    const time = `${utc.slice(11, 19).replaceAll(":", "")}.00`;
    const date = `${utc.slice(8, 10)}${utc.slice(5, 7)}${utc.slice(2, 4)}`;
    // A parked car once had a fix at its place, or there would be no file.
    if (point.covered && !parked) {
      lines.push(`[${stamp}]${sentence(`GNRMC,${time},V,,,,,,,${date},,,N,V`)}`);
      lines.push(`[${stamp}]${sentence(`GNGGA,${time},,,,,0,00,99.99,,M,,M,,`)}`, "");
      continue;
    }
    const place = placeOf(point.x, point.y);
    const course = point.speed < 0.5 ? "" : point.course.toFixed(2);
    const motion = `${(point.speed * KNOTS).toFixed(3)},${course}`;
    lines.push(`[${stamp}]${sentence(`GNRMC,${time},A,${place},${motion},${date},,,A,V`)}`);
    lines.push(`[${stamp}]${sentence(`GNGGA,${time},${place},1,12,0.68,12.4,M,9.1,M,,`)}`, "");
  }
  return new TextEncoder().encode(lines.map((line) => `${line}\r\n`).join(""));
}

/** An NMEA sentence around its body: `$`, body, `*`, and the XOR of the body's bytes in hex. */
export function sentence(body: string): string {
  let sum = 0;
  for (let index = 0; index < body.length; index++) sum ^= body.charCodeAt(index);
  return `$${body}*${sum.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** The place on the ground that is so many metres east and north of the road's beginning. */
export function groundAt(x: number, y: number): { readonly lat: number; readonly lon: number } {
  return {
    lat: ORIGIN.latitude + y / METRES_PER_DEGREE,
    lon: ORIGIN.longitude + x / (METRES_PER_DEGREE * Math.cos((ORIGIN.latitude * Math.PI) / 180)),
  };
}

function placeOf(x: number, y: number): string {
  const { lat, lon } = groundAt(x, y);
  return `${angle(lat, 2)},${lat < 0 ? "S" : "N"},${angle(lon, 3)},${lon < 0 ? "W" : "E"}`;
}

/** `DDMM.mmmmm`, carried over so that minutes never read 60. */
function angle(degrees: number, digits: number): string {
  const units = Math.round(Math.abs(degrees) * 60 * 100_000);
  const whole = Math.floor(units / 6_000_000);
  const minutes = ((units - whole * 6_000_000) / 100_000).toFixed(5).padStart(8, "0");
  return `${String(whole).padStart(digits, "0")}${minutes}`;
}

/** Raw units of the sensor per g. */
const UNITS = 128;
const RECORD_BYTES = 10;
/** Tilt of the camera behind the windscreen, in g on the lateral and longitudinal axis. */
const TILT = { lateral: 0.04, longitudinal: -0.07 };

/**
 * A `.3gf` file: ten-byte big-endian records, ten a second: milliseconds since the start, then vertical, lateral and
 * longitudinal acceleration in 1/128 g. Some end with a record of 0xFF bytes, as some cameras write them.
 */
export function gsensorFile(moment: Moment, seconds: number, drives: SimulatedDrives): Uint8Array {
  const seed = seedOf(moment.base);
  const count = Math.max(1, Math.floor(seconds * DRIVE_HZ));
  const ends = seed % 3 === 0;
  const bytes = new Uint8Array((count + (ends ? 1 : 0)) * RECORD_BYTES).fill(0xff);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < count; index++) {
    const time = index / DRIVE_HZ;
    const [vertical, lateral, longitudinal] = felt(moment, time, seconds, drives);
    const shake = (axis: number) => 2 * fraction(seed + axis, index) - 1;
    const rough = moment.minutes === 0 ? 0.006 : 0.025;
    const at = index * RECORD_BYTES;
    view.setUint32(at, Math.round(time * 1000));
    view.setInt16(at + 4, Math.round((1.01 + vertical + rough * shake(1)) * UNITS));
    view.setInt16(at + 6, Math.round((TILT.lateral + lateral + rough * shake(2)) * UNITS));
    view.setInt16(at + 8, Math.round((TILT.longitudinal + longitudinal + rough * shake(3)) * UNITS));
  }
  return bytes;
}

/** Vertical (beyond gravity), lateral and longitudinal acceleration in g. */
function felt(moment: Moment, time: number, seconds: number, drives: SimulatedDrives): [number, number, number] {
  if (moment.minutes > 0) {
    const { lateral, longitudinal } = drives.point(moment.drive, moment.minute * 60 + time);
    return [0, lateral, longitudinal];
  }
  // A passer-by bumps into the parked car in the middle of the clip; it rocks a little and stands still again.
  const since = time - seconds / 2;
  if (moment.type !== "I" || since < 0 || since > 1.5) return [0, 0, 0];
  const swing = Math.exp(-since * 4);
  return [0.35 * swing * Math.cos(since * 14), 1.1 * swing * Math.cos(since * 11), -0.5 * swing * Math.cos(since * 9)];
}
