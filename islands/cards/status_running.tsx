/** @jsxImportSource preact */

import { Fragment } from "preact";
import type { Overview } from "../../server/domain/status/overview.ts";
import type { CurrentFile } from "../../server/domain/sync/current_transfer.ts";
import type { Snapshot } from "../../server/domain/sync/job_progress.ts";
import { workOf } from "../../server/domain/sync/job_text.ts";
import { shareHome } from "../../server/domain/sync/recording_counts.ts";
import { counted, formatBytes, formatBytesOf, formatCount, formatSeconds } from "../../server/domain/text/format.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { About, Figure, Unknown } from "../parts/figure.tsx";
import { Gauge } from "../parts/gauge.tsx";
import { Reading } from "../parts/reading.tsx";
import { BAR_NAME, countsOf, homeInWords } from "./status_resting.tsx";

interface StandProps {
  readonly snapshot: Snapshot;
  readonly overview: Overview;
  readonly zone: ZoneTime;
}

/** Progress of a running sync, as a whole and for the current file. */
export function Running({ snapshot, overview, zone }: StandProps) {
  const { now } = overview;
  const { phase, percent, eta_seconds: left } = snapshot;
  const { bytes_downloaded_total: done, bytes_expected: all } = snapshot;
  const work = workOf(snapshot);
  // The stream has the newest counts; a page that was just drawn has those of the overview.
  const counts = snapshot.recordings ?? countsOf(overview);
  // With nothing to bring, or before that is known, the bar is as it was before: how much is at home.
  const isDownloading = work.total > 0;
  const share = counts && (counts.home === 0 ? 0 : shareHome(counts));
  const home = counts === null ? "Not counted yet" : homeInWords(counts);
  return (
    <>
      <Gauge
        value={isDownloading ? percent : share}
        name={BAR_NAME}
        from={isDownloading ? `${Math.floor(percent)}\u00a0%` : home}
        to={left === null ? "" : `Done about ${zone.clock(now + left * 1000)} ${zone.name(now)}`}
      />
      <dl class="readings">
        <Reading name="Downloaded">
          {formatCount(work.done)} <small>of {work.words(work.total)}</small>
        </Reading>
        <Reading name="Size">
          {done > 0 || all !== null ? (
            <Part done={done} all={all} isGuess={snapshot.bytes_expected_is_guess} rest="small" />
          ) : (
            <small>nothing yet</small>
          )}
        </Reading>
        <Reading name="Rate">
          {done > 0 ? <Figure text={`${formatBytes(snapshot.bytes_per_second)}/s`} /> : <Unknown />}
        </Reading>
        <Reading name="Time left">{left === null ? <Unknown /> : <Figure text={formatSeconds(left)} />}</Reading>
        <Reading name="Failed">
          <Figure text={work.words(work.failed)} />
        </Reading>
        <Reading name="Safe here">
          {counts === null ? <Unknown /> : <Figure text={counted(counts.home, "recording")} />}
        </Reading>
      </dl>
      <Current file={snapshot.current_file} phase={phase} />
    </>
  );
}

interface PartProps {
  readonly done: number;
  /** Null while unknown. */
  readonly all: number | null;
  readonly isGuess: boolean;
  /** The element of what stands behind the number. */
  readonly rest: "small" | typeof Fragment;
}

/** Downloaded bytes, and all expected bytes when they are known. */
function Part({ done, all, isGuess, rest: Rest }: PartProps) {
  const isOf = all !== null && all > done;
  const [number, rest] = isOf ? formatBytesOf(done, all).split(" of ") : formatBytes(done).split("\u00a0");
  return (
    <>
      {number}{" "}
      <Rest>
        {isOf && "of "}
        {isOf && isGuess && <About />}
        {rest}
      </Rest>
    </>
  );
}

export function Current({ file, phase }: { readonly file: CurrentFile | null; readonly phase: Snapshot["phase"] }) {
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
  const {
    filename,
    downloaded_bytes: done,
    total_bytes: total,
    expected_bytes: guess,
    percent,
    eta_seconds: left,
  } = file;
  const size = total || guess;
  return (
    <div class="now">
      <span class="mono">{filename}</span>
      <span class="quiet">
        {(done > 0 || size !== null) && <Part done={done} all={size} isGuess={total === 0} rest={Fragment} />}
        {left !== null && `, ${formatSeconds(left)}`}
      </span>
      <progress
        class="gauge gauge-thin"
        {...((total > 0 || percent > 0) && { max: 100, value: percent })}
        aria-label={`Current file, ${filename}`}
      />
    </div>
  );
}
