import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Library } from "../../store/library/library.ts";
import type { Checksums } from "./checksums.ts";
import type { MissingParts } from "./missing_files.ts";

export interface ScrubParts extends Pick<MissingParts, "trash"> {
  readonly clock: Clock;
  readonly log: Log;
  readonly checksums: Checksums;
  readonly library: Library;
  /** Days in which every file is read again; 0 for never. */
  readonly days: () => number;
  /** True for a recording that the camera lists: without its checksum the card is not safe to format. */
  readonly isOnCamera: (moment: number) => boolean | null;
  readonly isHere: () => boolean;
  /** As in `RecordingCheckParts`. */
  readonly refusal: () => Promise<string | null>;
  /** True while a run, an import or a check by hand goes on. */
  readonly isBusy: () => boolean;
  /** Does some work, after which memory is given back. */
  readonly during: (work: () => Promise<void>) => Promise<void>;
}
