import type { OverviewPlan } from "../../../server/domain/plan/plan_schema.ts";

/** 94 recordings wait on a camera that is away, and come in time; times around 07:51 on Saturday in Sydney. */
export const IN_TIME: OverviewPlan = {
  verdict: "in_time",
  camera: "away",
  waiting: { recordings: 94, bytes: 28_100_000_000, oldest: "2026-11-20T06:32:00.000Z" },
  needs_seconds: 2280,
  usual_stay_seconds: 39_600,
  overwritten_from: "2026-11-23T22:00:00.000Z",
  all_at_risk_safe: true,
  safe_since: null,
  sentence: "94 recordings wait, and all comes home in time.",
  at_risk: { recordings: 0, bytes: 0, seconds: 0 },
  too_late: { recordings: 0, bytes: 0 },
  visit: null,
  next_visit: { from: "2026-11-21T07:00:00.000Z", to: "2026-11-21T18:00:00.000Z" },
};

/** The camera came two minutes ago, and 18 of what waits are the next to be overwritten. */
export const ARRIVED: OverviewPlan = {
  ...IN_TIME,
  camera: "here",
  needs_seconds: 4740,
  sentence: "6\u00a0min until everything at risk is home.",
  all_at_risk_safe: false,
  at_risk: { recordings: 18, bytes: 1_900_000_000, seconds: 360 },
  visit: { from: "2026-11-20T20:49:00.000Z", to: null, seconds: 120, bytes: 600_000_000, rate: 5_200_000 },
};
