/** @jsxImportSource preact */

import { cameraDay, shortClock } from "../../server/domain/recordings/camera_clock.ts";
import { dateOf } from "../../server/domain/recordings/recording_name.ts";
import type { CameraAnswer } from "../../server/domain/status/cameras_schema.ts";
import type { FleetCamera } from "../../server/domain/status/fleet.ts";
import {
  homeInLine,
  needsInLine,
  nextInLine,
  STATE_WORDS,
  stateInLine,
} from "../../server/domain/status/fleet_text.ts";
import { isAwaited } from "../../server/domain/status/looks_text.ts";
import { sentenceOf, workOf } from "../../server/domain/sync/job_text.ts";
import { aheadInWords, counted, formatBytes, formatCount } from "../../server/domain/text/format.ts";
import type { ZoneTime } from "../../server/domain/text/zone_time.ts";
import { playPath } from "../../server/domain/viewer/viewer_address.ts";
import { Icon } from "../parts/icon.tsx";
import { ChangeButton } from "../parts/may_change.tsx";
import { Plate } from "../parts/plate.tsx";
import { State } from "../parts/state.tsx";
import { Time } from "../parts/time.tsx";

export interface FleetRowProps {
  readonly camera: FleetCamera;
  readonly zone: ZoneTime;
  /** With its own cells behind it. */
  readonly isOpen: boolean;
  /** A row of many: one line on a wide screen. */
  readonly isShort: boolean;
  /** True while something was asked of it and has not happened yet. */
  readonly isPending: boolean;
  readonly toggle: () => void;
  readonly sync: () => void;
  readonly stop: () => void;
}

/** One camera of the dashboard: how it stands, its figures, and what can be done about it. */
export function FleetRow(props: FleetRowProps) {
  const { camera, zone, isOpen, isShort, isPending, toggle, sync, stop } = props;
  const { id, name, model, overview, snapshot } = camera;
  const isRunning = snapshot.state === "running";
  const page = `/?camera=${id}`;
  return (
    <li>
      <div class="veh">
        <div class="veh-id">
          <Plate camera={camera} isLarge />
          <p>
            <a href={page}>{name}</a>
            {model !== null && <span class="small quiet">{model}</span>}
          </p>
        </div>
        <Standing camera={camera} zone={zone} isShort={isShort} />
        {isShort ? <LineFigures camera={camera} zone={zone} /> : <Figures camera={camera} zone={zone} />}
        {!isShort && (
          <div class="veh-do">
            {isRunning ? (
              <ChangeButton class="b" type="button" onClick={stop} disabled={isPending}>
                <Icon name="i-stop" />
                Stop…
              </ChangeButton>
            ) : (
              <ChangeButton class="b" type="button" onClick={sync} disabled={isPending || overview.address === ""}>
                <Icon name="i-sync" />
                Sync now
              </ChangeButton>
            )}
            <button
              class="b b-icon"
              type="button"
              aria-expanded={isOpen}
              title={`${isOpen ? "Less" : "More"} about ${name}`}
              aria-label={`${isOpen ? "Less" : "More"} about ${name}`}
              onClick={toggle}
            >
              <Icon name="i-down" />
            </button>
          </div>
        )}
      </div>
      {isOpen && <Cells camera={camera} zone={zone} />}
    </li>
  );
}

interface RefusedRowProps {
  readonly camera: CameraAnswer;
  /** Its place among the cameras, from 0 on. */
  readonly place: number;
  readonly isShort: boolean;
}

/** A camera that cannot be opened: the list of cameras in the settings has what can be done about it. */
export function RefusedRow({ camera: { name, letter, sentence }, place, isShort }: RefusedRowProps) {
  return (
    <li>
      <div class="veh">
        <div class="veh-id">
          <Plate camera={{ name, letter, place }} isLarge />
          <p>
            <a href="/settings?camera=all#cameras">{name}</a>
          </p>
        </div>
        {isShort ? (
          <div class="veh-st">
            <State level="failed" word="Failed" />
          </div>
        ) : (
          <div class="veh-say">
            <p>
              <State level="failed" word="Failed" />
              {sentence}
            </p>
          </div>
        )}
      </div>
    </li>
  );
}

function Figures({ camera, zone }: Pick<FleetRowProps, "camera" | "zone">) {
  const { waiting } = camera.overview;
  return (
    <dl class="veh-n">
      <div>
        <dt>Waiting</dt>
        <dd>{waiting === null ? <small>not known</small> : <Waiting count={waiting} />}</dd>
      </div>
      <div>
        <dt>Newest here</dt>
        <dd>
          <Newest camera={camera} zone={zone} />
        </dd>
      </div>
      <div>
        <dt>Last contact</dt>
        <dd>
          <Contact camera={camera} zone={zone} />
        </dd>
      </div>
    </dl>
  );
}

/** Figures of one of many: whether it comes home in time, and when it comes. */
function LineFigures({ camera, zone }: Pick<FleetRowProps, "camera" | "zone">) {
  const { waiting } = camera.overview;
  return (
    <dl class="veh-n">
      <LineFigure name="Waiting" value={waiting === null ? null : formatCount(waiting)} />
      <LineFigure name="Needs" value={needsInLine(camera)} />
      <LineFigure name="Last home" value={homeInLine(camera, zone)} />
      <LineFigure name="Next" value={nextInLine(camera, zone)} />
    </dl>
  );
}

function LineFigure({ name, value }: { readonly name: string; readonly value: string | null }) {
  return (
    <div class={value === null ? "none" : undefined}>
      <dt>{name}</dt>
      <dd>{value ?? "–"}</dd>
    </div>
  );
}

function Standing({ camera, zone, isShort }: Pick<FleetRowProps, "camera" | "zone" | "isShort">) {
  const { name, state, overview, snapshot } = camera;
  const isRunning = snapshot.state === "running";
  const [level, word] = isShort ? stateInLine(camera, zone) : STATE_WORDS[isRunning ? "syncing" : state];
  const { percent, eta_seconds: left } = snapshot;
  const isDownloading = isRunning && workOf(snapshot).total > 0;
  const bar = isRunning && (
    <progress
      class={isShort ? "gauge gauge-thin is-busy" : "gauge"}
      {...(isDownloading && { max: 100, value: percent })}
      aria-label={`Sync of ${name}`}
    />
  );
  if (isShort)
    return (
      <div class="veh-st">
        <State level={level} word={word} />
        {bar}
      </div>
    );
  return (
    <div class="veh-say">
      <p>
        <State level={level} word={word} />
        {isRunning ? (
          <>
            {sentenceOf(snapshot)}
            {left !== null && ` Done about ${zone.clock(overview.now + left * 1000)}.`}
          </>
        ) : (
          overview.sentence
        )}
      </p>
      {bar || (overview.detail !== "" && <p class="soft">{overview.detail}</p>)}
    </div>
  );
}

function Waiting({ count }: { readonly count: number }) {
  return (
    <>
      {formatCount(count)} <small>{count === 1 ? "recording" : "recordings"}</small>
    </>
  );
}

function Newest({ camera: { overview }, zone }: Pick<FleetRowProps, "camera" | "zone">) {
  const { newest_key: key, now } = overview;
  if (key === null) return <small>none yet</small>;
  return (
    <a class="reading-play" href={playPath(key)} title="Play it">
      {shortClock(key, zone.format)}{" "}
      {dateOf(key) !== zone.isoDay(now) && (
        <small>{cameraDay(dateOf(key), new Date(now).getUTCFullYear(), zone.format)}</small>
      )}
    </a>
  );
}

function Contact({ camera: { overview, snapshot }, zone }: Pick<FleetRowProps, "camera" | "zone">) {
  const { last_seen_at: seen, now } = overview;
  if (snapshot.state === "running" && snapshot.phase !== "listing") return <>Now</>;
  if (seen === null) return <small>never</small>;
  return (
    <Time at={seen} zone={zone}>
      {zone.clock(seen)} {zone.isoDay(seen) !== zone.isoDay(now) && <small>{zone.day(seen, now)}</small>}
    </Time>
  );
}

/** The cells behind a row, which leads to the camera's own page with all of them. */
function Cells({ camera, zone }: Pick<FleetRowProps, "camera" | "zone">) {
  const { id, destination, overview } = camera;
  const { next_at: next, looks, now, paused, recordings, available_bytes: free, address } = overview;
  return (
    <div class="veh-cards">
      <div class="cluster cluster-4 cluster-half">
        <Part title="Next run">
          <p class="big">{next === null || paused ? "None planned" : `${zone.clock(next)}`}</p>
          <p class="soft">
            {paused ? "The schedule is paused." : next !== null && aheadInWords((next - now) / 1000)}
            {isAwaited(looks) && ". Sooner when the camera comes."}
          </p>
        </Part>
        <Part title="Recordings here">
          <p class="big">{recordings === null ? "Not known" : counted(recordings, "recording")}</p>
          <p class="soft">{free !== null && `${formatBytes(free)} free`}</p>
        </Part>
        <Part title="Goes to">
          <p class="big mono small">{destination}</p>
        </Part>
        <Part title="Camera">
          <p class="big mono small">{address === "" ? "No address yet" : address}</p>
          <p class="cell-foot">
            <a href={`/?camera=${id}`}>All about it</a> · <a href={`/stats/card?camera=${id}`}>The card</a> ·{" "}
            <a href={`/settings?camera=${id}`}>Settings</a>
          </p>
        </Part>
      </div>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: preact.ComponentChildren }) {
  return (
    <section class="cell">
      <div class="cell-head">
        <h2>{title}</h2>
      </div>
      {children}
    </section>
  );
}
