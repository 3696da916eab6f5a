/** @jsxImportSource preact */
import type { VNode } from "preact";
import CameraAddress from "../../islands/camera_address.tsx";
import type { App } from "../app.ts";
import type { Grouping } from "../domain/recordings/date_folders.ts";
import { freeOfInWords, withheldInWords } from "../domain/runs/disk_space.ts";
import { durationInWords } from "../domain/settings/duration.ts";
import type { Settings } from "../domain/settings/settings.ts";
import type { NextScheduled } from "../domain/status/card_data.ts";
import type { StorageHealth } from "../domain/status/health.ts";
import { counted } from "../domain/text/format.ts";
import { nextScheduled } from "../engine/status/card_reads.ts";
import { storageHealth } from "../engine/status/health.ts";
import { Island } from "./island.tsx";
import { openZone } from "./open_zone.ts";

/** Builds the dashboard of a service without a camera: it asks for the address first, and tells what happens then. */
export async function startOf(app: App): Promise<VNode> {
  const storage = await storageHealth(app);
  const { mode } = app.settings.current.auth;
  const isSecond = mode === "login" && !app.isPasswordGiven;
  const props = {
    isSecond,
    zone: openZone(app),
    settings: app.settings.current,
    next: nextScheduled(app),
    storage,
    root: app.recordings.root,
  };
  return <Start {...props} />;
}

interface StartProps {
  readonly settings: Settings;
  readonly next: NextScheduled;
  readonly storage: StorageHealth;
  /** A password was chosen on the page before this one. */
  readonly isSecond: boolean;
  /** The time zone in force where none was chosen, else null. */
  readonly zone: string | null;
  /** The folder for recordings. */
  readonly root: string;
}

function Start({ settings, next, storage, root, isSecond, zone }: StartProps) {
  const { connection, sync, retention } = settings;
  return (
    <div class="cluster cluster-2 start">
      <section class="cell" aria-labelledby="start-address">
        <div class="cell-head">
          <h2 id="start-address">Camera address</h2>
          {isSecond && <span class="small quiet">Step 2 of 2</span>}
        </div>
        <Island
          name="camera_address"
          of={CameraAddress}
          props={{ address: connection.address, zone, wasOffered: isSecond, isAlone: false }}
        />
        <noscript>
          <p class="says">Checking and saving the address needs JavaScript, which this browser has turned off.</p>
        </noscript>
        <p class="cell-foot">
          <a href="/?start#how">How to find the address</a>
        </p>
      </section>
      <section class="cell" aria-labelledby="start-next">
        <div class="cell-head">
          <h2 id="start-next">What happens next</h2>
        </div>
        <dl class="facts facts-wide">
          <dt>Schedule</dt>
          <dd>{scheduleInWords(next)}</dd>
          <dt>Kept for</dt>
          <dd>{kept(retention)}</dd>
          <dt>Goes to</dt>
          <dd>
            <span class="mono">{root}</span>, {FOLDERS[sync.grouping]}
          </dd>
          <dt>Space</dt>
          <dd>{space(storage, retention.max_used_disk_percent)}</dd>
          <dt>Camera</dt>
          <dd>Read only. Never deleted from</dd>
        </dl>
        <p class="cell-foot">
          <a href="/settings">Change any of this in Settings</a>
        </p>
      </section>
    </div>
  );
}

/** The schedule without a next time: no run comes before there is a camera. */
function scheduleInWords({ paused, words, zone, timezone }: NextScheduled): string {
  // The words are in the schedule's own zone; where that is another one they say so.
  const schedule = /\bAt\b|:/i.test(words) && timezone !== zone.id ? `${words} (${timezone})` : words;
  return paused ? `${schedule}; paused now` : schedule;
}

function kept({ keep, trash_days: days }: Settings["retention"]): string {
  if (keep === "") return "No limit; nothing is deleted here";
  const then = days === 0 ? "then deleted here" : `then ${counted(days, "day")} in the trash`;
  return `${durationInWords(keep)}, ${then}`;
}

const FOLDERS: Readonly<Record<Grouping, string>> = {
  none: "all in one folder",
  daily: "one folder per day",
  weekly: "one folder per week",
  monthly: "one folder per month",
  yearly: "one folder per year",
};

function space(storage: StorageHealth, stopsAt: number): string {
  const stops = `stops at ${stopsAt}\u00a0%`;
  if (!storage.available) return `Known once the folder is there; ${stops}`;
  return [`${freeOfInWords(storage)}; ${stops}`, withheldInWords(storage)].filter(Boolean).join(". ");
}
