/** @jsxImportSource preact */
import { counted, formatBytes, formatCount, formatRate, formatSeconds } from "../../server/domain/format.ts";
import type { CurrentFile, Snapshot } from "../../server/domain/progress.ts";
import { Cell, type Polled } from "../parts/cell.tsx";
import { Reading } from "../parts/reading.tsx";
import { type Mood, State } from "../parts/state.tsx";

/** The state of the one job: what it does in a sentence, how far it is, and the file it is at. */
export function StatusCard({ poll, ...snapshot }: Snapshot & Polled) {
  const { state, current_file, files_total, files_completed, files_failed, files_skipped } = snapshot;
  return (
    <Cell id="status-card" title="Sync" poll={poll} aside={<JobState {...snapshot} />}>
      <p class="big">{sentenceOf(snapshot)}</p>
      {state === "running" && <Whole {...snapshot} />}
      {state !== "idle" && (
        <dl class="readings">
          <Reading name="Files">
            {formatCount(files_completed + files_failed)} <small>of {formatCount(files_total)}</small>
          </Reading>
          <Reading name="Brought home">{formatBytes(snapshot.bytes_downloaded_total)}</Reading>
          <Reading name="Failed">{counted(files_failed, "file")}</Reading>
          <Reading name="Already here">{counted(files_skipped, "file")}</Reading>
        </dl>
      )}
      {current_file && <Current {...current_file} />}
      {state !== "idle" && (
        <p class="cell-foot">
          Job <code>{snapshot.job_id.slice(0, 8)}</code>
        </p>
      )}
    </Cell>
  );
}

/** The job's state as a word. */
export function JobState(snapshot: Snapshot) {
  const [mood, word] = stateOf(snapshot);
  return <State mood={mood} word={word} />;
}

function stateOf(snapshot: Snapshot): [Mood, string] {
  switch (snapshot.state) {
    case "idle":
      return ["waiting", "idle"];
    case "running":
      return ["busy", "running"];
    case "completed":
      return snapshot.files_failed > 0 ? ["attention", "ok, with gaps"] : ["fine", "ok"];
    case "failed":
      return isAway(snapshot) ? ["waiting", "camera not reachable"] : ["failed", "failed"];
  }
}

/** The camera is away, which is no failure of ours; history judges by every reason, a snapshot has only the last. */
export function isAway({ state, failure_reason }: Snapshot): boolean {
  return state === "failed" && (failure_reason === "network" || failure_reason === "timeout");
}

/** What the job does or did, in one sentence. */
export function sentenceOf(snapshot: Snapshot): string {
  const { state, phase, message, files_completed, files_failed, files_total } = snapshot;
  switch (state) {
    case "idle":
      return "No sync is running.";
    case "completed": {
      const brought =
        files_completed === 0 ? "Nothing new to bring home" : `Brought ${counted(files_completed, "file")} home`;
      return files_failed === 0 ? `${brought}.` : `${brought}, ${formatCount(files_failed)} could not be.`;
    }
    case "failed":
      return isAway(snapshot) ? "Camera away." : `Sync failed: ${message ?? "the log has the cause"}.`;
    case "running":
      if (phase === "listing") return "Asking the camera what it has.";
      if (phase === "retention") return "Deleting what is older than you keep.";
      return bringing(files_completed + files_failed, files_total, snapshot);
  }
}

function bringing(done: number, total: number, { bytes_per_second: rate, eta_seconds: left }: Snapshot): string {
  if (total === 0) return "Everything on the camera is safe here.";
  const count = done === 0 ? counted(total, "file") : `${formatCount(done)} of ${counted(total, "file")}`;
  const pace = rate > 0 ? `, ${formatRate(rate)}` : "";
  return `Bringing ${count} home${pace}${left === null ? "" : `, about ${formatSeconds(left)}`}.`;
}

/** While the camera is asked nobody knows how much there is to do: the bar has no value then. */
function Whole({ phase, percent }: Snapshot) {
  if (phase === "listing") return <progress class="gauge" aria-label="Whole run" />;
  return (
    <>
      <progress class="gauge" max={100} value={percent} aria-label="Whole run" />
      <p class="scale">{Math.floor(percent)}&nbsp;%</p>
    </>
  );
}

function Current({ filename, downloaded_bytes: done, total_bytes: total, percent, eta_seconds: left }: CurrentFile) {
  const size = total > 0 ? `${formatBytes(done)} of ${formatBytes(total)}` : formatBytes(done);
  return (
    <div class="now">
      <span class="mono">{filename}</span>
      <span class="quiet">
        {size}
        {total > 0 && `, ${Math.floor(percent)}\u00a0%`}
        {left !== null && `, ${formatSeconds(left)}`}
      </span>
      <progress
        class="gauge gauge-thin"
        {...(total > 0 && { max: 100, value: percent })}
        aria-label={`Current file, ${filename}`}
      />
    </div>
  );
}
