import type { NotifyCode } from "../settings/sections/notify.ts";

/** Things that go on for a while: told when they begin, when they get worse, and again after a week. */
export const INCIDENT_CODES = [
  "overwritten",
  "sync_failed",
  "camera_missing",
  "disk_nearly_full",
  "held",
  "damaged",
  "offsite_failed",
] as const satisfies readonly NotifyCode[];
export type IncidentCode = (typeof INCIDENT_CODES)[number];

const WEEK_MS = 7 * 86_400_000;

/** An incident that goes on. */
export interface Incident {
  /** Epoch milliseconds at which it was told last. */
  readonly toldAt: number;
  /** The level that it had then. */
  readonly weight: number;
}

export type Incidents = Readonly<Partial<Record<IncidentCode, Incident>>>;

/** The level of each just now: null where it is over, or never was; left out where it is not known. */
export type Weights = Readonly<Partial<Record<IncidentCode, number | null>>>;

/**
 * Returns the incidents that go on, and those to tell now. One that is no longer wanted is forgotten, so that it is told
 * when it is wanted again.
 */
export function afterLook(
  before: Incidents,
  weights: Weights,
  wanted: readonly string[],
  now: number,
): { readonly incidents: Incidents; readonly told: readonly IncidentCode[] } {
  const incidents: Partial<Record<IncidentCode, Incident>> = {};
  const told: IncidentCode[] = [];
  for (const code of INCIDENT_CODES) {
    if (!wanted.includes(code)) continue;
    const known = before[code];
    const weight = weights[code];
    if (weight === null) continue;
    if (weight === undefined) {
      if (known !== undefined) incidents[code] = known;
      continue;
    }
    // A clock that was set back would keep it silent for longer.
    const isOld = known !== undefined && Math.abs(now - known.toldAt) >= WEEK_MS;
    if (known !== undefined && weight <= known.weight && !isOld) {
      incidents[code] = known;
      continue;
    }
    incidents[code] = { toldAt: now, weight };
    told.push(code);
  }
  return { incidents, told };
}

/** The level of a number: twice as many are worse, one more is not. */
export function weightOf(count: number): number | null {
  return count <= 0 ? null : Math.floor(Math.log2(count));
}
