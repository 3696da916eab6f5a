import type { WallSpan } from "../../domain/pack/pack_span.ts";
import type { SatelliteTime } from "../../domain/pack/satellite_time.ts";
import type { ClockZone } from "../../domain/recordings/clock_change.ts";
import { type GpsTrack, readGps } from "../../domain/recordings/gps_file.ts";
import { readGsensor } from "../../domain/recordings/gsensor_file.ts";
import { secondsOf } from "../../domain/recordings/recording_name.ts";
import type { GsensorSample } from "../../domain/recordings/sensor_schema.ts";
import { forceOf } from "../../domain/viewer/force.ts";
import { JourneyClock } from "../../domain/viewer/journey_clock.ts";
import { type TelemetryClip, telemetrySteps } from "../../domain/viewer/telemetry.ts";
import { trackOf } from "../../domain/viewer/track.ts";
import { GPX_TAIL, GpxPoints, gpxHead, TELEMETRY_CSV_HEAD, TelemetryLines } from "../../domain/viewer/track_export.ts";
import { TripTelemetry } from "../../domain/viewer/trip_telemetry.ts";
import { readCompanion } from "../../store/library/companions.ts";
import { inTurns, nextTurn } from "../../turns.ts";
import type { PackClip } from "./pack_clips.ts";

/** Telemetry of a pack, read once for its texts and its report. */
export interface PackTelemetry {
  /** Null without a place. */
  readonly gpx: Uint8Array | null;
  /** Null without a place and without a force. */
  readonly csv: Uint8Array | null;
  readonly times: readonly SatelliteTime[];
  /** By seconds since the first clip began; null when there is nothing of it. */
  readonly drawn: TripTelemetry | null;
  readonly meters: number;
}

interface TelemetryOrder {
  readonly clips: readonly PackClip[];
  readonly span: WallSpan;
  readonly title: string;
  /** Zone of the camera's clock. */
  readonly zone: ClockZone;
}

/** @throws the signal's reason when the client has gone */
export async function readTelemetry(
  root: string,
  { clips, span, title, zone }: TelemetryOrder,
  signal: AbortSignal,
): Promise<PackTelemetry> {
  const points = new GpxPoints();
  const lines = new TelemetryLines();
  const gpx = new Pieces();
  const csv = new Pieces();
  const times: SatelliteTime[] = [];
  const read: TelemetryClip[] = [];
  const timed = clips.map(({ segment: { key }, videos, seconds }) => {
    const isKnown = [...videos.values()].some((video) => video.seconds !== null);
    return { key, duration_seconds: isKnown ? seconds : null };
  });
  const clock = new JourneyClock(timed, zone);
  for (const [at, { segment }] of clips.entries()) {
    signal.throwIfAborted();
    const { key } = segment;
    const [gps, force] = [await readCompanion(root, segment, "gps"), await readCompanion(root, segment, "gsensor")];
    const clip: { gps: GpsTrack | null; force: GsensorSample[] | null } = {
      gps: gps && readGps(gps),
      force: force && readGsensor(force),
    };
    const start = secondsOf(key);
    const part = { key, ...clip, from: span.from - start, to: span.to - start };
    gpx.add(points.next(part));
    csv.add(lines.next(part));
    if (typeof clip.gps?.startUtc === "number") times.push({ wall: start, utc: clip.gps.startUtc });
    read.push({
      key,
      offsetSeconds: clock.offsetOf(key) ?? 0,
      durationSeconds: timed[at]?.duration_seconds ?? null,
      track: clip.gps && trackOf(clip.gps.points),
      force: clip.force && forceOf(clip.force),
    });
    await nextTurn();
  }
  const telemetry = await inTurns(telemetrySteps(read));
  const drawn = new TripTelemetry(telemetry, clock);
  return {
    gpx: gpx.between(gpxHead(title), GPX_TAIL),
    csv: csv.between(TELEMETRY_CSV_HEAD, ""),
    times,
    drawn: drawn.track.t.length + drawn.force.t.length > 0 ? drawn : null,
    meters: telemetry.distance_meters ?? 0,
  };
}

/** A text that comes in parts. */
class Pieces {
  readonly #pieces: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();

  add(text: string): void {
    if (text !== "") this.#pieces.push(this.#encoder.encode(text));
  }

  /** Null when there is nothing between. */
  between(head: string, tail: string): Uint8Array | null {
    if (this.#pieces.length === 0) return null;
    return new Uint8Array(Buffer.concat([this.#encoder.encode(head), ...this.#pieces, this.#encoder.encode(tail)]));
  }
}
