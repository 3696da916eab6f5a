import type { Clock } from "../../clock.ts";
import type { Dashcam } from "../../dashcam/camera.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import { AppError } from "../../domain/answers/errors.ts";
import type { CheckReport } from "../../domain/camera/check_report.ts";
import type { FailureCause } from "../../domain/runs/failure_cause.ts";
import type { DashcamHealth } from "../../domain/status/health.ts";
import type { Snapshot } from "../../domain/sync/job_progress.ts";
import { Topic } from "../../topic.ts";
import type { Failure } from "../transfer/failure_of_error.ts";

/** The longest a page waits for the camera. */
const PROBE_MS = 2000;
/** Pages ask more often than a camera should be disturbed. */
const PROBE_FRESH_MS = 4000;
/** Causes that end a run after the camera had answered. */
const ANSWERED: ReadonlySet<FailureCause> = new Set(["http", "redirect", "not-a-listing", "too-long", "other-camera"]);
/** As long as a check of an address where nothing is. */
const RETRY_SECONDS = 5;

type JobTopic = Pick<Topic<Snapshot>, "value" | "subscribe">;

/**
 * Asks if the camera answers, at most every few seconds for all readers together, and never while files come in. Then
 * the last answer stays, or the fact that files come in.
 */
export class CameraProbe {
  /** Set whenever an answer, or its lack, is another than the last time. */
  readonly flipped = new Topic<DashcamHealth | null>(null);
  /** The check in steps that was made last; null before the first one since the start. */
  lastCheck: CheckReport | null = null;
  readonly #clock: Clock;
  readonly #progress: JobTopic;
  /** The camera that the latest run is with: settings may name another one meanwhile. */
  #runsWith = "";
  #address = "";
  #at = Number.NEGATIVE_INFINITY;
  #last: DashcamHealth | null = null;
  #asking: Promise<DashcamHealth> | null = null;
  #lastSeenAt: number | null = null;
  #isChecking = false;
  #askedAt: number | null = null;

  /** @param progress of the job that talks with the camera */
  constructor(clock: Clock, progress: JobTopic) {
    this.#clock = clock;
    this.#progress = progress;
    let before = progress.value;
    progress.subscribe((now) => {
      const isNew = now.phase !== before.phase;
      before = now;
      // It has sent its list, so it is there.
      if (isNew && now.phase === "downloading") this.#seenInRun(this.#runsWith);
      // Its latency is measured again.
      else if (isNew && now.state !== "running" && this.#last?.reachable) this.#at = Number.NEGATIVE_INFINITY;
    });
  }

  /** A run asks the camera at this address what it has, and has no answer yet. */
  isAsked(address: string): boolean {
    return this.#isPhase("listing", address);
  }

  /** Files come in from the camera at this address. */
  isTransferring(address: string): boolean {
    return this.#isPhase("downloading", address);
  }

  /** A run begins with the camera at this address. */
  noteStart(address: string): void {
    this.#runsWith = address;
  }

  /** Takes over the result of a run that has just ended. */
  noteEnd(address: string, failure: Failure | null): void {
    // An answer that is of no use is an answer: it is there, and no page may call it away meanwhile.
    if (failure?.kind === "trouble" && ANSWERED.has(failure.cause)) this.#seenInRun(address);
    if (failure?.kind !== "away") return;
    this.#switchTo(address);
    this.#last = { reachable: false, address, reason: failure.cause };
    this.#askedAt = this.#clock.now();
    this.#at = this.#clock.elapsed();
  }

  async health(dashcam: Dashcam): Promise<DashcamHealth> {
    const { address } = dashcam;
    if (address === "") return { reachable: false, reason: "no address configured" };
    this.#switchTo(address);
    // Files are coming in: it is there, and a question would slow them down.
    if (this.isTransferring(address)) return this.#seenInRun(address);
    if (this.#last && this.#clock.elapsed() - this.#at < PROBE_FRESH_MS) return this.#last;
    if (dashcam.isBusy && !this.#asking) return this.#last ?? { reachable: false, address, reason: "busy" };
    if (this.#asking) return await this.#asking;
    const asking = this.#ask(dashcam);
    this.#asking = asking;
    try {
      return await asking;
    } finally {
      // By now it may be another camera that is asked.
      if (this.#asking === asking) this.#asking = null;
    }
  }

  /**
   * Checks an address, when no other is being checked: side by side, checks would be a search of the network.
   * @throws AppError RATE_LIMITED while another is, and what the check throws
   */
  async alone<T>(check: () => Promise<T>): Promise<T> {
    const leave = this.takeTurn();
    try {
      return await check();
    } finally {
      leave();
    }
  }

  /**
   * As `alone`, for a check whose end is not known where it begins.
   * @returns the way to let the next one in, which may be called more than once
   * @throws AppError RATE_LIMITED while another address is being checked
   */
  takeTurn(): () => void {
    if (this.#isChecking) {
      const message = "Another address is being checked. Try again in a few seconds.";
      throw new AppError("RATE_LIMITED", message, { retry_after_seconds: RETRY_SECONDS });
    }
    this.#isChecking = true;
    let left = false;
    return () => {
      if (!left) this.#isChecking = false;
      left = true;
    };
  }

  /** Returns what is known of this camera without asking it now; null when it was never asked. */
  known(dashcam: Dashcam): DashcamHealth | null {
    if (dashcam.address === "") return { reachable: false, reason: "no address configured" };
    return dashcam.address === this.#address ? this.#last : null;
  }

  /** Epoch seconds at which the camera at this address last answered; null when it did not since the start. */
  lastSeenAt(address: string): number | null {
    if (this.isTransferring(address)) return this.#clock.now() / 1000;
    return address === this.#address ? this.#lastSeenAt : null;
  }

  /** Epoch milliseconds of what is known of the camera at this address; null when it was never asked. */
  askedAt(address: string): number | null {
    return address === this.#address ? this.#askedAt : null;
  }

  #isPhase(phase: Snapshot["phase"], address: string): boolean {
    return address === this.#runsWith && this.#progress.value.phase === phase;
  }

  /** Forgets what was known of another camera. */
  #switchTo(address: string): void {
    if (address === this.#address) return;
    [this.#address, this.#last, this.#asking, this.#lastSeenAt] = [address, null, null, null];
    this.#askedAt = null;
  }

  #seenInRun(address: string): DashcamHealth {
    this.#switchTo(address);
    this.#askedAt = this.#clock.now();
    this.#lastSeenAt = this.#askedAt / 1000;
    this.#last = { reachable: true, address, latency_ms: this.#last?.reachable ? this.#last.latency_ms : 0 };
    this.#at = this.#clock.elapsed();
    return this.#last;
  }

  async #ask(dashcam: Dashcam): Promise<DashcamHealth> {
    const { address } = dashcam;
    const began = this.#clock.elapsed();
    const askedAt = this.#clock.now();
    let health: DashcamHealth;
    try {
      await dashcam.probe(undefined, PROBE_MS);
      health = { reachable: true, address, latency_ms: Math.round((this.#clock.elapsed() - began) * 10) / 10 };
    } catch (error) {
      health = { reachable: false, address, reason: error instanceof DashcamProblem ? error.kind : "unknown" };
    }
    if (address === this.#address) {
      if (health.reachable) this.#lastSeenAt = this.#clock.now() / 1000;
      const isOther = health.reachable !== this.#last?.reachable;
      this.#last = health;
      this.#askedAt = askedAt;
      this.#at = this.#clock.elapsed();
      if (isOther) this.flipped.set(health);
    }
    return health;
  }
}
