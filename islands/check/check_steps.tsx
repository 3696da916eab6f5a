/** @jsxImportSource preact */

import type { StatusLevel } from "../../server/domain/answers/status_level.ts";
import type { CheckStep } from "../../server/domain/camera/check_report.ts";
import { Icon } from "../parts/icon.tsx";

interface CheckStepsProps {
  readonly steps: readonly CheckStep[];
  /** True while more answers are expected. */
  readonly isGoing: boolean;
}

/** The steps in their order: each stands from the first moment, so that an answer moves nothing. */
export function CheckSteps({ steps, isGoing }: CheckStepsProps) {
  return (
    <ol class="checks" aria-label="Steps">
      {steps.map((step) => (
        <Step key={step.name} {...settled(step, isGoing)} />
      ))}
    </ol>
  );
}

function Step({ label, state, finding, figure }: CheckStep) {
  const level = LEVELS[state];
  const says = SAYS[state] ?? "";
  return (
    <li class={`is-${level}`}>
      <Icon name={`s-${level}`} />
      <b>{label}</b>
      <span class="sr">{`, ${WORDS[state]}.`}</span>
      {/* A step that was left out says so in place of a figure. */}
      {finding !== "" && finding.toLowerCase() !== says && <span class="find">{finding}</span>}
      <Figure words={figure ?? says} />
    </li>
  );
}

/** Measured value: its number stands out. */
function Figure({ words }: { readonly words: string }) {
  const [, number, unit = words] = /^([\d.,\u202f]+)(\s.*)$/.exec(words) ?? [];
  return (
    words !== "" && (
      <span class="fig">
        {number !== undefined && <b>{number}</b>}
        {unit}
      </span>
    )
  );
}

/** A step as it is left when the check ends before its answer. */
export function settled(step: CheckStep, isGoing: boolean): CheckStep {
  const isOpen = step.state === "waiting" || step.state === "asking";
  return isOpen && !isGoing ? { ...step, state: "not-asked" } : step;
}

const LEVELS: Readonly<Record<CheckStep["state"], StatusLevel>> = {
  waiting: "waiting",
  asking: "busy",
  fine: "fine",
  attention: "attention",
  failed: "failed",
  "not-asked": "waiting",
  later: "waiting",
};

/** A state as screen readers say it, and as it stands in the copied text. */
export const WORDS: Readonly<Record<CheckStep["state"], string>> = {
  waiting: "waiting",
  asking: "being asked",
  fine: "fine",
  attention: "attention",
  failed: "failed",
  "not-asked": "not asked",
  later: "after the sync",
};

/** Words in place of a figure. */
const SAYS: Readonly<Partial<Record<CheckStep["state"], string>>> = {
  asking: "now",
  "not-asked": "not asked",
  later: "after the sync",
};
