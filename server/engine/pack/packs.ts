import { ChangedFile } from "../../store/clips/archive_source.ts";
import type { FileChecksums } from "../../store/clips/file_checksums.ts";
import type { Films } from "../../store/clips/films.ts";
import type { PackedVideos } from "../../store/clips/packed_videos.ts";
import type { RecordingArchive } from "../../store/clips/recording_archive.ts";
import type { RecordingIndex } from "../../store/clips/recording_index.ts";
import type { SigningKeyFile } from "../../store/config/pack_signing.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import { Turns } from "../../turns.ts";
import { fileTimes } from "./file_times.ts";
import { makePack, type PackAbout } from "./make_pack.ts";
import { chooseClips, type PackChoice, type PackOrder } from "./pack_clips.ts";
import type { PackPlace } from "./pack_sources.ts";
import type { TimeStamps } from "./time_stamps.ts";

/** Packs made at once: each holds its texts, which are some ten megabytes for a day. */
const WIDTH = 2;
/** A file that changes while its pack is made is looked at once more. */
const TRIES = 2;

/** Known facts about the files of one camera. */
export interface PackFiles {
  readonly checksums: FileChecksums;
  readonly videos: PackedVideos;
}

/** Parts of one camera from which a pack is made. */
export interface PackSource {
  readonly segments: Pick<RecordingIndex, "root" | "between">;
  readonly history: Pick<RunHistory, "allNotes">;
  readonly files: PackFiles;
  readonly films: Pick<Films, "open">;
  readonly stills: PackPlace["stills"];
}

export interface MadePack {
  readonly archive: RecordingArchive;
  readonly choice: PackChoice;
}

/** Makes packs of all cameras, signed with the one key of the installation. */
export class Packs {
  readonly #key: SigningKeyFile;
  readonly #stamps: TimeStamps;
  readonly #turns = new Turns(WIDTH);

  constructor({ key, stamps }: { readonly key: SigningKeyFile; readonly stamps: TimeStamps }) {
    this.#key = key;
    this.#stamps = stamps;
  }

  /**
   * Makes a pack, as soon as it is its turn.
   * @param sending as in `makePack`
   * @returns null when nothing of these cameras is there
   * @throws the signal's reason when the client has gone; ChangedFile; AppError SIGNING_KEY_UNUSABLE
   */
  async make(
    source: PackSource,
    order: PackOrder,
    about: PackAbout,
    sending: { readonly isWhole: boolean; readonly signal: AbortSignal },
  ): Promise<MadePack | null> {
    return await this.#turns.run(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#make(source, order, about, sending);
        } catch (error) {
          if (!(error instanceof ChangedFile) || attempt === TRIES) throw error;
        }
      }
    }, sending.signal);
  }

  async #make(
    { segments, history, films, stills, files: { checksums, videos } }: PackSource,
    order: PackOrder,
    about: PackAbout,
    sending: { readonly isWhole: boolean; readonly signal: AbortSignal },
  ): Promise<MadePack | null> {
    const choice = await chooseClips({ segments, videos }, order);
    if (choice === null) return null;
    const parts = {
      place: { root: segments.root, stills },
      checksums,
      films,
      key: this.#key,
      stamps: this.#stamps,
      timesOf: fileTimes(history),
    };
    const archive = await makePack(parts, choice, about, sending);
    return archive && { archive, choice };
  }
}
