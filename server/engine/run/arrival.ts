import type { Clock } from "../../clock.ts";
import type { Dashcam } from "../../dashcam/camera.ts";
import {
  afterLook,
  afterRun,
  type CameraPlace,
  hasAnswered,
  type Presence,
  secondsToLook,
  UNKNOWN_PRESENCE,
} from "../../domain/runs/presence.ts";
import type { Run } from "../../domain/runs/run.ts";
import { runEnding } from "../../domain/runs/run_ending.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Looks } from "../../domain/status/overview.ts";
import type { Snapshot } from "../../domain/sync/job_progress.ts";
import type { Log } from "../../log.ts";
import type { PresenceFile } from "../../store/config/presence_file.ts";
import { Topic } from "../../topic.ts";
import type { Job } from "./job.ts";
import type { ScheduleSource } from "./scheduler.ts";

/** The longest that a camera is given to take the connection. */
const LOOK_MS = 2000;

export interface ArrivalParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: ScheduleSource;
  readonly dashcam: () => Pick<Dashcam, "address" | "isThere">;
  /** The progress of the job: while a run goes on nothing is looked for. */
  readonly progress: Pick<Topic<Snapshot>, "value" | "subscribe">;
  readonly file: Pick<PresenceFile, "read" | "write" | "close">;
  /** Told of each contact, and when the camera has gone or is no longer looked for. */
  readonly visits: { contact(): void; gone(): void };
}

/**
 * Looks for the camera between runs, and starts a run as soon as it has come. A look is a connection to its port that
 * is closed again: nothing is asked, and no camera is kept awake.
 */
export class Arrival {
  /** Set when the camera has come or gone, and when looking begins or ends. */
  readonly moved = new Topic<CameraPlace>("unknown");
  readonly #parts: ArrivalParts;
  readonly #closing = new AbortController();
  readonly #unsubscribe: (() => void)[];
  #woken = new AbortController();
  /** Address of the camera that the presence is of. */
  #address = "";
  #presence: Presence = UNKNOWN_PRESENCE;
  /** Place of the camera as the file has it. */
  #written: { readonly address: string; readonly camera: CameraPlace } = { address: "", camera: "unknown" };
  /** Time of the next look, in epoch milliseconds; null while none is to come. */
  #nextAt: number | null = null;
  #loop: Promise<void> = Promise.resolve();

  constructor(parts: ArrivalParts) {
    this.#parts = parts;
    let isRunning = parts.progress.value.state === "running";
    this.#unsubscribe = [
      parts.settings.onChange((now, before) => {
        if (keyOf(now) !== keyOf(before)) this.#wake();
      }),
      parts.progress.subscribe(({ state }) => {
        if ((state === "running") === isRunning) return;
        isRunning = !isRunning;
        this.#wake();
      }),
    ];
  }

  /** Reads where the camera was last. */
  async open(): Promise<void> {
    const known = await this.#parts.file.read();
    if (known === null) return;
    this.#written = known;
    if (known.address !== this.#parts.dashcam().address) return;
    this.#address = known.address;
    this.#presence = { ...UNKNOWN_PRESENCE, camera: known.camera };
  }

  /** From here on it starts this job when the camera comes. */
  start(job: Pick<Job, "start" | "isRunning">): void {
    this.#loop = this.#look(job);
  }

  /** State of the looks for the camera between runs; null while it is not. */
  looks(): Looks | null {
    if (!this.#isWanted()) return null;
    const { arrival_seconds: every } = this.#parts.settings.current.schedule;
    this.#follow();
    const { camera } = this.#presence;
    return { camera, seconds: secondsToLook(this.#presence, every), next_at: this.#nextAt };
  }

  /** Takes over what a run with the camera at this address has shown. */
  noteRun(address: string, run: Run): void {
    this.#follow();
    if (address !== this.#address) return;
    // A run that lost the camera has ended later than the visit.
    if (runEnding(run) === "away") this.#parts.visits.gone();
    else if (hasAnswered(run)) this.#parts.visits.contact();
    this.#set(afterRun(this.#presence, run));
  }

  /** Place of the camera, as far as it is known. */
  get place(): CameraPlace {
    this.#follow();
    return this.#presence.camera;
  }

  /** The camera counts as here, but did not answer the last look. */
  get isMissing(): boolean {
    this.#follow();
    return this.#presence.camera === "here" && this.#presence.misses > 0;
  }

  async close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#closing.abort();
    this.#woken.abort();
    await this.#loop;
    await this.#parts.file.close();
  }

  async #look(job: Pick<Job, "start" | "isRunning">): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#woken = new AbortController();
      const { signal } = this.#woken;
      const isAccepted = await this.#next(signal).catch(() => null);
      // Something else has begun meanwhile: a run, a change of the settings, the end.
      if (isAccepted === null || signal.aborted || job.isRunning) continue;
      const { presence, arrived } = afterLook(this.#presence, isAccepted);
      if (isAccepted) this.#parts.visits.contact();
      this.#set(presence);
      if (!arrived) continue;
      this.#parts.log.info("arrival", `The camera at ${this.#address} has come: a sync starts`);
      job.start("arrival");
    }
  }

  /** Waits for the time of the next look, and looks. Rejects as soon as something changes. */
  async #next(signal: AbortSignal): Promise<boolean> {
    const { clock, settings, dashcam, progress } = this.#parts;
    this.#follow();
    const isLooking = this.#isWanted() && progress.value.state !== "running";
    const wait = secondsToLook(this.#presence, settings.current.schedule.arrival_seconds) * 1000;
    this.#nextAt = isLooking ? clock.now() + wait : null;
    // Nobody sees it leave while the schedule is paused.
    if (settings.current.schedule.paused && progress.value.state !== "running") this.#parts.visits.gone();
    if (isLooking) await clock.sleep(wait, signal);
    else await aborted(signal);
    return await dashcam().isThere(LOOK_MS, signal);
  }

  #isWanted(): boolean {
    const { connection, schedule } = this.#parts.settings.current;
    return schedule.on_arrival && !schedule.paused && connection.address !== "";
  }

  /** Forgets what was known of another camera. */
  #follow(): void {
    const { address } = this.#parts.dashcam();
    if (address === this.#address) return;
    // A visit may go on already when this is the first address that is asked for.
    if (this.#address !== "") this.#parts.visits.gone();
    this.#address = address;
    this.#presence = UNKNOWN_PRESENCE;
  }

  #set(presence: Presence): void {
    const isOther = presence.camera !== this.#presence.camera;
    this.#presence = presence;
    if (isOther) this.moved.set(presence.camera);
    if (presence.camera === "away") this.#parts.visits.gone();
    const { camera } = presence;
    const { address, camera: written } = this.#written;
    if (camera === "unknown" || (camera === written && address === this.#address)) return;
    this.#written = { address: this.#address, camera };
    void this.#parts.file.write({ address: this.#address, camera });
  }

  #wake(): void {
    this.#woken.abort();
  }
}

/** Everything in the settings that looking depends on. */
function keyOf({ connection, schedule }: Settings): string {
  return JSON.stringify([connection.address, schedule.on_arrival, schedule.arrival_seconds, schedule.paused]);
}

/** Rejects when the signal is aborted. */
async function aborted(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  throw signal.reason;
}
