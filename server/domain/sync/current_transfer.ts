import type * as v from "valibot";
import type { ArtifactKind } from "../recordings/recording_name.ts";
import type { CURRENT_FILE } from "./job_schema.ts";
import { TransferRate } from "./transfer_rate.ts";

export type CurrentFile = v.InferOutput<typeof CURRENT_FILE>;

/** A file whose transfer begins. */
export interface FileStart {
  filename: string;
  artifact: ArtifactKind;
  direction: string;
}

/** No percentage is 100 while the length it is made of is a guess. */
const MOST_GUESSED = 99.9;
/** A time left of more than a month comes from a transfer that hardly moves, and says nothing. */
const MOST_SECONDS = 30 * 86_400;

/** The file that comes in at present: how far it is, of a length that the camera may not say. */
export class CurrentTransfer {
  readonly name: string;
  readonly kind: ArtifactKind;
  readonly direction: string;
  /** Length as expected; null when nothing is known. Sizes learned meanwhile move no bar that is shown. */
  readonly expected: number | null;
  /** 0 while the camera has not said it. */
  total = 0;
  downloaded = 0;
  readonly #rate: TransferRate;
  #isOpen = false;
  /** The largest percentage that was shown of it. */
  #percent = 0;

  /** @param at milliseconds on a clock that never goes back */
  constructor({ filename, artifact, direction }: FileStart, expected: number | null, at: number) {
    this.name = filename;
    this.kind = artifact;
    this.direction = direction;
    this.expected = expected;
    this.#rate = new TransferRate(at);
  }

  /** Returns its length, as far as that is known. */
  get size(): number | null {
    return this.total > 0 ? this.total : this.expected;
  }

  /** The camera answered: the body starts at `offset` of `total` bytes (null: unknown). */
  opened(offset: number, total: number | null): void {
    // It begins anew: all of it comes once more.
    if (offset < this.downloaded) this.#percent = 0;
    this.downloaded = offset;
    this.total = total ?? 0;
    this.#isOpen = true;
  }

  chunk(bytes: number): void {
    this.downloaded += bytes;
    this.#rate.add(bytes);
  }

  /** Returns the file as answers and pages have it. */
  snapshot(at: number): CurrentFile {
    const { name, kind, direction, total, downloaded, expected } = this;
    const rate = this.#rate.read(at);
    const left = (this.size ?? 0) - downloaded;
    const share = percentOf(downloaded, this.size ?? 0);
    // A percentage shown of a guess may have been too high.
    this.#percent = Math.max(this.#percent, total > 0 ? share : Math.min(MOST_GUESSED, share));
    return {
      filename: name,
      recording_base: name.replace(/\.[^.]*$/, ""),
      artifact: kind,
      direction,
      total_bytes: total,
      // One that has outgrown the guess is as long as no guess says.
      expected_bytes: total > 0 || expected === null || expected <= downloaded ? null : Math.round(expected),
      downloaded_bytes: downloaded,
      bytes_per_second: Math.round(rate),
      eta_seconds: rate > 0 && left > 0 ? shownSeconds(left / rate) : null,
      state: this.#isOpen ? "downloading" : "starting",
      failure_reason: null,
      percent: this.#percent,
    };
  }
}

/** A time left in whole seconds; null when it says nothing. */
export function shownSeconds(seconds: number): number | null {
  return seconds > MOST_SECONDS ? null : Math.ceil(seconds);
}

/** 0..100 with two decimals; 0 when the whole is unknown. */
export function percentOf(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.round((part / whole) * 10_000) / 100) : 0;
}
