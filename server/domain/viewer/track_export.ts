import type { GpsTrack } from "../recordings/gps_file.ts";
import { ordinalOf, secondsOf } from "../recordings/recording_name.ts";
import type { GsensorSample } from "../recordings/sensor_schema.ts";
import { type CsvCell, csvLineOf } from "../text/csv_line.ts";
import { TRACK_GAP_SECONDS } from "./fix_steps.ts";
import { SHORTEST_GAP_SECONDS } from "./journey_clock.ts";
import { trackOf } from "./track.ts";

/** A clip's telemetry, and the seconds of the clip that are wanted. */
export interface ExportedClip {
  readonly key: string;
  readonly gps: GpsTrack | null;
  readonly force: readonly GsensorSample[] | null;
  readonly from: number;
  readonly to: number;
}

const METERS_A_SECOND = 1852 / 3600;
const KMH = 1.852;

/** Returns the text before the points of a GPX file (version 1.1). Speeds follow in Garmin's extension. */
export function gpxHead(name: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Dashdock" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
<trk><name>${name}</name><trkseg>
`;
}

/** Text behind the points. */
export const GPX_TAIL = "</trkseg></trk>\n</gpx>\n";

/** Remembers the end of the clips written so far: where they overlap in time, each moment is written once. */
class Written {
  /** Camera wall time of the last point written, by the number of the clips' names: numbers tell drives apart. */
  readonly #last = new Map<number, number>();

  /** Seconds into a clip up to which clips before it have written. */
  upTo(key: string): number {
    const over = (this.#last.get(ordinalOf(key)) ?? Number.NEGATIVE_INFINITY) - secondsOf(key);
    return over >= SHORTEST_GAP_SECONDS ? over : Number.NEGATIVE_INFINITY;
  }

  /** @param seconds into the clip, of its last time; none when nothing of it was written */
  note(key: string, seconds: number | undefined): void {
    const before = this.#last.get(ordinalOf(key)) ?? Number.NEGATIVE_INFINITY;
    if (seconds !== undefined) this.#last.set(ordinalOf(key), Math.max(before, secondsOf(key) + seconds));
  }
}

/** Writes the points of clips one after the other, in a new stretch behind every gap. */
export class GpxPoints {
  /** Camera wall time of the last point; null before the first. */
  #last: number | null = null;
  readonly #written: Written = new Written();

  /** The points of the next clip; empty when it has none. Times are real ones, by the satellites, where they are known. */
  next({ key, gps, from, to }: ExportedClip): string {
    if (gps === null) return "";
    const { t, lat, lon, speed, breaks } = trackOf(gps.points);
    const starts = new Set(breaks);
    const upTo = this.#written.upTo(key);
    let text = "";
    for (const [index, seconds] of t.entries()) {
      if (seconds < from || seconds > to || seconds <= upTo) continue;
      const wall = secondsOf(key) + seconds;
      const step = this.#last === null ? 0 : wall - this.#last;
      if (this.#last !== null && (starts.has(index) || step > TRACK_GAP_SECONDS || step < 0))
        text += "</trkseg><trkseg>\n";
      this.#last = wall;
      text += `<trkpt lat="${degrees(lat[index])}" lon="${degrees(lon[index])}">${this.#about(gps.startUtc, seconds, speed[index])}</trkpt>\n`;
    }
    this.#written.note(
      key,
      t.findLast((seconds) => seconds <= to),
    );
    return text;
  }

  #about(startUtc: number | null, seconds: number, knots: number | null | undefined): string {
    const time = startUtc === null ? "" : `<time>${isoOf(startUtc + seconds * 1000)}</time>`;
    if (knots === null || knots === undefined) return time;
    const speed = (knots * METERS_A_SECOND).toFixed(2);
    return `${time}<extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>${speed}</gpxtpx:speed></gpxtpx:TrackPointExtension></extensions>`;
  }
}

/** The first line of a telemetry table, with its line end. */
export const TELEMETRY_CSV_HEAD = csvLineOf([
  ...["clip", "seconds", "camera_time", "utc", "latitude", "longitude", "speed_kmh"],
  ...["vertical_g", "lateral_g", "longitudinal_g"],
]);

/** Writes the lines of clips one after the other. */
export class TelemetryLines {
  readonly #places: Written = new Written();
  readonly #forces: Written = new Written();

  /** The lines of the next clip. */
  next(clip: ExportedClip): string {
    const { key, gps, force, to } = clip;
    const placed = this.#places.upTo(key);
    const forced = this.#forces.upTo(key);
    const later = <T extends { readonly t: number }>(all: readonly T[], upTo: number) =>
      all.filter(({ t }) => t > upTo);
    const text = linesOf({
      ...clip,
      gps: gps && { ...gps, points: later(gps.points, placed) },
      force: force && later(force, forced),
    });
    const lastOf = (all: readonly { readonly t: number }[] | undefined) => all?.findLast(({ t }) => t <= to)?.t;
    this.#places.note(key, lastOf(gps?.points));
    this.#forces.note(key, lastOf(force ?? undefined));
    return text;
  }
}

/**
 * A clip's lines: one for each time at which it has a fix, a sample of the g-sensor, or both, as the camera wrote them.
 * Every cell is a number, a time or a key, so that no spreadsheet takes one for a formula.
 */
function linesOf({ key, gps, force, from, to }: ExportedClip): string {
  const lines = new Map<number, { place?: readonly CsvCell[]; forces?: readonly CsvCell[] }>();
  const lineAt = (seconds: number) => {
    const at = Math.round(seconds * 1000);
    const line = lines.get(at) ?? {};
    lines.set(at, line);
    return line;
  };
  const isWanted = ({ t }: { readonly t: number }) => t >= from && t <= to;
  for (const point of gps?.points.filter(isWanted) ?? []) {
    const { t, lat, lon, speed } = point;
    lineAt(t).place = [degrees(lat), degrees(lon), speed === null ? null : rounded(speed * KMH, 100)];
  }
  for (const { t, x, y, z } of force?.filter(isWanted) ?? [])
    lineAt(t).forces = [x, y, z].map((g) => rounded(g, 10_000));
  const start = gps?.startUtc ?? null;
  return [...lines]
    .sort(([one], [other]) => one - other)
    .map(([at, { place = [null, null, null], forces = [null, null, null] }]) =>
      csvLineOf([
        ...[key, at / 1000, isoOf(secondsOf(key) * 1000 + at).slice(0, -1), start === null ? null : isoOf(start + at)],
        ...[...place, ...forces],
      ]),
    )
    .join("");
}

/** Writes degrees to a centimetre, and never in the form with an exponent. */
function degrees(value: number | undefined): string {
  return (value ?? 0).toFixed(7);
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}

/** A time that no calendar has, of a broken file, is left empty. */
function isoOf(milliseconds: number): string {
  const date = new Date(Math.round(milliseconds));
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
