import { Cron } from "croner";
import { shown } from "../text/shown.ts";
import { ZoneTime } from "../text/zone_time.ts";

/** Schedule when none else is known: every quarter of an hour. */
export const FALLBACK_SCHEDULE = { cron_expression: "*/15 * * * *", timezone: "UTC" } as const;

/** Parts of a schedule. */
export interface CronSchedule {
  readonly cron_expression: string;
  readonly timezone: string;
}

/** The schedule in force: the stored one, or the fallback when its expression or its time zone cannot be read. */
export function scheduleInForce({ cron_expression, timezone }: CronSchedule): CronSchedule {
  const isReadable = typeof readPattern(cron_expression) !== "string" && timeZoneProblem(timezone) === null;
  return isReadable ? { cron_expression, timezone } : FALLBACK_SCHEDULE;
}

/** The zone times are shown in: the schedule's, or `own`, the machine's, while the first was not changed. */
export function shownZones(own: () => string): (schedule: string) => ZoneTime {
  let machine = "";
  let zone = new ZoneTime(FALLBACK_SCHEDULE.timezone);
  return (schedule) => {
    machine ||= own();
    const id = schedule === FALLBACK_SCHEDULE.timezone ? machine : schedule;
    if (zone.id !== id) zone = new ZoneTime(id);
    return zone;
  };
}

interface FieldRule {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Three-letter names of the values, the first one standing for `min`. */
  readonly words: readonly string[];
}

const FIELDS: readonly FieldRule[] = [
  { name: "minute", min: 0, max: 59, words: [] },
  { name: "hour", min: 0, max: 23, words: [] },
  { name: "day of month", min: 1, max: 31, words: [] },
  { name: "month", min: 1, max: 12, words: "jan feb mar apr may jun jul aug sep oct nov dec".split(" ") },
  { name: "day of week", min: 0, max: 7, words: "sun mon tue wed thu fri sat".split(" ") },
];

const ITEM = /^(\*|([0-9a-z]+)(?:-([0-9a-z]+))?)(?:\/([0-9]+))?$/;
const LONGEST_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface Pattern {
  /** The five fields in lower case, separated by one blank. */
  readonly text: string;
  /** The values each field stands for, ascending; Sunday is 0. */
  readonly values: readonly (readonly number[])[];
  /** Both day fields narrow the days, so a day that fits one of them is enough. */
  readonly eitherDay: boolean;
}

/**
 * Returns a sentence about the fault of a cron expression, with the field and the reason, or null. Allowed are five
 * fields of numbers, `*`, lists, ascending ranges, steps and three-letter month and weekday names. A schedule that can
 * never fire (30 February) is wrong too.
 */
export function cronProblem(expression: string): string | null {
  const parsed = readPattern(expression);
  if (typeof parsed === "string") return parsed;
  if (!everFires(parsed)) return `the schedule ${shown(expression)} never fires: none of its months has such a day`;
  return null;
}

/** Returns a sentence about the fault of a time zone name such as `Europe/Rome`, or null. */
export function timeZoneProblem(timeZone: string): string | null {
  if (timeZone === "") return "the time zone is empty: expected a name such as Europe/Rome or UTC";
  if (timeZone === "UTC") return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    // Offsets such as +05:30 are taken by Intl, but they are not names and know no daylight saving.
    if (/^[A-Za-z]/.test(timeZone)) return null;
  } catch {
    // Falls through to the sentence.
  }
  return `${shown(timeZone)} is not a known time zone: expected a name such as Europe/Rome or UTC`;
}

/**
 * Returns the first moment after `afterMs` at which the schedule fires, in epoch milliseconds; null when it never
 * does. Every local time counts once. A time that the clock skips in spring fires at the first minute after the gap
 * (several skipped ones together). A time that the clock repeats in autumn fires the first time only.
 * @throws RangeError with a sentence when the expression or the time zone cannot be read
 */
export function nextFire(expression: string, timeZone: string, afterMs: number): number | null {
  const pattern = readPattern(expression);
  const problem = typeof pattern === "string" ? pattern : timeZoneProblem(timeZone);
  if (typeof pattern === "string" || problem !== null) throw new RangeError(problem ?? "");
  if (!everFires(pattern)) return null;

  // Croner walks plain local times, as if they were UTC: it would skip some schedules on the day of a gap and run
  // others twice in a repeated hour. Turning each local time into a moment is done here, by one rule for all.
  const fields = pattern.values.map((values) => values.join(",")).join(" ");
  const cron = new Cron(fields, { utcOffset: 0, mode: "5-part", domAndDow: !pattern.eitherDay });
  const zone = wallClock(timeZone);
  let wall = cron.nextRun(new Date(zone.at(afterMs)));
  while (wall) {
    const moment = zone.moment(wall.getTime());
    if (moment > afterMs) return moment;
    wall = cron.nextRun(wall);
  }
  return null;
}

/** The pattern an expression stands for, or why it is none, as a sentence. */
export function readPattern(expression: string): Pattern | string {
  const parts = expression.split(/[ \t]+/);
  const fields = parts.slice(parts[0] === "" ? 1 : 0, parts.at(-1) === "" ? -1 : undefined);
  if (fields.length !== FIELDS.length) {
    const names = FIELDS.map((field) => field.name).join(", ");
    return `${shown(expression)} has ${fields.length} field${fields.length === 1 ? "" : "s"}: expected five (${names})`;
  }
  const values: number[][] = [];
  for (const [index, rule] of FIELDS.entries()) {
    const field = readField((fields[index] ?? "").toLowerCase(), rule);
    if (typeof field === "string") return `the ${rule.name} field ${shown(fields[index])} ${field}`;
    values.push(field);
  }
  const narrows = (field: string | undefined) => field !== undefined && !field.startsWith("*");
  return { text: fields.join(" ").toLowerCase(), values, eitherDay: narrows(fields[2]) && narrows(fields[4]) };
}

/** Returns the values of one field, ascending, or its fault as the rest of a sentence. */
function readField(text: string, rule: FieldRule): number[] | string {
  const found = new Set<number>();
  for (const item of text.split(",")) {
    const match = ITEM.exec(item);
    if (item === "") return "has an empty item: write numbers separated by single commas";
    if (!match) return `holds ${shown(item)}: expected *, a number, a range such as 1-5, or one of them with a /step`;
    const [, whole, from, to, stepText] = match;
    const first = whole === "*" ? rule.min : readValue(from ?? "", rule);
    if (typeof first === "string") return first;
    // A single value with a step runs on to the end of the field.
    const open = whole === "*" || (to === undefined && stepText !== undefined);
    const last = open ? rule.max : readValue(to ?? from ?? "", rule);
    if (typeof last === "string") return last;
    if (last < first) return `has the range ${shown(whole)} that runs backwards: the smaller value comes first`;
    const step = Number(stepText ?? 1);
    if (step < 1) return "has the step 0: a step is at least 1";
    if (step > 1 && step > last - first) return `has the step ${step}, which is longer than ${first}-${last}`;
    for (let value = first; value <= last; value += step) found.add(rule.max === 7 ? value % 7 : value);
  }
  return [...found].sort((a, b) => a - b);
}

function readValue(text: string, rule: FieldRule): number | string {
  const word = rule.words.indexOf(text);
  if (word >= 0) return rule.min + word;
  const names = rule.words.length > 0 ? ` or a name such as ${rule.words[0]}` : "";
  if (!/^[0-9]+$/.test(text)) return `holds ${shown(text)}: expected a number from ${rule.min} to ${rule.max}${names}`;
  const value = Number(text);
  if (value < rule.min || value > rule.max) return `holds ${text}, outside ${rule.min}-${rule.max}`;
  return value;
}

/** Every weekday falls on every date sooner or later, so only the day and the month can contradict each other. */
function everFires({ values, eitherDay }: Pattern): boolean {
  const [, , days = [], months = []] = values;
  return eitherDay || months.some((month) => days.some((day) => day <= (LONGEST_MONTH[month - 1] ?? 0)));
}

interface WallClock {
  /** Returns the reading of a clock on the wall at a moment, as the epoch milliseconds of that reading in UTC. */
  at(moment: number): number;
  /**
   * Returns the moment at which it shows that reading: the first time of two, the first minute after the gap when
   * never.
   */
  moment(wall: number): number;
}

function wallClock(timeZone: string): WallClock {
  const zone = new ZoneTime(timeZone);
  const at = (moment: number) => moment + zone.offset(moment);
  return {
    at,
    moment(wall) {
      // No zone changes its offset twice in two days, so these are the only two that can hold.
      const offsets = [wall - DAY_MS, wall + DAY_MS].map((moment) => at(moment) - moment);
      const earliest = wall - Math.max(...offsets);
      const latest = wall - Math.min(...offsets);
      if (at(earliest) === wall) return earliest;
      if (at(latest) === wall) return latest;
      let before = Math.floor(earliest / MINUTE_MS);
      let after = Math.ceil(latest / MINUTE_MS);
      while (after - before > 1) {
        const middle = Math.floor((before + after) / 2);
        if (at(middle * MINUTE_MS) < wall) before = middle;
        else after = middle;
      }
      return after * MINUTE_MS;
    },
  };
}
