import * as v from "valibot";
import { AppError } from "../domain/answers/errors.ts";
import { COVERAGE, COVERAGE_DAY } from "../domain/coverage/coverage_schema.ts";
import { coverageTogether } from "../domain/coverage/coverage_together.ts";
import { isDay } from "../domain/recordings/camera_clock.ts";
import { type CoverageParts, coverageOf, coverageOfDay, today } from "../engine/coverage/coverage.ts";
import { COVERED_DAYS, coveredSpan } from "../http/request/covered_days.ts";
import { refusedAs } from "../http/request/read_request.ts";
import { endpoint } from "./endpoint.ts";

const NO_DAY = "There is nothing at this address. A day is YYYY-MM-DD.";
const DATE = v.pipe(v.string(), v.check(isDay, NO_DAY), v.description("`YYYY-MM-DD`"), refusedAs("NOT_FOUND"));

export const coverage = endpoint({
  summary: "What became of the recordings of each day: how many came home, and how many were lost",
  query: COVERED_DAYS,
  shape: COVERAGE,
  returns: "The days that are known",
  errors: ["BAD_RANGE", "LEDGER_UNUSABLE"],
  answer: ({ query }, app: CoverageParts) => coverageOf(app, coveredSpan(query, today(app))),
  all: (answers) => coverageTogether(answers.map(({ answer }) => answer)),
});

export const coverageDay = endpoint({
  summary: "The recordings of a day, what became of each, and why some were lost",
  params: v.object({ date: DATE }),
  shape: COVERAGE_DAY,
  returns: "The day; NOT_FOUND for one before the ledger began",
  errors: ["LEDGER_UNUSABLE", "NOT_FOUND"],
  async answer({ params }, app: CoverageParts) {
    const found = await coverageOfDay(app, params.date);
    if (found === null) throw new AppError("NOT_FOUND", "Nothing is known of this day");
    return found;
  },
  all(answers, { params }) {
    const all = answers.map(({ answer }) => answer);
    return {
      date: params.date,
      recordings: all.flatMap(({ recordings }) => recordings).sort((one, other) => (one.name < other.name ? -1 : 1)),
      visits: answers
        .flatMap(({ camera, answer }) => answer.visits.map((visit) => ({ ...visit, camera })))
        .sort((one, other) => (one.from < other.from ? -1 : 1)),
      causes: all.flatMap(({ causes }) => causes).sort((one, other) => other.recordings - one.recordings),
    };
  },
});
