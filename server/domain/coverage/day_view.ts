import type { StatusLevel } from "../answers/status_level.ts";
import { isDay } from "../recordings/camera_clock.ts";
import { counted, formatCount } from "../text/format.ts";
import { clockOf, dayOf, wallOf, type ZoneTime } from "../text/zone_time.ts";
import { dayPath } from "../viewer/viewer_address.ts";
import type { CoverageCause, CoverageDay, CoverageOfDay } from "./coverage_schema.ts";
import { type Lane, type LaneState, type LaneVisit, recordingLanes, visitLane } from "./day_lanes.ts";
import { minutesInWords } from "./heat_map.ts";

/** A cause of what was lost, with what helps. */
export interface CauseView {
  readonly cause: CoverageCause["cause"];
  readonly title: string;
  readonly sentences: readonly string[];
  readonly action: CoverageCause["action"];
}

/** A day that is opened. */
export interface DayView {
  readonly date: string;
  /** `Tue 10 Nov 2026` */
  readonly title: string;
  readonly level: StatusLevel;
  /** `23 min lost` */
  readonly state: string;
  /** `103 recorded, 80 came home, 23 lost` */
  readonly counts: string;
  /** Empty on a day without anything to draw. */
  readonly lanes: readonly Lane[];
  /** Kinds that the lanes show, for their key. */
  readonly keys: readonly (LaneState | "car")[];
  /** Times below the lanes. */
  readonly hours: readonly string[];
  readonly causes: readonly CauseView[];
  /** The day in the viewer; null when it has nothing of it. */
  readonly viewer: string | null;
}

interface DayOf {
  readonly day: Pick<CoverageDay, "date" | "recordings" | "causes">;
  /** Times at home that touch the day; the answer has those that begin on it. */
  readonly visits: readonly LaneVisit[];
  /** Its figures; undefined of a day of which nothing is known. */
  readonly counts: CoverageOfDay | undefined;
  readonly since: string | null;
  /** The newest day of which it is known what was recorded. */
  readonly newest: string;
  readonly now: number;
  readonly zone: ZoneTime;
}

const HOURS: readonly number[] = [0, 6, 12, 18, 24];
const KEY_ORDER: readonly LaneState[] = ["home", "lost", "coming", "damaged", "left_out", "deleted", "unknown"];

export function dayView({ day, visits, counts, since, newest, now, zone }: DayOf): DayView {
  const { date, recordings, causes } = day;
  const lanes = recordingLanes(date, recordings, zone.format);
  const car = visitLane(date, visits, now, zone);
  const isEmpty = recordings.length === 0 && car.spans.length === 0;
  const isHere = recordings.some(({ state }) => state === "home" || state === "damaged");
  return {
    date,
    title: titleOf(date, zone),
    ...stateOf(counts, date > newest),
    counts: countsInWords(counts, { date, since, newest }),
    lanes: isEmpty ? [] : recordings.length === 0 ? [car] : [lanes.card, lanes.home, car],
    keys: [
      ...KEY_ORDER.filter((state) => lanes.states.has(state)),
      ...(car.spans.length > 0 ? (["car"] as const) : []),
    ],
    hours: HOURS.map((hour) => hourInWords(hour, zone)),
    causes: causes.map(causeView),
    viewer: isHere ? dayPath(date) : null,
  };
}

function titleOf(date: string, { format }: ZoneTime): string {
  if (!isDay(date)) return date;
  const wall = wallOf(Date.parse(date));
  return dayOf(wall, 0, format);
}

function stateOf(counts: CoverageOfDay | undefined, isOpen: boolean): Pick<DayView, "level" | "state"> {
  if (counts === undefined) return { level: "waiting", state: "Not known" };
  const { lost, lost_minutes: minutes, damaged, unknown, coming, recorded } = counts;
  if (lost > 0)
    return { level: "failed", state: minutes >= 0.5 ? `${minutesInWords(minutes)} lost` : `${formatCount(lost)} lost` };
  if (damaged > 0) return { level: "attention", state: `${formatCount(damaged)} damaged` };
  if (unknown > 0) return { level: "attention", state: "Not known" };
  if (coming > 0) return { level: "waiting", state: `${formatCount(coming)} to come` };
  if (recorded > 0) return { level: "fine", state: "Nothing lost" };
  return { level: "waiting", state: isOpen ? "Nothing yet" : "Not driven" };
}

/** Each part that there is, in recordings: `103 recorded, 80 came home, 23 lost`. */
function countsInWords(
  counts: CoverageOfDay | undefined,
  { date, since, newest }: { readonly date: string; readonly since: string | null; readonly newest: string },
): string {
  if (counts === undefined)
    return since === null || date < since ? "Dashdock did not keep track yet." : "This day is still to come.";
  const { recorded } = counts;
  if (recorded === 0) return date > newest ? "Nothing recorded so far." : "Nothing was recorded.";
  const parts = PARTS.filter(({ of }) => counts[of] > 0);
  const [first] = parts;
  if (first !== undefined && parts.length === 1)
    return recorded === 1 ? `1 recorded, and ${first.words}` : `${formatCount(recorded)} recorded, all ${first.words}`;
  const words = parts.map(({ of, words }) => `${formatCount(counts[of])} ${words}`);
  return [`${formatCount(recorded)} recorded`, ...words].join(", ");
}
const PARTS = [
  { of: "home", words: "came home" },
  { of: "lost", words: "lost" },
  { of: "damaged", words: "damaged" },
  { of: "coming", words: "to come" },
  { of: "left_out", words: "left out" },
  { of: "deleted", words: "deleted" },
  { of: "unknown", words: "not known" },
] as const;

/** The first sentence says what happened; what follows explains it. */
function causeView({ cause, sentence, remedy, action, recordings }: CoverageCause): CauseView {
  const [, title = sentence, rest = ""] = /^(.*?[.!?])(?: (.+))?$/s.exec(sentence) ?? [];
  return {
    cause,
    title: title === "" ? `${counted(recordings, "recording")} lost.` : title,
    sentences: [rest, remedy].filter(Boolean),
    action,
  };
}

function hourInWords(hour: number, { format }: ZoneTime): string {
  if (format.hours === 24) return `${String(hour).padStart(2, "0")}:00`;
  return clockOf({ hour: hour % 24, minute: 0 }, format).replace(":00", "");
}
