import type { Clock } from "../../../clock.ts";
import type { Dashcam } from "../../../dashcam/camera.ts";
import { DashcamProblem } from "../../../dashcam/problem.ts";
import type { CheckProblem } from "../../../domain/camera/check_failures.ts";
import {
  type CheckReport,
  type CheckStep,
  type CheckStepName,
  type CheckVerdict,
  withStep,
} from "../../../domain/camera/check_report.ts";
import type { LookSchedule } from "../../../domain/camera/settings_against_schedule.ts";
import type { ZoneTime } from "../../../domain/text/zone_time.ts";
import type { Interfaces } from "./route.ts";

/** Limits of time and bytes for a check; tests have less time. */
export interface CheckLimits {
  readonly allMs: number;
  readonly lookupMs: number;
  /** For each of two tries. */
  readonly connectMs: number;
  /** Until an answer begins, and between two pieces of it. */
  readonly answerMs: number;
  readonly listMs: number;
  readonly speedMs: number;
  /** Read in all. */
  readonly bytes: number;
  readonly speedBytes: number;
  /** Time of a check without a camera, for visitors who did not sign in. */
  readonly shortMs: number;
}

export const CHECK_LIMITS: CheckLimits = {
  allMs: 14_000,
  lookupMs: 3000,
  connectMs: 2500,
  answerMs: 5000,
  listMs: 5000,
  speedMs: 2500,
  bytes: 2_000_000,
  speedBytes: 1_000_000,
  shortMs: 6000,
};

/** Everything outside that a check uses. */
export interface CheckWorld {
  readonly clock: Clock;
  readonly interfaces: () => Interfaces;
  /** The address of a name. @throws when it is not known */
  readonly lookup: (name: string) => Promise<string>;
  readonly schedule: LookSchedule;
  /** The zone that names are taken to be in. */
  readonly zone: ZoneTime;
  readonly limits: CheckLimits;
}

/** A step that did not bring what it was for, for a cause that has words. */
export class CheckFailure extends Error {
  readonly problem: Omit<CheckProblem, "step">;

  constructor(problem: Omit<CheckProblem, "step">) {
    super(problem.kind);
    this.problem = problem;
  }
}

/** Returns the cause of a failed step; null for an error that is neither a camera's answer nor the lack of one. */
export function problemOf(error: unknown): Omit<CheckProblem, "step"> | null {
  if (error instanceof CheckFailure) return error.problem;
  if (!(error instanceof DashcamProblem)) return null;
  const { kind, status } = error;
  if (kind === "cut") return { kind: "silence" };
  return kind === "no-address" ? { kind: "other" } : { kind, status };
}

/** One check on its way: whom it talks to, what it has left, and what it has found. */
export class CheckSession {
  readonly camera: Dashcam;
  readonly world: CheckWorld;
  readonly signal: AbortSignal;
  /** Facts that work now but will do harm. */
  readonly concerns: CheckVerdict[] = [];
  step: CheckStepName = "address";
  bytesLeft: number;
  report: CheckReport;
  readonly #publish: (report: CheckReport) => void;

  constructor(
    parts: Pick<CheckSession, "camera" | "world" | "signal" | "report">,
    publish: (report: CheckReport) => void,
  ) {
    this.camera = parts.camera;
    this.world = parts.world;
    this.signal = parts.signal;
    this.report = parts.report;
    this.bytesLeft = parts.world.limits.bytes;
    this.#publish = publish;
  }

  /** A step is being asked from here on. */
  begin(step: CheckStepName): void {
    this.signal.throwIfAborted();
    this.step = step;
    this.set(step, { state: "asking" });
  }

  set(step: CheckStepName, change: Parameters<typeof withStep>[2]): void {
    this.report = withStep(this.report, step, change);
    this.#publish(this.report);
  }

  /** The step that was begun is done. */
  done(
    finding: string,
    figure: string | null = null,
    { state = "fine", numbers = {} }: { state?: "fine" | "attention"; numbers?: CheckStep["numbers"] } = {},
  ): void {
    this.set(this.step, { state, finding, figure, numbers });
  }

  /** A step that has nothing to work on. */
  skip(step: CheckStepName, finding: string): void {
    this.set(step, { state: "not-asked", finding });
  }

  /** Does the work, and returns its result with the time that it took. */
  async timed<T>(work: () => Promise<T>): Promise<[result: T, ms: number]> {
    const began = this.world.clock.elapsed();
    const result = await work();
    return [result, this.world.clock.elapsed() - began];
  }

  /** Whatever is answered at a path, within what is left of the bytes. @throws DashcamProblem, the signal's reason */
  async look(path: string, most: number, bodyMs = this.world.limits.answerMs) {
    const { answerMs } = this.world.limits;
    const allowed = Math.max(0, Math.min(most, this.bytesLeft));
    const looked = await this.camera.look(path, { answerMs, bodyMs, most: allowed }, this.signal);
    this.bytesLeft -= looked.body.length;
    return looked;
  }

  /** Work that is given up after so long. @throws DashcamProblem `timeout` */
  async within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new DashcamProblem("timeout", "the camera did not answer in time")), ms);
    try {
      return await work(AbortSignal.any([this.signal, late.signal]));
    } finally {
      clearTimeout(timer);
    }
  }
}
