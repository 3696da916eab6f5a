import { MOST_GPS_BYTES, readGps } from "../../domain/recordings/gps_file.ts";
import { MOST_GSENSOR_BYTES, readGsensor } from "../../domain/recordings/gsensor_file.ts";
import { type Force, forceOf } from "../../domain/viewer/force.ts";
import { type Track, trackOf } from "../../domain/viewer/track.ts";

/** What the files of one kind hold, and how much of one is read at most. */
interface TelemetryContent<T> {
  readonly mostBytes: number;
  readonly of: (bytes: Uint8Array) => T;
}

/** Of .gps files. */
export const TRACK: TelemetryContent<Track> = {
  mostBytes: MOST_GPS_BYTES,
  of: (bytes) => trackOf(readGps(bytes).points),
};

/** Of .3gf files. */
export const FORCE: TelemetryContent<Force> = {
  mostBytes: MOST_GSENSOR_BYTES,
  of: (bytes) => forceOf(readGsensor(bytes)),
};
