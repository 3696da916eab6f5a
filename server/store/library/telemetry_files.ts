import { stat } from "node:fs/promises";
import { join } from "node:path";
import { MOST_GPS_BYTES, readGps } from "../../domain/recordings/gps_file.ts";
import { MOST_GSENSOR_BYTES, readGsensor } from "../../domain/recordings/gsensor_file.ts";
import { forceOf } from "../../domain/viewer/force.ts";
import type { ClipTelemetry } from "../../domain/viewer/telemetry.ts";
import { trackOf } from "../../domain/viewer/track.ts";
import { findServedFile } from "./media_files.ts";
import { pathOf, type Segment } from "./recording_files.ts";

/** A clip's telemetry files as they are now. While the stamp stays the same, so does what is in them. */
export interface TelemetryStamp {
  readonly segment: Segment;
  readonly gps: string | null;
  readonly gsensor: string | null;
}

/** Fixes and samples remembered, a fix counted as many: some ten hours of driving in about twenty megabytes. */
const MOST_REMEMBERED = 400_000;
const FIX_WEIGHT = 4;
/** Requests to the disk at once: enough for one disk, and few enough to leave it to others. */
const WIDTH = 8;

interface Known extends ClipTelemetry {
  readonly stamp: string;
  readonly weight: number;
}

/** Tracks and forces from the files beside a clip's videos, remembered while the files stay as they are. */
export class TelemetryFiles {
  readonly #root: string;
  readonly #known = new Map<string, Known>();
  #weight = 0;

  constructor(parts: { root: string }) {
    this.#root = parts.root;
  }

  /** What the files of clips are at the moment, in the same order. A file that cannot be asked about is not there. */
  async stamps(segments: readonly Segment[]): Promise<TelemetryStamp[]> {
    return await Promise.all(
      segments.map(async (segment) => {
        const { gps, gsensor } = segment.parts;
        const [gpsStamp, gsensorStamp] = await Promise.all([
          this.#stampOf(segment, gps),
          this.#stampOf(segment, gsensor),
        ]);
        return { segment, gps: gpsStamp, gsensor: gsensorStamp };
      }),
    );
  }

  /** The telemetry of clips, in the same order. A file that is gone or cannot be read counts as none; others go on. */
  async read(stamps: readonly TelemetryStamp[]): Promise<ClipTelemetry[]> {
    const found: ClipTelemetry[] = [];
    let next = 0;
    const work = async () => {
      for (let at = next++; at < stamps.length; at = next++) {
        const stamp = stamps[at];
        if (stamp) found[at] = await this.#of(stamp);
      }
    };
    await Promise.all(Array.from({ length: WIDTH }, work));
    return found;
  }

  async #stampOf(segment: Segment, ending: string | null): Promise<string | null> {
    if (ending === null) return null;
    try {
      const found = await stat(join(this.#root, pathOf(segment, ending)), { bigint: true });
      return found.isFile() ? `${found.mtimeNs.toString(36)}-${found.size.toString(36)}` : null;
    } catch {
      return null;
    }
  }

  async #of({ segment, gps, gsensor }: TelemetryStamp): Promise<ClipTelemetry> {
    const key = pathOf(segment, "");
    const stamp = `${gps} ${gsensor}`;
    const known = this.#known.get(key);
    if (known?.stamp === stamp) {
      // What was asked for last is forgotten last.
      this.#known.delete(key);
      this.#known.set(key, known);
      return known;
    }
    const { parts } = segment;
    // Sound by what they are; empty where there is no file.
    const gpsBytes = gps === null ? null : await this.#bytesOf(segment, parts.gps, MOST_GPS_BYTES);
    const track = gpsBytes && trackOf(readGps(gpsBytes).points);
    const gsensorBytes = gsensor === null ? null : await this.#bytesOf(segment, parts.gsensor, MOST_GSENSOR_BYTES);
    const force = gsensorBytes && forceOf(readGsensor(gsensorBytes));
    const read = { track, force };
    // What could not be read is asked for again.
    if ((gps === null || gpsBytes) && (gsensor === null || gsensorBytes)) this.#remember(key, stamp, read);
    return read;
  }

  #remember(key: string, stamp: string, { track, force }: ClipTelemetry): void {
    this.#forget(key);
    const weight = 1 + (track?.t.length ?? 0) * FIX_WEIGHT + (force?.t.length ?? 0);
    this.#known.set(key, { stamp, weight, track, force });
    this.#weight += weight;
    for (const oldest of this.#known.keys()) {
      if (this.#weight <= MOST_REMEMBERED) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#weight -= this.#known.get(key)?.weight ?? 0;
    this.#known.delete(key);
  }

  /** The beginning of a file beside the videos; null when it is gone, lies elsewhere or cannot be read. */
  async #bytesOf(segment: Segment, ending: string | null, most: number): Promise<Uint8Array | null> {
    if (ending === null) return null;
    try {
      const found = await findServedFile(this.#root, pathOf(segment, ending));
      return found && (await Bun.file(found.path).slice(0, most).bytes());
    } catch {
      return null;
    }
  }
}
