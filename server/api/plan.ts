import * as v from "valibot";
import type { App } from "../app.ts";
import { PLAN, VISITS } from "../domain/plan/plan_schema.ts";
import { backlogSentence, planSentence, slowWifiSentence } from "../domain/plan/plan_text.ts";
import type { Visit } from "../domain/plan/visit.ts";
import type { KnownPlan } from "../engine/plan/planner.ts";
import { endpoint } from "./endpoint.ts";

const DAY_MS = 86_400_000;
/** Visits are kept so long. */
const MOST_DAYS = 732;
const USUAL_DAYS = 56;
const DAYS_ASKED = `days must be a whole number from 1 to ${MOST_DAYS}`;

export const visits = endpoint({
  summary: "The stays of the camera in the home's network",
  query: v.object({
    days: v.pipe(
      v.nullable(v.string(), String(USUAL_DAYS)),
      v.regex(/^[0-9]{1,4}$/, DAYS_ASKED),
      v.transform(Number),
      v.number(DAYS_ASKED),
      v.minValue(1, DAYS_ASKED),
      v.maxValue(MOST_DAYS, DAYS_ASKED),
      v.description(`Those of so many days, ${USUAL_DAYS} when left out, at most ${MOST_DAYS}`),
    ),
  }),
  shape: VISITS,
  returns: "The newest first",
  answer({ query }, app) {
    const since = app.clock.now() - query.days * DAY_MS;
    return { visits: app.visits.all(since).map(shownVisit) };
  },
  all: (answers) => ({ cameras: answers.map(({ camera: id, answer }) => ({ id, ...answer })) }),
});

export const plan = endpoint({
  summary: "Will it be safe in time?",
  description: "What waits on the camera, against the visits that are usual and what its card is seen to overwrite.",
  shape: PLAN,
  returns: "The plan, made anew with every list and every file that comes",
  answer: async (_asked, app) => shownPlan(await app.planner.plan(), app),
  all: (answers) => ({ cameras: answers.map(({ camera: id, answer }) => ({ id, ...answer })) }),
});

/** The plan as answers and pages have it. */
export function shownPlan(known: KnownPlan, { clock, zone }: Pick<App, "clock" | "zone">): v.InferOutput<typeof PLAN> {
  const now = clock.now();
  const { slowWifi, backlog } = known;
  return {
    verdict: known.verdict,
    camera: known.camera,
    waiting: { ...known.waiting, oldest: isoOrNull(known.waiting.oldest) },
    needs_seconds: known.needsSeconds,
    rate: known.rate,
    usual_stay_seconds: known.usualStaySeconds,
    overwritten_from: isoOrNull(known.overwrittenFrom),
    visits_before: known.visitsBefore,
    next_visits: known.nextVisits.map(({ from, to }) => ({ from: isoOf(from), to: isoOf(to) })),
    all_at_risk_safe: known.isAllAtRiskSafe,
    sentence: planSentence({ ...known, now }, zone),
    at_risk: known.atRisk,
    too_late: known.tooLate && {
      ...known.tooLate,
      bytes: known.tooLate.bytes === null ? null : Math.round(known.tooLate.bytes),
    },
    visits_known: known.visitsKnown,
    visit: known.visit && shownVisit(known.visit),
    slow_wifi: slowWifi && {
      rate: slowWifi.rate,
      best_rate: slowWifi.bestRate,
      best_at: isoOf(slowWifi.bestAt),
      sentence: slowWifiSentence(slowWifi, now, zone),
    },
    backlog: backlog && {
      recorded_per_day: backlog.recordedPerDay,
      home_per_day: backlog.homePerDay,
      parking_per_day: backlog.parkingPerDay,
      sentence: backlogSentence(backlog),
    },
  };
}

function shownVisit({ from, to, ...rest }: Visit): v.InferOutput<typeof VISITS>["visits"][number] {
  return { from: isoOf(from), to: isoOrNull(to), ...rest };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoOf(ms);
}
