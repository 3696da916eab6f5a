/** @jsxImportSource preact */

import type { Overview } from "../../server/domain/status/overview.ts";
import type { CurrentFile } from "../../server/domain/sync/current_transfer.ts";
import type { Snapshot } from "../../server/domain/sync/job_progress.ts";
import { shareHome } from "../../server/domain/sync/recording_counts.ts";
import { counted, formatBytes, formatBytesOf, formatCount, formatSeconds } from "../../server/domain/text/format.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { Figure } from "../parts/figure.tsx";
import { Gauge } from "../parts/gauge.tsx";
import { Reading } from "../parts/reading.tsx";
import { BAR_NAME, countsOf, homeInWords } from "./status_resting.tsx";

interface StandProps {
  readonly snapshot: Snapshot;
  readonly overview: Overview;
  readonly zone: ZoneTime;
}

/** How far a running sync is, as a whole and with the current file. */
export function Running({ snapshot, overview, zone }: StandProps) {
  const { now } = overview;
  const { phase, files_total, files_completed, files_failed, files_here: here, eta_seconds: left } = snapshot;
  // The stream has the newest counts; a page that was just drawn has those of the overview.
  const counts = snapshot.recordings ?? countsOf(overview);
  const done = snapshot.bytes_downloaded_total;
  const all = left === null ? null : done + left * snapshot.bytes_per_second;
  return (
    <>
      <Gauge
        // With nothing at home there is nothing to draw, also where nothing is chosen.
        value={counts && (counts.home === 0 ? 0 : shareHome(counts))}
        name={BAR_NAME}
        from={counts === null ? "Not counted yet" : homeInWords(counts)}
        to={left === null ? "" : `Done about ${zone.clock(now + left * 1000)} ${zone.name(now)}`}
      />
      <dl class="readings">
        <Reading name="Files">
          {formatCount(files_completed)} <small>of {formatCount(files_total)}</small>
        </Reading>
        <Reading name="Brought home">
          <Part done={done} all={all} />
        </Reading>
        <Reading name="Rate">
          <Figure text={`${formatBytes(snapshot.bytes_per_second)}/s`} />
        </Reading>
        <Reading name="Time left">
          {left === null ? <small>not known yet</small> : <Figure text={formatSeconds(left)} />}
        </Reading>
        <Reading name="Failed">
          <Figure text={counted(files_failed, "file")} />
        </Reading>
        <Reading name="Already here">
          <Figure text={counted(here, "file")} />
        </Reading>
      </dl>
      <Current file={snapshot.current_file} phase={phase} />
    </>
  );
}

/** What has come of all that will; `all` is null while unknown. */
function Part({ done, all }: { readonly done: number; readonly all: number | null }) {
  if (all === null || all <= done) return <Figure text={formatBytes(done)} />;
  const [number, rest] = formatBytesOf(done, all).split(" of ");
  return (
    <>
      {number} <small>of ~{rest}</small>
    </>
  );
}

function Current({ file, phase }: { readonly file: CurrentFile | null; readonly phase: Snapshot["phase"] }) {
  if (file === null) {
    const words = phase === "retention" ? "Looking for what is older than you keep." : "Between two files.";
    return (
      <div class="now">
        <span class="quiet">{phase === "listing" ? "Reading the camera's list." : words}</span>
        <span />
        <progress class="gauge gauge-thin" max={100} value={0} aria-label="Current file" />
      </div>
    );
  }
  const { filename, downloaded_bytes: done, total_bytes: total, percent, eta_seconds: left } = file;
  const size = total > 0 ? formatBytesOf(done, total) : formatBytes(done);
  return (
    <div class="now">
      <span class="mono">{filename}</span>
      <span class="quiet">
        {size}
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
