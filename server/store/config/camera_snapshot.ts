import { chmod, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import type { ConfigVisit } from "../../domain/camera/config_changes.ts";
import { parseConfig } from "../../domain/camera/config_file.ts";
import { type CameraIdentity, identityOf } from "../../domain/camera/other_camera.ts";
import { type Log, messageOf } from "../../log.ts";
import { Turns } from "../../turns.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

const LOGGER = "camera";
/** More than the camera's files can be. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Visits that are remembered; the oldest go first. */
export const MOST_VISITS = 200;
/** Characters of the visits that are remembered, the newest always being: far more than 200 of a real camera take. */
const MOST_VISIT_TEXT = 1024 * 1024;

/** The camera's files as they were read last. */
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
    identity: v.optional(v.object({ model: v.string(), hotspot: v.string() })),
  }),
);

/**
 * The folder `camera` in the config folder: the camera's settings as they were read last, and a log of their changes.
 * Only its owner may read it: the camera's passwords are in it. A file that cannot be read counts as missing. Settings
 * that cannot be written are known until the restart.
 */
export class CameraSnapshotFiles {
  readonly #folder: string;
  readonly #log: Log;
  #snapshot: CameraSnapshot | null = null;
  #identity: CameraIdentity | null = null;
  #visits: readonly ConfigVisit[] = [];
  /** As the files have them: what could not be written is written with what comes next. */
  #savedConfig: Uint8Array | null = null;
  #savedVisits: readonly ConfigVisit[] = this.#visits;
  #opening: Promise<void> | null = null;
  readonly #turns = new Turns(1);

  constructor(configDir: string, log: Log) {
    this.#folder = join(configDir, "camera");
    this.#log = log;
  }

  /** Reads what there is; later calls wait for the first. */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** The settings that were read last; null before the first time. */
  get snapshot(): CameraSnapshot | null {
    return this.#snapshot;
  }

  /** The camera as it told of itself when it last did; null before. */
  get identity(): CameraIdentity | null {
    return this.#identity;
  }

  /** Changes, visit by visit, the oldest first. */
  get visits(): readonly ConfigVisit[] {
    return this.#visits;
  }

  /** Takes over what was read, and the visits as they are then; resolves when it is written, or was refused. */
  keep(snapshot: CameraSnapshot, visits: readonly ConfigVisit[]): Promise<void> {
    const { config, readAt, ...version } = snapshot;
    const told = identityIn(snapshot);
    this.#snapshot = snapshot;
    this.#identity = told ?? this.#identity;
    // Known from before: this time it did not tell.
    const identity = told === null && this.#identity !== null ? { identity: this.#identity } : {};
    return this.#write(visits, async () => {
      const isOther = this.#savedConfig === null || Buffer.compare(this.#savedConfig, config) !== 0;
      if (isOther) await replaceFile(this.#at("config.ini"), config);
      this.#savedConfig = config;
      const text = JSON.stringify({ read_at: new Date(readAt).toISOString(), ...version, ...identity }, null, 2);
      await replaceFile(this.#at("snapshot.json"), `${text}\n`);
    });
  }

  /** Takes over the visits; resolves when they are written, or were refused. */
  keepVisits(visits: readonly ConfigVisit[]): Promise<void> {
    return this.#write(visits, async () => {});
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#turns.run(async () => {});
  }

  /**
   * Changes are written first: after a crash between the two writes, the next start finds them again, and loses
   * nothing.
   */
  #write(visits: readonly ConfigVisit[], rest: () => Promise<void>): Promise<void> {
    const kept = newestOf(visits);
    this.#visits = kept;
    return this.#turns.run(async () => {
      try {
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        if (kept !== this.#savedVisits)
          await replaceFile(this.#at("changes.json"), `${JSON.stringify(kept, null, 2)}\n`);
        this.#savedVisits = kept;
        await rest();
      } catch (error) {
        this.#log.warning(LOGGER, `could not save the camera snapshot: ${errorCode(error) || messageOf(error)}`);
      }
    });
  }

  async #open(): Promise<void> {
    await this.#opened("The camera's settings of before cannot be read", async () => {
      await this.#tighten(this.#folder, 0o700);
      for (const name of ["config.ini", "snapshot.json"]) await this.#tighten(this.#at(name), 0o600);
      const { read_at, identity = null, ...version } = v.parse(SNAPSHOT, await this.#text("snapshot.json"));
      const config = await readFile(this.#at("config.ini"));
      this.#snapshot = { readAt: Date.parse(read_at), ...version, config };
      this.#identity = identityIn(this.#snapshot) ?? identity;
      this.#savedConfig = config;
    });
    // They outlast a snapshot that is lost: the next change would otherwise be written over them.
    await this.#opened("What changed in the camera's settings cannot be read", async () => {
      const text = await this.#text("changes.json");
      const { CONFIG_VISIT } = await import("../../domain/camera/camera_schema.ts");
      this.#visits = v.parse(v.pipe(v.string(), v.parseJson(), v.array(CONFIG_VISIT)), text);
      this.#savedVisits = this.#visits;
    });
  }

  async #opened(problem: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (errorCode(error) === "ENOENT") return;
      this.#log.warning(LOGGER, `${problem} from ${this.#folder}: ${errorCode(error) || messageOf(error)}`);
    }
  }

  async #text(name: string): Promise<string> {
    const { size } = await stat(this.#at(name));
    if (size > MOST_BYTES) throw new Error(`${name} is far longer than it can be`);
    return await readFile(this.#at(name), "utf8");
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

function identityIn({ model, config }: CameraSnapshot): CameraIdentity | null {
  return identityOf(model, parseConfig(config));
}

/** The newest visits, as many as are remembered; the list itself when that is all of them. */
function newestOf(visits: readonly ConfigVisit[]): readonly ConfigVisit[] {
  let from = visits.length;
  let text = 0;
  while (from > 0 && visits.length - from < MOST_VISITS) {
    text += JSON.stringify(visits[from - 1], null, 2).length;
    if (text > MOST_VISIT_TEXT && from < visits.length) break;
    from--;
  }
  return from === 0 ? visits : visits.slice(from);
}
