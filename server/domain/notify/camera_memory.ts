import { hasUnsetClock, secondsOf } from "../recordings/recording_name.ts";
import type { Settings } from "../settings/settings.ts";
import { afterLook, type Incidents, type Weights, weightOf } from "./incidents.ts";
import { allSafeMessage, type Draft, eventMessage, incidentMessage, settingsMessage } from "./messages.ts";
import type { CameraFacts, EventRef } from "./run_facts.ts";

/** Events within so long after a message about some wait for the end of it. */
export const BURST_MS = 10 * 60_000;
/** At the very first run, events of before are only counted. */
const OLD_SECONDS = 7 * 86_400;
const DAY_MS = 86_400_000;
/** So many percent before downloading stops, the disk counts as nearly full. */
const BEFORE_STOP = 5;
/** Copies that could not be sent for so long are told of. */
const OFFSITE_MS = 3 * DAY_MS;

/** Facts that are remembered of a camera, so that nothing is told twice. */
export interface CameraMemory {
  readonly incidents: Incidents;
  /** The last visit with changed settings that is known; null before the first look. */
  readonly visit: number | null;
  /** Beginning of the visit in which it was told that all is safe; null before the first. */
  readonly safeVisit: number | null;
  /** End of the time in which further events wait, epoch milliseconds, and those that do. */
  readonly burst: { readonly until: number; readonly events: readonly EventRef[] } | null;
}

export const NEW_MEMORY: CameraMemory = { incidents: {}, visit: null, safeVisit: null, burst: null };

type Wanted = Pick<Settings["notify"], "events" | "camera_missing_days">;

/** Returns what is remembered after a look at a camera, and what is to be told. */
export function afterFacts(
  before: CameraMemory,
  facts: CameraFacts,
  wanted: Wanted,
): { readonly memory: CameraMemory; readonly drafts: readonly Draft[] } {
  const { now, run, settings } = facts;
  const wants = (code: Wanted["events"][number]) => wanted.events.includes(code);
  const { incidents, told } = afterLook(before.incidents, weightsOf(facts, wanted), wanted.events, now);
  const drafts = told.map((code) => incidentMessage(code, facts));
  const isDone = run !== null && !run.isDry && run.ending === "completed";
  const isSafe = isDone && run.recordings > 0 && facts.waiting === 0;
  // A parked camera records on, and each sync of a long visit brings the last that waits.
  const isNews = facts.visit === undefined || facts.visit !== before.safeVisit;
  if (wants("all_safe") && isSafe && isNews) drafts.push(allSafeMessage(facts));
  const isChanged = settings !== undefined && before.visit !== null && settings.visit > before.visit;
  if (wants("settings_changed") && isChanged) drafts.push(settingsMessage(facts));
  const visit = settings === undefined ? before.visit : settings.visit;
  const { burst, draft } = wants("event") ? afterEvents(before.burst, facts) : { burst: null, draft: null };
  if (draft !== null) drafts.push(draft);
  const safeVisit = isSafe ? (facts.visit ?? null) : before.safeVisit;
  return { memory: { incidents, visit, safeVisit, burst }, drafts };
}

/** Events that came with a run: told at once, or with those of the next ten minutes. */
function afterEvents(
  before: CameraMemory["burst"],
  facts: CameraFacts,
): { readonly burst: CameraMemory["burst"]; readonly draft: Draft | null } {
  const { now, run, zone } = facts;
  if (run === null || run.events.length === 0 || run.isDry) return { burst: before, draft: null };
  const oldest = (now + zone.offset(now)) / 1000 - OLD_SECONDS;
  const isNew = ({ key }: EventRef) => !run.isFirst || (secondsOf(key) >= oldest && !hasUnsetClock(key));
  const events = run.events.filter(isNew);
  const older = run.events.length - events.length;
  if (before !== null && now < before.until && before.until - now <= BURST_MS)
    return { burst: { ...before, events: [...before.events, ...events] }, draft: null };
  const all = [...(before?.events ?? []), ...events];
  return { burst: { until: now + BURST_MS, events: [] }, draft: eventMessage({ ...facts, events: all, older }) };
}

/** The ten minutes may be over: then the events that waited are told together, and the next ones wait again. */
export function afterBurst(
  before: CameraMemory,
  facts: Pick<CameraFacts, "now" | "camera" | "name" | "zone">,
): { readonly memory: CameraMemory; readonly drafts: readonly Draft[] } {
  const { burst } = before;
  const { now } = facts;
  // A clock that was set back makes no wait longer.
  if (burst === null || (now < burst.until && burst.until - now <= BURST_MS)) return { memory: before, drafts: [] };
  if (burst.events.length === 0) return { memory: { ...before, burst: null }, drafts: [] };
  const memory = { ...before, burst: { until: now + BURST_MS, events: [] } };
  return { memory, drafts: [eventMessage({ ...facts, events: burst.events, older: 0 })] };
}

function weightsOf(facts: CameraFacts, { camera_missing_days: days }: Wanted): Weights {
  const { now, run, overwritten, lastContact, disk, held, damaged, offsite } = facts;
  return {
    ...(overwritten !== undefined && { overwritten: weightOf(overwritten.recordings) }),
    ...(run !== null && failedWeight(run.ending)),
    ...(lastContact !== undefined && { camera_missing: now - lastContact >= days * DAY_MS ? 0 : null }),
    ...diskWeight(run, disk),
    ...(held !== undefined && { held: weightOf(held) }),
    ...(damaged !== undefined && { damaged: weightOf(damaged) }),
    ...(offsite !== undefined && {
      offsite_failed: offsite !== null && now - offsite.since >= OFFSITE_MS ? 0 : null,
    }),
  };
}

/** A camera that was away, and a run that was stopped, say nothing about failures. */
function failedWeight(ending: NonNullable<CameraFacts["run"]>["ending"]): Weights {
  if (ending === "failed") return { sync_failed: 0 };
  return ending === "completed" ? { sync_failed: null } : {};
}

function diskWeight(run: CameraFacts["run"], disk: CameraFacts["disk"]): Weights {
  if (run?.isDiskFull === true) return { disk_nearly_full: 1 };
  if (disk === undefined) return {};
  return { disk_nearly_full: disk.usedPercent >= disk.stopsAt - BEFORE_STOP ? 0 : null };
}
