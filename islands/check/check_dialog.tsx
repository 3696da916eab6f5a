/** @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatSeconds } from "../../server/domain/text/format.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { copyText } from "../browser/copy_text.ts";
import { useOpenDialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { CheckGauge, stepsDone } from "./check_gauge.tsx";
import type { CheckRun, CheckState } from "./check_run.ts";
import { CheckSteps } from "./check_steps.tsx";
import { CheckVerdictNote, checkWords } from "./check_verdict.tsx";
import { reportText } from "./report_text.ts";

interface CheckDialogProps {
  readonly run: CheckRun;
  /** Zone of all times on the page. */
  readonly zone: ZoneTime;
  readonly onClosed: () => void;
}

/** A check of the camera, from its first step to its verdict. Closing the dialog ends it. */
export function CheckDialog({ run, zone, onClosed }: CheckDialogProps) {
  const dialog = useOpenDialog(onClosed);
  const said = useSignal("");
  const state = run.state.value;
  const { report, how } = state;
  const isGoing = how === "going";
  const { title, words, level } = checkWords(state);
  useEffect(() => {
    void run.begin();
    return run.stop;
  }, []);
  const copy = async () => {
    said.value = (await copyText(document, reportText(report))) ? "Copied" : "This browser did not allow copying";
  };
  const again = () => {
    said.value = "";
    if (isGoing) run.stop();
    else void run.begin();
  };
  return (
    <dialog class="dialog doctor" data-modal="check-camera" aria-labelledby="check-title" ref={dialog}>
      <form method="dialog">
        <div class="dialog-head">
          <div>
            <h2 id="check-title">Check the camera</h2>
            <p>
              <span class="mono">{report.address}</span>
              {report.address !== "" && " · "}
              {progressOf(state, zone)}
            </p>
          </div>
          <button class="b b-icon" type="submit" aria-label="Close">
            <Icon name="i-close" />
          </button>
        </div>
        {isGoing && <CheckGauge state={state} />}
        <CheckVerdictNote state={state} />
        {/* Once it has come to something; each step would be too much to listen to. */}
        <p class="sr" role="status">
          {isGoing ? "Checking." : `${title} ${words}`}
        </p>
        <CheckSteps steps={report.steps} isGoing={isGoing} />
        <div class="row">
          <span class="result" role="status">
            {said.value}
          </span>
          <button class="b" type="button" disabled={report.began_at === ""} onClick={copy}>
            <Icon name="i-copy" />
            Copy
          </button>
          {/* The same element, so that it keeps the focus. */}
          <button class={`b ${level === "failed" ? "b-primary" : ""}`.trim()} type="button" onClick={again}>
            {!isGoing && <Icon name="i-sync" />}
            {isGoing ? "Stop checking" : "Check again"}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function progressOf({ report: { steps, began_at, took_seconds: took }, how }: CheckState, zone: ZoneTime): string {
  if (how === "stopped") return `stopped, ${stepsDone(steps)} of ${steps.length} known`;
  if (how !== "going" && took !== null)
    return `finished ${zone.clock(Date.parse(began_at) + took * 1000)}, ${took < 0.5 ? "took under a second" : `took ${formatSeconds(took)}`}`;
  const asked = steps.filter(({ state }) => state === "asking").length;
  return `${stepsDone(steps)} of ${steps.length} known${asked === 0 || how !== "going" ? "" : `, ${asked} being asked`}`;
}
