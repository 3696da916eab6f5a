import type * as v from "valibot";
import type { SCHEDULE_PREVIEW } from "../api/settings_schema.ts";
import { asSentence } from "../text/format.ts";
import { cronProblem, nextFire, timeZoneProblem } from "./schedule.ts";
import { scheduleInWords } from "./schedule_text.ts";

const NEXT_RUNS = 3;

/** What a schedule means, or what is wrong with it. Times in epoch milliseconds. */
export type SchedulePreview = v.InferOutput<typeof SCHEDULE_PREVIEW>;

/** A schedule in words, and the next three runs it makes after `now`. */
export function previewSchedule(cron: string, timeZone: string, now: number): SchedulePreview {
  const wrongZone = timeZoneProblem(timeZone);
  if (wrongZone !== null) return { valid: false, field: "timezone", problem: asSentence(wrongZone) };
  const wrongCron = cronProblem(cron);
  if (wrongCron !== null) return { valid: false, field: "cron_expression", problem: asSentence(wrongCron) };
  const next: number[] = [];
  for (let at = nextFire(cron, timeZone, now); at !== null && next.length < NEXT_RUNS; ) {
    next.push(at);
    at = nextFire(cron, timeZone, at);
  }
  return { valid: true, words: `${scheduleInWords(cron)}.`, next, time_zone: timeZone, now };
}
