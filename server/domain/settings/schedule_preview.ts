import cronstrue from "cronstrue";
import type * as v from "valibot";
import { asSentence } from "../text/format.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { cronProblem, nextFire, readPattern, timeZoneProblem } from "./schedule.ts";
import type { SCHEDULE_PREVIEW } from "./settings_schema.ts";

const NEXT_RUNS = 3;

export type SchedulePreview = v.InferOutput<typeof SCHEDULE_PREVIEW>;

/** A schedule in words, and the next three runs it makes after `now`. */
export function previewSchedule(
  cron: string,
  timeZone: string,
  now: number,
  format: TimeFormat = USUAL_FORMAT,
): SchedulePreview {
  const wrongZone = timeZoneProblem(timeZone);
  if (wrongZone !== null) return { valid: false, field: "timezone", problem: asSentence(wrongZone) };
  const wrongCron = cronProblem(cron);
  if (wrongCron !== null) return { valid: false, field: "cron_expression", problem: asSentence(wrongCron) };
  const next: number[] = [];
  for (let at = nextFire(cron, timeZone, now); at !== null && next.length < NEXT_RUNS; ) {
    next.push(at);
    at = nextFire(cron, timeZone, at);
  }
  return { valid: true, words: `${scheduleInWords(cron, format)}.`, next, time_zone: timeZone, now };
}

/**
 * The schedule as an English phrase: `0 3 * * sun` → `At 03:00, only on Sunday`.
 * @throws RangeError with a sentence when the expression cannot be read
 */
export function scheduleInWords(expression: string, { hours }: TimeFormat = USUAL_FORMAT): string {
  const pattern = readPattern(expression);
  if (typeof pattern === "string") throw new RangeError(pattern);
  const inWords = (text: string) =>
    cronstrue.toString(text, { use24HourTimeFormat: hours === 24 }).replace(HALF_DAY, (_, clock, half) => {
      return `${clock}\u00a0${half.toLowerCase()}`;
    });
  if (!pattern.eitherDay)
    return inWords(pattern.text).replace(", and on ", ", only on ").replace(AT_TIMES, "Every day at $1");
  // Cronstrue says "and" where cron means "or", so the two halves are written one after the other.
  const [minute, hour, day, month, weekday] = pattern.text.split(" ");
  const byWeekday = inWords(`${minute} ${hour} * ${month} ${weekday}`);
  return `${inWords(`${minute} ${hour} ${day} ${month} *`)}, or ${byWeekday.charAt(0).toLowerCase()}${byWeekday.slice(1)}`;
}

/** Times of day and nothing else: cronstrue leaves out that they are those of every day. */
const AT_TIMES = /^At (\d+:\d\d(?:\s[ap]m)?(?:(?:, \d+:\d\d(?:\s[ap]m)?)*,? and \d+:\d\d(?:\s[ap]m)?)?)$/;
/** A time of day with twelve hours as cronstrue writes it: `03:00 AM`. */
const HALF_DAY = /\b0?(\d+:\d\d) ([AP]M)/g;
