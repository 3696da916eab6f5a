import { chmod, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { CONFIG_VISIT } from "../../domain/api/camera_schema.ts";
import type { ConfigVisit } from "../../domain/camera/config_changes.ts";
import { type Log, messageOf } from "../../log.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

const LOGGER = "camera";
/** More than the camera's files can be. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Visits that are remembered; the oldest go first. */
export const MOST_VISITS = 200;

/** What the camera's files said when they were read last. */
export interface CameraSnapshot {
  /** Epoch milliseconds. */
  readonly readAt: number;
  readonly model: string | null;
  readonly firmware: string | null;
  /** `config.ini`, byte by byte. */
  readonly config: Uint8Array;
}

const SNAPSHOT = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    read_at: v.pipe(v.string(), v.isoTimestamp()),
    model: v.nullable(v.string()),
    firmware: v.nullable(v.string()),
  }),
);
const VISITS = v.pipe(v.string(), v.parseJson(), v.array(CONFIG_VISIT));

/**
 * The folder `camera` in the config folder: the camera's settings as they were read last, and a log of what changed in
 * them. Only its owner may read it: the camera's passwords are in it. What cannot be read counts as not there; what
 * cannot be written is known until the restart.
 */
export class CameraSnapshotFiles {
  readonly #folder: string;
  readonly #log: Log;
  #snapshot: CameraSnapshot | null = null;
  #visits: readonly ConfigVisit[] = [];
  #opening: Promise<void> | null = null;
  #queue: Promise<void> = Promise.resolve();

  constructor(configDir: string, log: Log) {
    this.#folder = join(configDir, "camera");
    this.#log = log;
  }

  /** Reads what there is; later calls wait for the first. */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** What was read last; null before the first time. */
  get snapshot(): CameraSnapshot | null {
    return this.#snapshot;
  }

  /** What changed, visit by visit, the oldest first. */
  get visits(): readonly ConfigVisit[] {
    return this.#visits;
  }

  /** Takes over what was read, and the visits as they are then; resolves when it is written, or was refused. */
  keep(snapshot: CameraSnapshot, visits: readonly ConfigVisit[]): Promise<void> {
    const { config, readAt, ...version } = snapshot;
    const isOther = this.#snapshot === null || Buffer.compare(this.#snapshot.config, config) !== 0;
    this.#snapshot = snapshot;
    return this.#write(visits, async () => {
      if (isOther) await replaceFile(this.#at("config.ini"), config);
      const text = JSON.stringify({ read_at: new Date(readAt).toISOString(), ...version }, null, 2);
      await replaceFile(this.#at("snapshot.json"), `${text}\n`);
    });
  }

  /** Takes over the visits; resolves when they are written, or were refused. */
  keepVisits(visits: readonly ConfigVisit[]): Promise<void> {
    return this.#write(visits, async () => {});
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#queue;
  }

  /** What changed is written first: a crash between the two finds it again, and loses nothing. */
  #write(visits: readonly ConfigVisit[], rest: () => Promise<void>): Promise<void> {
    const areOther = visits !== this.#visits;
    this.#visits = visits.slice(-MOST_VISITS);
    const text = `${JSON.stringify(this.#visits, null, 2)}\n`;
    this.#queue = this.#queue.then(async () => {
      try {
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        if (areOther) await replaceFile(this.#at("changes.json"), text);
        await rest();
      } catch (error) {
        this.#log.warning(LOGGER, `could not save the camera snapshot: ${errorCode(error) || messageOf(error)}`);
      }
    });
    return this.#queue;
  }

  async #open(): Promise<void> {
    try {
      await this.#tighten(this.#folder, 0o700);
      for (const name of ["config.ini", "snapshot.json"]) await this.#tighten(this.#at(name), 0o600);
      const { read_at, ...version } = v.parse(SNAPSHOT, await this.#text("snapshot.json"));
      const config = await readFile(this.#at("config.ini"));
      this.#snapshot = { readAt: Date.parse(read_at), ...version, config };
      this.#visits = v.parse(VISITS, await this.#text("changes.json", "[]"));
    } catch (error) {
      if (errorCode(error) === "ENOENT") return;
      const why = errorCode(error) || messageOf(error);
      this.#log.warning(LOGGER, `The camera's settings of before cannot be read from ${this.#folder}: ${why}`);
    }
  }

  async #text(name: string, missing?: string): Promise<string> {
    try {
      const { size } = await stat(this.#at(name));
      if (size > MOST_BYTES) throw new Error(`${name} is far longer than it can be`);
      return await readFile(this.#at(name), "utf8");
    } catch (error) {
      if (missing !== undefined && errorCode(error) === "ENOENT") return missing;
      throw error;
    }
  }

  /** The camera's passwords are in these files, in a form that anyone can read. */
  async #tighten(path: string, mode: number): Promise<void> {
    if (((await stat(path)).mode & 0o077) === 0) return;
    this.#log.warning(LOGGER, `tightening permissions of ${path}`);
    await chmod(path, mode);
  }

  #at(name: string): string {
    return join(this.#folder, name);
  }
}
