import { formatBytes, formatCount } from "../text/format.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import type { CoveredRecording } from "./coverage_schema.ts";
import { timesInWords } from "./day_lanes.ts";

/** A time at home while recordings waited that were lost later; `to` is null while it goes on. */
export interface LossVisit {
  readonly from: number;
  readonly to: number | null;
  readonly bytes: number;
}

interface LossFacts {
  readonly date: string;
  readonly lost: readonly Pick<CoveredRecording, "key" | "state" | "seconds">[];
  /** By time. */
  readonly visits: readonly LossVisit[];
  /** Epoch milliseconds at which a list lacked them first. */
  readonly missingSince: number;
  readonly now: number;
  readonly zone: ZoneTime;
}

/**
 * Tells what happened to what was lost: when the car was home before that, how much came then, and by when the camera had
 * recorded over it. A sentence each.
 */
export function lossStory({ date, lost, visits, missingSince, now, zone }: LossFacts): string {
  const times = timesInWords(date, lost, zone.format);
  const isSameDay = zone.dayNumber(missingSince) === Math.floor(Date.parse(date) / 86_400_000);
  const when = isSameDay ? zone.clock(missingSince) : zone.moment(missingSince, now);
  const gone = `By ${when} the camera had recorded over ${times}.`;
  return [visitsInWords(visits, now, zone), gone].filter(Boolean).join(" ");
}

function visitsInWords(visits: readonly LossVisit[], now: number, zone: ZoneTime): string {
  const [first] = visits;
  if (first === undefined) return "";
  const bytes = visits.reduce((sum, visit) => sum + visit.bytes, 0);
  const came = bytes === 0 ? "nothing came home" : `${formatBytes(bytes)} came home`;
  if (visits.length > 1) return `In ${formatCount(visits.length)} visits ${came}.`;
  const { from, to } = first;
  const until = to ?? now;
  const isOneDay = zone.dayNumber(from) === zone.dayNumber(until);
  const span = isOneDay ? zone.clockSpan(from, until) : `${zone.clock(from)} to ${zone.moment(until, now)}`;
  return `On ${zone.day(from, now)}, ${span}, ${came}.`;
}
