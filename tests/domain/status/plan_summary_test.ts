import { describe, expect, test } from "bun:test";
import type { OverviewPlan } from "../../../server/domain/plan/plan_schema.ts";
import { whileHere } from "../../../server/domain/status/plan_summary.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { describeSummary, NOW, OFFLINE, run, waiting } from "../../support/app/overview.ts";
import { ARRIVED, IN_TIME } from "../../support/app/plans.ts";

const AWAY = { last_run: OFFLINE, last_reached: run(), reachable: false } as const;
const LOOKS = { camera: "away", seconds: 30, next_at: NOW + 20_000 } as const;
const ONE = { ...IN_TIME, waiting: { ...IN_TIME.waiting, recordings: 1 } };
const SEEN = "Last seen 07:42, 9 min ago.";

describeSummary([
  [
    "a camera that is away, and all comes in time",
    { ...AWAY, counts: waiting(94), plan: IN_TIME, looks: LOOKS },
    "waiting",
    `The camera is away. 94 recordings wait on it, all in time. ${SEEN} They need 38 min of Wi-Fi, and the car usually stays 11 h; nothing is overwritten before Tue 24 Nov. Dashdock looks for the camera every 30 s.`,
  ],
  [
    "one recording",
    { ...AWAY, counts: waiting(1), plan: { ...ONE, overwritten_from: null }, looks: LOOKS },
    "waiting",
    `The camera is away. 1 recording waits on it, in time. ${SEEN} It needs 38 min of Wi-Fi, and the car usually stays 11 h. Dashdock looks for the camera every 30 s.`,
  ],
  [
    "just enough time",
    { ...AWAY, counts: waiting(94), plan: { ...IN_TIME, verdict: "tight" }, looks: LOOKS },
    "attention",
    `The camera is away. 94 recordings wait on it, and time is short. ${SEEN} They need 38 min of Wi-Fi, most of what is usual before the first is overwritten about Tue 24 Nov, 09:00. Dashdock looks for the camera every 30 s.`,
  ],
  [
    "too little time",
    {
      ...AWAY,
      counts: waiting(94),
      plan: { ...IN_TIME, verdict: "too_late", too_late: { recordings: 46, bytes: 4e9 } },
      looks: LOOKS,
    },
    "attention",
    `The camera is away. About 46 recordings may be lost. ${SEEN} 94 recordings wait on it. They need 38 min of Wi-Fi. The first is overwritten about Tue 24 Nov, 09:00. Dashdock looks for the camera every 30 s.`,
  ],
  [
    "a plan that does not know",
    { ...AWAY, counts: waiting(94), plan: { ...IN_TIME, verdict: "unknown" }, looks: LOOKS },
    "waiting",
    `The camera is away. ${SEEN.replace(".", ";")} 94 recordings are waiting. They come home when the camera is back. Dashdock looks for the camera every 30 s.`,
  ],
  [
    "a pause beside a plan",
    { ...AWAY, counts: waiting(94), plan: IN_TIME, paused: true, next_at: null },
    "attention",
    `The camera is away. 94 recordings wait on it, all in time. Paused. ${SEEN} They need 38 min of Wi-Fi, and the car usually stays 11 h; nothing is overwritten before Tue 24 Nov.`,
  ],
]);

describe("whileHere()", () => {
  const time = { now: NOW, zone: new ZoneTime("Australia/Sydney") };
  const said = (changes: Partial<OverviewPlan>) => {
    const found = whileHere({ ...ARRIVED, ...changes }, time);
    return found && [found.mood, `${found.sentence} ${found.detail}`.replace(/[\u00a0\u202f]/g, " ")];
  };

  test("counts down to the last that is at risk", () => {
    expect(said({})).toEqual([
      "busy",
      "6 min until everything at risk is home. Leave the camera on until then. 18 recordings are the next to be overwritten.",
    ]);
    expect(said({ at_risk: { recordings: 1, bytes: 1, seconds: 20 } })?.[1]).toContain("1 recording is the next");
  });

  test("says when the camera may go, and what is left", () => {
    const safe = {
      at_risk: { recordings: 0, bytes: 0, seconds: 0 },
      sentence: "All at risk is safe: you may switch off.",
    };
    expect(said(safe)).toEqual([
      "fine",
      "All at risk is safe: you may switch off. 94 recordings still come. They are not overwritten before Tue 24 Nov, and come at the next visit if you leave now.",
    ]);
    const one = { ...safe, waiting: ONE.waiting, overwritten_from: null };
    expect(said(one)?.[1]).toContain(
      "1 recording still comes. It is not overwritten, and comes at the next visit if you leave now.",
    );
  });

  test("claims nothing that is not known", () => {
    expect(said({ camera: "away" })).toBeNull();
    expect(said({ at_risk: null })).toBeNull();
    expect(said({ at_risk: { recordings: 3, bytes: null, seconds: null } })).toBeNull();
    expect(said({ waiting: { recordings: 0, bytes: 0, oldest: null } })).toBeNull();
    expect(said({ waiting: { recordings: null, bytes: null, oldest: null } })).toBeNull();
  });
});
