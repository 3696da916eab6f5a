/** @jsxImportSource preact */
import {
  counted,
  formatBytes,
  formatClock,
  formatCount,
  formatDay,
  formatSeconds,
} from "../../server/domain/format.ts";
import { shareDone } from "../../server/domain/job_words.ts";
import type { Overview } from "../../server/domain/overview.ts";
import type { Snapshot } from "../../server/domain/progress.ts";
import { Figure, Unknown } from "../parts/figure.tsx";
import { Gauge } from "../parts/gauge.tsx";
import { Reading } from "../parts/reading.tsx";
import { Time } from "../parts/time.tsx";

interface StandProps {
  readonly snapshot: Snapshot;
  readonly overview: Overview;
}

/** What is safe and what waits while no sync runs; in the same places as the figures of a running one. */
export function Resting({ snapshot, overview }: StandProps) {
  const { on_camera, chosen, waiting_files: waiting, now, time_zone, next_at, last_seen_at: seen } = overview;
  const { available_bytes: free } = overview;
  const ended = snapshot.state === "idle" ? null : snapshot;
  const isAsked = on_camera !== null;
  // After a restart nobody knows how far a sync that failed had come.
  const isOpen = overview.mood === "failed" && waiting === 0;
  const share = !isAsked || isOpen ? 0 : waiting === 0 ? 100 : ended ? shareDone(ended) : 0;
  return (
    <>
      <Gauge
        value={share}
        name="Recordings brought home"
        from={!isAsked ? "Not asked yet" : isOpen ? "Not finished" : waitingInWords(waiting)}
        to={isAsked ? chosenInWords(chosen ?? 0, on_camera) : ""}
      />
      <dl class="readings">
        <Reading name="On the camera">
          {isAsked ? <Figure text={counted(on_camera, "recording")} /> : <Unknown />}
        </Reading>
        <Reading name="Waiting">
          <Figure text={counted(waiting, "file")} />
        </Reading>
        <Reading name="Newest here">
          {overview.newest === null ? <small>none yet</small> : <Newest base={overview.newest} now={now} />}
        </Reading>
        <Reading name="Here in all">
          <Figure text={counted(overview.recordings, "recording")} />
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
            <Time at={seen} zone={time_zone}>
              {formatClock(seen, time_zone)} <small>{formatDay(seen, time_zone, now)}</small>
            </Time>
          )}
        </Reading>
      </dl>
      <div class="now">
        <span>
          {isOpen ? <a href="/logs?level=warning">What the log says about it</a> : lastDeed(ended, isAsked, waiting)}
        </span>
        <span class="quiet">
          {next_at === null || overview.paused
            ? "No run is planned"
            : next_at > now
              ? `Looks again in ${formatSeconds((next_at - now) / 1000)}`
              : "Looks again now"}
        </span>
      </div>
    </>
  );
}

function waitingInWords(files: number): string {
  return files === 0 ? "Nothing waiting" : `${counted(files, "file")} waiting`;
}

function chosenInWords(chosen: number, all: number): string {
  const words = `${formatCount(chosen)} of ${counted(all, "recording")}`;
  return chosen === all ? words : `${words} chosen`;
}

function lastDeed(ended: Snapshot | null, isAsked: boolean, waiting: number): string {
  if (ended !== null && ended.files_completed > 0)
    return `Brought ${counted(ended.files_completed, "file")} home just now, ${formatBytes(ended.bytes_downloaded_total)}.`;
  if (!isAsked) return "Waiting for the camera.";
  return waiting === 0 ? "Nothing to bring home." : `${counted(waiting, "file")} to bring home with the next run.`;
}

/** Recordings are named in the camera's own wall time; it is shown as it is. */
function Newest({ base, now }: { readonly base: string; readonly now: number }) {
  const at = Date.UTC(Number(base.slice(0, 4)), Number(base.slice(4, 6)) - 1, Number(base.slice(6, 8)));
  return (
    <>
      {base.slice(9, 11)}:{base.slice(11, 13)} <small>{formatDay(at, "UTC", now)}</small>
    </>
  );
}
