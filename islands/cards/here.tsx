/** @jsxImportSource preact */

import { Fragment } from "preact";
import type { ShownPlan } from "../../server/domain/plan/plan_schema.ts";
import type { Proposal } from "../../server/domain/plan/proposals.ts";
import { clipName, clockSpan } from "../../server/domain/recordings/camera_clock.ts";
import { DIRECTIONS } from "../../server/domain/recordings/recording_codes.ts";
import { dateOf } from "../../server/domain/recordings/recording_name.ts";
import type { Priority } from "../../server/domain/settings/sections/sync.ts";
import type { VisitFacts } from "../../server/domain/status/card_data.ts";
import type { QueueGroup } from "../../server/domain/sync/queue_groups.ts";
import type { QueueReason } from "../../server/domain/sync/queue_schema.ts";
import { counted, formatBytes, formatRate, formatRoughly, formatSeconds } from "../../server/domain/text/format.ts";
import type { CardTime } from "../../server/domain/text/zone_time.ts";
import type { Polled } from "../parts/cell.tsx";
import { About } from "../parts/figure.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { ChangeButton } from "../parts/may_change.tsx";
import { lookOfType, RecordingType } from "../parts/recording_type.tsx";
import { State } from "../parts/state.tsx";

const ORDERS: Readonly<Record<Priority, string>> = {
  date: "the oldest first",
  rdate: "the newest first",
  type: "by kind",
  smart: "what is at risk first",
};

const REASONS: Readonly<Record<Exclude<QueueReason, "event">, readonly [word: string, icon: IconName]>> = {
  asked: ["You asked for it", "i-first"],
  at_risk: ["At risk", "s-attention"],
  driving: ["Driving", "t-normal"],
  parking: ["Parked", "t-parking"],
  order: ["In its turn", "i-list"],
};

interface HereProps extends CardTime {
  readonly plan: ShownPlan;
  readonly here: VisitFacts;
  /** Settings that would help where something would be lost. */
  readonly proposals: readonly Proposal[];
}

/** While the camera is here: what comes next, and why, and this visit. */
export function HereCard({ poll, ...facts }: HereProps & Polled) {
  const polled = poll && { "data-poll": poll.path, "data-every": poll.every };
  return (
    <section class="span pl-here" id="plan-card" aria-label="The camera is here" {...polled}>
      <Queue {...facts} />
      <Visit {...facts} />
    </section>
  );
}

function Queue({ plan, here: { queue, current, priority }, proposals, now, zone }: HereProps) {
  const [proposal] = proposals;
  const { recordings, bytes } = plan.waiting;
  const more = Math.max(0, (recordings ?? 0) - queue.recordings);
  const moreBytes = bytes === null || queue.bytes === null ? null : bytes - queue.bytes;
  return (
    <section class="cell" aria-labelledby="visit-queue">
      <div class="cell-head">
        <h2 id="visit-queue">What comes next, and why</h2>
        <span class="small quiet">Order: {ORDERS[priority]}</span>
      </div>
      {queue.groups.length === 0 ? (
        <p class="soft">{recordings === 0 ? "Nothing waits: all that was chosen is home." : "Not known yet."}</p>
      ) : (
        <ol class="queue">
          {queue.groups.map((group, at) => (
            <li key={`${group.why} ${group.from}`}>
              <p>
                <b>{spanOf(group, { now, zone })}</b>{" "}
                {group.types.slice(0, 2).map((type) => (
                  <Fragment key={type}>
                    <RecordingType letter={type} />{" "}
                  </Fragment>
                ))}
                <span class="small">
                  {whatOf(group)}
                  {group.bytes !== null && (
                    <>
                      , <About />
                      {formatBytes(group.bytes)}
                    </>
                  )}
                </span>
              </p>
              <Why group={group} />
              {at === 0 && current !== null && (
                <progress class="gauge gauge-thin is-busy" max={100} value={current} aria-label="Coming now" />
              )}
            </li>
          ))}
        </ol>
      )}
      <p class="cell-foot">
        {more > 0 &&
          `And ${counted(more, "more recording")}${moreBytes && moreBytes > 0 ? `, ${formatBytes(moreBytes)}` : ""}. `}
        {proposal && `${proposal.sentence} `}
        {proposal ? (
          <ChangeButton
            class="text-b needs-script"
            type="button"
            id={`proposal-${proposal.id}`}
            data-proposal={proposal.id}
          >
            {proposal.label}
          </ChangeButton>
        ) : (
          <a class="tx" href="/settings#sync-priority">
            Change the order
          </a>
        )}
      </p>
    </section>
  );
}

function Why({ group: { why, types } }: { readonly group: QueueGroup }) {
  const [type = ""] = types;
  const [word, icon] = why === "event" ? [type === "M" ? "Manual" : "Event", lookOfType(type)[1]] : REASONS[why];
  return (
    <span class={why === "at_risk" ? "why is-attention" : "why"}>
      <Icon name={icon} />
      {word}
    </span>
  );
}

function spanOf({ from, to }: QueueGroup, { now, zone }: CardTime): string {
  const year = zone.wall(now).year;
  const begin = clipName(from, year, zone.format);
  if (from === to) return begin;
  if (dateOf(from) === dateOf(to))
    return `${begin.slice(0, begin.lastIndexOf(", "))}, ${clockSpan(from, to, zone.format)}`;
  return `${begin} to ${clipName(to, year, zone.format)}`;
}

function whatOf({ from, to, directions, recordings }: QueueGroup): string {
  if (from !== to) return counted(recordings, "recording");
  const names = directions.map((direction) => (DIRECTIONS as Record<string, string>)[direction] ?? direction);
  return names.map((name, at) => (at === 0 ? name : name.toLowerCase())).join(" and ");
}

function Visit({ plan, here: { visit, before, is_missing }, now, zone }: HereProps) {
  const from = Date.parse(visit.from);
  const { usual_stay_seconds: stay } = plan;
  return (
    <section class="cell" aria-labelledby="visit-now">
      <div class="cell-head">
        <h2 id="visit-now">This visit</h2>
        {is_missing ? <State level="waiting" word="Not answering" /> : <State level="fine" word="Here" />}
      </div>
      <p class="big">
        {formatSeconds(Math.max(0, now - from) / 1000)} <small>so far</small>
      </p>
      <p class="soft">
        Came at {zone.clock(from)}. {stay !== null && `The car usually stays ${formatRoughly(stay)}.`}
      </p>
      <dl class="facts facts-wide note-gap">
        <dt>Rate</dt>
        <dd>
          {visit.rate === null ? "No video has come yet" : formatRate(visit.rate)}
          {plan.slow_wifi && (
            <>
              ,{" "}
              <a class="tx" href="#slow-wifi">
                looks like 2.4 GHz
              </a>
            </>
          )}
        </dd>
        <dt>Brought</dt>
        <dd>{formatBytes(visit.bytes)}</dd>
      </dl>
      {before !== null && (
        <p class="cell-foot">
          Last visit: {spanInWords(Date.parse(before.from), Date.parse(before.to ?? before.from), { now, zone })}
        </p>
      )}
    </section>
  );
}

/** `Fri 20 Nov, 18:20 to 19:05`, with both days where they are two. */
function spanInWords(from: number, to: number, { now, zone }: CardTime): string {
  const isOneDay = zone.dayNumber(from) === zone.dayNumber(to);
  return `${zone.moment(from, now)} to ${isOneDay ? zone.clock(to) : zone.moment(to, now)}`;
}
