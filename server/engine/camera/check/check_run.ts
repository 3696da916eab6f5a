import { isIP } from "node:net";
import type { Dashcam } from "../../../dashcam/camera.ts";
import { noCamera, SYNC_BEGAN, SYNC_RUNS } from "../../../domain/camera/check_endings.ts";
import { explained, type ProblemFacts } from "../../../domain/camera/check_failures.ts";
import { CONCERNS, fineVerdict } from "../../../domain/camera/check_findings.ts";
import {
  type CheckReport,
  type CheckStep,
  type CheckStepName,
  finished,
  newReport,
  verdictOf,
  withStep,
  withWarnings,
} from "../../../domain/camera/check_report.ts";
import { hostNameOf } from "../../../domain/settings/host_names.ts";
import { counted, formatRate } from "../../../domain/text/format.ts";
import type { Job } from "../../run/job.ts";
import { CheckSession, type CheckWorld, problemOf } from "./check_session.ts";
import { askInterface, askList, connect, findWay } from "./reach_steps.ts";
import { askClock, askModel, askSpeed, judgeSettings } from "./reading_steps.ts";

/** Facts about a camera while a sync talks with it. */
export interface SyncSight {
  /** Files come in from the camera at this address. */
  readonly isTransferring: boolean;
  readonly recordings: number | null;
  readonly model: string | null;
}

export interface CheckOrder {
  readonly camera: Dashcam;
  /** The job whose sync has the way; null without a service. */
  readonly job: Pick<Job, "isRunning" | "snapshot" | "topic"> | null;
  readonly sight: () => Promise<SyncSight>;
  /** Ends the check, such as when the client has hung up. */
  readonly signal: AbortSignal;
  /** For those who did not sign in at an address that is not the camera's: whether a camera is there, and nothing else. */
  readonly inShort: boolean;
}

/**
 * Checks the camera step by step; each change of the report is published, the last has the verdict. It ends within the
 * limits, whatever answers or does not; nothing is kept, and nothing on the camera changes.
 * @throws the signal's reason when it is ended from outside
 */
export async function runCheck(
  world: CheckWorld,
  order: CheckOrder,
  publish: (report: CheckReport) => void,
): Promise<CheckReport> {
  const { clock, limits } = world;
  const { camera, job } = order;
  const began = clock.elapsed();
  const late = new AbortController();
  const aside = new AbortController();
  const timers = [setTimeout(() => late.abort(), limits.allMs)];
  const unsubscribe = job?.topic.subscribe(({ state }) => {
    if (state === "running") aside.abort();
  });
  const signal = AbortSignal.any([late.signal, aside.signal, order.signal]);
  const isRunning = job?.isRunning === true;
  const curtain = new Curtain(order, publish);
  const report = newReport(camera.address, clock.now(), isRunning);
  const session = new CheckSession({ camera, world, signal, report }, (now) => curtain.show(now));
  const end = (verdict: CheckReport["verdict"] & {}, left: "not-asked" | "later" = "not-asked") => {
    const last = finished(withWarnings(session.report, isCamera ? session.concerns : []), verdict, {
      tookMs: clock.elapsed() - began,
      left,
    });
    publish(last);
    return last;
  };
  let facts: ProblemFacts = { elsewhere: null, isNear: false, isNewer: false };
  let isCamera = false;
  publish(report);
  try {
    // Not for those who are to learn nothing of the network: an answer in time would tell.
    if (order.inShort) timers.push(setTimeout(() => !isCamera && late.abort(), limits.shortMs));
    facts = await findWay(session, camera.address);
    if (isRunning && job) {
      seenBySync(session, await order.sight(), job.snapshot.bytes_per_second);
      return end(SYNC_RUNS, "later");
    }
    await connect(session);
    facts = { ...facts, isNewer: await askInterface(session) };
    const list = await askList(session);
    isCamera = true;
    curtain.lift();
    const { model, settings } = await askModel(session);
    const estimate = await askSpeed(session, list);
    await askClock(session, list);
    judgeSettings(session, settings);
    return end(verdictOf(session.concerns, fineVerdict(estimate, model)));
  } catch (error) {
    order.signal.throwIfAborted();
    if (aside.signal.aborted) return end(SYNC_BEGAN, "later");
    const isLate = late.signal.aborted;
    const problem = isLate ? ({ kind: "too-slow" } as const) : problemOf(error);
    if (problem === null) throw error;
    if (order.inShort && !isCamera) {
      // A quicker answer would reveal what is there instead.
      await clock.sleep(Math.max(0, limits.shortMs - (clock.elapsed() - began)), order.signal);
      session.report = curtain.hidden(session.report);
      return end(noCamera(curtain.tellsRoute ? facts.elsewhere : null));
    }
    if (isLate && isCamera) return end(CONCERNS.outOfTime());
    const { finding, verdict } = explained({ step: session.step, ...problem }, facts);
    session.set(session.step, { state: "failed", finding });
    if (verdict.reason === "other-subnet") session.set("route", { state: "attention" });
    return end(verdict);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    unsubscribe?.();
  }
}

/** Fills in the steps that the running sync answers; the others wait. */
function seenBySync(session: CheckSession, { isTransferring, recordings, model }: SyncSight, rate: number): void {
  if (!isTransferring) return;
  const seen = (...[step, finding, figure, numbers = {}]: Seen) =>
    session.set(step, { state: "fine", finding, figure, numbers });
  session.set("connect", { state: "fine", finding: "The sync talks with it" });
  if (recordings !== null) seen("list", counted(recordings, "recording"), "from the sync", { recordings });
  if (model !== null) seen("model", model, "from the last visit");
  if (rate > 0) seen("speed", "Measured by the sync", formatRate(rate), { bytes_per_second: rate });
}
type Seen = [step: CheckStepName, finding: string, figure: string, numbers?: CheckStep["numbers"]];

/** Hides the report from visitors who did not sign in, until it is known that a camera is there. */
class Curtain {
  /** The route to a number is known without a question to the network; that of a name would tell whether there is one. */
  readonly tellsRoute: boolean;
  readonly #publish: (report: CheckReport) => void;
  #isDown: boolean;
  /** The report that was shown last while hidden. A frame without news would tell when something happened there. */
  #shown: string | null = null;

  constructor({ inShort, camera }: CheckOrder, publish: (report: CheckReport) => void) {
    this.tellsRoute = isIP(hostNameOf(camera.address)) !== 0;
    this.#isDown = inShort;
    this.#publish = publish;
  }

  lift(): void {
    this.#isDown = false;
  }

  show(report: CheckReport): void {
    const now = this.#isDown ? this.hidden(report) : report;
    const text = this.#isDown ? JSON.stringify(now) : null;
    if (text !== null && text === this.#shown) return;
    this.#shown = text;
    this.#publish(now);
  }

  hidden(report: CheckReport): CheckReport {
    const shown = this.tellsRoute ? ["address", "route"] : [];
    return report.steps.reduce(
      (all, { name }) =>
        shown.includes(name) ? all : withStep(all, name, { state: "waiting", finding: "", figure: null, numbers: {} }),
      report,
    );
  }
}
