import { expect, test } from "bun:test";
import { type PlanOfCamera, plansInWords } from "../../../server/domain/plan/plans_text.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { NOW } from "../../support/app/overview.ts";

const SOON = { from: "2026-11-21T07:00:00.000Z", to: "2026-11-21T18:00:00.000Z" };

function camera(name: string, changes: Partial<NonNullable<PlanOfCamera["plan"]>> = {}): PlanOfCamera {
  const waiting = { recordings: 12, bytes: 1, oldest: null };
  return {
    name,
    plan: { verdict: "in_time", camera: "away", sentence: "All is well.", next_visits: [SOON], waiting, ...changes },
  };
}
const home = { verdict: "safe", waiting: { recordings: 0, bytes: 0, oldest: null } } as const;
const late = {
  verdict: "too_late",
  sentence: "About 46 recordings may be overwritten before they come home.",
} as const;

test.each<[string, readonly PlanOfCamera[]]>([
  [
    "Both are in time. Van is expected at home about Sat 21 Nov, 18:00.",
    [camera("Car", { camera: "here" }), camera("Van")],
  ],
  ["Both are in time.", [camera("Car", home), camera("Van", { next_visits: [] })]],
  ["All 3 are in time.", [camera("Car", home), camera("Van", home), camera("Bus", home)]],
  [
    "Van: About 46 recordings may be overwritten before they come home. Car is in time. Van is expected at home about Sat 21 Nov, 18:00.",
    [camera("Car", home), camera("Van", late)],
  ],
  [
    "Bus: not known while its folder is not available. Car and Van are in time.",
    [camera("Car", home), camera("Van", home), { name: "Bus", plan: null }],
  ],
])("%s", (words, cameras) => {
  const told = plansInWords(cameras, { now: NOW, zone: new ZoneTime("Australia/Sydney") });
  expect(told.replaceAll(/\s/g, " ")).toBe(words);
});
