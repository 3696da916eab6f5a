import type { Companion } from "../../dashcam/generation.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import type { ArtifactKind, RecordingName } from "../../domain/recordings/recording_name.ts";
import { isMetadata, type PlannedFile } from "../../domain/sync/download_plan.ts";
import { FileInTheWay } from "../../store/destination/destination_problem.ts";
import type { PartialFile } from "../../store/destination/partial_file.ts";
import { replaceCompanion } from "../../store/destination/replaced_companion.ts";
import { isOurs } from "../retention/due.ts";
import { CompanionTransfer } from "./companion_transfer.ts";
import type { DownloadParts, FetchParts } from "./transfer_outcome.ts";

type Parts = Pick<FetchParts, "library" | "log"> & DownloadParts;

/**
 * Asks once more, behind a video, for the thumbnail and GPS that an earlier run has brought without it: the camera may have
 * been writing them still, or another recording may have had the name, on a card that was formatted since. What is
 * different is put in their place.
 */
export class CompanionCheck {
  readonly #parts: Parts;
  readonly #kinds: readonly Companion["kind"][];
  /** Names that came in this run, or were asked for once more. */
  readonly #sure = new Set<string>();
  /** Their videos have come since what is at home was looked at. */
  readonly #videos: { readonly recording: RecordingName; readonly isFirst: boolean }[] = [];

  /** @param kinds those that may have come ahead of their video */
  constructor(parts: Parts, kinds: readonly ArtifactKind[]) {
    this.#parts = parts;
    this.#kinds = kinds.filter(isMetadata);
  }

  /** A file was asked for. @param came whether it is here */
  note({ kind, names, recording }: PlannedFile, came: boolean): void {
    if (kind !== "mp4") for (const name of names) this.#sure.add(name);
    // What the directions share is checked with the first of them.
    else if (came) this.#videos.push({ recording, isFirst: !this.#hasOtherVideo(recording) });
  }

  /**
   * Asks for what came ahead of the videos that were noted. What cannot be asked for now stays as it is.
   * @throws the signal's reason
   */
  async checkEarlier(signal: AbortSignal): Promise<void> {
    for (const { recording, isFirst } of this.#videos.splice(0)) await this.#checkOf(recording, isFirst, signal);
  }

  async #checkOf(recording: RecordingName, isFirst: boolean, signal: AbortSignal): Promise<void> {
    for (const kind of this.#kinds) {
      if (kind === "gps" && !isFirst) continue;
      for (const name of recording.namesOf(kind)) {
        if (this.#sure.has(name)) continue;
        const folder = this.#parts.library.folderOf(name);
        // What lies in a folder of a user's own is the user's.
        if (folder === null || !isOurs(folder)) continue;
        this.#sure.add(name);
        try {
          await this.#askAgain({ name, kind, video: recording.name }, folder, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof DashcamProblem || error instanceof FileInTheWay)) throw error;
          this.#parts.log.debug("sync", `${name} could not be asked for once more: ${error.message}`);
        }
      }
    }
  }

  async #askAgain(companion: Companion, folder: string, signal: AbortSignal): Promise<void> {
    const { recordings, log } = this.#parts;
    const outcome = await new CompanionTransfer(this.#parts, companion, signal).run();
    if (outcome.kind !== "received") return;
    const partial: PartialFile = await outcome.partial();
    try {
      if (await replaceCompanion(recordings, partial, folder))
        log.info("sync", `${companion.name} has changed since it came without its video, and was replaced`);
    } finally {
      partial.close();
    }
  }

  /** Whether another direction's video was at home already. */
  #hasOtherVideo({ base, type, name }: RecordingName): boolean {
    const group = this.#parts.library.group(`${base}_${type}`);
    return group?.endings.some((ending) => ending.endsWith(".mp4") && !name.endsWith(ending)) ?? false;
  }
}
