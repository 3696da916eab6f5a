/** @jsxImportSource preact */
import { agoInWords, dayInWords, formatClock } from "../../server/domain/format.ts";
import type { CameraOutlook } from "../../server/domain/health.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { State } from "../parts/state.tsx";
import { Time } from "../parts/time.tsx";

const ID = "dashcam-card";
const TITLE = "Camera";

/** Whether the camera answers, and when it last did. */
export function DashcamCard({ poll, health, ...outlook }: CameraOutlook & Polled) {
  if (health === null) {
    return (
      <Cell id={ID} title={TITLE} poll={poll} soon aside={<State mood="waiting" word="Asking" />}>
        <p class="big">Asking the camera</p>
        <p class="soft">It has two seconds to answer.</p>
        <Seen {...outlook} />
      </Cell>
    );
  }
  if (health.reachable) {
    return (
      <Cell id={ID} title={TITLE} poll={poll} aside={<State mood="fine" word="Reachable" />}>
        <p class="big mono">{health.address}</p>
        <p class="soft">{latencyInWords(health.latency_ms)}</p>
        <Seen {...outlook} />
      </Cell>
    );
  }
  const { address, reason } = health;
  if (address === undefined) {
    return (
      <Cell id={ID} title={TITLE} poll={poll} aside={<State mood="waiting" word="None yet" />}>
        <p class="big">No camera yet</p>
        <p class="soft">
          <a href="/settings#connection">Tell Dashdock where it is</a>: {reason}
        </p>
      </Cell>
    );
  }
  return (
    <Cell id={ID} title={TITLE} poll={poll} aside={<State mood="waiting" word="Away" />}>
      <p class="big">Camera away</p>
      <p class="soft">
        <span class="mono">{address}</span>: <data value={reason}>{REASONS[reason] ?? reason}</data>
      </p>
      <Seen {...outlook} />
    </Cell>
  );
}

function Seen({ last_seen_at: at, now, time_zone }: Omit<CameraOutlook, "health">) {
  if (at === null) return <p class="cell-foot">Not seen yet</p>;
  const day = dayInWords(at, time_zone, now);
  return (
    <p class="cell-foot">
      Last seen{" "}
      <Time at={at} zone={time_zone}>
        {day.startsWith("Today") ? "" : `${day}, `}
        {formatClock(at, time_zone)}
      </Time>
      , {agoInWords((now - at) / 1000)}
    </p>
  );
}

/** A camera that is in the middle of a download is not asked: it is known to be there. */
function latencyInWords(ms: number): string {
  return ms > 0 ? `Answered in ${ms}\u00a0ms` : "Busy with a download";
}

const REASONS: Readonly<Record<string, string>> = {
  busy: "it is busy with a sync",
  unknown: "the log has the cause",
  refused: "it refused the connection",
  unreachable: "there is no way to it",
  dns: "its name is not known here",
  reset: "it broke the connection",
  closed: "it closed the connection without an answer",
  timeout: "it did not answer in time",
  silence: "it stopped answering",
};
