import { gpsSteps, MOST_GPS_BYTES } from "../../domain/recordings/gps_file.ts";
import { MOST_GSENSOR_BYTES, readGsensor } from "../../domain/recordings/gsensor_file.ts";
import { type Force, forceOf } from "../../domain/viewer/force.ts";
import { type Track, trackOf } from "../../domain/viewer/track.ts";
import { inTurns } from "../../turns.ts";

/** Reader for the files of one kind, and the most bytes that are read of one. */
interface TelemetryContent<T> {
  readonly mostBytes: number;
  readonly of: (bytes: Uint8Array) => T | Promise<T>;
}

/** For .gps files. */
export const TRACK: TelemetryContent<{ readonly track: Track; readonly startUtc: number | null }> = {
  mostBytes: MOST_GPS_BYTES,
  async of(bytes) {
    const { points, startUtc } = await inTurns(gpsSteps(bytes));
    return { track: trackOf(points), startUtc };
  },
};

/** For .3gf files. */
export const FORCE: TelemetryContent<Force> = {
  mostBytes: MOST_GSENSOR_BYTES,
  of: (bytes) => forceOf(readGsensor(bytes)),
};
