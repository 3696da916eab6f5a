/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { CheckReport, CheckStepName } from "../../server/domain/camera/check_report.ts";
import { asSentence } from "../../server/domain/text/format.ts";
import { CheckGauge } from "./check_gauge.tsx";
import type { CheckRun } from "./check_run.ts";
import { CheckSteps } from "./check_steps.tsx";
import { CheckVerdictNote, checkWords } from "./check_verdict.tsx";

interface CheckedHereProps {
  readonly run: CheckRun;
  /** The steps of the check stay folded away. */
  readonly isFolded: boolean;
  /** Actions that are possible meanwhile. */
  readonly children?: ComponentChildren;
}

/** The check of a typed address, in its place on a page. The id of its words is `address-says`. */
export function CheckedHere({ run, isFolded, children }: CheckedHereProps) {
  const state = run.state.value;
  const { how, report } = state;
  const isGoing = how === "going";
  const { level, title, words } = checkWords(state);
  const isPlain = isGoing || (level === "fine" && !isFolded);
  const steps = <CheckSteps steps={report.steps} isGoing={isGoing} />;
  return (
    <>
      {isPlain ? (
        <p class="says" id="address-says">
          <b>{isGoing ? stepInWords(report) : title}</b> {isGoing ? listInWords(report) : words}
        </p>
      ) : (
        <CheckVerdictNote state={state} id="address-says" isNew />
      )}
      {isPlain && <CheckGauge state={state} />}
      {!isFolded && steps}
      {children}
      {isFolded && !isGoing && (
        <details class="more">
          <summary>Each step of the check</summary>
          {steps}
        </details>
      )}
      {/* Not each step: what can be done, and what it has come to. */}
      <p class="sr" role="status">
        {isGoing ? (isCamera(report) ? "It is a camera. The check goes on." : "Checking.") : `${title} ${words}`}
      </p>
    </>
  );
}

/** Says what camera it is and what it holds, once it is known to be one. */
export function FoundCamera({ run }: Pick<CheckedHereProps, "run">) {
  const { report } = run.state.value;
  if (!isCamera(report)) return null;
  const model = report.steps.find(({ name, state }) => name === "model" && state === "fine")?.finding ?? "";
  return (
    <p class="says">
      <b>{model === "" ? "Found a camera." : `Found: ${model}.`}</b> {listInWords(report)}
    </p>
  );
}

/** A list as only cameras give it; what is asked after it is about how well it works. */
export function isCamera({ steps }: CheckReport): boolean {
  return steps.some(({ name, state }) => name === "list" && (state === "fine" || state === "attention"));
}

function stepInWords({ steps }: CheckReport): string {
  const at = steps.findIndex(({ state }) => state === "asking");
  const step = steps[at];
  return step === undefined ? "Checking the address." : `Step ${at + 1} of ${steps.length}: ${DOING[step.name]}.`;
}

/** Contents of the camera; empty until the list is read. */
function listInWords({ steps }: CheckReport): string {
  return asSentence(steps.find(({ name }) => name === "list")?.finding ?? "");
}

const DOING: Readonly<Record<CheckStepName, string>> = {
  address: "looking up the address",
  route: "looking for the way to it",
  connect: "waiting for it to answer",
  interface: "finding out how it wants to be asked",
  list: "reading its list of recordings",
  model: "reading which model it is",
  speed: "measuring how fast it reads",
  resume: "going on in the middle of a recording",
  clock: "comparing its clock",
  settings: "reading its settings",
};
