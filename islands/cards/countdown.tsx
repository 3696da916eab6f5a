/** @jsxImportSource preact */
import type { OverviewPlan } from "../../server/domain/plan/plan_schema.ts";
import type { Overview } from "../../server/domain/status/overview.ts";
import type { Snapshot } from "../../server/domain/sync/job_progress.ts";
import { counted, formatBytes, formatSeconds } from "../../server/domain/text/format.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { Figure, Unknown } from "../parts/figure.tsx";
import { Reading } from "../parts/reading.tsx";
import { Time } from "../parts/time.tsx";

interface CountdownProps {
  readonly snapshot: Snapshot;
  readonly overview: Overview;
  readonly plan: OverviewPlan;
  readonly zone: ZoneTime;
}

/** Places under the bar, in percent, at which its first text does not reach the end of the bar or the text there. */
const LEAST_PLACE = 17;
const MOST_PLACE = 60;

/** Time until what is at risk is home, and all: a bar with both, and figures. */
export function Countdown(props: CountdownProps) {
  const { snapshot, overview, plan, zone } = props;
  const { at_risk: risk, waiting, visit, safe_since: since } = plan;
  const { now } = overview;
  const left = snapshot.eta_seconds ?? plan.needs_seconds;
  const isSafe = risk?.recordings === 0;
  const seconds = risk?.seconds ?? null;
  return (
    <>
      <Bar {...props} />
      <dl class="readings">
        <Reading name="At risk">
          <Figure text={counted(risk?.recordings ?? 0, "recording")} />
        </Reading>
        <Reading name="Until safe">
          {isSafe ? (
            <>Safe {since !== null && <small>since {zone.clock(Date.parse(since))}</small>}</>
          ) : (
            seconds !== null && <Figure text={formatSeconds(seconds)} />
          )}
        </Reading>
        <Reading name="Until all is home">
          {left === null ? <Unknown /> : <Figure text={formatSeconds(left)} />}
        </Reading>
        <Reading name="Waiting data">
          {waiting.bytes === null ? <Unknown /> : <Figure text={formatBytes(waiting.bytes)} />}
        </Reading>
        <Reading name="Rate">
          {snapshot.bytes_downloaded_total > 0 ? (
            <Figure text={`${formatBytes(snapshot.bytes_per_second)}/s`} />
          ) : (
            <Unknown />
          )}
        </Reading>
        <Reading name="Home since">
          {visit === null ? (
            <Unknown />
          ) : (
            <Time at={Date.parse(visit.from)} zone={zone}>
              {zone.clock(Date.parse(visit.from))}{" "}
              <small>{formatSeconds(Math.max(0, now - Date.parse(visit.from)) / 1000)}</small>
            </Time>
          )}
        </Reading>
      </dl>
    </>
  );
}

function Bar({ snapshot, overview: { now }, plan, zone }: CountdownProps) {
  const { at_risk: risk, needs_seconds: needs, safe_since: since } = plan;
  const done = snapshot.percent;
  const seconds = risk?.seconds ?? 0;
  const width = needs ? Math.min(1, seconds / needs) * (100 - done) : 0;
  const mark = done + width;
  const left = snapshot.eta_seconds ?? needs;
  const atHome = left === null ? null : zone.clock(now + left * 1000);
  const home = atHome !== null && (
    <>
      <tspan>{atHome}</tspan> all home
    </>
  );
  const isSafe = risk?.recordings === 0;
  const safe = isSafe ? (
    <>Safe to leave{since !== null && ` since ${zone.clock(Date.parse(since))}`}</>
  ) : (
    <>
      <tspan>{zone.clock(now + seconds * 1000)}</tspan> safe to leave
    </>
  );
  const isApart = isSafe || mark <= MOST_PLACE;
  const words = isSafe ? "everything at risk is safe" : `${counted(risk?.recordings ?? 0, "recording")} at risk`;
  return (
    <div>
      <div
        role="progressbar"
        aria-label="Coming home"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(done)}
        aria-valuetext={`${Math.floor(done)} % is home; ${words}`}
      >
        <svg class="cd" aria-hidden="true">
          <rect class="cd-t" x="0" y="4" width="100%" height="16" rx="8" />
          <svg y="4" width="100%" height="16">
            <rect class="cd-done" width={percent(done)} height="16" rx="8" />
            {!isSafe && <rect class="cd-risk" x={percent(done)} y="1" width={percent(width)} height="14" rx="3" />}
          </svg>
          {!isSafe && <line class="cd-mark" x1={percent(mark)} x2={percent(mark)} y1="0" y2="24" />}
        </svg>
      </div>
      <svg class="cd-x">
        {isApart && (
          <text
            {...(isSafe ? { x: "0" } : { x: percent(Math.max(LEAST_PLACE, mark)), "text-anchor": "middle" })}
            y="14"
          >
            {safe}
          </text>
        )}
        <text x="100%" y="14" text-anchor="end">
          {!isApart && safe}
          {!isApart && home && ", "}
          {home}
        </text>
      </svg>
    </div>
  );
}

function percent(value: number): string {
  return `${value.toFixed(2)}%`;
}
