/** @jsxImportSource preact */
import type { CheckState } from "./check_run.ts";

interface CheckGaugeProps {
  readonly state: CheckState;
}

/** Number of finished steps of a check. */
export function CheckGauge({ state: { report } }: CheckGaugeProps) {
  const all = report.steps.length;
  const done = stepsDone(report.steps);
  return (
    <progress class="gauge gauge-thin" max={all} value={done} aria-label="Steps done">
      {`${done} of ${all}`}
    </progress>
  );
}

export function stepsDone(steps: CheckState["report"]["steps"]): number {
  return steps.filter(({ state }) => state === "fine" || state === "attention" || state === "failed").length;
}
