/** @jsxImportSource preact */

import { cameraDay, shortClock } from "../../server/domain/recordings/camera_clock.ts";
import { dateOf } from "../../server/domain/recordings/recording_name.ts";
import { everyInWords, isAwaited } from "../../server/domain/status/looks_text.ts";
import type { Overview } from "../../server/domain/status/overview.ts";
import type { Snapshot } from "../../server/domain/sync/job_progress.ts";
import { workOf } from "../../server/domain/sync/job_text.ts";
import { type JobCounts, shareHome } from "../../server/domain/sync/recording_counts.ts";
import { aheadInWords, counted, formatBytes, formatCount } from "../../server/domain/text/format.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { playPath } from "../../server/domain/viewer/viewer_address.ts";
import { About, Figure, Unknown } from "../parts/figure.tsx";
import { Gauge } from "../parts/gauge.tsx";
import { Icon } from "../parts/icon.tsx";
import { Reading } from "../parts/reading.tsx";
import { Time } from "../parts/time.tsx";

interface StandProps {
  readonly snapshot: Snapshot;
  readonly overview: Overview;
  readonly zone: ZoneTime;
}

/** Saved and waiting recordings while no sync runs, in the same places as the figures of a running one. */
export function Resting({ snapshot, overview, zone }: StandProps) {
  const { on_camera, waiting_files: waiting, now, next_at, last_seen_at: seen } = overview;
  const { available_bytes: free, waiting_bytes: bytes } = overview;
  const ended = snapshot.state === "idle" ? null : snapshot;
  const counts = countsOf(overview);
  return (
    <>
      <Gauge
        value={counts === null ? 0 : shareHome(counts)}
        name={BAR_NAME}
        from={counts === null ? "Not counted yet" : homeInWords(counts)}
        to={counts === null ? "" : waitingInWords(counts.waiting, waiting ?? 0)}
      />
      <dl class="readings">
        <Reading name="On the camera">
          {on_camera === null ? <Unknown /> : <Figure text={counted(on_camera, "recording")} />}
        </Reading>
        <Reading name="Recordings waiting">
          {counts === null ? <Unknown /> : formatCount(counts.waiting)}
          {bytes !== null && bytes > 0 && (
            <small>
              , <About />
              {formatBytes(bytes)}
            </small>
          )}
        </Reading>
        <Reading name="Newest here">
          <Newest overview={overview} zone={zone} />
        </Reading>
        <Reading name="Here in all">
          {overview.recordings === null ? <Unknown /> : <Figure text={counted(overview.recordings, "recording")} />}
        </Reading>
        <Reading name="Free">
          {free === null ? (
            <Unknown />
          ) : (
            <>
              <Figure text={formatBytes(free)} /> <small>on the disk</small>
            </>
          )}
        </Reading>
        <Reading name="Last contact">
          {seen === null ? (
            <small>never</small>
          ) : (
            <Time at={seen} zone={zone}>
              {zone.clock(seen)} <small>{zone.day(seen, now)}</small>
            </Time>
          )}
        </Reading>
      </dl>
      <div class="now">
        <span>
          {overview.mood === "failed" && !waiting ? (
            <a href="/logs?level=warning">Open the log</a>
          ) : (
            lastResult(ended, counts, waiting ?? 0, next_at !== null && !overview.paused && overview.mood !== "failed")
          )}
        </span>
        <span class="quiet">{whatIsNext(overview)}</span>
      </div>
    </>
  );
}

/** When the next run comes; while the camera is away it comes with the camera. */
function whatIsNext({ next_at, looks, now, paused }: Overview): string {
  if (isAwaited(looks)) return `Looks for the camera ${everyInWords(looks)}`;
  if (next_at === null || paused) return "No run is planned";
  const ahead = aheadInWords((next_at - now) / 1000);
  // A run asks the camera what is new. That it is here is seen more often.
  return looks === null ? `Looks again ${ahead}` : `Next run ${ahead}`;
}

/** The bar is the same whether a sync runs or not: how much of what is chosen is at home. */
export const BAR_NAME = "Recordings downloaded";

function waitingInWords(recordings: number, files: number): string {
  if (recordings > 0) return `${counted(recordings, "recording")} waiting`;
  return files === 0 ? "Nothing waiting" : `${counted(files, "small file")} waiting`;
}

/** Share of the chosen recordings that is saved; the bar beside the text shows the same numbers. */
export function homeInWords({ on_camera, chosen, home }: JobCounts): string {
  const words = `${formatCount(home)} of ${counted(chosen, "recording")}`;
  return chosen === on_camera ? words : `${words} chosen`;
}

/** The counts of the overview; null while unknown. */
export function countsOf({ on_camera, chosen, home, waiting }: Overview): JobCounts | null {
  if (on_camera === null || chosen === null || home === null || waiting === null) return null;
  return { on_camera, chosen, home, waiting };
}

/** @param goesOn A run is planned, and nothing known is in its way. */
function lastResult(ended: Snapshot | null, counts: JobCounts | null, files: number, goesOn: boolean): string {
  if (ended !== null && ended.files_completed > 0) {
    const { done, words } = workOf(ended);
    const what = done > 0 ? words(done) : counted(ended.files_completed, "small file");
    return `${what} downloaded just now, ${formatBytes(ended.bytes_downloaded_total)}.`;
  }
  if (counts === null) return "The first sync is still to come.";
  if (counts.waiting + files === 0) return "Nothing to download.";
  const what = counts.waiting > 0 ? counted(counts.waiting, "recording") : counted(files, "small file");
  const are = (counts.waiting || files) === 1 ? "is" : "are";
  return goesOn ? `The next run downloads ${what}.` : `${what} ${are} still only on the camera.`;
}

/** The newest clip, to play. Recordings are named in the camera's own wall time; it is shown as it is. */
function Newest({ overview: { newest_key: key, now }, zone }: Pick<StandProps, "overview" | "zone">) {
  if (key === null) return <small>none yet</small>;
  return (
    <a class="reading-play" href={playPath(key)} title="Play it">
      <Icon name="i-play" />
      {shortClock(key, zone.format)}{" "}
      <small>{cameraDay(dateOf(key), new Date(now).getUTCFullYear(), zone.format)}</small>
    </a>
  );
}
