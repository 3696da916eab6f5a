import { ALWAYS, durationInWords, parseDuration } from "../settings/duration.ts";
import type { Settings } from "../settings/settings.ts";
import { isoDay } from "../text/zone_time.ts";

/** Kinds of recordings that have a keep time of their own; all others are `normal`. */
export const KEEP_CLASSES = ["normal", "event", "parking", "manual"] as const;
export type KeepClass = (typeof KEEP_CLASSES)[number];

/** The setting of each. */
export const KEEP_FIELDS = {
  normal: "keep",
  event: "keep_event",
  parking: "keep_parking",
  manual: "keep_manual",
} as const satisfies Record<KeepClass, keyof Settings["retention"]>;

const EVENT_TYPES = "EIBOAT";

/** The kind of a type letter: E I B O A T are events, P parking, M manual. */
export function keepClassOf(type: string): KeepClass {
  if (type === "P") return "parking";
  if (type === "M") return "manual";
  return type !== "" && EVENT_TYPES.includes(type) ? "event" : "normal";
}

/** True when a type letter is that of an event. */
export function isEvent(type: string): boolean {
  return keepClassOf(type) === "event";
}

/** The part of `retention` that decides about deleting by age. */
export type KeepSettings = Pick<Settings["retention"], (typeof KEEP_FIELDS)[KeepClass]>;

/**
 * Returns the keep time of a kind: a duration, or null for ever. An empty setting of its own follows that of normal
 * ones.
 */
export function keepOf(kind: KeepClass, settings: KeepSettings): string | null {
  const own = settings[KEEP_FIELDS[kind]];
  const keep = own === "" ? settings.keep : own;
  return keep === "" || keep === ALWAYS ? null : keep;
}

/** First day that is kept of each kind, `YYYY-MM-DD`; null when all are. */
export type Cutoffs = Readonly<Record<KeepClass, string | null>>;

/** One keep time for all kinds; null keeps everything. */
export function sameCutoff(cutoff: string | null): Cutoffs {
  return { normal: cutoff, event: cutoff, parking: cutoff, manual: cutoff };
}

/** @param today the day now, `YYYY-MM-DD`, in the zone in which recordings are counted */
export function cutoffsOf(settings: KeepSettings, today: string): Cutoffs {
  const of = (kind: KeepClass) => {
    const keep = keepOf(kind, settings);
    return keep === null ? null : retentionCutoff(today, parseDuration(keep).ms);
  };
  return { normal: of("normal"), event: of("event"), parking: of("parking"), manual: of("manual") };
}

/** Says why a recording of this kind is deleted by age: `Older than 2 weeks`. */
export function tooOld(keep: string): string {
  return `Older than ${durationInWords(keep)}`;
}

/**
 * The first day that retention keeps: today minus the keep period, as `YYYY-MM-DD`.
 * @param today the local date, `YYYY-MM-DD`
 * @param keepMs the period in milliseconds; null keeps everything
 */
export function retentionCutoff(today: string, keepMs: number | null): string | null {
  if (keepMs === null) return null;
  const cutoff = new Date(Date.parse(`${today}T00:00:00Z`) - keepMs);
  return Number.isNaN(cutoff.getTime()) || cutoff.getUTCFullYear() < 0 ? null : isoDay(cutoff.getTime());
}
