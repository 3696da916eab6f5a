import { expect, test } from "bun:test";
import { deviceEvents, deviceStates, type StateFacts } from "../../../server/domain/mqtt/states.ts";
import type { CameraAnswer } from "../../../server/domain/status/cameras_schema.ts";
import type { OverviewPlan } from "../../../server/domain/plan/plan_schema.ts";

const PLAN = { camera: "away", needs_seconds: 61, at_risk: { recordings: 2, bytes: 5, seconds: 9 } } as OverviewPlan;
const OVERVIEW: StateFacts["overview"] = {
  paused: false,
  plan: PLAN,
  waiting: 3,
  waiting_bytes: 5000,
  last_seen_at: Date.UTC(2026, 5, 7, 10, 15, 42),
  next_at: Date.UTC(2026, 5, 7, 10, 30),
};
const FACTS: StateFacts = { overview: OVERVIEW, camera: "waiting", lastSync: null, diskUsed: 0.12345 };
const states = (overview: Partial<StateFacts["overview"]> = {}) =>
  deviceStates({ ...FACTS, overview: { ...OVERVIEW, ...overview } });

test("the states are what the dashboard shows, rounded", () => {
  expect(deviceStates({ ...FACTS, lastSync: Date.UTC(2026, 5, 7, 9) })).toEqual({
    state: "waiting",
    paused: false,
    at_home: false,
    all_safe: false,
    at_risk: true,
    waiting_recordings: 3,
    waiting_bytes: 5000,
    needs_wifi: 120,
    last_sync: "2026-06-07T09:00:00.000Z",
    last_contact: "2026-06-07T10:15:00.000Z",
    disk_used: 12.3,
    next_run: "2026-06-07T10:30:00.000Z",
  });
});

test("what is not known is null, never 0 and never safe", () => {
  const nothing = { plan: null, waiting: null, waiting_bytes: null, last_seen_at: null, next_at: null };
  expect(
    deviceStates({ overview: { ...OVERVIEW, ...nothing }, camera: "waiting", lastSync: null, diskUsed: null }),
  ).toEqual({
    state: "waiting",
    paused: false,
    at_home: null,
    all_safe: null,
    at_risk: null,
    waiting_recordings: null,
    waiting_bytes: null,
    needs_wifi: null,
    last_sync: null,
    last_contact: null,
    disk_used: null,
    next_run: null,
  });
  expect(states({ plan: { ...PLAN, camera: "unknown", at_risk: null, needs_seconds: null } })).toMatchObject({
    at_home: null,
    at_risk: null,
    needs_wifi: null,
  });
});

test("when nothing waits, all is safe whatever the plan knows", () => {
  for (const plan of [null, PLAN])
    expect(states({ plan, waiting: 0, waiting_bytes: null })).toMatchObject({
      all_safe: true,
      at_risk: false,
      waiting_bytes: 0,
      needs_wifi: 0,
    });
});

test("each state of a camera is one of four", () => {
  const rows: Record<CameraAnswer["state"], string> = {
    syncing: "syncing",
    waiting: "waiting",
    safe: "waiting",
    paused: "paused",
    attention: "problem",
    failed: "problem",
    no_address: "problem",
    other_camera: "problem",
  };
  for (const [camera, state] of Object.entries(rows) as [CameraAnswer["state"], string][])
    expect([camera, deviceStates({ ...FACTS, camera }).state as string]).toEqual([camera, state]);
});

const now = Date.UTC(2026, 5, 7, 12);
const zone = { offset: () => 0 };
const run = (keys: readonly string[], more = {}) => ({
  events: keys.map((key) => ({ key })),
  isFirst: false,
  isDry: false,
  ...more,
});

test("events have their kind, their time and their force, and not their place", () => {
  const events = [{ key: "20260607_100000_E", g: 1.5, place: "Lyngby" }, { key: "20260607_101500_I" }];
  expect(deviceEvents({ events, isFirst: false, isDry: false }, { now, zone })).toEqual([
    { event_type: "event", recording: "20260607_100000_E", recorded_at: "2026-06-07T10:00:00", g: 1.5 },
    { event_type: "parking_impact", recording: "20260607_101500_I", recorded_at: "2026-06-07T10:15:00" },
  ]);
});

test("the first run tells no old events, a trial run none, and a long one the newest", () => {
  const keys = ["20260101_000000_E", "20260606_000000_E"];
  expect(deviceEvents(run(keys, { isFirst: true }), { now, zone }).map(({ recording }) => recording)).toEqual([
    "20260606_000000_E",
  ]);
  expect(deviceEvents(run(keys), { now, zone })).toHaveLength(2);
  expect(deviceEvents(run(keys, { isDry: true }), { now, zone })).toEqual([]);
  const many = Array.from({ length: 50 }, (_, at) => `20260607_1000${String(at).padStart(2, "0")}_E`);
  expect(deviceEvents(run(many), { now, zone }).map(({ recording }) => recording)).toEqual(many.slice(30));
});
