/** @jsxImportSource preact */
import { Icon } from "../../islands/parts/icon.tsx";
import { Note } from "../../islands/parts/note.tsx";
import { State } from "../../islands/parts/state.tsx";
import { Time } from "../../islands/parts/time.tsx";
import type { App } from "../app.ts";
import type { StatusLevel } from "../domain/answers/status_level.ts";
import { versionText } from "../domain/camera/camera_version.ts";
import { allChanges, type ShownChange, unseenChanges } from "../domain/camera/change_list.ts";
import type { ConfigVisit } from "../domain/camera/config_changes.ts";
import { parseConfig } from "../domain/camera/config_file.ts";
import { type CameraTab, cameraTabs } from "../domain/camera/config_tabs.ts";
import { harmfulSettings, type LookSchedule } from "../domain/camera/settings_against_schedule.ts";
import { agoInWords, capitalized, counted } from "../domain/text/format.ts";
import type { CardTime, ZoneTime } from "../domain/text/zone_time.ts";
import { overviewFacts } from "../engine/status/overview.ts";
import { cardTimeOf } from "../engine/viewer/card_time.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import type { CameraSnapshot } from "../store/config/camera_snapshot.ts";
import { CameraPane } from "./camera_pane.tsx";
import { part } from "./document.tsx";

/** Source of the shown settings, which tells how reliable they are. */
type PanesState = "read" | "kept" | "away" | "other" | "busy" | "untold";

const WORDS: Readonly<Record<PanesState, readonly [StatusLevel, string, connected: string]>> = {
  read: ["fine", "From the camera", "online"],
  kept: ["waiting", "From the last visit", "as read last"],
  away: ["waiting", "Camera away", "offline"],
  other: ["attention", "Another camera", "as read last"],
  busy: ["busy", "A sync is running", "busy with a sync"],
  untold: ["waiting", "Not told", "as read last"],
};

/** Results of a press on "Read again". */
const SAYS: Readonly<Record<PanesState, string>> = {
  read: "The camera has answered just now.",
  kept: "There is no camera yet. Set its address first.",
  away: "The camera does not answer.",
  other: "Another camera answers at the address.",
  busy: "A sync is running. Dashdock asks the camera after it.",
  untold: "The camera answers, but does not tell its settings.",
};

/** Title above settings that may differ from the camera's now, and the time when they are read again. */
const UNASKED: Readonly<Partial<Record<PanesState, readonly [title: string, again: string]>>> = {
  away: ["The camera is away", "Dashdock reads them again when the camera is home."],
  other: ["Another camera answers at the address", "Open the settings to say which camera it is."],
  busy: ["A sync is running", "Dashdock reads the settings again when it has ended."],
  untold: ["This camera does not tell its settings", "See them in the camera’s app."],
};

interface PanesProps extends CardTime {
  readonly snapshot: CameraSnapshot | null;
  readonly standing: PanesState;
  readonly visits: readonly ConfigVisit[];
  readonly schedule: LookSchedule;
}

/** `GET /hx/camera/panes`: the camera's own settings, read from it now when it is free and answers. */
export async function cameraPanes(_context: RequestContext, app: App): Promise<Response> {
  const isBusy = app.job.isRunning;
  const known = await app.cameraSettings.read();
  const { address } = app.settings.current.connection;
  const unread = app.cameraSettings.areNotOffered ? "untold" : "away";
  const isOther = app.cameraSettings.otherAt(address) !== null;
  const missed = address === "" ? "kept" : isOther ? "other" : unread;
  return html(await drawn(app, known, isBusy ? "busy" : known?.isOnline ? "read" : missed));
}

/** The same from what was read last, without asking the camera: no page waits for it. */
export async function keptCameraPanes(app: App): Promise<string> {
  const { address, reachable, other_camera: other } = overviewFacts(app);
  const isAway = address !== "" && reachable === false;
  const unread = other !== null ? "other" : isAway ? "away" : app.cameraSettings.areNotOffered ? "untold" : "kept";
  const standing = app.job.isRunning ? "busy" : unread;
  return await drawn(app, await app.cameraSettings.known(), standing);
}

async function drawn(app: App, snapshot: CameraSnapshot | null, standing: PanesState): Promise<string> {
  const visits = await app.cameraSettings.visits();
  const { schedule } = app.settings.current;
  return part(app, <Panes {...{ snapshot, standing, visits, schedule }} {...cardTimeOf(app)} />);
}

function Panes({ snapshot, standing, visits, schedule, now, zone }: PanesProps) {
  const entries = snapshot ? parseConfig(snapshot.config) : [];
  const tabs = cameraTabs(entries, zone.format);
  const found = harmfulSettings(entries, schedule, now, zone.format);
  const harmful = new Map(found.map(({ setting, cause, remedy }) => [setting, `${cause} ${remedy}`]));
  const what = snapshot && (versionText(snapshot) ?? "Camera");
  return (
    <div id="panes" data-read={snapshot?.readAt} data-level={WORDS[standing][0]} data-says={SAYS[standing]}>
      {snapshot && <Identity {...{ snapshot, standing, tabs, now, zone }} />}
      <Unasked {...{ snapshot, standing, now, zone }} />
      <Changes {...{ visits, now, zone }} />
      <div class="row row-between raw-line">
        {snapshot === null ? (
          <span />
        ) : (
          <label class="check">
            <input class="switch" id="rawkeys" type="checkbox" role="switch" autocomplete="off" />
            <span>Show the camera’s own keys</span>
          </label>
        )}
        <button class="b nowrap needs-script" type="button" data-action="refresh-camera">
          <Icon name="i-sync" />
          {snapshot === null ? "Read now" : "Read again"}
        </button>
      </div>
      <div class="tabs needs-script" role="tablist" aria-label="Settings on the camera">
        {tabs.map(({ name, label, fields }, at) => (
          <button
            key={name}
            class="b b-quiet"
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls={`camera-${name}`}
            aria-selected={at === 0}
            tabIndex={at === 0 ? undefined : -1}
          >
            {label} <small class="quiet">{fields.length || ""}</small>
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <CameraPane
          key={tab.name}
          {...{ tab, harmful, isTold: standing !== "untold" }}
          says={what && `${what} · ${WORDS[standing][2]}`}
        />
      ))}
    </div>
  );
}

interface IdentityProps extends CardTime {
  readonly snapshot: CameraSnapshot;
  readonly standing: PanesState;
  readonly tabs: readonly CameraTab[];
}

function Identity({ snapshot: { model, firmware, readAt }, standing, tabs, now, zone }: IdentityProps) {
  const all = tabs.flatMap(({ fields, other, not_fitted }) => [...fields, ...other, ...not_fitted]);
  const erasing = all.filter((field) => field.formats_card).length;
  const [level, word] = WORDS[standing];
  return (
    <div class="cluster cluster-half">
      <Fact label="Model">{model ?? "Unknown"}</Fact>
      <Fact label="Firmware">{firmware ?? "Unknown"}</Fact>
      <Fact label="Settings" says={`${erasing} erase the card`}>
        {all.length}
      </Fact>
      <Fact label="Read" says={<State level={level} word={word} />}>
        <Time at={readAt} zone={zone}>
          {capitalized(agoInWords((now - readAt) / 1000))}
        </Time>
      </Fact>
    </div>
  );
}

interface FactProps {
  readonly label: string;
  readonly says?: preact.ComponentChildren;
  readonly children: preact.ComponentChildren;
}

function Fact({ label, says, children }: FactProps) {
  return (
    <div class="cell">
      <p class="small quiet">{label}</p>
      <p class="big">{children}</p>
      {says !== undefined && <p class="small quiet">{says}</p>}
    </div>
  );
}

/** Tells why the camera was not asked, or did not answer, and from when the settings are. */
function Unasked({ snapshot, standing, now, zone }: Pick<PanesProps, "snapshot" | "standing" | keyof CardTime>) {
  const [level] = WORDS[standing];
  const [title, again] = UNASKED[standing] ?? [];
  if (title === undefined) return null;
  const how = snapshot && (
    <>
      These are the settings of <When at={snapshot.readAt} now={now} zone={zone} />.{" "}
    </>
  );
  return (
    <Note level={level} title={title} class="note-gap">
      <p>
        {how}
        {again}
        {snapshot && " Passwords can still be shown."}
      </p>
    </Note>
  );
}

function When({ at, now, zone }: { readonly at: number; readonly now: number; readonly zone: ZoneTime }) {
  return (
    <Time at={at} zone={zone}>
      {zone.moment(at, now)}
    </Time>
  );
}

/** Lists the changes since they were seen last; after a press they count as seen. */
function Changes({ visits, now, zone }: Pick<PanesProps, "visits" | keyof CardTime>) {
  const unseen = unseenChanges(visits, zone.format);
  const all = allChanges(visits, zone.format);
  const open = visits.filter(({ dismissed }) => !dismissed).map(({ id }) => id);
  return (
    <>
      {unseen.length > 0 && (
        <Note
          level="attention"
          title={`${counted(unseen.length, "setting")} changed since your last visit`}
          class="note-gap"
        >
          <ChangeList changes={unseen} now={now} zone={zone} />
          <div class="row needs-script">
            <button class="b" type="button" data-seen={open.join(" ")}>
              <Icon name="i-check" />
              Seen
            </button>
          </div>
        </Note>
      )}
      {all.length > unseen.length && (
        <details class="more note-gap">
          <summary>
            {all.length === 1 ? "The only change so far" : `All ${counted(all.length, "change")} so far`}
          </summary>
          <ChangeList changes={all} now={now} zone={zone} />
        </details>
      )}
    </>
  );
}

function ChangeList({ changes, now, zone }: { readonly changes: readonly ShownChange[] } & CardTime) {
  return (
    <ol class="next-runs">
      {changes.map(({ key, label, at, from, to, isSecret }) => (
        <li key={`${key} ${at}`}>
          <span>
            <When at={at} now={now} zone={zone} />
          </span>
          <span title={key}>
            {label}: {isSecret ? <b class="strong">changed</b> : <FromTo from={from} to={to} />}
          </span>
        </li>
      ))}
    </ol>
  );
}

function FromTo({ from, to }: Pick<ShownChange, "from" | "to">) {
  return (
    <>
      <s>{from || "not set"}</s> → <b class="strong">{to || "not set"}</b>
    </>
  );
}
