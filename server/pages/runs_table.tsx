/** @jsxImportSource preact */
import * as v from "valibot";
import { Icon } from "../../islands/parts/icon.tsx";
import { More as Rest } from "../../islands/parts/more.tsx";
import { State } from "../../islands/parts/state.tsx";
import type { App } from "../app.ts";
import { RANGE_NAMES, RANGES, type Range, type Run, rangeBackTo } from "../domain/runs/run.ts";
import { runFailure, showFiles } from "../domain/runs/run_failure.ts";
import { runPath } from "../domain/runs/run_id.ts";
import {
  failedFiles,
  filesOf,
  minuteOf,
  outcomeOf,
  remarkOf,
  sharedMinutes,
  sizeOf,
  tookInWords,
} from "../domain/runs/run_text.ts";
import { aheadInWords, formatCount } from "../domain/text/format.ts";
import type { ZoneTime } from "../domain/text/zone_time.ts";
import { readQuery } from "../http/request/read_request.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { part } from "./document.tsx";

/** Numbers of runs that are shown, at first and when more are asked for. The whole history is a file to download. */
const STEPS = [50, 200, 500, 1000] as const;
const LIMIT = v.pipe(v.string(), v.transform(Number), v.number(), v.gtValue(0), v.transform(stepFrom));
const ASKED = v.object({
  range: v.fallback(v.nullable(v.picklist(RANGE_NAMES)), null),
  runs: v.fallback(LIMIT, STEPS[0]),
});
const MOST_COUNTED = 10_000_000;
const EVERY_SECONDS = 60;

/** Runs that a page is asked to show. */
export interface RunsAsked {
  readonly range: Range;
  readonly limit: number;
}

/**
 * Reads `?range=` and `?runs=`; what is not known is as if it had not been asked. Without a range it is one that reaches
 * back to a run of which there is something to show.
 */
export function runsAsked(context: RequestContext, { history, clock }: Pick<App, "history" | "clock">): RunsAsked {
  const { range, runs } = readQuery(context, ASKED);
  return { range: range ?? rangeBackTo(latestToShow(history), clock.now() / 1000), limit: runs };
}

function stepFrom(runs: number): number {
  return STEPS.find((step) => step >= runs) ?? STEPS[3];
}

/** The end of the latest run with figures, else of the latest: of a camera that was away there is little to show. */
function latestToShow(history: App["history"]): number | null {
  return history.latestReached()?.ts ?? history.latestGood() ?? history.latest()?.ts ?? null;
}

/** Returns the start of a range, in epoch seconds. */
export function sinceOf(range: Range, now: number): number {
  const length = RANGES[range];
  return length === null ? 0 : now / 1000 - length;
}

/** `GET /hx/stats/runs`: the table of runs as it is now. */
export function runsFragment(context: RequestContext, app: App): Response {
  return html(part(app, <RunsSection app={app} asked={runsAsked(context, app)} />, context));
}

/** The runs of a range, newest first: what the charts draw, in words and figures. */
export function RunsSection({ app, asked }: { readonly app: App; readonly asked: RunsAsked }) {
  const { range, limit } = asked;
  const since = sinceOf(range, app.clock.now());
  const runs = app.history.page(since, limit);
  const poll = `/hx/stats/runs?range=${range}${limit === STEPS[0] ? "" : `&runs=${limit}`}`;
  return (
    <section class="section" id="runs" data-poll={poll} data-every={EVERY_SECONDS}>
      {runs.length === 0 ? (
        <NoRuns app={app} range={range} />
      ) : (
        <Runs app={app} asked={asked} since={since} runs={runs} />
      )}
    </section>
  );
}

interface RunsProps {
  readonly app: App;
  readonly asked: RunsAsked;
  readonly since: number;
  readonly runs: readonly Run[];
}

function Runs({ app: { history, clock, zone }, asked: { range, limit }, since, runs }: RunsProps) {
  const now = clock.now();
  const shared = sharedMinutes(runs);
  const all = runs.length < limit ? runs.length : history.extent(since, MOST_COUNTED).runs;
  return (
    <>
      <div class="section-head">
        <h2 id="runs-title">Runs</h2>
        <a href={`/stats/runs.csv?range=${range}`} download>
          Download as CSV
        </a>
      </div>
      <div class="table-wrap">
        <table class="table" aria-labelledby="runs-title">
          <thead>
            <tr>
              <th scope="col">Started ({zone.name(now)})</th>
              <th scope="col">Outcome</th>
              <th scope="col">Reason</th>
              <th scope="col" class="n">
                Files
              </th>
              <th scope="col" class="n">
                Size
              </th>
              <th scope="col" class="n">
                Took
              </th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <RunRow key={run.ts} run={run} zone={zone} now={now} isExact={shared.has(minuteOf(run))} />
            ))}
          </tbody>
        </table>
      </div>
      <More shown={runs.length} all={all} range={range} limit={limit} />
    </>
  );
}

interface RunRowProps {
  readonly run: Run;
  readonly zone: ZoneTime;
  readonly now: number;
  /** Another run began in the same minute. */
  readonly isExact: boolean;
}

function RunRow({ run, zone, now, isExact }: RunRowProps) {
  const started = (run.ts - run.durationSeconds) * 1000;
  const name = zone.name(started);
  const { level, word } = outcomeOf(run);
  const hasFiles = failedFiles(run) > 0 && !run.dryRun;
  return (
    <tr id={`run-${run.ts}`}>
      <th scope="row">
        <a href={runPath(run)} data-dialog="show-files">
          <time datetime={new Date(started).toISOString()} title={zone.whole(started)}>
            {isExact ? zone.exactMoment(started, now) : zone.moment(started, now)}
            {/* The clock was changed in between. */}
            {name !== zone.name(now) && ` ${name}`}
          </time>
        </a>
      </th>
      <td>
        <State level={level} word={word} />
      </td>
      <td class="soft">
        {remarkOf(run)}
        {hasFiles && " "}
        {hasFiles && (
          <a href={showFiles(run).href} data-dialog="show-files">
            Show the files
          </a>
        )}
        {!run.success && <Rest text={runFailure(run, { inTrash: 0 })?.more ?? ""} />}
      </td>
      <Figure name="Files" value={filesOf(run)} />
      <Figure name="Size" value={sizeOf(run)} />
      <Figure name="Took" value={level === "waiting" ? "" : tookInWords(run.durationSeconds)} />
    </tr>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return value === "" ? (
    <td class="n" />
  ) : (
    <td class="n" data-l={name}>
      {value}
    </td>
  );
}

interface MoreProps extends RunsAsked {
  readonly shown: number;
  readonly all: number;
}

function More({ shown, all, range, limit }: MoreProps) {
  if (shown >= all) return null;
  const next = STEPS.find((step) => step > limit);
  return (
    <p class="runs-more">
      <span class="small quiet">
        The newest {formatCount(shown)} of {formatCount(all)} runs.
        {next === undefined && " The file has them all."}
      </span>
      {next !== undefined && (
        <a class="b" href={`/stats?range=${range}&runs=${next}#runs`}>
          Show more
        </a>
      )}
    </p>
  );
}

/** In place of the table: no run yet, or none in this time, and when the next one comes. */
function NoRuns({ app, range }: { readonly app: App; readonly range: Range }) {
  const last = app.history.latest();
  if (app.job.isRunning)
    return (
      <div class="table-wrap empty">
        <h2>{last === null ? "The first sync is running" : "A run is going on"}</h2>
        <p>Its figures appear here when it has ended.</p>
        <p class="row">
          <a class="b" href="/">
            Watch it on the dashboard
          </a>
        </p>
      </div>
    );
  return (
    <div class="table-wrap empty">
      {last === null ? (
        <>
          <h2>No runs yet</h2>
          <p>
            <NextRun app={app} />
          </p>
          <p>Each run adds its figures here: recordings, size, duration and errors.</p>
          <p class="row">
            {app.settings.current.connection.address === "" ? (
              <a class="b" href="/">
                Set the camera’s address
              </a>
            ) : (
              <a class="b" href="/">
                <Icon name="i-sync" />
                Sync now from the dashboard
              </a>
            )}
          </p>
        </>
      ) : (
        <>
          <h2>No runs in this time</h2>
          <p>
            The last one ended <LastEnd app={app} last={last} />. <NextRun app={app} />
          </p>
          {range !== "all" && (
            <p class="row">
              <a class="b" href="/stats?range=all">
                Look at all runs
              </a>
            </p>
          )}
        </>
      )}
    </div>
  );
}

function LastEnd({ app, last }: { readonly app: App; readonly last: Run }) {
  const { zone, clock } = app;
  const words = zone.moment(last.ts * 1000, clock.now());
  return <time title={zone.whole(last.ts * 1000)}>{words}</time>;
}

function NextRun({ app: { scheduler, settings, clock, zone } }: { readonly app: App }) {
  const { at, paused } = scheduler.next();
  const now = clock.now();
  if (settings.current.connection.address === "") return <>A first run needs the address of the camera.</>;
  if (paused) return <>The schedule is paused: no run comes by itself.</>;
  if (at === null) return <>The schedule never comes round: no run comes by itself.</>;
  const [day = ""] = zone.dayInWords(at, now).split(", ");
  const isSoon = day === "Today" || day === "Tomorrow";
  return (
    <>
      The next run comes {isSoon ? day.toLowerCase() : zone.dayInWords(at, now)} at{" "}
      <b class="strong nowrap">
        {zone.clock(at)} {zone.name(at)}
      </b>
      , {aheadInWords((at - now) / 1000)}.
    </>
  );
}
