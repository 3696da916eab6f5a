import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { EmbeddedParts } from "../../domain/recordings/embedded_parts.ts";
import type { TimedTelemetry } from "../../domain/viewer/clip_facts.ts";
import type { EmbeddedFile } from "../library/embedded_files.ts";
import { etagOf, findServedFile, firstBytes, type OpenFile } from "../library/opened_file.ts";
import { pathOf, type Segment } from "../library/recording_files.ts";

/** A file as it is now: while the version stays the same, so does what is in it. */
interface FileStamp {
  readonly version: string;
  /** Place of the telemetry, if it is a part of a video. */
  readonly embedded?: EmbeddedFile;
}

/** A clip's telemetry files as they are now; null for one that is not there. */
export interface TelemetryStamp {
  readonly segment: Segment;
  readonly gps: FileStamp | null;
  readonly gsensor: FileStamp | null;
}

/** The contents of a clip's telemetry files; null for one that is not there. */
export interface TelemetryBytes {
  readonly gps: Uint8Array | null;
  readonly gsensor: Uint8Array | null;
}

/** Fixes and samples remembered, a fix counted as many: some ten hours of driving in about twenty megabytes. */
const MOST_REMEMBERED = 400_000;
const FIX_WEIGHT = 4;
/** Videos without files beside them whose parts are remembered. */
const MOST_EMBEDDED = 5000;
/** Requests to the disk at once: enough for one disk, and few enough to leave it to others. */
const WIDTH = 8;

interface Known extends TimedTelemetry {
  readonly stamp: string;
  readonly weight: number;
}

/** Tracks and forces from the files beside a clip's videos, remembered while the files stay as they are. */
export class TelemetryFiles {
  readonly #root: string;
  readonly #known = new Map<string, Known>();
  /** By the video's path and ETag: what is in it. */
  readonly #embedded = new Map<string, EmbeddedParts>();
  #weight = 0;

  constructor(parts: { root: string }) {
    this.#root = parts.root;
  }

  /**
   * Returns the present stamps of clips' files, in the same order. A file that cannot be asked about counts as missing.
   */
  async stamps(segments: readonly Segment[]): Promise<TelemetryStamp[]> {
    return await Promise.all(
      segments.map(async (segment) => {
        const { gps, gsensor } = segment.parts;
        const [gpsStamp, gsensorStamp] = await Promise.all([
          gps === null ? this.#embeddedStampOf(segment, "gps") : this.#stampOf(segment, gps),
          gsensor === null ? this.#embeddedStampOf(segment, "gsensor") : this.#stampOf(segment, gsensor),
        ]);
        return { segment, gps: gpsStamp, gsensor: gsensorStamp };
      }),
    );
  }

  /**
   * The telemetry of clips, in the same order. A file that is gone or cannot be read counts as none; others go on.
   * @param remembers whether it stays in memory: what is about to be shown does
   */
  async read(stamps: readonly TelemetryStamp[], remembers = true): Promise<TimedTelemetry[]> {
    const found: TimedTelemetry[] = [];
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

  /**
   * The files themselves, as far as they are read; null for one that is gone or cannot be read. Nothing is remembered.
   * @param most bytes that are read of each; as many as the viewer reads when left out
   */
  async bytes(
    stamp: TelemetryStamp,
    most: { readonly gps?: number; readonly gsensor?: number } = {},
  ): Promise<TelemetryBytes> {
    const { FORCE, TRACK } = await import("./telemetry_contents.ts");
    const { segment, gsensor } = stamp;
    return {
      gps: await this.gpsBytes(stamp, most.gps ?? TRACK.mostBytes),
      gsensor:
        gsensor &&
        (await this.#bytesOf(pathOf(segment, segment.parts.gsensor ?? ""), gsensor, most.gsensor ?? FORCE.mostBytes)),
    };
  }

  /** The beginning of a clip's file of fixes; null for one that is gone or cannot be read. */
  async gpsBytes({ segment, gps }: Pick<TelemetryStamp, "segment" | "gps">, most: number): Promise<Uint8Array | null> {
    return gps && (await this.#bytesOf(pathOf(segment, segment.parts.gps ?? ""), gps, most));
  }

  async #embeddedStampOf(segment: Segment, part: "gps" | "gsensor"): Promise<FileStamp | null> {
    // Readers of videos and telemetry are loaded with the first of them: the start waits for none of it.
    const { embeddedIn, findEmbedded } = await import("../library/embedded_files.ts");
    const spansOf = async (video: OpenFile) => {
      const key = `${video.etag} ${video.place}`;
      const spans = this.#embedded.get(key) ?? (await embeddedIn(video));
      this.#embedded.delete(key);
      this.#embedded.set(key, spans);
      const [oldest] = this.#embedded.keys();
      if (this.#embedded.size > MOST_EMBEDDED && oldest !== undefined) this.#embedded.delete(oldest);
      return spans;
    };
    const embedded = await findEmbedded(this.#root, segment, part, spansOf).catch(() => null);
    return embedded && { version: `in ${embedded.video.etag}`, embedded };
  }

  async #stampOf(segment: Segment, ending: string): Promise<FileStamp | null> {
    try {
      const path = pathOf(segment, ending);
      const entry = await lstat(join(this.#root, path), { bigint: true });
      if (entry.isFile()) return { version: etagOf(entry) };
      const target = entry.isSymbolicLink() ? await findServedFile(this.#root, path) : null;
      return target && { version: target.etag };
    } catch {
      return null;
    }
  }

  async #of({ segment, gps, gsensor }: TelemetryStamp, remembers: boolean): Promise<TimedTelemetry> {
    const key = pathOf(segment, "");
    const stamp = `${gps?.version} ${gsensor?.version}`;
    const known = this.#known.get(key);
    if (known?.stamp === stamp) {
      // The last one that was asked for is forgotten last.
      this.#known.delete(key);
      this.#known.set(key, known);
      return known;
    }
    const { FORCE, TRACK } = await import("./telemetry_contents.ts");
    const { gps: gpsBytes, gsensor: gsensorBytes } = await this.bytes({ segment, gps, gsensor });
    const fixes = gpsBytes && (await TRACK.of(gpsBytes));
    const force = gsensorBytes && (await FORCE.of(gsensorBytes));
    const read = { track: fixes?.track ?? null, force, startUtc: fixes?.startUtc ?? null };
    // A file that could not be read is asked for again.
    if (remembers && (gps === null || gpsBytes) && (gsensor === null || gsensorBytes)) this.#remember(key, stamp, read);
    return read;
  }

  #remember(key: string, stamp: string, read: TimedTelemetry): void {
    this.#forget(key);
    const weight = 1 + (read.track?.t.length ?? 0) * FIX_WEIGHT + (read.force?.t.length ?? 0);
    this.#known.set(key, { stamp, weight, ...read });
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
  async #bytesOf(path: string, { embedded }: FileStamp, most: number): Promise<Uint8Array | null> {
    try {
      if (!embedded) return await firstBytes(this.#root, path, most);
      const { readEmbedded } = await import("../library/embedded_files.ts");
      return await readEmbedded(this.#root, embedded, most);
    } catch {
      return null;
    }
  }
}
