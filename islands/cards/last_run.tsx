/** @jsxImportSource preact */
import type { LastRun } from "../../server/domain/activity.ts";
import {
  agoInWords,
  counted,
  formatBytes,
  formatClock,
  formatDay,
  formatSeconds,
  zoneName,
} from "../../server/domain/format.ts";
import type { Snapshot } from "../../server/domain/progress.ts";
import { FAILURE_REASONS, type FailureReason, isOffline, type Run } from "../../server/domain/run.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { Badge, State } from "../parts/state.tsx";
import { Time } from "../parts/time.tsx";
import { isAway, JobState, sentenceOf } from "./status.tsx";

const ID = "last-run-card";
const TITLE = "Last run";

/** The run that is under way or has just ended, else the latest one of the history. */
export function LastRunCard({ poll, ...last }: LastRun & Polled) {
  switch (last.kind) {
    case "live":
      return (
        <Cell id={ID} title={TITLE} poll={poll} aside={<JobState {...last.snapshot} />}>
          <Live {...last.snapshot} />
        </Cell>
      );
    case "stored":
      return <Stored poll={poll} {...last} />;
    case "none":
      return (
        <Cell id={ID} title={TITLE} poll={poll}>
          <p class="big">None recorded</p>
          <p class="soft">The first run appears here when it has ended.</p>
        </Cell>
      );
  }
}

function Live(snapshot: Snapshot) {
  const { files_completed, files_failed, bytes_downloaded_total } = snapshot;
  return (
    <>
      <p class="big">{sentenceOf(snapshot)}</p>
      {!isAway(snapshot) && <Figures files={files_completed} bytes={bytes_downloaded_total} failed={files_failed} />}
    </>
  );
}

function Stored({ poll, run, started_at, now, time_zone }: Extract<LastRun, { kind: "stored" }> & Polled) {
  const isOut = isOffline(run);
  return (
    <Cell id={ID} title={TITLE} poll={poll} aside={<Outcome {...run} />}>
      <p class="big">{agoInWords(now / 1000 - run.ts)}</p>
      <p class="soft">
        Started{" "}
        <Time at={started_at} zone={time_zone}>
          {formatDay(started_at, time_zone, now)} {formatClock(started_at, time_zone)} {zoneName(started_at, time_zone)}
        </Time>
        , took {formatSeconds(run.durationSeconds)}
      </p>
      {isOut ? (
        <p class="soft">Camera away.</p>
      ) : (
        <Figures files={run.files} bytes={run.bytes} failed={failedFiles(run)} />
      )}
      {!run.success && !isOut && <p class="soft">Reason: {reasonsOf(run)}.</p>}
    </Cell>
  );
}

function Outcome(run: Run) {
  return (
    <span class="row">
      {run.success && <State mood="fine" word="ok" />}
      {!run.success && isOffline(run) && <State mood="waiting" word="camera not reachable" />}
      {!run.success && !isOffline(run) && <State mood="failed" word="failed" />}
      {run.dryRun && <Badge mood="attention" word="dry run" />}
    </span>
  );
}

interface FiguresProps {
  readonly files: number;
  readonly bytes: number;
  readonly failed: number;
}

function Figures({ files, bytes, failed }: FiguresProps) {
  return (
    <p class="soft">
      {counted(files, "file")}, {formatBytes(bytes)}
      {failed > 0 && `, ${counted(failed, "file")} failed`}
    </p>
  );
}

/** A run counts its own reason beside those of its files. */
function failedFiles({ success, failures }: Run): number {
  const all = FAILURE_REASONS.reduce((sum, reason) => sum + failures[reason], 0);
  return Math.max(0, success ? all : all - 1);
}

const REASONS: Readonly<Record<FailureReason, string>> = {
  http: "the camera answered with an error",
  network: "the connection broke",
  timeout: "the camera stopped answering",
  disk: "the disk is full",
  unknown: "the log has it",
};

function reasonsOf({ failures }: Run): string {
  const found = FAILURE_REASONS.filter((reason) => failures[reason] > 0);
  return found.length === 0 ? REASONS.unknown : found.map((reason) => REASONS[reason]).join("; ");
}
