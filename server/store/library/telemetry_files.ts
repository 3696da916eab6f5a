import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import { MOST_GPS_BYTES, readGps } from "../../domain/recordings/gps_file.ts";
import { MOST_GSENSOR_BYTES, readGsensor } from "../../domain/recordings/gsensor_file.ts";
import { forceOf } from "../../domain/viewer/force.ts";
import type { ClipTelemetry } from "../../domain/viewer/telemetry.ts";
import { trackOf } from "../../domain/viewer/track.ts";
import { findServedFile } from "./media_files.ts";
import { pathOf, type Segment } from "./recording_files.ts";

/** A file as it is now: while the version stays the same, so does what is in it. */
interface FileStamp {
  readonly version: string;
  readonly isLink: boolean;
}

/** A clip's telemetry files as they are now; null for one that is not there. */
export interface TelemetryStamp {
  readonly segment: Segment;
  readonly gps: FileStamp | null;
  readonly gsensor: FileStamp | null;
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

  /**
   * The telemetry of clips, in the same order. A file that is gone or cannot be read counts as none; others go on.
   * @param remembers whether it stays in memory: what is about to be shown does
   */
  async read(stamps: readonly TelemetryStamp[], remembers = true): Promise<ClipTelemetry[]> {
    const found: ClipTelemetry[] = [];
    let next = 0;
    const work = async () => {
      for (let at = next++; at < stamps.length; at = next++) {
        const stamp = stamps[at];
        if (stamp) found[at] = await this.#of(stamp, remembers);
      }
    };
    await Promise.all(Array.from({ length: WIDTH }, work));
    return found;
  }

  async #stampOf(segment: Segment, ending: string | null): Promise<FileStamp | null> {
    if (ending === null) return null;
    try {
      const place = join(this.#root, pathOf(segment, ending));
      const entry = await lstat(place, { bigint: true });
      const isLink = entry.isSymbolicLink();
      const found = isLink ? await stat(place, { bigint: true }) : entry;
      return found.isFile() ? { version: `${found.mtimeNs.toString(36)}-${found.size.toString(36)}`, isLink } : null;
    } catch {
      return null;
    }
  }

  async #of({ segment, gps, gsensor }: TelemetryStamp, remembers: boolean): Promise<ClipTelemetry> {
    const key = pathOf(segment, "");
    const stamp = `${gps?.version} ${gsensor?.version}`;
    const known = this.#known.get(key);
    if (known?.stamp === stamp) {
      // What was asked for last is forgotten last.
      this.#known.delete(key);
      this.#known.set(key, known);
      return known;
    }
    const { parts } = segment;
    const gpsBytes = gps && (await this.#bytesOf(pathOf(segment, parts.gps ?? ""), gps, MOST_GPS_BYTES));
    const track = gpsBytes && trackOf(readGps(gpsBytes).points);
    const gsensorBytes =
      gsensor && (await this.#bytesOf(pathOf(segment, parts.gsensor ?? ""), gsensor, MOST_GSENSOR_BYTES));
    const force = gsensorBytes && forceOf(readGsensor(gsensorBytes));
    const read = { track, force };
    // What could not be read is asked for again.
    if (remembers && (gps === null || gpsBytes) && (gsensor === null || gsensorBytes)) this.#remember(key, stamp, read);
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

  /** The beginning of a file; null when it is gone, lies elsewhere or cannot be read. */
  async #bytesOf(path: string, { isLink }: FileStamp, most: number): Promise<Uint8Array | null> {
    try {
      // A link may lead out of the destination. The library lists no folder that is one.
      const file = isLink ? (await findServedFile(this.#root, path))?.path : join(this.#root, path);
      return file === undefined ? null : await Bun.file(file).slice(0, most).bytes();
    } catch {
      return null;
    }
  }
}
