import type * as v from "valibot";
import type { CURRENT_FILE, SNAPSHOT } from "../api/job_schema.ts";
import type { ArtifactKind } from "../recordings/recording_name.ts";
import type { FailureReason, RunEnding } from "../runs/run.ts";
import { TransferRate } from "./transfer_rate.ts";

export type JobState = Snapshot["state"];
export type FileState = CurrentFile["state"];
export type Phase = NonNullable<Snapshot["phase"]>;

export type CurrentFile = v.InferOutput<typeof CURRENT_FILE>;

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
    bytes_downloaded_total: 0,
    bytes_per_second: 0,
    eta_seconds: null,
    percent: 0,
    ...NOT_ENDED,
    recordings: null,
  };
}

/** A file whose transfer begins. */
export interface FileStart {
  filename: string;
  artifact: ArtifactKind;
  direction: string;
}

/** How a file ended; `skipped` needed no transfer after all, `absent` neither: the camera does not have it. */
export type FileEnd = "completed" | "failed" | "skipped" | "absent";

/** A file whose bytes are all here, but which is not finished yet. */
export interface ReceivedFile {
  artifact: ArtifactKind;
  bytes: number;
}

interface OpenFile extends FileStart {
  total: number;
  downloaded: number;
  state: FileState;
  rate: TransferRate;
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
  #bytes = 0;
  #file: OpenFile | null = null;
  #rate: TransferRate | null = null;
  #remaining: Record<ArtifactKind, number> = { mp4: 0, thm: 0, "3gf": 0, gps: 0 };
  readonly #seen: Record<ArtifactKind, { files: number; bytes: number }> = {
    mp4: { files: 0, bytes: 0 },
    thm: { files: 0, bytes: 0 },
    "3gf": { files: 0, bytes: 0 },
    gps: { files: 0, bytes: 0 },
  };
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

  /** The plan is known: how many files of each kind will be tried, and how many need no transfer, for what reason. */
  planned(kinds: readonly ArtifactKind[], skipped: number, at: number, of = { here: 0, absent: 0 }): void {
    this.#phase = "downloading";
    this.#total = kinds.length;
    this.#skipped = skipped;
    this.#here = of.here;
    this.#absent = of.absent;
    for (const kind of kinds) this.#remaining[kind]++;
    this.#rate = new TransferRate(at);
  }

  began(file: FileStart, at: number): void {
    this.#file = { ...file, total: 0, downloaded: 0, state: "starting", rate: new TransferRate(at) };
  }

  /** The camera answered: the body starts at `offset` of `total` bytes (null: unknown). */
  opened(offset: number, total: number | null): void {
    if (!this.#file) return;
    this.#file.downloaded = offset;
    this.#file.total = total ?? 0;
    this.#file.state = "downloading";
  }

  chunk(bytes: number): void {
    this.#bytes += bytes;
    this.#rate?.add(bytes);
    if (!this.#file) return;
    this.#file.downloaded += bytes;
    this.#file.rate.add(bytes);
  }

  /** The current file ends here and now; see the class. */
  ended(outcome: FileEnd | "left"): void {
    if (outcome === "left") this.#file = null;
    else {
      const file = this.received();
      if (file) this.settled(file, outcome);
    }
  }

  /** All bytes of the current file are here; it is finished while others come. Null when there is no current one. */
  received(): ReceivedFile | null {
    const file = this.#file;
    this.#file = null;
    if (!file) return null;
    this.#remaining[file.artifact]--;
    return { artifact: file.artifact, bytes: file.downloaded };
  }

  /** A file that was received has its final name, or has failed after all. */
  settled({ artifact, bytes }: ReceivedFile, outcome: FileEnd): void {
    if (outcome === "completed") {
      this.#completed++;
      this.#seen[artifact].files++;
      this.#seen[artifact].bytes += bytes;
    } else if (outcome === "failed") this.#failed++;
    else {
      this.#skipped++;
      this.#total--;
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
    const done = this.#completed + this.#failed;
    const rate = this.#state === "running" ? (this.#rate?.read(at) ?? 0) : 0;
    const left = this.#bytesLeft();
    return {
      job_id: this.#jobId,
      boot_id: bootId,
      seq,
      started_at_wall: this.#startedAtWall,
      state: this.#state,
      phase: this.#phase,
      current_file: this.#file && currentFile(this.#file, at),
      files_total: this.#total,
      files_completed: this.#completed,
      files_failed: this.#failed,
      files_skipped: this.#skipped,
      files_here: this.#here,
      files_absent: this.#absent,
      bytes_downloaded_total: this.#bytes,
      bytes_per_second: Math.round(rate),
      eta_seconds: left === null || rate <= 0 ? null : Math.ceil(left / rate),
      percent: percentOf(done, this.#total),
      ...this.#end,
      recordings: null,
    };
  }

  /** Bytes still to come, from the mean size of the files of each kind so far; null before the first of a kind. */
  #bytesLeft(): number | null {
    if (this.#state !== "running") return null;
    let left = 0;
    for (const kind of Object.keys(this.#remaining) as ArtifactKind[]) {
      const waiting = this.#remaining[kind];
      if (waiting === 0) continue;
      const seen = this.#seen[kind];
      const current = this.#file?.artifact === kind ? this.#file : null;
      const size = seen.files > 0 ? seen.bytes / seen.files : (current?.total ?? 0);
      if (size === 0 && kind === "mp4") return null;
      left += (waiting - (current ? 1 : 0)) * size;
      // Of the current file the length itself is known, once the camera has answered.
      if (current) left += Math.max(0, (current.total || size) - current.downloaded);
    }
    return left;
  }
}

function currentFile(file: OpenFile, at: number): CurrentFile {
  const rate = file.rate.read(at);
  const left = file.total - file.downloaded;
  return {
    filename: file.filename,
    recording_base: file.filename.replace(/\.[^.]*$/, ""),
    artifact: file.artifact,
    direction: file.direction,
    total_bytes: file.total,
    downloaded_bytes: file.downloaded,
    bytes_per_second: Math.round(rate),
    eta_seconds: rate > 0 && left > 0 ? Math.ceil(left / rate) : null,
    state: file.state,
    failure_reason: null,
    percent: percentOf(file.downloaded, file.total),
  };
}

/** 0..100 with two decimals; 0 when the whole is unknown. */
function percentOf(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.round((part / whole) * 10_000) / 100) : 0;
}
