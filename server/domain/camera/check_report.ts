import type * as v from "valibot";
import {
  type CHECK_REPORT,
  type CHECK_STEP,
  CHECK_STEPS,
  type CHECK_VERDICT,
  type CHECK_WARNING,
} from "./check_schema.ts";

export type CheckReport = v.InferOutput<typeof CHECK_REPORT>;
export type CheckStep = v.InferOutput<typeof CHECK_STEP>;
export type CheckVerdict = v.InferOutput<typeof CHECK_VERDICT>;
export type CheckWarning = v.InferOutput<typeof CHECK_WARNING>;
export type CheckStepName = (typeof CHECK_STEPS)[number];
type StepChange = Partial<Pick<CheckStep, "state" | "finding" | "figure" | "numbers">>;

/** Names of the steps. */
export const STEP_LABELS: Readonly<Record<CheckStepName, string>> = {
  address: "Address",
  route: "Route",
  connect: "Connect",
  interface: "Interface",
  list: "List",
  model: "Model",
  speed: "Read speed",
  resume: "Resume",
  clock: "Clock",
  settings: "Settings",
};

/** A check that has not asked anything yet. @param now epoch milliseconds */
export function newReport(address: string, now: number, isSyncRunning: boolean): CheckReport {
  return {
    address,
    began_at: new Date(now).toISOString(),
    took_seconds: null,
    sync_running: isSyncRunning,
    steps: CHECK_STEPS.map((name) => ({
      name,
      label: STEP_LABELS[name],
      state: "waiting" as const,
      finding: "",
      figure: null,
      numbers: {},
    })),
    verdict: null,
    warnings: [],
  };
}

/** The report with one step changed. */
export function withStep(report: CheckReport, name: CheckStepName, change: StepChange): CheckReport {
  return { ...report, steps: report.steps.map((step) => (step.name === name ? { ...step, ...change } : step)) };
}

/** The report with its end: steps not asked until now never are, or after the sync. */
export function finished(
  report: CheckReport,
  verdict: CheckVerdict,
  end: { readonly tookMs: number; readonly left: "not-asked" | "later" },
): CheckReport {
  const steps = report.steps.map((step) =>
    step.state === "waiting" || step.state === "asking"
      ? { ...step, state: end.left, finding: end.left === "later" ? "After the sync" : "Not asked" }
      : step,
  );
  return { ...report, steps, verdict, took_seconds: Math.round(end.tookMs / 100) / 10 };
}

/** The report with what will hurt, in the order in which it was found. */
export function withWarnings(report: CheckReport, concerns: readonly CheckVerdict[]): CheckReport {
  const warnings = concerns.map(({ reason, cause, remedy, setting }) => ({ reason, cause, remedy, setting }));
  return { ...report, warnings };
}

/** Returns the warnings beside the one that the verdict names. */
export function furtherWarnings({ warnings, verdict }: CheckReport): readonly CheckWarning[] {
  return warnings.filter(({ reason }) => reason !== verdict?.reason);
}

/** They cost little, and stand back behind all else. */
const MINOR: ReadonlySet<string> = new Set(["not-resumable", "settings-unreadable"]);

/** The verdict of a camera that works: the first of what will hurt, else the one without fault. */
export function verdictOf(concerns: readonly CheckVerdict[], fine: CheckVerdict): CheckVerdict {
  const first = concerns.find(({ reason }) => !MINOR.has(reason)) ?? concerns[0];
  if (first === undefined) return fine;
  return first.setting === null ? first : { ...first, cause: `The camera works. ${first.cause}` };
}
