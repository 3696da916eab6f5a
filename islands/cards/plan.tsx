/** @jsxImportSource preact */

import { GUIDE_PLACES } from "../../server/domain/guide/places.ts";
import { pictureSpan, planPicture } from "../../server/domain/plan/plan_picture.ts";
import type { ShownPlan } from "../../server/domain/plan/plan_schema.ts";
import { type Proposal, proposalsOf } from "../../server/domain/plan/proposals.ts";
import type { PlanCardFacts } from "../../server/domain/status/card_data.ts";
import {
  counted,
  formatBytes,
  formatCount,
  formatRate,
  formatRoughly,
  formatSeconds,
} from "../../server/domain/text/format.ts";
import type { CardTime } from "../../server/domain/text/zone_time.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { ChangeButton } from "../parts/may_change.tsx";
import { State } from "../parts/state.tsx";
import { HereCard } from "./here.tsx";
import { PlanAxis, PlanKeys, PlanPicture } from "./plan_picture.tsx";

/**
 * Will it be safe in time? The coming days, the verdict, and what would help where something would be lost; while the
 * camera is here, what comes next.
 */
export function PlanCard({ is_unknown: isUnknown, is_without_camera: isHidden, ...facts }: PlanCardFacts & Polled) {
  const { plan, sync, here, poll, now, zone } = facts;
  const proposals = isUnknown ? [] : proposalsOf(plan, sync);
  if (here !== null)
    return <HereCard plan={plan} here={here} proposals={proposals} poll={poll} now={now} zone={zone} />;
  const picture = planPicture(plan, { now, zone, span: pictureSpan([plan], now) });
  const hasPicture = !isUnknown && picture.home.length > 0;
  return (
    <Cell
      id="plan-card"
      title="Will it be safe in time?"
      class="span"
      hidden={isHidden}
      poll={poll}
      aside={hasPicture ? <PlanKeys /> : undefined}
    >
      <div class="pl-top">
        <p class="big">
          <Needs plan={plan} isUnknown={isUnknown} />
        </p>
        <Verdict plan={plan} isUnknown={isUnknown} />
      </div>
      {hasPicture && (
        <>
          <PlanPicture picture={picture} name={pictureInWords(plan, { now, zone })} />
          <PlanAxis picture={picture} />
        </>
      )}
      {proposals.length > 0 && <Proposals proposals={proposals} backlog={plan.backlog} />}
      <p class="cell-foot">
        {isUnknown
          ? "While the recordings folder is not available it is not known what waits."
          : footOf(plan, { now, zone })}{" "}
        <a class="tx" href="/stats/coverage">
          Was anything missed?
        </a>
      </p>
    </Cell>
  );
}

interface PlanProps {
  readonly plan: ShownPlan;
  readonly isUnknown: boolean;
}

function Needs({ plan, isUnknown }: PlanProps) {
  const { waiting, needs_seconds: needs, usual_stay_seconds: stay, verdict } = plan;
  if (isUnknown || (verdict === "unknown" && needs === null)) return <>Not known yet</>;
  const usually = stay !== null && <small>the car usually stays {formatRoughly(stay)}</small>;
  if (waiting.recordings === 0) return <>Nothing waits {usually}</>;
  return (
    <>
      Needs {formatSeconds(needs ?? 0)} of Wi-Fi {usually}
    </>
  );
}

function Verdict({ plan: { verdict, too_late: late }, isUnknown }: PlanProps) {
  if (isUnknown) return <State level="waiting" word="Not known" />;
  switch (verdict) {
    case "safe":
      return <State level="fine" word="All is home" />;
    case "in_time":
      return <State level="fine" word="In time" />;
    case "tight":
      return <State level="attention" word="Just in time" />;
    case "too_late": {
      const lost = late?.recordings ?? 0;
      return <State level="failed" word={lost > 0 ? `About ${formatCount(lost)} too late` : "Too late"} />;
    }
    case "unknown":
      return <State level="waiting" word="Not known yet" />;
  }
}

function Proposals({ proposals, backlog }: { proposals: readonly Proposal[]; backlog: ShownPlan["backlog"] }) {
  return (
    <>
      <p class="pl-say">
        {backlog !== null &&
          `The camera records ${formatBytes(backlog.recorded_per_day)} a day, and its visits have time for ${formatBytes(backlog.home_per_day)}. `}
        {proposals.map(({ sentence }) => sentence).join(" ")}
      </p>
      {/* The card is polled, so it is outside of islands: `plan_actions.ts` handles the buttons. */}
      <div class="row">
        {proposals.map(({ id, label }, at) => (
          <ChangeButton
            key={id}
            class={at === 0 ? "b b-primary needs-script" : "b needs-script"}
            type="button"
            id={`proposal-${id}`}
            data-proposal={id}
          >
            {label}
          </ChangeButton>
        ))}
        <a class="b b-quiet" href={GUIDE_PLACES.slow}>
          Why so slow?
        </a>
      </div>
    </>
  );
}

function footOf(plan: ShownPlan, { now, zone }: CardTime): string {
  const { verdict, waiting, rate, overwritten_from: from, visits_before: before } = plan;
  if (verdict === "unknown" || verdict === "safe" || waiting.recordings === null) return plan.sentence;
  const data = waiting.bytes === null || rate === null ? "" : `${formatBytes(waiting.bytes)} at ${formatRate(rate)}. `;
  const oldest = waiting.oldest === null ? "" : `The oldest is of ${zone.moment(Date.parse(waiting.oldest), now)}. `;
  if (from === null) return `${data}${oldest}None of them is overwritten soon.`;
  const at = Date.parse(from);
  if (at <= now) return `${data}${oldest}The first may be overwritten already.`;
  const count = before === 0 ? "no visit" : counted(before ?? 0, "visit");
  const visits = before === null ? "" : `; ${count} ${before && before > 1 ? "are" : "is"} expected before`;
  return `${data}${oldest}The first is overwritten about ${zone.moment(at, now)}${visits}.`;
}

/** The picture of a plan for people who do not see it. */
export function pictureInWords(plan: ShownPlan, { now, zone }: CardTime): string {
  const { next_visits: visits, overwritten_from: from } = plan;
  const [next] = visits;
  const home = next === undefined ? "" : `Next at home about ${zone.moment(Date.parse(next.from), now)}`;
  const gone = from === null ? "" : `; the first that waits is overwritten about ${zone.moment(Date.parse(from), now)}`;
  return `The coming days. ${home}${gone}.`;
}
