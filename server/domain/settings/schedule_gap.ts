import { type Pattern, readPattern } from "./schedule.ts";

/** Times at which a schedule fires within a day that it fires on, and the longest time that it can be silent. */
export interface ScheduleTimes {
  /** Minutes after midnight, ascending. */
  readonly minutes: readonly number[];
  /** The longest time between two runs, in minutes. */
  readonly longest_gap: number;
}

const DAY_MINUTES = 1440;
const DAY_MS = 86_400_000;
/** Long enough for a yearly schedule to come round from one run to the next. */
const DAYS_AHEAD = 732;

/**
 * The times of a schedule as its own zone's clock shows them; daylight saving moves them all together and is left out.
 * @param now from where the days are looked at, for schedules that do not run every day
 * @returns null for an expression that cannot be read or never fires
 */
export function scheduleTimes(expression: string, now: number): ScheduleTimes | null {
  const pattern = readPattern(expression);
  if (typeof pattern === "string") return null;
  const [minuteValues = [], hours = []] = pattern.values;
  const minutes = hours.flatMap((hour) => minuteValues.map((minute) => hour * 60 + minute));
  const [first = 0, last = 0] = [minutes[0], minutes.at(-1)];
  const silentDays = longestSilence(pattern, now);
  if (silentDays === null) return null;
  const within = minutes.slice(1).map((minute, index) => minute - (minutes[index] ?? 0));
  const overnight = silentDays * DAY_MINUTES + DAY_MINUTES - last + first;
  return { minutes, longest_gap: Math.max(overnight, ...within) };
}

/** Counts the most days in a row without a run; null when no day has one. */
function longestSilence({ values, eitherDay }: Pattern, now: number): number | null {
  const [, , days = [], months = [], weekdays = []] = values;
  let silent = 0;
  let longest = 0;
  let fires = false;
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
    const date = new Date(now + ahead * DAY_MS);
    const onDay = days.includes(date.getUTCDate());
    const onWeekday = weekdays.includes(date.getUTCDay());
    if (months.includes(date.getUTCMonth() + 1) && (eitherDay ? onDay || onWeekday : onDay && onWeekday)) {
      silent = 0;
      fires = true;
    } else {
      silent += 1;
      longest = Math.max(longest, silent);
    }
  }
  return fires ? longest : null;
}
