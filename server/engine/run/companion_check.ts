import type { Companion } from "../../dashcam/generation.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import type { ListedFile } from "../../domain/recordings/camera_listing.ts";
import { nameOf, parseArtifact, type RecordingName } from "../../domain/recordings/recording_name.ts";
import type { PlannedFile } from "../../domain/sync/download_plan.ts";
import { kindsWithout } from "../../domain/sync/wanted_files.ts";
import { DestinationProblem, FileInTheWay } from "../../store/destination/destination_problem.ts";
import { TrashUnusable } from "../../store/destination/own_folder_guard.ts";
import { replaceCompanion } from "../../store/destination/replaced_companion.ts";
import { setAside } from "../../store/destination/set_aside.ts";
import { UnprovenCompanions } from "../../store/destination/unproven_companions.ts";
import { errorCode } from "../../store/error_code.ts";
import { isOurs } from "../retention/due.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import { CompanionTransfer } from "../transfer/companion_transfer.ts";
import { DiskFull } from "../transfer/failure_of_error.ts";
import type { DownloadParts, FetchParts } from "../transfer/transfer_outcome.ts";
import type { SyncRules } from "./sync_rules.ts";

interface Parts extends Pick<FetchParts, "library" | "log">, DownloadParts {
  readonly rules: Pick<SyncRules, "metadataFirst" | "skipMetadata" | "dryRun">;
  readonly retention: Pick<RetentionParts, "guard" | "trash">;
  /** Files that the camera lists. */
  readonly listed: readonly ListedFile[];
}

/** A companion at home whose video is here, too. */
interface Doubtful {
  readonly companion: Companion;
  readonly folder: string;
}

/** Number of companions in a row that the camera does not send: others would only cost time. */
const MOST_FRUITLESS = 3;
/** Number of lists that name the video, and of answers that it has no such companion. */
const ABSENT_LISTS = 2;
/** Errors that keep one companion from being asked for, or from being put in its place. */
const KNOWN = [DashcamProblem, FileInTheWay, TrashUnusable, DiskFull];
/** A video that takes so long leaves time to ask for its companions twice. */
const LONG_MS = 1000;

/**
 * Asks once more, behind a video, for the companions that came without it. The camera may still have been writing them.
 * On a card that was swapped since, another recording may have had the name. Better ones are put in their place.
 */
export class CompanionCheck {
  readonly #parts: Parts;
  readonly #kinds: readonly Companion["kind"][];
  #unproven: UnprovenCompanions | null = null;
  /** Names that came in this run, and whether they have an end. */
  readonly #came = new Map<string, boolean>();
  /** Videos that came in this run. */
  readonly #filmed = new Set<string>();
  /** Names that were asked for once more in this run. */
  readonly #asked = new Set<string>();
  /** Their videos have come since what is at home was looked at. */
  #videos: { readonly recording: RecordingName; readonly tookMs: number }[] = [];
  #fruitless = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#kinds = kindsWithout(parts.rules.skipMetadata).filter((kind) => kind !== "mp4");
  }

  /** Notes, before any of these files comes, what of them is or may be here ahead of its video. */
  async begin(planned: readonly PlannedFile[]): Promise<void> {
    const { rules, library, recordings } = this.#parts;
    if (rules.dryRun) return;
    this.#unproven = await UnprovenCompanions.open(recordings.root, recordings);
    const names: string[] = [];
    for (const { recording, kind, names: own } of planned) {
      if (kind !== "mp4") names.push(...(library.has(recording.name) ? [] : own));
      // An earlier version never wrote down the companions that it brought ahead.
      else if (rules.metadataFirst) names.push(...this.#namesOf(recording).filter((name) => library.has(name)));
    }
    await this.#unproven.add(names);
  }

  /** A file was asked for. @param came how it came; null when it did not */
  note(
    { kind, names, recording }: PlannedFile,
    came: { readonly isOpenEnded?: boolean; readonly tookMs: number } | null,
  ): void {
    if (came === null || this.#unproven === null) return;
    if (kind === "mp4") {
      this.#videos.push({ recording, tookMs: came.tookMs });
      this.#filmed.add(recording.name);
    } else if (this.#filmed.has(recording.name) || this.#parts.library.has(recording.name))
      for (const name of names) this.#unproven.remove(name);
    else for (const name of names) this.#came.set(name, came.isOpenEnded !== true);
  }

  /** The camera was away for a while, in which its card may have been swapped: what came before is as of another run. */
  doubtAll(): void {
    this.#came.clear();
  }

  /**
   * Asks for the companions that were noted because they came ahead of their videos. One that cannot be asked for now
   * stays in doubt.
   * @throws the signal's reason
   */
  async checkEarlier(signal: AbortSignal): Promise<void> {
    const unproven = this.#unproven;
    if (unproven === null) return;
    for (const { recording, tookMs } of this.#videos.splice(0)) {
      for (const name of this.#namesOf(recording)) {
        if (!unproven.has(name)) continue;
        // It came in this run, and its recording had ended. In a list of thousands the second question costs more than
        // it tells, unless a video takes so long that it costs nothing.
        if (this.#came.get(name) === true && tookMs < LONG_MS) unproven.remove(name);
        else await this.#check(name, recording.name, signal);
      }
    }
  }

  /** As `checkEarlier`, of what earlier runs left, too; then writes down what is still in doubt. */
  async end(signal: AbortSignal): Promise<void> {
    await this.checkEarlier(signal);
    const unproven = this.#unproven;
    if (unproven === null || unproven.names.length === 0) return;
    const listed = new Set(this.#parts.listed.map(({ name }) => name));
    for (const name of unproven.names) {
      const video = this.#videoOf(name, listed);
      if (video !== null) await this.#check(name, video, signal);
    }
  }

  /** Writes down what is still in doubt, however the run ends. */
  async save(): Promise<void> {
    const unproven = this.#unproven;
    if (unproven === null) return;
    // A companion that is not at home is not in doubt.
    const { library } = this.#parts;
    if (library.available && library.unreadable.length === 0) unproven.keepOnly((name) => library.has(name));
    await unproven.save();
  }

  async #check(name: string, video: string, signal: AbortSignal): Promise<void> {
    const { library, log, clock, dashcam } = this.#parts;
    const unproven = this.#unproven;
    const kind = parseArtifact(name)?.kind ?? "mp4";
    const folder = library.folderOf(name);
    if (unproven === null || kind === "mp4" || folder === null || this.#asked.has(name)) return;
    if (this.#fruitless >= MOST_FRUITLESS || !dashcam.offers(kind) || !unproven.isDue(name, clock.now())) return;
    // Files in a user's own folder are the user's.
    if (!isOurs(folder)) return unproven.remove(name);
    this.#asked.add(name);
    try {
      const isSure = await this.#askAgain({ companion: { name, kind, video }, folder }, unproven, signal);
      this.#fruitless = 0;
      if (isSure === true) unproven.remove(name);
      if (isSure === false) unproven.noteFruitless(name, clock.now());
    } catch (error) {
      signal.throwIfAborted();
      // The folder is another one by now.
      if (error instanceof DestinationProblem) throw error;
      const isKnown = KNOWN.some((kind) => error instanceof kind) || errorCode(error) !== "";
      if (!(error instanceof Error) || !isKnown) throw error;
      this.#fruitless++;
      unproven.noteFruitless(name, clock.now());
      log.debug("sync", `${name} could not be asked for once more: ${error.message}`);
    }
  }

  /** True when the one at home is sure now; null while that waits for the next list. */
  async #askAgain(
    { companion, folder }: Doubtful,
    unproven: UnprovenCompanions,
    signal: AbortSignal,
  ): Promise<boolean | null> {
    const { recordings, log } = this.#parts;
    const { name, kind } = companion;
    const outcome = await new CompanionTransfer(this.#parts, companion, signal).run();
    if (outcome.kind === "absent" || outcome.kind === "empty") {
      if (unproven.noteAbsent(name) < ABSENT_LISTS) return null;
      await this.#setAside(name, folder);
      log.info("sync", `${name} came before its video, and the camera has none: it was moved to the trash`);
      return true;
    }
    if (outcome.kind !== "received") return false;
    const partial = await outcome.partial();
    try {
      const placed = await replaceCompanion(recordings, { partial, kind, folder }, () => this.#setAside(name, folder));
      if (placed === "better")
        log.info(
          "sync",
          `${name} has changed since it came without its video, and was replaced; the old one is in the trash`,
        );
      return placed !== "worse";
    } finally {
      partial.close();
    }
  }

  /** @throws TrashUnusable, and the file system's own errors */
  async #setAside(name: string, folder: string): Promise<void> {
    const { recordings, library, retention, clock } = this.#parts;
    const { guard, trash } = retention;
    await guard.run(async () => {
      await trash.prepare();
      await setAside({ root: recordings.root, trash, home: library, now: clock.now() }, { name, folder });
    });
  }

  #namesOf(recording: RecordingName): string[] {
    // Companions that the directions share are checked with the first of them.
    const kinds = this.#hasOtherVideo(recording) ? this.#kinds.filter((kind) => kind === "thm") : this.#kinds;
    return kinds.flatMap((kind) => recording.namesOf(kind));
  }

  /** True when another direction's video was at home before this run. */
  #hasOtherVideo({ key, name }: RecordingName): boolean {
    const others = (this.#parts.library.group(key)?.endings ?? [])
      .filter((ending) => ending.endsWith(".mp4"))
      .map((ending) => nameOf(key, ending));
    return others.some((other) => other !== name && !this.#filmed.has(other));
  }

  /** The listed video at home that a companion lies beside; null when there is none. */
  #videoOf(companion: string, listed: ReadonlySet<string>): string | null {
    const read = parseArtifact(companion);
    if (read === null || !this.#kinds.some((kind) => kind === read.kind)) return null;
    const { key, direction } = read;
    const videos = (this.#parts.library.group(key)?.endings ?? []).filter((ending) => ending.endsWith(".mp4"));
    const isBeside = (ending: string) => direction === "" || ending.startsWith(direction);
    const found = videos.find((ending) => isBeside(ending) && listed.has(nameOf(key, ending)));
    return found === undefined ? null : nameOf(key, found);
  }
}
