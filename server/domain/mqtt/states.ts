import type { EndedRun, EventRef } from "../notify/run_facts.ts";
import { hasUnsetClock, secondsOf, typeOf } from "../recordings/recording_name.ts";
import type { CameraAnswer } from "../status/cameras_schema.ts";
import type { Overview } from "../status/overview.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import { type DeviceState, EVENT_TYPES } from "./entities.ts";

/** States of the entities. None of them tells a place, an address or a name. */
export interface DeviceStates {
  readonly state: DeviceState;
  readonly paused: boolean;
  /** Null everywhere: not known. */
  readonly at_home: boolean | null;
  readonly all_safe: boolean | null;
  readonly at_risk: boolean | null;
  readonly waiting_recordings: number | null;
  readonly waiting_bytes: number | null;
  /** Seconds. */
  readonly needs_wifi: number | null;
  /** ISO 8601, as all times. */
  readonly last_sync: string | null;
  readonly last_contact: string | null;
  /** Percent. */
  readonly disk_used: number | null;
  readonly next_run: string | null;
}

/** Facts that the states are made of. */
export interface StateFacts {
  readonly overview: Pick<Overview, "paused" | "plan" | "waiting" | "waiting_bytes" | "last_seen_at" | "next_at">;
  readonly camera: CameraAnswer["state"];
  /** Epoch milliseconds of the last sync that was successful; null for none. */
  readonly lastSync: number | null;
  /** Used share of the disk, 0..1; null while unknown. */
  readonly diskUsed: number | null;
}

const MINUTE_MS = 60_000;
const MINUTE_S = 60;

/** Reads the states from what the dashboard shows. Rounded, so that what hardly changes is not published again. */
export function deviceStates({ overview, camera, lastSync, diskUsed }: StateFacts): DeviceStates {
  const { paused, plan, waiting, waiting_bytes, last_seen_at, next_at } = overview;
  const needs = plan?.needs_seconds ?? null;
  const risk = plan?.at_risk ?? null;
  return {
    state: STATES[camera],
    paused,
    at_home: plan === null || plan.camera === "unknown" ? null : plan.camera === "here",
    all_safe: waiting === null ? null : waiting === 0,
    at_risk: waiting === 0 ? false : risk && risk.recordings > 0,
    waiting_recordings: waiting,
    waiting_bytes: waiting === 0 ? 0 : waiting_bytes,
    needs_wifi: waiting === 0 ? 0 : needs && Math.ceil(needs / MINUTE_S) * MINUTE_S,
    last_sync: iso(lastSync, 1000),
    last_contact: iso(last_seen_at, MINUTE_MS),
    disk_used: diskUsed === null ? null : Math.round(diskUsed * 1000) / 10,
    next_run: iso(next_at, 1000),
  };
}

const STATES: Readonly<Record<CameraAnswer["state"], DeviceState>> = {
  syncing: "syncing",
  other_camera: "problem",
  failed: "problem",
  no_address: "problem",
  paused: "paused",
  attention: "problem",
  waiting: "waiting",
  safe: "waiting",
};

function iso(ms: number | null, step: number): string | null {
  return ms === null ? null : new Date(Math.floor(ms / step) * step).toISOString();
}

/** An event that came home, as the event entity takes it. */
export interface DeviceEvent {
  readonly event_type: string;
  /** `YYYYMMDD_HHMMSS_T` */
  readonly recording: string;
  /** By the clock of the camera, such as `2026-06-07T10:00:00`. */
  readonly recorded_at: string;
  /** The strongest force in it; left out where that is not known. */
  readonly g?: number;
}

/** Events of one run that are published at most: the newest. */
const MOST_EVENTS = 20;
const OLD_SECONDS = 7 * 86_400;

/**
 * Events of a run that has ended, the oldest first. The very first run brings all that the card has: older ones are no
 * news then.
 */
export function deviceEvents(
  run: Pick<EndedRun, "events" | "isFirst" | "isDry">,
  { now, zone }: { readonly now: number; readonly zone: Pick<ZoneTime, "offset"> },
): readonly DeviceEvent[] {
  if (run.isDry) return [];
  const oldest = (now + zone.offset(now)) / 1000 - OLD_SECONDS;
  const isNew = ({ key }: EventRef) => !run.isFirst || (secondsOf(key) >= oldest && !hasUnsetClock(key));
  return run.events
    .filter(isNew)
    .slice(-MOST_EVENTS)
    .flatMap(({ key, g }) => {
      const event_type = EVENT_TYPES[typeOf(key)];
      if (event_type === undefined) return [];
      const recorded_at = key.replace(/^(....)(..)(..)_(..)(..)(..).*$/, "$1-$2-$3T$4:$5:$6");
      return [{ event_type, recording: key, recorded_at, ...(g !== undefined && { g }) }];
    });
}
