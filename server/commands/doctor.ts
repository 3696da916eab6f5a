import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { styleText } from "node:util";
import { systemClock } from "../clock.ts";
import { openCamera } from "../dashcam/camera.ts";
import { type CheckReport, type CheckStep, furtherWarnings } from "../domain/camera/check_report.ts";
import { addressProblem } from "../domain/settings/address.ts";
import { FALLBACK_SCHEDULE } from "../domain/settings/schedule.ts";
import { tidyAddress } from "../domain/settings/tidy_address.ts";
import { ZoneTime } from "../domain/text/zone_time.ts";
import { runCheck } from "../engine/camera/check/check_run.ts";
import { CHECK_LIMITS } from "../engine/camera/check/check_session.ts";
import { oneLine } from "../log.ts";
import type { CommandIO } from "./command_io.ts";
import { readArgs, UsageProblem } from "./usage.ts";

const OPTIONS = { json: { type: "boolean", default: false } } as const;

/** `doctor`: why a camera cannot be reached or is slow, step by step; 0 when it works, 1 when it does not. */
export async function doctorCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values, positionals } = readArgs(args, OPTIONS, 1);
  const address = tidyAddress(positionals[0] ?? "");
  if (address === "") throw new UsageProblem("Say which address to check, such as 192.168.1.20");
  const problem = addressProblem(address);
  if (problem !== null) throw new UsageProblem(problem);

  const stopping = new AbortController();
  const offs = [io.onSignal(() => stopping.abort()), io.onOutputClosed(() => stopping.abort())];
  const zone = new ZoneTime(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const world = {
    clock: systemClock,
    interfaces: networkInterfaces,
    zone,
    limits: CHECK_LIMITS,
    lookup: async (name: string) => (await lookup(name)).address,
    // Without settings, the schedule that a new Dashdock begins with.
    schedule: { cron_expression: FALLBACK_SCHEDULE.cron_expression, paused: false, on_arrival: true },
  };
  const camera = openCamera({ address, timeoutMs: CHECK_LIMITS.answerMs, silenceMs: CHECK_LIMITS.answerMs });
  const sight = async () => ({ isTransferring: false, recordings: null, model: null });
  const order = { camera, job: null, sight, signal: stopping.signal, inShort: false };
  const printed = new Printed(io);
  try {
    const report = await runCheck(world, order, (now) => !values.json && printed.steps(now));
    if (values.json) io.out.write(`${JSON.stringify(report, null, 2)}\n`);
    else printed.verdict(report);
    return report.verdict?.level === "failed" ? 1 : 0;
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    io.err.write("Stopped before the end.\n");
    return 1;
  } finally {
    for (const off of offs) off();
  }
}

const MARKS = { fine: "ok", attention: "!!", failed: "no" } as const;
const COLORS = { fine: "green", attention: "yellow", failed: "red" } as const;
const LABEL_WIDTH = 12;

/** The steps as lines, each when it is done, and the verdict behind them. */
class Printed {
  readonly #io: CommandIO;
  #count = 0;

  constructor(io: CommandIO) {
    this.#io = io;
  }

  /** Prints the steps that are done by now, in their order. */
  steps({ steps, verdict }: CheckReport): void {
    for (
      let step = steps[this.#count];
      step && (verdict || isDone(step, steps[this.#count + 1]));
      step = steps[this.#count]
    ) {
      this.#line(step);
      this.#count++;
    }
  }

  verdict(report: CheckReport): void {
    const { verdict, took_seconds } = report;
    if (!verdict) return;
    const { cause, remedy, command } = verdict;
    const further = furtherWarnings(report).flatMap((one) => [
      "",
      one.cause,
      ...(one.remedy === "" ? [] : [one.remedy]),
    ]);
    const lines = [
      "",
      cause,
      ...(remedy === "" ? [] : [remedy]),
      ...(command === null ? [] : ["", `  ${command}`]),
      ...further,
    ];
    this.#io.out.write(`${lines.join("\n")}\n\nTook ${took_seconds ?? 0} s.\n`);
  }

  #line({ label, state, finding, figure }: CheckStep): void {
    const mark = state === "fine" || state === "attention" || state === "failed" ? state : null;
    const sign = mark ? this.#colored(COLORS[mark], MARKS[mark]) : "--";
    // Some of it is in the camera's own words, which may move a terminal's cursor.
    const says = oneLine(`${finding}${figure === null ? "" : `  (${figure})`}`);
    this.#io.out.write(`${sign}  ${label.padEnd(LABEL_WIDTH)}${says}\n`);
  }

  #colored(color: (typeof COLORS)[keyof typeof COLORS], text: string): string {
    return styleText(color, text, { stream: this.#io.out });
  }
}

/** A step is done when the one behind it has begun; the list completes what the interface has told. */
function isDone({ name, state }: CheckStep, next: CheckStep | undefined): boolean {
  if (state === "waiting" || state === "asking" || next === undefined) return false;
  return next.state !== "waiting" && (name !== "interface" || next.state !== "asking");
}
