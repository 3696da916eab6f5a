/** @jsxImportSource preact */
import { State } from "../../islands/parts/state.tsx";
import { Time } from "../../islands/parts/time.tsx";
import type { NotBrought, RunDetail, RunMoment } from "../domain/runs/run_detail.ts";
import { tookInWords } from "../domain/runs/run_text.ts";
import { counted, formatBytes, formatCount } from "../domain/text/format.ts";
import type { ZoneTime } from "../domain/text/zone_time.ts";

/** Follower of a run: the next one, or the time of it. */
export interface RunAfter {
  readonly at: number;
  readonly words: string;
  readonly href: string | null;
}

interface RunTimesProps {
  readonly detail: RunDetail;
  readonly after: RunAfter | null;
  readonly zone: ZoneTime;
}

const LOOKS: Partial<Record<RunMoment["what"], string>> = {
  "first-error": "is-failed",
  "last-error": "is-failed",
  full: "is-failed",
  "told-to-stop": "is-attention",
};

/** Shows the times of events, and beside them the run in figures, which alone count files. */
export function RunTimes({ detail, after, zone }: RunTimesProps) {
  const { started_at: started, times } = detail;
  return (
    <section class="run-times" aria-labelledby="run-times">
      <div class="section-head">
        <h3 id="run-times">Times</h3>
        <span class="small quiet">
          {zone.day(started, started)}, {zone.name(started)}
        </span>
      </div>
      <div class="cluster cluster-2">
        <div class="cell">
          <ol class="times">
            {times.map(({ at, what, title, words }) => (
              <li key={what} class={LOOKS[what]}>
                <Time at={at} zone={zone}>
                  {zone.exactClock(at)}
                </Time>
                <p>
                  <b>{title}</b>
                  <Words words={words} at={at} started={started} zone={zone} />
                </p>
              </li>
            ))}
            {after && (
              <li>
                <Time at={after.at} zone={zone}>
                  {zone.exactClock(after.at)}
                </Time>
                <p>
                  <b>{after.href === null ? "Next run" : <a href={after.href}>Next run</a>}</b>
                  <Words words={after.words} at={after.at} started={started} zone={zone} />
                </p>
              </li>
            )}
          </ol>
        </div>
        <div class="cell">
          <RunFacts detail={detail} zone={zone} />
        </div>
      </div>
    </section>
  );
}

interface WordsProps {
  readonly words: string;
  readonly at: number;
  readonly started: number;
  readonly zone: ZoneTime;
}

/** Writes the other facts, and the day when it is not that of the run's start. */
function Words({ words, at, started, zone }: WordsProps) {
  const day = zone.dayNumber(at) === zone.dayNumber(started) ? "" : zone.day(at, started);
  const text = [day, words].filter(Boolean).join(", ");
  return text === "" ? null : <span class="small">{text}</span>;
}

function RunFacts({ detail, zone }: Omit<RunTimesProps, "after">) {
  const { trigger, files, bytes, chosen, listed, deleted, not_brought, started_at, dry_run, failed } = detail;
  const { failure, disk_used_ratio: used } = detail;
  return (
    <dl class="facts facts-wide">
      <dt>Result</dt>
      <dd>
        <State level={detail.mood} word={detail.outcome} />
      </dd>
      {trigger && (
        <>
          <dt>Started by</dt>
          <dd>{TRIGGERS[trigger]}</dd>
        </>
      )}
      {!dry_run && (
        <>
          <dt>Size</dt>
          <dd>
            {formatBytes(bytes)} in {counted(files, "file")}
          </dd>
        </>
      )}
      <dt>Took</dt>
      <dd>{tookInWords(detail.duration_seconds)}</dd>
      {!dry_run && (
        <>
          <dt>Errors</dt>
          <dd>{errorsOf(failed)}</dd>
        </>
      )}
      {failure?.action?.kind === "free-space" && used !== null && (
        <>
          <dt>Disk</dt>
          <dd>{Math.round(used * 1000) / 10}&nbsp;% used</dd>
        </>
      )}
      {listed > 0 && (
        <>
          <dt>Chosen</dt>
          <dd>
            {formatCount(chosen)} of {counted(listed, "recording")}
          </dd>
        </>
      )}
      {not_brought
        .filter(({ of, rule }) => of === "files" && !TOLD.includes(rule))
        .map((rule: NotBrought) => [
          <dt key={rule.rule}>{counted(rule.count, "file")}</dt>,
          <dd key={`${rule.rule}-words`}>{rule.words}</dd>,
        ])}
      {!dry_run && (
        <>
          <dt>Deleted here</dt>
          <dd>
            {deleted === null ? "none" : `${counted(deleted.recordings, "recording")}, ${formatBytes(deleted.bytes)}`}
          </dd>
        </>
      )}
      <dt>Run</dt>
      <dd class="mono">{zone.whole(started_at)}</dd>
    </dl>
  );
}

/** Files that failed: `none`, `48, all the same`, `50 of 2 kinds`. */
function errorsOf({ total, by_cause }: RunDetail["failed"]): string {
  if (total <= 1) return total === 0 ? "none" : "1";
  return by_cause.length > 1
    ? `${formatCount(total)} of ${by_cause.length} kinds`
    : `${formatCount(total)}, all the same`;
}

/** By their causes, each in a row of its own. */
const TOLD: readonly NotBrought["rule"][] = ["vanished", "empty", "growing"];
const TRIGGERS: Readonly<Record<NonNullable<RunDetail["trigger"]>, string>> = {
  schedule: "The schedule",
  arrival: "The camera, as it came",
  first: "The first start",
  hand: "A user",
  retry: "A user, to try files again",
  command: "The command line",
};
