import type * as v from "valibot";
import type { FailureReason } from "../runs/failure_reason.ts";
import type { RunEnding } from "../runs/run_ending.ts";
import { CurrentTransfer, type FileStart, percentOf, shownSeconds } from "./current_transfer.ts";
import { ExpectedSizes, isVideoClass, type Pace, type SizeClass, sizeClassOf } from "./expected_sizes.ts";
import { FilesToCome, type FileToCome } from "./files_to_come.ts";
import type { SNAPSHOT } from "./job_schema.ts";
import { TimeLeft } from "./time_left.ts";
import { TransferPace } from "./transfer_pace.ts";
import { TransferRate } from "./transfer_rate.ts";

export type JobState = Snapshot["state"];
export type Phase = NonNullable<Snapshot["phase"]>;

export type Snapshot = v.InferOutput<typeof SNAPSHOT>;

type End = Pick<Snapshot, "failure_reason" | "message" | "ending">;
const NOT_ENDED: End = { failure_reason: null, message: null, ending: null };

/** The snapshot while no job runs. @param seq that of the last published change */
export function idleSnapshot(bootId: string, seq = 0): Snapshot {
  return {
    job_id: "",
    boot_id: bootId,
    seq,
    started_at_wall: 0,
    state: "idle",
    phase: null,
    current_file: null,
    files_total: 0,
    files_completed: 0,
    files_failed: 0,
    files_skipped: 0,
    files_here: 0,
    files_absent: 0,
    recordings_total: 0,
    recordings_completed: 0,
    recordings_failed: 0,
    bytes_downloaded_total: 0,
    bytes_expected: null,
    bytes_expected_is_guess: false,
    bytes_per_second: 0,
    eta_seconds: null,
    eta_grew: null,
    percent: 0,
    ...NOT_ENDED,
    recordings: null,
  };
}

/**
 * Ending of a file. `skipped` needed no transfer after all. `absent` needed none either: the camera does not have it.
 */
export type FileEnd = "completed" | "failed" | "skipped" | "absent";

/** A file whose bytes are all here, but which is not finished yet. */
export interface ReceivedFile {
  sizeClass: SizeClass;
  bytes: number;
}

/** Files to come, and the known facts about their sizes. */
export interface PlannedFiles {
  /** Counted already where they are many; they then know what the list tells. */
  files: Iterable<FileToCome> | FilesToCome;
  /**
   * Number of files that need no transfer, and the parts of it: those at home, and those that the camera does not
   * have.
   */
  skipped: number;
  here?: number;
  absent?: number;
  /** Sizes that the camera's list tells, by the name of the video. */
  listed?: ReadonlyMap<string, number>;
  /** Sizes learned from the camera; without them the first files of this run must do. */
  sizes?: ExpectedSizes;
}

/**
 * The counters of one job and how they change. `at` is everywhere milliseconds on a clock that never goes back.
 * A file is begun, gets chunks, and ends as completed, failed, `skipped`: needed no transfer after all, or
 * `left` as it is, for later or by a stop.
 */
export class JobProgress {
  readonly #jobId: string;
  readonly #startedAtWall: number;
  #state: JobState = "running";
  #phase: Phase | null = "listing";
  #total = 0;
  #completed = 0;
  #failed = 0;
  #skipped = 0;
  #here = 0;
  #absent = 0;
  /** Videos among the files. */
  readonly #videos = { total: 0, completed: 0, failed: 0 };
  #bytes = 0;
  #file: CurrentTransfer | null = null;
  #rate: TransferRate | null = null;
  #toCome = new FilesToCome();
  #sizes = new ExpectedSizes();
  readonly #pace = new TransferPace();
  readonly #timeLeft = new TimeLeft();
  #end = NOT_ENDED;

  /** @param startedAtWall epoch seconds */
  constructor(jobId: string, startedAtWall: number) {
    this.#jobId = jobId;
    this.#startedAtWall = startedAtWall;
  }

  get bytesDownloaded(): number {
    return this.#bytes;
  }
  get filesCompleted(): number {
    return this.#completed;
  }
  get filesFailed(): number {
    return this.#failed;
  }
  get filesSkipped(): number {
    return this.#skipped;
  }

  /** Speed of the run so far, for the next one; null when too little came. */
  get pace(): Pace | null {
    return this.#pace.mean;
  }

  /** Bytes per second at which the videos of this run came, in order. */
  get rates(): readonly number[] {
    return this.#pace.rates;
  }

  /** The plan is known: the files that will be tried, and how many need no transfer, for what reason. */
  planned({ files, skipped, here = 0, absent = 0, listed, sizes }: PlannedFiles, at: number): void {
    this.#phase = "downloading";
    this.#skipped = skipped;
    this.#here = here;
    this.#absent = absent;
    this.#toCome = files instanceof FilesToCome ? files : new FilesToCome(files, listed);
    this.#total = this.#toCome.files;
    this.#videos.total = this.#total - this.#toCome.companions;
    if (sizes) this.#sizes = sizes;
    this.#rate = new TransferRate(at);
  }

  began(file: FileStart, at: number): void {
    const { filename: name, artifact: kind } = file;
    this.#toCome.add({ name, kind }, -1);
    this.#file = new CurrentTransfer(file, this.#toCome.expected({ name, kind }, this.#sizes), at);
    this.#pace.began(kind === "mp4", at);
  }

  /** The camera answered: the body starts at `offset` of `total` bytes (null: unknown). */
  opened(offset: number, total: number | null): void {
    this.#file?.opened(offset, total);
  }

  chunk(bytes: number): void {
    this.#bytes += bytes;
    this.#rate?.add(bytes);
    this.#pace.chunk(bytes);
    this.#file?.chunk(bytes);
  }

  /** The current file ends here and now; see the class. */
  ended(outcome: FileEnd | "left"): void {
    const file = this.#file;
    if (outcome === "left") {
      this.#file = null;
      if (file) this.#toCome.add(file, 1);
    } else {
      const received = this.received();
      if (received) this.settled(received, outcome);
    }
  }

  /**
   * All bytes of the current file are here; it is finished while others come. Null when there is no current one.
   * @param bytes its size; more bytes may have come, when some came twice
   */
  received(bytes?: number): ReceivedFile | null {
    const file = this.#file;
    this.#file = null;
    return file && { sizeClass: sizeClassOf(file.name, file.kind), bytes: bytes ?? file.downloaded };
  }

  /** A file that was received has its final name, or has failed after all. */
  settled({ sizeClass, bytes }: ReceivedFile, outcome: FileEnd): void {
    const isVideo = isVideoClass(sizeClass) ? 1 : 0;
    if (outcome === "completed") {
      this.#completed++;
      this.#videos.completed += isVideo;
      this.#sizes.learn(sizeClass, bytes);
    } else if (outcome === "failed") {
      this.#failed++;
      this.#videos.failed += isVideo;
    } else {
      this.#skipped++;
      this.#total--;
      this.#videos.total -= isVideo;
      if (outcome === "absent") this.#absent++;
    }
  }

  retention(): void {
    this.#phase = "retention";
    this.#file = null;
  }

  finished(failure: { reason: FailureReason; message: string } | null, ending: RunEnding): void {
    this.#state = failure ? "failed" : "completed";
    this.#end = { failure_reason: failure?.reason ?? null, message: failure?.message ?? null, ending };
    this.#phase = null;
    this.#file = null;
  }

  snapshot(bootId: string, seq: number, at: number): Snapshot {
    if (this.#state !== "running") this.#pace.ended(at);
    const { total, completed, failed } = this.#videos;
    const percent =
      total > 0 ? percentOf(completed + failed, total) : percentOf(this.#completed + this.#failed, this.#total);
    const rate = this.#state === "running" ? (this.#rate?.read(at) ?? 0) : 0;
    const left = this.#amountLeft();
    return {
      job_id: this.#jobId,
      boot_id: bootId,
      seq,
      started_at_wall: this.#startedAtWall,
      state: this.#state,
      phase: this.#phase,
      current_file: this.#file?.snapshot(at) ?? null,
      files_total: this.#total,
      files_completed: this.#completed,
      files_failed: this.#failed,
      files_skipped: this.#skipped,
      files_here: this.#here,
      files_absent: this.#absent,
      recordings_total: total,
      recordings_completed: completed,
      recordings_failed: failed,
      bytes_downloaded_total: this.#bytes,
      bytes_expected: left && Math.round(this.#bytes + left.videoBytes + left.companionBytes),
      bytes_expected_is_guess: left?.isGuess ?? false,
      bytes_per_second: Math.round(rate),
      eta_seconds: this.#timeLeft.take(left && this.#secondsLeft(left, at), left?.videoBytes ?? 0, at),
      eta_grew: this.#state === "running" ? this.#timeLeft.grew : null,
      percent,
      ...this.#end,
      recordings: null,
    };
  }

  /** Returns the amount that is still to come; null while that is unknown. */
  #amountLeft(): AmountLeft | null {
    if (this.#state !== "running" || this.#phase === "listing") return null;
    const file = this.#file;
    const isVideo = file?.kind === "mp4";
    // Before anything was learned, a video whose length is known tells of the others.
    const amount = this.#toCome.amount(this.#sizes, (isVideo && file.total) || null);
    // The current file's own length is known once the camera has answered.
    const size = file && (file.total || file.expected);
    if (amount.videoBytes === null || (isVideo && size === null)) return null;
    const rest = file ? Math.max(0, (size ?? 0) - file.downloaded) : 0;
    const isLast = amount.videoBytes === 0 && amount.companions === 0;
    return {
      videoBytes: amount.videoBytes + (isVideo ? rest : 0),
      companionBytes: amount.companionBytes + (isVideo ? 0 : rest),
      companions: amount.companions + (file && !isVideo ? 1 : 0),
      isGuess: !isLast || (file !== null && file.total === 0),
    };
  }

  #secondsLeft({ videoBytes, companions }: AmountLeft, at: number): number | null {
    if (this.#phase !== "downloading" || this.#total === 0) return null;
    // The first seconds are taken to be as fast as the last runs.
    const rate = this.#pace.bytesPerSecond(at, this.#sizes.pace?.bytesPerSecond ?? null) ?? 0;
    const each = this.#pace.companionSeconds ?? this.#sizes.pace?.companionSeconds ?? null;
    if (videoBytes > 0 ? rate <= 0 : companions > 0 && each === null) return null;
    const seconds = (videoBytes > 0 ? videoBytes / rate : 0) + companions * (each ?? 0);
    return shownSeconds(seconds);
  }
}

interface AmountLeft {
  videoBytes: number;
  companionBytes: number;
  companions: number;
  /** True when the length of a file that is to come is not known. */
  isGuess: boolean;
}
