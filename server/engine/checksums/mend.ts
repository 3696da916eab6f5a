import type { Clock } from "../../clock.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import type { FileSum } from "../../domain/checksums/file_judgement.ts";
import {
  nameOf,
  ordinalOf,
  parseArtifact,
  parseRecording,
  type RecordingName,
} from "../../domain/recordings/recording_name.ts";
import type { PlannedFile } from "../../domain/sync/download_plan.ts";
import type { Log } from "../../log.ts";
import type { Destination } from "../../store/destination/destination.ts";
import { DestinationProblem, FileInTheWay } from "../../store/destination/destination_problem.ts";
import { TrashUnusable } from "../../store/destination/own_folder_guard.ts";
import type { PartialFile } from "../../store/destination/partial_file.ts";
import type { PartialRecords } from "../../store/destination/partial_records.ts";
import { setAside } from "../../store/destination/set_aside.ts";
import { SumsUnusable } from "../../store/destination/sums.ts";
import { errorCode } from "../../store/error_code.ts";
import type { Library } from "../../store/library/library.ts";
import { isOurs } from "../retention/due.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import type { MendingVisit } from "../run/sync.ts";
import type { Checksums, DamagedFile } from "./checksums.ts";
import { NEVER_READ } from "./file_check.ts";

export interface MendingParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly checksums: Checksums;
  readonly library: Library;
  readonly recordings: Destination;
  readonly records: PartialRecords;
  readonly retention: Pick<RetentionParts, "guard" | "trash">;
}

const LOGGER = "checksums";
/** Files in a row that the camera does not send, or has otherwise: others would only cost time. */
const MOST_FRUITLESS = 3;
/** A file that the camera has otherwise is not fetched again before so long. */
const AGAIN_MS = 86_400_000;

/** Errors for which a file stays as it is, and the run goes on. */
const KNOWN = [FileInTheWay, TrashUnusable, SumsUnusable] as const;

type End = "mended" | "not" | "left";

/**
 * Mends damaged files at home, while the camera has their recordings: each is fetched again beside the damaged one,
 * which goes to the trash when the new one is whole. Whole is what has the checksum of the file that came home.
 */
export class Mending {
  readonly #parts: MendingParts;
  /** By path, on the clock that never jumps: when the camera had another file of that name. */
  readonly #others = new Map<string, number>();

  constructor(parts: MendingParts) {
    this.#parts = parts;
  }

  /** @throws the signal's reason, and what ends a run: the folder is another one by now, or the disk refuses */
  async run(visit: MendingVisit): Promise<void> {
    const { checksums, clock } = this.#parts;
    checksums.refresh();
    if (checksums.damagedOrAway.length === 0) return;
    const listed = new Set(visit.listed.map(({ name }) => name));
    await this.#placeWaiting(listed, visit);
    const { damaged } = checksums;
    let fruitless = 0;
    for (const one of damaged) {
      if (fruitless >= MOST_FRUITLESS) return;
      visit.signal.throwIfAborted();
      const other = this.#others.get(one.path);
      if (other !== undefined && clock.elapsed() - other < AGAIN_MS) continue;
      const file = this.#fileOf(one, listed, visit);
      if (file === null) continue;
      const end = await this.#mend(one, file, visit);
      if (end === "left") return;
      fruitless = end === "mended" ? 0 : fruitless + 1;
    }
  }

  /** The file as it is asked for; null when the camera does not have its recording. */
  #fileOf({ name, folder }: DamagedFile, listed: ReadonlySet<string>, { offers }: MendingVisit): PlannedFile | null {
    const read = parseArtifact(name);
    // The camera calls a further recording of a name as the first; what lies in a user's own folder is the user's.
    if (read === null || ordinalOf(name) > 1 || !isOurs(folder) || !offers(read.kind)) return null;
    const recording = this.#recordingOf(read, listed);
    return recording && { recording, kind: read.kind, names: [name], folder, newest: false };
  }

  /** The listed video that a file belongs to, or is itself. */
  #recordingOf({ name, kind, key, direction }: RecordingName, listed: ReadonlySet<string>): RecordingName | null {
    if (kind === "mp4") return listed.has(name) ? parseRecording(name) : null;
    const endings = this.#parts.library.group(key)?.endings ?? [];
    const isBeside = (ending: string) => ending.endsWith(".mp4") && (direction === "" || ending.startsWith(direction));
    const videos = endings.filter(isBeside).map((ending) => nameOf(key, ending));
    const video = videos.find((one) => listed.has(one));
    return video === undefined ? null : parseRecording(video);
  }

  /**
   * Puts whole files in their places that had come when the program was killed, and that the camera does not have any
   * more. Others are left to the download, which goes on with them.
   */
  async #placeWaiting(listed: ReadonlySet<string>, visit: MendingVisit): Promise<void> {
    const { checksums, library } = this.#parts;
    const partials = new Set(library.partials());
    for (const one of partials.size === 0 ? [] : checksums.damagedOrAway) {
      visit.signal.throwIfAborted();
      if (!partials.has(one.name) || ordinalOf(one.name) > 1 || !isOurs(one.folder)) continue;
      if (this.#fileOf(one, listed, visit) !== null) continue;
      await this.#guarded(one, visit.signal, () => this.#placeIfWhole(one));
    }
  }

  async #placeIfWhole(one: DamagedFile): Promise<End> {
    const { checksums, recordings, records } = this.#parts;
    const { path, name } = one;
    const known = checksums.sums.find(one);
    if (known === null || !(await this.#isWanted(one))) return "not";
    const wasNeverRead = known.sha256 === NEVER_READ;
    const size = recordings.partialSize(name);
    if (size === 0 || size !== (wasNeverRead ? records.read(name)?.total : known.size)) return "not";
    if (wasNeverRead && (await checksums.digestOf(path)) !== null) return "not";
    const fresh = await checksums.digestOf(`.${name}`);
    if (fresh === null || !isSame(known, fresh)) return "not";
    const partial = recordings.openPartial(name, size);
    try {
      return await this.#swap(one, partial);
    } finally {
      partial.close();
    }
  }

  /** True while the damaged file lies in its place, or is gone because a whole one was to come. */
  async #isWanted(one: DamagedFile): Promise<boolean> {
    const { library, retention, checksums } = this.#parts;
    const { name, moment, ending, folder } = one;
    if (library.hasIn(name, folder)) return true;
    if (library.has(name)) return false;
    // The last deletion comes first. A file that a user has deleted since does not come back.
    const entries = await retention.trash.entries();
    const own = entries.filter((entry) => entry.moment === moment && entry.folder === folder);
    const last = own.find(({ batch, set }) => batch.cause !== "damaged" || set.endings.includes(ending));
    // A deleted recording is noted as away until its checksums are forgotten; a damaged file that makes room is not.
    return last === undefined ? !checksums.sums.read((rows) => rows.isAway(one), true) : last.batch.cause === "damaged";
  }

  async #mend(one: DamagedFile, file: PlannedFile, { fetch, signal }: MendingVisit): Promise<End> {
    const { log } = this.#parts;
    return await this.#guarded(one, signal, async () => {
      const outcome = await fetch(file);
      if (outcome.kind === "received") {
        const partial = await outcome.partial();
        try {
          return await this.#place(one, partial);
        } finally {
          partial.close();
        }
      }
      if (outcome.kind !== "failed") return "not";
      const { problem } = outcome;
      log.debug(LOGGER, `${one.path} is damaged, and could not be downloaded again: ${problem.message}`);
      return problem instanceof DashcamProblem && problem.isConnection ? "left" : "not";
    });
  }

  /** Runs the work on one file; what stands in its way is told. @throws what ends a run */
  async #guarded(one: DamagedFile, signal: AbortSignal, work: () => Promise<End>): Promise<End> {
    const { log } = this.#parts;
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DestinationProblem) throw error;
      const isKnown = KNOWN.some((kind) => error instanceof kind) || errorCode(error) !== "";
      if (!(error instanceof Error) || !isKnown) throw error;
      log.warning(LOGGER, `${one.path} is damaged, and could not be replaced: ${error.message}`);
      return "not";
    }
  }

  /** Puts a file that has come in the place of the damaged one, when it is the one that came home. */
  async #place(one: DamagedFile, partial: PartialFile): Promise<End> {
    const { checksums, recordings, records, log, clock } = this.#parts;
    const { path, name } = one;
    await partial.flush();
    const known = checksums.sums.find(one);
    const fresh = await checksums.digestOf(`.${name}`);
    // A disk may have its bad days: what it could never read it may read now.
    const isReadable = known?.sha256 === NEVER_READ && (await checksums.digestOf(path)) !== null;
    if (known !== null && fresh !== null && !isReadable && isSame(known, fresh)) {
      return await this.#swap(one, partial);
    }
    const here = await checksums.digestOf(path);
    partial.close();
    await recordings.discardPartial(name);
    records.remove(name);
    // The same on the camera and on the disk: the checksums were of something else.
    if (isReadable || (fresh !== null && here !== null && isSame(here, fresh))) {
      await checksums.takeAnew(one);
      return "mended";
    }
    this.#others.set(path, clock.elapsed());
    log.warning(LOGGER, `${path} is damaged, and the camera has another file of this name: it stays as it is`);
    return "not";
  }

  /** Moves the damaged file to the trash, unless it lies there already, and gives the whole one its name. */
  async #swap(one: DamagedFile, partial: PartialFile): Promise<End> {
    const { recordings, records, retention, library, log, clock } = this.#parts;
    const { path, name, folder } = one;
    if (library.hasIn(name, folder)) {
      const place = { root: recordings.root, trash: retention.trash, home: library, now: clock.now() };
      await retention.guard.run(async () => {
        await retention.trash.prepare();
        recordings.requireSame();
        await setAside(place, one, "damaged");
      });
    }
    await recordings.finish(partial, folder);
    records.remove(name);
    const words = `${path} was damaged, and was downloaded again; the damaged file is in the trash`;
    log.info(LOGGER, words, { event: "file_mended", filename: path });
    return "mended";
  }
}

function isSame(known: FileSum, fresh: FileSum): boolean {
  // Nothing but its structure tells about a file that could never be read.
  if (known.sha256 === NEVER_READ) return fresh.isWholeVideo;
  return known.sha256 === fresh.sha256 && known.size === fresh.size;
}
