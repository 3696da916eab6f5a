/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import {
  agoInWords,
  counted,
  formatBytes,
  formatBytesOf,
  formatClock,
  formatCount,
  formatDay,
  formatSeconds,
  zoneName,
} from "../../server/domain/format.ts";
import { sentenceOf, shareDone } from "../../server/domain/job_words.ts";
import type { Overview } from "../../server/domain/overview.ts";
import type { CurrentFile, Snapshot } from "../../server/domain/progress.ts";
import type { Polled } from "../parts/cell.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { Reading } from "../parts/reading.tsx";
import { Time } from "../parts/time.tsx";

/** What somebody can make the job or its schedule do. */
export type Action = "sync-now" | "stop" | "pause" | "resume";

/** How an action is doing: which one is on its way, and what went wrong with the last. */
export interface Acting {
  readonly act?: (action: Action) => void;
  readonly pending?: Action | null;
  readonly problem?: string | null;
}

export interface StatusProps extends Polled, Acting {
  readonly snapshot: Snapshot;
  readonly overview: Overview;
}

/** The one sentence, and under it how far things are: the job while it runs, else what is safe. */
export function StatusCard(props: StatusProps) {
  const { snapshot, overview, poll, problem } = props;
  const isRunning = snapshot.state === "running";
  const mood = isRunning ? "busy" : overview.mood;
  const polled = poll && { "data-poll": poll.path, "data-every": poll.every };
  return (
    <section class={`hero is-${mood}`} id="status-card" aria-label="Sync" {...polled}>
      <div class="hero-head">
        <Icon name={`s-${mood}`} />
        <p class="sentence">{isRunning ? sentenceOf(snapshot) : overview.sentence}</p>
        <p>{isRunning ? <Began snapshot={snapshot} overview={overview} /> : overview.detail || "\u00a0"}</p>
        <Buttons {...props} isRunning={isRunning} />
        {problem && (
          <p class="error hero-problem" role="alert" data-action-error>
            <Icon name="s-failed" />
            {problem}
          </p>
        )}
      </div>
      {isRunning ? (
        <Running snapshot={snapshot} overview={overview} />
      ) : (
        <Resting snapshot={snapshot} overview={overview} />
      )}
    </section>
  );
}

function Began({ snapshot, overview: { now, time_zone } }: Pick<StatusProps, "snapshot" | "overview">) {
  const at = snapshot.started_at_wall * 1000;
  return (
    <>
      The camera is at home. Started{" "}
      <Time at={at} zone={time_zone}>
        {formatClock(at, time_zone)}, {agoInWords((now - at) / 1000)}
      </Time>
      .
    </>
  );
}

function Buttons({
  overview: { paused, address },
  isRunning,
  act,
  pending,
}: StatusProps & { readonly isRunning: boolean }) {
  const button = (action: Action, icon: IconName, label: string, look: string) => (
    <button
      class={`b ${look}`.trim()}
      type="button"
      data-action={action}
      aria-busy={pending === action || undefined}
      disabled={address === "" && action === "sync-now"}
      onClick={act && (() => pending === null && act(action))}
    >
      <Icon name={icon} />
      {label}
    </button>
  );
  return (
    <div class="hero-do">
      {isRunning ? button("stop", "i-stop", "Stop", "b-danger") : button("sync-now", "i-sync", "Sync now", "b-primary")}
      {paused ? button("resume", "i-play", "Resume schedule", "") : button("pause", "i-pause", "Pause schedule", "")}
    </div>
  );
}

function Running({ snapshot, overview: { now, time_zone } }: Pick<StatusProps, "snapshot" | "overview">) {
  const { phase, files_total, files_completed, files_failed, files_skipped, eta_seconds: left } = snapshot;
  const share = shareDone(snapshot);
  const done = snapshot.bytes_downloaded_total;
  const all = left === null ? null : done + left * snapshot.bytes_per_second;
  return (
    <>
      <Gauge
        value={phase === "listing" ? null : share}
        name="Whole run"
        from={phase === "listing" ? "Listing" : `${Math.floor(share)}\u00a0%`}
        to={left === null ? "" : `Done about ${formatClock(now + left * 1000, time_zone)} ${zoneName(now, time_zone)}`}
      />
      <dl class="readings">
        <Reading name="Files">
          {formatCount(files_completed + files_failed)} <small>of {formatCount(files_total)}</small>
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
          <Figure text={counted(files_skipped, "file")} />
        </Reading>
      </dl>
      <Current file={snapshot.current_file} phase={phase} />
    </>
  );
}

function Resting({ snapshot, overview }: Pick<StatusProps, "snapshot" | "overview">) {
  const { on_camera, chosen, waiting_files: waiting, now, time_zone, next_at, last_seen_at: seen } = overview;
  const ended = snapshot.state === "idle" ? null : snapshot;
  const isAsked = on_camera !== null;
  const share = !isAsked ? 0 : waiting === 0 ? 100 : ended ? shareDone(ended) : 0;
  return (
    <>
      <Gauge
        value={share}
        name="Recordings brought home"
        from={!isAsked ? "Not asked yet" : waiting === 0 ? "Nothing waiting" : `${counted(waiting, "file")} waiting`}
        to={isAsked ? `${formatCount(chosen ?? 0)} of ${counted(on_camera, "recording")} chosen` : ""}
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
        <Reading name="Kept in all">
          <Figure text={counted(overview.recordings, "recording")} />
        </Reading>
        <Reading name="Room left">
          {overview.room_bytes === null ? <Unknown /> : <Figure text={formatBytes(overview.room_bytes)} />}{" "}
          <small>up to {overview.max_used_percent}&nbsp;%</small>
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
        <span>{lastDeed(ended, isAsked, waiting)}</span>
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

function lastDeed(ended: Snapshot | null, isAsked: boolean, waiting: number): string {
  if (ended !== null && ended.files_completed > 0)
    return `Brought ${counted(ended.files_completed, "file")} home just now, ${formatBytes(ended.bytes_downloaded_total)}.`;
  return isAsked && waiting === 0 ? "Nothing to bring home." : "Waiting for the camera.";
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

function Unknown() {
  return <small>not known yet</small>;
}

/** A number large, its unit small: `2.6 GB`. */
function Figure({ text }: { readonly text: string }) {
  const at = text.lastIndexOf("\u00a0");
  return (
    <>
      {text.slice(0, at)} <small>{text.slice(at + 1)}</small>
    </>
  );
}

/** What has come of what will, as far as that can be told. */
function Part({ done, all }: { readonly done: number; readonly all: number | null }) {
  if (all === null || all <= done) return <Figure text={formatBytes(done)} />;
  const [number, rest] = formatBytesOf(done, all).split(" of ");
  return (
    <>
      {number} <small>of about {rest}</small>
    </>
  );
}

interface GaugeProps {
  /** 0..100; null while nobody knows how much there is to do. */
  readonly value: number | null;
  readonly name: string;
  readonly from: ComponentChildren;
  readonly to: ComponentChildren;
}

function Gauge({ value, name, from, to }: GaugeProps) {
  return (
    <div>
      <progress class="gauge" {...(value !== null && { max: 100, value })} aria-label={name} />
      <div class="scale">
        <span>{from}</span>
        <span>{to}</span>
      </div>
    </div>
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
