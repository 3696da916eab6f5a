import { lstat } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Clock, within } from "../../clock.ts";
import { isOfOneObject } from "../../domain/offsite/bucket_problem.ts";
import { keyBeginning, pathOfObject } from "../../domain/offsite/object_key.ts";
import type { OffsiteFile, OffsiteState } from "../../domain/offsite/offsite_schema.ts";
import { roundWait } from "../../domain/offsite/retry_times.ts";
import { minutesUntilSending } from "../../domain/offsite/sending_hours.ts";
import { isUrgent } from "../../domain/offsite/what_goes.ts";
import { MAIN_CAMERA } from "../../domain/settings/camera_key.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { counted } from "../../domain/text/format.ts";
import type { ZoneTime } from "../../domain/text/zone_time.ts";
import { type Log, messageOf } from "../../log.ts";
import type { Bucket } from "../../remote/s3/bucket.ts";
import { BucketError } from "../../remote/s3/bucket_error.ts";
import { OffsiteDatabase } from "../../store/config/offsite_database.ts";
import type { Checksums } from "../checksums/checksums.ts";
import { ReadingHeldUp } from "../checksums/reading_pace.ts";
import { type ChunkSeal, openChunkSeal } from "./chunk_seal.ts";
import { nextTurn } from "../../turns.ts";
import { homeHashes } from "./home_hash.ts";
import { IncompleteBucket, openBucket } from "./open_bucket.ts";
import { sendFile, tried } from "./send_file.ts";
import { type SentCamera, type Waiting, type WaitingFile, waitingFiles } from "./waiting_files.ts";

/** A camera whose recordings are sent, with what tells of its files. */
export interface OffsiteCamera extends SentCamera {
  readonly checksums: Pick<Checksums, "keptOf" | "digestOf" | "doubt" | "isDamaged">;
  /** A sync from the camera comes first. */
  readonly job: { readonly isRunning: boolean };
}

export interface OffsiteJobParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings["offsite"];
  readonly configDir: string;
  readonly cameras: () => readonly OffsiteCamera[];
  /** Zone of the hours. */
  readonly zone: () => ZoneTime;
}

const LOGGER = "offsite";
/** Fact of the database: the time since when nothing can be sent, 0 while it can. */
const FAILING = "failing_since";
/** Between two looks in memory for files that have come. */
const LOOK_MS = 60_000;
/** A run is waited for in steps of this. */
const RUN_LOOK_MS = 2_000;
/** Videos of each kind that the state names. */
const MOST_SHOWN = 5;
/** A request waits no longer for a round. */
const ASKED_MS = 10_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAMAGED = "The file at home is damaged. It is sent when it is whole again.";
const OTHER_SIZE = "The bucket holds this file with another length. Nothing there is ever written over.";
const NOTHING: Waiting<OffsiteCamera> = { files: [], recordings: 0, bytes: 0 };

interface Problem {
  readonly sentence: string;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly key: string | null;
}

/** Parts that are open while the settings stay as they are. */
interface Opened {
  readonly bucket: Bucket;
  readonly database: OffsiteDatabase;
  readonly hash: (sha256: string) => string;
  readonly seal: ChunkSeal;
}

/**
 * Sends recordings to a bucket, in the background, for as long as its settings stay as they are. What fails is tried
 * again later and later, and at once when a user asks for it.
 */
export class OffsiteJob {
  readonly #parts: OffsiteJobParts;
  readonly #closing = new AbortController();
  #opened: Opened | null = null;
  #running: Promise<void> | null = null;
  /** Ends the wait between two rounds. */
  #wake = new AbortController();
  #waiting: Waiting<OffsiteCamera> = NOTHING;
  /** The file that is on its way, with how much of it is there. */
  #sending: { readonly file: WaitingFile<OffsiteCamera>; bytes: number } | null = null;
  /** A sync goes on, whose end is waited for. */
  #isHeld = false;
  /** True once it is known which files wait. */
  #hasLooked = false;
  #problem: Problem | null = null;
  /** Rounds in a row that failed. */
  #failed = 0;
  #lastTried: number | null = null;
  #isComparisonAsked = false;
  /** Ends of rounds that `check` and `compare` wait for. */
  #asked: (() => void)[] = [];

  constructor(parts: OffsiteJobParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#running ??= this.#go().catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.#parts.log.error(LOGGER, `Nothing is sent any more: ${messageOf(error)}`);
    });
  }

  get state(): OffsiteState {
    const amounts = this.#opened?.database.amounts();
    const [refusal] = this.#opened?.database.refusals(1, false) ?? [];
    const refused =
      refusal === undefined ? null : { sentence: refusal.refusal ?? "", since: timeText(refusal.at), key: refusal.key };
    const problem = this.#problem && { ...this.#problem, since: timeText(this.#problem.since) };
    const waiting = { recordings: this.#waiting.recordings, bytes: this.#waiting.bytes };
    const isIdle = this.#hasLooked && this.#waiting.files.length === 0 && waiting.bytes === 0;
    return {
      state: problem ? "problem" : this.#sending !== null && !this.#isHeld ? "sending" : isIdle ? "idle" : "waiting",
      sent: amounts?.sent ?? { recordings: 0, bytes: 0 },
      waiting,
      refused: amounts?.refused ?? { recordings: 0, bytes: 0 },
      bytes: amounts?.bytes ?? 0,
      last: amounts?.last ? timeText(amounts.last) : null,
      last_tried: this.#lastTried === null ? null : timeText(this.#lastTried),
      problem: problem ?? refused,
      files: [...this.#nextVideos(), ...this.#refusedVideos()],
    };
  }

  #nextVideos(): OffsiteFile[] {
    const sending = this.#sending;
    const videos: OffsiteFile[] = [];
    for (const file of this.#waiting.files) {
      if (videos.length === MOST_SHOWN) break;
      if (!file.isVideo) continue;
      const isSending = file === sending?.file;
      videos.push({
        camera: file.camera.camera.id,
        name: basename(file.path),
        bytes: file.size,
        state: isSending ? "sending" : this.#mayGo(file.rank) ? "next" : "hours",
        sent: isSending ? Math.min(sending.bytes, file.size) : 0,
        sentence: null,
      });
    }
    return videos;
  }

  #refusedVideos(): OffsiteFile[] {
    const { prefix } = this.#parts.settings;
    return (this.#opened?.database.refusals(MOST_SHOWN, true) ?? []).flatMap(({ key, size, refusal }) => {
      const named = pathOfObject(key, prefix);
      if (named === null) return [];
      const [, camera = MAIN_CAMERA] = /^~([^/]+)\//.exec(named.path) ?? [];
      const name = basename(named.path);
      return [{ camera, name, bytes: size, state: "refused" as const, sent: 0, sentence: refusal }];
    });
  }

  /** Tries at once, also what was refused; resolves after the next round, or when that takes long. */
  async check(): Promise<void> {
    this.#opened?.database.forgetRefusals();
    await this.#round();
  }

  /** Compares the bucket with what is known of it at once; resolves as `check` does. */
  async compare(): Promise<void> {
    this.#isComparisonAsked = true;
    await this.#round();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    this.#opened?.database.close();
    this.#opened = null;
  }

  #round(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#asked.push(resolve);
    this.#wake.abort();
    return within(this.#parts.clock, ASKED_MS, promise);
  }

  async #go(): Promise<void> {
    const { log, cameras } = this.#parts;
    const { signal } = this.#closing;
    let stand = "";
    try {
      while (!signal.aborted) {
        const asked = this.#asked.splice(0);
        // From now on a call asks for the round after this one.
        this.#wake = new AbortController();
        const now = standOf(cameras());
        try {
          await this.#oneRound(signal);
          stand = now;
          this.#failed = 0;
          if (this.#problem !== null) log.info(LOGGER, "Sending off-site works again");
          this.#problem = null;
          this.#opened?.database.setFact(FAILING, "0");
        } catch (error) {
          if (signal.aborted) return;
          this.#failed += 1;
          this.#note(error);
        } finally {
          this.#sending = null;
          for (const resolve of asked) resolve();
        }
        await this.#rest(stand, signal);
      }
    } finally {
      for (const resolve of this.#asked.splice(0)) resolve();
    }
  }

  /** Waits until there is something to do. */
  async #rest(stand: string, signal: AbortSignal): Promise<void> {
    const { clock, cameras } = this.#parts;
    const wake = AbortSignal.any([signal, this.#wake.signal]);
    const until = clock.elapsed() + (this.#failed > 0 ? roundWait(this.#failed) : DAY_MS);
    try {
      while (clock.elapsed() < until) {
        await clock.sleep(Math.min(LOOK_MS, until - clock.elapsed()), wake);
        if (this.#failed > 0) continue;
        if (standOf(cameras()) !== stand || this.#isComparisonDue) return;
        if (this.#waiting.files.some(({ rank }) => this.#mayGo(rank))) return;
      }
    } catch (error) {
      if (!wake.aborted) throw error;
    }
  }

  async #oneRound(signal: AbortSignal): Promise<void> {
    const { clock, settings, cameras } = this.#parts;
    this.#lastTried = clock.now();
    this.#opened ??= await this.#open();
    const opened = this.#opened;
    const { database } = opened;
    for (const { library } of cameras()) await library.refresh();
    const look = async () => {
      this.#waiting = await waitingFiles(cameras(), settings, (key) => database.has(key), signal);
      this.#hasLooked = true;
    };
    if (this.#isComparisonDue) {
      // Counts what waits also while the bucket cannot be reached.
      await look();
      await this.#compare(opened, signal);
    }
    let isGoingOn = true;
    while (true) {
      await look();
      const files = this.#waiting.files.filter(({ rank }) => this.#mayGo(rank));
      // Files that change while they are sent come up again in the next round.
      if (files.length === 0 || !isGoingOn) return;
      isGoingOn = await this.#sendAll(files, opened, signal);
    }
  }

  /**
   * Sends these in their order until recordings have come, been marked or gone: then the order may be another one.
   * Returns false when nothing of them has come to an end.
   */
  async #sendAll(files: readonly WaitingFile<OffsiteCamera>[], opened: Opened, signal: AbortSignal): Promise<boolean> {
    const { cameras } = this.#parts;
    const stand = standOf(cameras());
    let ended = 0;
    for (const file of files) {
      if (!this.#mayGo(file.rank) || standOf(cameras()) !== stand) break;
      this.#sending = { file, bytes: 0 };
      if (await this.#sendOne(file, opened, signal)) {
        ended += 1;
        this.#leaveWaiting(file);
      }
    }
    this.#sending = null;
    return ended > 0;
  }

  /** Takes a file that has come to an end from those that wait, which are listed anew only at times. */
  #leaveWaiting(file: WaitingFile<OffsiteCamera>): void {
    const { files, recordings, bytes } = this.#waiting;
    this.#waiting = {
      files: files.filter((other) => other !== file),
      recordings: recordings - (file.isVideo ? 1 : 0),
      bytes: bytes - file.size,
    };
  }

  /** Returns false for a file that is not as it was. */
  async #sendOne(file: WaitingFile<OffsiteCamera>, { bucket, database, hash, seal }: Opened, signal: AbortSignal) {
    const { clock, log, settings } = this.#parts;
    const { camera, path, key, rank, isVideo } = file;
    const { root } = camera.recordings;
    // A sync has the disk to itself.
    await this.#afterRuns(signal);
    const end = (refusal: string | null, size: number, bytes: number) => {
      database.put({ key, isVideo, size, bytes, refusal, at: clock.now() });
      if (refusal !== null) log.warning(LOGGER, `${key} was not sent: ${refusal}`);
      return true;
    };
    // It would take the name of the whole one for ever.
    if (camera.checksums.isDamaged(basename(path))) return end(DAMAGED, file.size, 0);
    const facts = await factsOf(camera, path, { signal, isHeld: () => this.#isSyncing });
    if (facts === null) return false;
    const homeHash = hash(facts.sha256);
    const parts = {
      clock,
      bucket,
      database,
      passphrase: settings.passphrase,
      seal,
      turn: async (until: AbortSignal) => {
        await this.#afterRuns(until);
        if (!this.#mayGo(rank)) throw new HoursOver();
      },
      had: (bytes: number) => this.#noteSent(bytes),
      sent: async (bytes: number, until: AbortSignal) => {
        this.#noteSent(bytes);
        await this.#keepRate(bytes, until);
      },
    };
    const sent = await sendFile({ root, path, key, ...facts, homeHash }, parts, signal).catch((error: unknown) => {
      // Parts that have been sent are known, and it goes on there.
      if (error instanceof HoursOver) return { outcome: "changed" as const };
      if (error instanceof BucketError && !isOfOneObject(error.fault)) throw new SendFailed(error, key);
      throw error;
    });
    if (sent.outcome === "changed") return false;
    if (sent.outcome === "damaged") {
      camera.checksums.doubt(path);
      return end(DAMAGED, facts.size, 0);
    }
    const refusal = sent.outcome === "there" ? null : new BucketError("taken", `${sent.bytes} bytes are there`).message;
    return end(refusal, facts.size, sent.bytes);
  }

  #noteSent(bytes: number): void {
    if (this.#sending !== null) this.#sending.bytes += bytes;
  }

  #mayGo(rank: WaitingFile["rank"]): boolean {
    const { clock, settings, zone } = this.#parts;
    if (settings.events_at_once && isUrgent(rank)) return true;
    const minute = Math.floor((clock.now() + zone().offset(clock.now())) / MINUTE_MS) % (DAY_MS / MINUTE_MS);
    return minutesUntilSending(settings.from, settings.to, minute) === 0;
  }

  get #isSyncing(): boolean {
    return this.#parts.cameras().some(({ job }) => job.isRunning);
  }

  async #afterRuns(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    signal.throwIfAborted();
    try {
      while (this.#isSyncing) {
        this.#isHeld = true;
        await clock.sleep(RUN_LOOK_MS, signal);
      }
    } finally {
      this.#isHeld = false;
    }
  }

  /** Time at which the rate allows for more, on the clock that never jumps. */
  #freeAt = 0;

  async #keepRate(bytes: number, signal: AbortSignal): Promise<void> {
    const { clock, settings } = this.#parts;
    if (settings.rate_limit === null) return;
    this.#freeAt = Math.max(this.#freeAt, clock.elapsed()) + (bytes / settings.rate_limit) * 1000;
    if (this.#freeAt > clock.elapsed()) await clock.sleep(this.#freeAt - clock.elapsed(), signal);
  }

  get #isComparisonDue(): boolean {
    const last = Number(this.#opened?.database.fact("compared") ?? 0);
    const age = this.#parts.clock.now() - last;
    // A clock that was set back says nothing.
    return this.#isComparisonAsked || age >= DAY_MS || age < 0;
  }

  /** Compares the bucket with what is known of it, and ends uploads that no one goes on with. */
  async #compare(opened: Opened, signal: AbortSignal): Promise<void> {
    const { bucket, database } = opened;
    const { clock, log, settings } = this.#parts;
    const beginning = keyBeginning(settings.prefix);
    const number = Number(database.fact("comparison") ?? 0) + 1;
    // Objects seen by a comparison that came to no end count for none.
    database.setFact("comparison", String(number));
    const others = await tried(clock, signal, async () => {
      const found: string[] = [];
      for await (const page of bucket.list(beginning, signal)) {
        await nextTurn();
        found.push(...database.noteSeen(page, number));
      }
      return found;
    });
    // A refused file is not in the list as it was sent, and is tried again once a day.
    let gone = 0;
    for (let after: string | null = ""; after !== null; ) {
      const slice = database.forgetUnseen(number, after);
      gone += slice.gone;
      after = slice.last;
      await nextTurn();
    }
    database.forgetRefusals();
    await nextTurn();
    await this.#forgetChanged(database, signal);
    for (const key of others) database.refuse(key, OTHER_SIZE, clock.now());
    const isAre = gone === 1 ? "is" : "are";
    if (gone > 0)
      log.warning(LOGGER, `${counted(gone, "file")} ${isAre} no longer in the bucket, and ${isAre} sent again`);
    if (others.length > 0) log.warning(LOGGER, `Files in the bucket that have another length: ${others.length}`);

    await this.#endUnwanted(opened, signal);
    const ours = new Set(database.uploads().map(({ id }) => id));
    const uploads = await tried(clock, signal, () => bucket.uploads(beginning, signal)).catch((error: unknown) => {
      if (error instanceof BucketError && error.fault === "unsupported") return [];
      throw error;
    });
    for (const upload of uploads) {
      if (ours.has(upload.id) || upload.begunAt === null || clock.now() - upload.begunAt < DAY_MS) continue;
      await tried(clock, signal, () => bucket.abort(upload, signal));
      log.info(LOGGER, `An upload of ${upload.key} that was left over has been ended`);
    }
    database.setFact("compared", String(clock.now()));
    this.#isComparisonAsked = false;
  }

  /** Forgets files that have another length at home than those that were sent: to try again tells that the name is taken. */
  async #forgetChanged(database: OffsiteDatabase, signal: AbortSignal): Promise<void> {
    const { settings, cameras } = this.#parts;
    const changed: string[] = [];
    const isUnknown = (key: string) => database.sizeOf(key) === null;
    await waitingFiles(cameras(), settings, isUnknown, signal, ({ key, size }) => {
      if (database.sizeOf(key) !== size) changed.push(key);
    });
    for (const key of changed) database.forget(key);
  }

  /** Ends uploads of files that have been deleted, or that are no longer to be sent. */
  async #endUnwanted({ bucket, database }: Opened, signal: AbortSignal): Promise<void> {
    const { clock, settings, cameras } = this.#parts;
    const unwanted = new Map(database.uploads().map((upload) => [upload.key, upload]));
    // A disk that is away tells nothing.
    if (unwanted.size === 0 || cameras().some(({ library }) => !library.available)) return;
    const strike = (key: string) => {
      unwanted.delete(key);
      return true;
    };
    await waitingFiles(cameras(), settings, strike, signal);
    for (const upload of unwanted.values()) {
      await tried(clock, signal, () => bucket.abort(upload, signal));
      database.endUpload(upload.key);
    }
  }

  /** @throws BucketError, IncompleteBucket */
  async #open(): Promise<Opened> {
    const { clock, log, settings, configDir } = this.#parts;
    const { endpoint, bucket, prefix } = settings;
    const opened = await openBucket(settings, clock);
    const target = JSON.stringify([endpoint?.replace(/\/$/, ""), bucket, prefix.replace(/\/$/, "")]);
    const database = OffsiteDatabase.open(join(configDir, "offsite.db"), target, clock.now());
    if (database.setAside !== null)
      log.warning(
        LOGGER,
        `offsite.db was damaged; it is kept as ${database.setAside}, and the bucket is looked through`,
      );
    if (settings.passphrase !== null && !settings.passphrase_noted)
      log.info(LOGGER, "Write the passphrase down, outside of this house: without it no copy can be opened");
    return {
      bucket: opened,
      database,
      hash: await homeHashes(settings),
      seal: openChunkSeal(),
    };
  }

  #note(error: unknown): void {
    const { clock, log } = this.#parts;
    const cause = error instanceof SendFailed ? error.bucketError : error;
    const isKnown = cause instanceof BucketError || cause instanceof IncompleteBucket;
    const sentence = isKnown ? cause.message : `Nothing can be sent: ${messageOf(cause)}.`;
    const key = error instanceof SendFailed ? error.key : null;
    if (sentence !== this.#problem?.sentence) {
      const detail = cause instanceof BucketError ? ` (${cause.detail})` : "";
      log.warning(LOGGER, `${sentence}${detail}`);
    }
    const database = this.#opened?.database;
    const known = Number(database?.fact(FAILING) ?? 0);
    const since = this.#problem?.since ?? (known > 0 && known <= clock.now() ? known : clock.now());
    database?.setFact(FAILING, String(since));
    this.#problem = { sentence, since, key };
  }
}

/** The hours in which may be sent have ended. */
class HoursOver extends Error {}

/** A file that the bucket did not take, which concerns all. */
class SendFailed extends Error {
  readonly bucketError: BucketError;
  readonly key: string;

  constructor(bucketError: BucketError, key: string) {
    super(bucketError.message);
    this.bucketError = bucketError;
    this.key = key;
  }
}

/** Another text when recordings have come or gone, or were marked. */
function standOf(cameras: readonly OffsiteCamera[]): string {
  return cameras
    .map(({ camera, library, retention }) => `${camera.id} ${library.version} ${retention.kept.version}`)
    .join(";");
}

/** Returns the facts of a file as it is now; null for one that has gone or cannot be read. */
async function factsOf(
  { recordings, checksums }: OffsiteCamera,
  path: string,
  other: NonNullable<Parameters<Checksums["digestOf"]>[1]>,
) {
  const found = await lstat(join(recordings.root, path), { bigint: true }).catch(() => null);
  if (!found?.isFile()) return null;
  const file = { path, size: Number(found.size), modified: Number(found.mtimeNs / 1_000_000n) };
  const kept = checksums.keptOf(file);
  if (kept !== null) return { ...file, sha256: kept.sha256 };
  return await checksums.digestOf(path, other).catch((error: unknown) => {
    // A long sync: the file comes up again after it.
    if (error instanceof ReadingHeldUp) return null;
    throw error;
  });
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
