import cronstrue from "cronstrue";
import { readPattern } from "./schedule.ts";

/**
 * The schedule as an English phrase: `0 3 * * sun` → `At 03:00, only on Sunday`.
 * @throws RangeError with a sentence when the expression cannot be read
 */
export function scheduleInWords(expression: string): string {
  const pattern = readPattern(expression);
  if (typeof pattern === "string") throw new RangeError(pattern);
  const say = (text: string) => cronstrue.toString(text, { use24HourTimeFormat: true });
  if (!pattern.eitherDay)
    return say(pattern.text).replace(", and on ", ", only on ").replace(AT_TIMES, "Every day at $1");
  // Cronstrue says "and" where cron means "or", so the two halves are said one after the other.
  const [minute, hour, day, month, weekday] = pattern.text.split(" ");
  const byWeekday = say(`${minute} ${hour} * ${month} ${weekday}`);
  return `${say(`${minute} ${hour} ${day} ${month} *`)}, or ${byWeekday.charAt(0).toLowerCase()}${byWeekday.slice(1)}`;
}

/** Times of day and nothing else: cronstrue leaves out that they are those of every day. */
const AT_TIMES = /^At (\d\d:\d\d(?:(?:, \d\d:\d\d)*,? and \d\d:\d\d)?)$/;
