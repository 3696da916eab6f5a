import type { StatusLevel } from "../answers/status_level.ts";
import type { OverviewPlan } from "../plan/plan_schema.ts";
import type { JobState } from "../sync/job_progress.ts";
import { formatSeconds } from "../text/format.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import type { CameraAnswer } from "./cameras_schema.ts";
import type { Overview } from "./overview.ts";

/** One of many cameras, as its line is made of it. */
export interface LineFacts {
  readonly state: CameraAnswer["state"];
  readonly overview: Pick<Overview, "now" | "waiting" | "last_seen_at"> & { readonly plan: OverviewPlan | null };
  readonly snapshot: { readonly state: JobState; readonly eta_seconds: number | null };
}

/** Level and word of each state of a camera. */
export const STATE_WORDS: Readonly<Record<CameraAnswer["state"], readonly [level: StatusLevel, word: string]>> = {
  other_camera: ["attention", "Another camera"],
  failed: ["failed", "Failed"],
  attention: ["attention", "Needs you"],
  syncing: ["busy", "Syncing"],
  waiting: ["waiting", "Waiting"],
  paused: ["waiting", "Paused"],
  no_address: ["waiting", "No address"],
  safe: ["fine", "Safe"],
};

/** The state in a few words, with whether what waits comes home in time. */
export function stateInLine(facts: LineFacts, zone: ZoneTime): readonly [level: StatusLevel, word: string] {
  const { overview, snapshot } = facts;
  const isRunning = snapshot.state === "running";
  const state = isRunning ? "syncing" : facts.state;
  const [level, word] = STATE_WORDS[state];
  if (isRunning && snapshot.eta_seconds !== null)
    return [level, `${word}, ${formatSeconds(snapshot.eta_seconds)} left`];
  const { plan, now } = overview;
  if (plan === null || plan.camera !== "away") return [level, word];
  const { verdict, overwritten_from: from } = plan;
  if (state === "safe") return [level, "Safe, away"];
  if (state === "waiting") return [level, verdict === "in_time" ? "Away, in time" : "Away"];
  const isLate = verdict === "too_late" || verdict === "tight";
  if (state !== "attention" || !isLate || from === null) return [level, word];
  const at = Date.parse(from);
  if (at <= now) return [level, "Overwritten now"];
  return [level, isSameDay(at, now, zone) ? "Overwritten today" : `Overwritten from ${nearDay(at, now, zone)}`];
}

/** Wi-Fi time that what waits needs; null when nothing waits, or that is not known. */
export function needsInLine({ overview: { plan } }: LineFacts): string | null {
  const needs = plan?.needs_seconds ?? null;
  return needs === null || needs === 0 ? null : formatSeconds(needs);
}

/** When the camera was at home last; null when it never was. */
export function homeInLine({ overview }: LineFacts, zone: ZoneTime): string | null {
  const { plan, last_seen_at: seen, now } = overview;
  const visit = plan?.visit ?? null;
  if (visit !== null) return `Here since ${nearMoment(Date.parse(visit.from), now, zone)}`;
  return seen === null ? null : nearMoment(seen, now, zone);
}

/** The next thing that happens to it; null when that is not known. */
export function nextInLine({ state, overview, snapshot }: LineFacts, zone: ZoneTime): string | null {
  if (state === "paused") return "Until you resume it";
  if (state === "other_camera") return "Nothing is downloaded";
  const { plan, now } = overview;
  if (snapshot.state === "running" || plan === null || plan.camera === "here" || plan.next_visit === null) return null;
  const from = Math.max(now, Date.parse(plan.next_visit.from));
  const clock = zone.clock(from);
  const isToday = isSameDay(from, now, zone);
  const day = isToday ? "Today" : nearDay(from, now, zone);
  if (plan.verdict !== "too_late") return `${day}, about ${clock}`;
  return `Not before ${isToday ? clock : `${day}, ${clock}`}`;
}

/** `15:30` of today, else with the day. */
function nearMoment(at: number, now: number, zone: ZoneTime): string {
  return isSameDay(at, now, zone) ? zone.clock(at) : zone.moment(at, now);
}

const WEEK_MS = 6 * 86_400_000;

/** `Sun` within the next days, else the day with its date. */
function nearDay(at: number, now: number, zone: ZoneTime): string {
  return at - now < WEEK_MS ? zone.weekday(at) : zone.day(at, now);
}

function isSameDay(at: number, now: number, zone: ZoneTime): boolean {
  return zone.isoDay(at) === zone.isoDay(now);
}
