import { describe, expect, test } from "bun:test";
import type { OverviewPlan } from "../../../server/domain/plan/plan_schema.ts";
import {
  homeInLine,
  type LineFacts,
  needsInLine,
  nextInLine,
  stateInLine,
} from "../../../server/domain/status/fleet_text.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { NOW } from "../../support/app/overview.ts";
import { ARRIVED, IN_TIME } from "../../support/app/plans.ts";

const ZONE = new ZoneTime("Australia/Sydney");
const LATE: OverviewPlan = { ...IN_TIME, verdict: "too_late" };

function facts(
  state: LineFacts["state"],
  plan: OverviewPlan | null,
  more: Partial<LineFacts["snapshot"]> = {},
): LineFacts {
  return {
    state,
    overview: { now: NOW, waiting: 1, last_seen_at: NOW - 86_400_000, plan },
    snapshot: { state: "idle", eta_seconds: null, ...more },
  };
}

const plain = (text: string | null) => text?.replaceAll(/\s/g, " ") ?? null;

describe("the state of one of many cameras", () => {
  test.each<[string, string, LineFacts]>([
    ["waiting", "Away, in time", facts("waiting", IN_TIME)],
    ["waiting", "Away", facts("waiting", { ...IN_TIME, verdict: "unknown" })],
    ["waiting", "Waiting", facts("waiting", { ...IN_TIME, camera: "unknown" })],
    ["waiting", "Waiting", facts("waiting", null)],
    ["fine", "Safe, away", facts("safe", { ...IN_TIME, verdict: "safe" })],
    ["fine", "Safe", facts("safe", ARRIVED)],
    ["attention", "Overwritten from Tue", facts("attention", LATE)],
    ["attention", "Overwritten today", facts("attention", { ...LATE, overwritten_from: "2026-11-21T09:00:00.000Z" })],
    [
      "attention",
      "Overwritten from Mon 30 Nov",
      facts("attention", { ...LATE, overwritten_from: "2026-11-30T09:00:00.000Z" }),
    ],
    ["attention", "Overwritten now", facts("attention", { ...LATE, overwritten_from: "2026-11-20T20:00:00.000Z" })],
    ["attention", "Needs you", facts("attention", { ...LATE, overwritten_from: null })],
    ["attention", "Needs you", facts("attention", IN_TIME)],
    ["failed", "Failed", facts("failed", LATE)],
    ["attention", "Another camera", facts("other_camera", LATE)],
    ["waiting", "Paused", facts("paused", LATE)],
    ["busy", "Syncing, 4 min left", facts("waiting", ARRIVED, { state: "running", eta_seconds: 240 })],
    ["busy", "Syncing", facts("waiting", ARRIVED, { state: "running" })],
  ])("%s: %s", (level, word, of) => {
    const [shown, words] = stateInLine(of, ZONE);
    expect([shown, plain(words)]).toEqual([level as typeof shown, word]);
  });
});

test.each<[string | null, OverviewPlan | null]>([
  ["38 min", IN_TIME],
  [null, { ...IN_TIME, needs_seconds: 0 }],
  [null, { ...IN_TIME, needs_seconds: null }],
  [null, null],
])("one of many cameras needs %p", (needs, plan) => {
  expect(plain(needsInLine(facts("waiting", plan)))).toBe(needs);
});

test("one of many cameras is here since it came, else was home when it was seen last", () => {
  expect(homeInLine(facts("syncing", ARRIVED), ZONE)).toBe("Here since 07:49");
  expect(plain(homeInLine(facts("waiting", IN_TIME), ZONE))).toBe("Fri 20 Nov, 07:51");
  expect(
    homeInLine(
      { ...facts("waiting", null), overview: { ...facts("waiting", null).overview, last_seen_at: null } },
      ZONE,
    ),
  ).toBeNull();
});

test.each<[string | null, LineFacts]>([
  ["Today, about 18:00", facts("waiting", IN_TIME)],
  ["Not before 18:00", facts("attention", LATE)],
  [
    "Not before Mon, 18:00",
    facts("attention", { ...LATE, next_visit: { from: "2026-11-23T07:00:00.000Z", to: "2026-11-23T08:00:00.000Z" } }),
  ],
  [
    "Sun, about 18:00",
    facts("safe", { ...IN_TIME, next_visit: { from: "2026-11-22T07:00:00.000Z", to: "2026-11-22T08:00:00.000Z" } }),
  ],
  // It is late: its time is not known, but is not before now.
  [
    "Today, about 07:51",
    facts("safe", { ...IN_TIME, next_visit: { from: "2026-11-20T20:00:00.000Z", to: "2026-11-21T08:00:00.000Z" } }),
  ],
  [null, facts("waiting", { ...IN_TIME, next_visit: null })],
  [null, facts("waiting", ARRIVED)],
  [null, facts("waiting", IN_TIME, { state: "running" })],
  [null, facts("waiting", null)],
  ["Until you resume it", facts("paused", null)],
  ["Nothing is downloaded", facts("other_camera", LATE)],
])("next of one of many cameras: %p", (next, of) => {
  expect(plain(nextInLine(of, ZONE))).toBe(next);
});
