import * as v from "valibot";
import { PLAN, VISITS } from "../domain/plan/plan_schema.ts";
import { shownPlan, shownVisit } from "../engine/plan/shown_plan.ts";
import { refusedAs } from "../http/request/read_request.ts";
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
      refusedAs("VALIDATION_ERROR", "days"),
    ),
  }),
  shape: VISITS,
  returns: "The newest first",
  errors: ["VALIDATION_ERROR"],
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
  answer: async (_asked, app) =>
    shownPlan(await (await app.planner()).plan(), { now: app.clock.now(), zone: app.zone }),
  all: (answers) => ({ cameras: answers.map(({ camera: id, answer }) => ({ id, ...answer })) }),
});
