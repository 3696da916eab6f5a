/** @jsxImportSource preact */

import type { Run } from "../../server/domain/runs/run.ts";
import { runEnding } from "../../server/domain/runs/run_ending.ts";
import { runFailure, showFiles } from "../../server/domain/runs/run_failure.ts";
import { runPath } from "../../server/domain/runs/run_id.ts";
import {
  broughtInWords,
  deletedOf,
  failedFiles,
  failedInWords,
  leftOutOf,
  outcomeOf,
  reasonOf,
} from "../../server/domain/runs/run_text.ts";
import type { LastRun } from "../../server/domain/status/card_data.ts";
import type { Snapshot } from "../../server/domain/sync/job_progress.ts";
import { sentenceOf, workOf } from "../../server/domain/sync/job_text.ts";
import { agoInWords, asSentence, counted, formatBytes, withinInWords } from "../../server/domain/text/format.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { More } from "../parts/more.tsx";
import { State } from "../parts/state.tsx";
import { Time } from "../parts/time.tsx";

const ID = "last-run-card";
const TITLE = "Last run";

/** The run that is under way or has just ended, else the latest one of the history. */
export function LastRunCard({ poll, ...last }: LastRun & Polled) {
  switch (last.kind) {
    case "live":
      return (
        <Cell id={ID} title={TITLE} poll={poll} aside={<JobState {...last.snapshot} />}>
          {last.snapshot.state === "running" ? <Now {...last} /> : <Live {...last} run={last.run ?? null} />}
        </Cell>
      );
    case "stored":
      return <Stored poll={poll} {...last} />;
    case "none":
      return (
        <Cell id={ID} title={TITLE} poll={poll}>
          <p class="big">None recorded</p>
          <p class="soft">The first run appears here when it has ended.</p>
          <p class="cell-foot">The statistics keep what runs did</p>
        </Cell>
      );
  }
}

/**
 * The job while it runs, by what stays as it is: how far it has come stands at the top of the page, and two
 * figures would never be of the same moment.
 */
function Now({ snapshot, now, zone }: Extract<LastRun, { kind: "live" }>) {
  const at = snapshot.started_at_wall * 1000;
  return (
    <>
      <p class="big">Running now</p>
      <p class="soft">{workInWords(snapshot)}</p>
      <p class="cell-foot">
        Started{" "}
        <Time at={at} zone={zone}>
          {now - at < DAY_MS ? zone.clock(at) : zone.day(at, now)}
        </Time>
      </p>
    </>
  );
}

function workInWords(snapshot: Snapshot): string {
  const { phase, files_total } = snapshot;
  if (phase === "listing") return "Asking the camera";
  if (phase === "retention") return "Looking for what is older than you keep";
  if (files_total === 0) return "Nothing new";
  const { total, words } = workOf(snapshot);
  return `${words(total)} in this run`;
}

/** Text for a run that ended before it read the camera's list: nothing is known about new recordings. */
const NO_LIST = "The camera’s list was not read";
/** Text for a run that another camera answered, whose list is not asked for. The reason stands beside it. */
const OTHER_CAMERA = "Nothing was fetched or deleted";

/** Says of a run that brought nothing and did not go through how far it came. */
function notBroughtInWords(run: Run): string {
  if (run.cause === "other-camera") return OTHER_CAMERA;
  return isListUnread(run) ? NO_LIST : "Nothing downloaded";
}

/** Same as `notBroughtInWords`, for a run of which only the job knows yet. */
function notBroughtSoFar({ state, files_total, files_skipped }: Snapshot): string {
  const hasNoList = state === "failed" && files_total === 0 && files_skipped === 0;
  return hasNoList ? NO_LIST : "Nothing downloaded";
}

/** Runs of older programs have no counts either, but tell how many recordings they saw on the list. */
function isListUnread({ success, counts, recordingsSeen }: Run): boolean {
  return !success && counts === undefined && recordingsSeen === 0;
}

/** For the seconds in which the end of a run stays visible. */
function Live({ snapshot, run }: { readonly snapshot: Snapshot; readonly run: Run | null }) {
  const { files_completed, files_failed, bytes_downloaded_total, recordings_completed: recordings } = snapshot;
  const isNothing = files_completed === 0 && bytes_downloaded_total === 0;
  const figures = !isNothing
    ? `${recordings > 0 ? counted(recordings, "recording") : counted(files_completed, "file")}, ${formatBytes(bytes_downloaded_total)}`
    : // A list that did not come says nothing about what is new.
      snapshot.state === "completed" && files_failed === 0
      ? "Nothing new"
      : run === null
        ? notBroughtSoFar(snapshot)
        : notBroughtInWords(run);
  const isOut = snapshot.ending === "away";
  return (
    <>
      <p class="big">Just now</p>
      <p class="soft">
        {isOut ? awayInWords(run) : figures}
        {files_failed > 0 && run === null && `, ${counted(files_failed, "file")} failed`}
      </p>
      {run && !isOut && <Why run={run} />}
      <p class="cell-foot">
        {isOut ? "The next run looks for it again" : run === null ? sentenceOf(snapshot) : seenOf(run)}{" "}
        {run && <RunLink run={run} />}
      </p>
    </>
  );
}

/** The job's state as a shape and a word. */
function JobState(snapshot: Snapshot) {
  if (snapshot.ending === "away") return <State level="waiting" word="Camera away" />;
  if (snapshot.ending === "stopped") return <State level="attention" word="Stopped" />;
  switch (snapshot.state) {
    case "idle":
      return <State level="waiting" word="Idle" />;
    case "running":
      return <State level="busy" word="Running" />;
    case "completed":
      return snapshot.files_failed > 0 ? <State level="attention" word="Partly" /> : <State level="fine" word="Fine" />;
    case "failed":
      return <State level="failed" word="Failed" />;
  }
}

function Stored({ poll, run, started_at, before, now, zone }: Extract<LastRun, { kind: "stored" }> & Polled) {
  const isOut = runEnding(run) === "away";
  const { level, word } = outcomeOf(run);
  return (
    <Cell id={ID} title={TITLE} poll={poll} aside={<State level={level} word={word} />}>
      <p class="big">
        <Time at={started_at} zone={zone}>
          {now - started_at < DAY_MS ? zone.clock(started_at) : zone.day(started_at, now)},{" "}
          {agoInWords((now - started_at) / 1000)}
        </Time>
      </p>
      {isOut ? <p class="soft">{awayInWords(run)}</p> : <Figures run={run} />}
      {run.deleted !== undefined && <p class="soft">{deletedOf(run)}</p>}
      {!isOut && <Why run={run} />}
      <p class="cell-foot">
        {isOut ? <Before run={before} now={now} zone={zone} /> : seenOf(run)} <RunLink run={run} />
      </p>
    </Cell>
  );
}
const DAY_MS = 86_400_000;

/** @param run null while only the job knows of it; what older programs wrote keeps no cause */
function awayInWords(run: Run | null): string {
  const isTold = run !== null && (run.message ?? run.cause) !== undefined;
  return isTold ? asSentence(reasonOf(run)) : "Camera not reachable, nothing failed";
}

function Before({ run, now, zone }: { readonly run: Run | null; readonly now: number; readonly zone: ZoneTime }) {
  if (run === null) return <>No run has reached it yet</>;
  const at = run.ts * 1000;
  const when = now - at < DAY_MS ? zone.clock(at) : zone.day(at, now);
  return (
    <>
      Before it: {when}, {broughtInWords(run)}, {formatBytes(run.bytes)}
    </>
  );
}

/** Names the problem in one short sentence, with the details behind it. */
function Why({ run }: { readonly run: Run }) {
  const isPlain = run.success && !run.dryRun && failedFiles(run) === 0;
  const failure = runFailure(run, { inTrash: null });
  const rest = [failure?.hint ?? "", failure?.more ?? "", asSentence(leftOutOf(run))].filter(Boolean).join(" ");
  return (
    <>
      {!isPlain && <p class="soft">{reasonOf(run)}</p>}
      <More text={rest} />
    </>
  );
}

function seenOf({ recordingsSeen: seen }: Run): string {
  return seen === 0 ? "" : `${counted(seen, "recording")} on the camera.`;
}

/** A link to the run's failed files, else to its page. */
function RunLink({ run }: { readonly run: Run }) {
  const hasFiles = failedFiles(run) > 0 && !run.dryRun;
  return (
    <a id="last-run-way" href={hasFiles ? showFiles(run).href : runPath(run)} data-dialog="show-files">
      {hasFiles ? "Show the files" : "Details"}
    </a>
  );
}

function Figures({ run }: { readonly run: Run }) {
  const failed = failedFiles(run);
  return (
    <p class="soft">
      {run.files === 0 && failed === 0 && run.success
        ? "Nothing new"
        : run.files === 0 && run.bytes === 0
          ? notBroughtInWords(run)
          : `${broughtInWords(run)}, ${formatBytes(run.bytes)}`}
      {failed > 0 && !run.success && `, ${failedInWords(run)} failed`}, {withinInWords(run.durationSeconds)}
    </p>
  );
}
