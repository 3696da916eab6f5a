/** @jsxImportSource preact */
import type { DashcamHealth } from "../../server/domain/health.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { State } from "../parts/state.tsx";

const ID = "dashcam-card";
const TITLE = "Camera";

/** Whether the camera answers. */
export function DashcamCard({ poll, ...health }: DashcamHealth & Polled) {
  if (health.reachable) {
    return (
      <Cell id={ID} title={TITLE} poll={poll} aside={<State mood="fine" word="reachable" />}>
        <p class="big mono">{health.address}</p>
        <p class="soft">{latencyInWords(health.latency_ms)}</p>
      </Cell>
    );
  }
  const { address, reason } = health;
  if (address === undefined) {
    return (
      <Cell id={ID} title={TITLE} poll={poll} aside={<State mood="waiting" word="none yet" />}>
        <p class="big">No camera yet</p>
        <p class="soft">
          <a href="/settings">Tell Dashdock where it is</a>: {reason}
        </p>
      </Cell>
    );
  }
  return (
    <Cell id={ID} title={TITLE} poll={poll} aside={<State mood="waiting" word="camera not reachable" />}>
      <p class="big">Camera away</p>
      <p class="soft">
        <span class="mono">{address}</span>: <data value={reason}>{REASONS[reason] ?? reason}</data>
      </p>
    </Cell>
  );
}

/** A camera that is in the middle of a download is not asked: it is known to be there. */
function latencyInWords(ms: number): string {
  return ms > 0 ? `Answered in ${ms}\u00a0ms` : "Busy with a download";
}

const REASONS: Readonly<Record<string, string>> = {
  refused: "it refused the connection",
  unreachable: "there is no way to it",
  dns: "its name is not known here",
  reset: "it broke the connection",
  closed: "it closed the connection without an answer",
  timeout: "it did not answer in time",
  silence: "it stopped answering",
};
