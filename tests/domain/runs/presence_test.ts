import { describe, expect, test } from "bun:test";
import type { Failures } from "../../../server/domain/runs/failure_reason.ts";
import {
  afterLook,
  afterRun,
  type CameraPlace,
  type Presence,
  secondsToLook,
  UNKNOWN_PRESENCE,
} from "../../../server/domain/runs/presence.ts";
import type { Run } from "../../../server/domain/runs/run.ts";
import { runAt } from "../../support/app/history.ts";

const run = (changes: Partial<Run> = {}, failures: Partial<Failures> = {}) => runAt(1000, { ...changes, failures });

const COMPLETED = run({ bytes: 5, recordingsSeen: 4 });
const OFFLINE = run({ success: false, bytes: 0, recordingsSeen: 0 }, { network: 1 });
const SILENT: Run = { ...OFFLINE, trigger: "arrival" };

/** Things that happen one after the other: `+` a look that is answered, `-` one that fails, or a run. */
type Story = readonly ("+" | "-" | Run)[];

/** The state in the end, and the looks after which the camera had arrived. */
function told(story: Story, first: CameraPlace = "unknown"): { presence: Presence; arrivals: number[] } {
  const arrivals: number[] = [];
  let presence: Presence = { ...UNKNOWN_PRESENCE, camera: first };
  for (const [at, one] of story.entries()) {
    if (typeof one !== "string") presence = afterRun(presence, one);
    else {
      const look = afterLook(presence, one === "+");
      presence = look.presence;
      if (look.arrived) arrivals.push(at);
    }
  }
  return { presence, arrivals };
}

describe("a camera arrives", () => {
  test.each<[what: string, first: CameraPlace, story: Story, arrivals: number[], camera: CameraPlace]>([
    ["when nothing is known of it and it answers", "unknown", ["+"], [0], "here"],
    ["when it was away and answers", "away", ["-", "-", "+", "+"], [2], "here"],
    ["when it was away at the last look before a restart", "away", ["+"], [0], "here"],
    ["not when it was here before a restart", "here", ["+", "+"], [], "here"],
    ["not after one look that failed", "here", ["-", "+"], [], "here"],
    ["not after two looks that failed", "here", ["-", "-", "+"], [], "here"],
    ["after three looks in a row that failed", "here", ["-", "-", "-", "+"], [3], "here"],
    ["not after three that were not in a row", "here", ["-", "-", "+", "-", "+"], [], "here"],
    ["after a run that ended offline", "here", [OFFLINE, "+"], [1], "here"],
    [
      "after a run that it left in the middle",
      "here",
      [run({ success: false, bytes: 9 }, { timeout: 1 }), "+"],
      [1],
      "here",
    ],
    ["not after a run with it", "unknown", [COMPLETED, "+"], [], "here"],
    ["not after a run that was stopped", "away", [run({ success: false, stopped: true, bytes: 0 }), "+"], [], "here"],
    ["not while another device answers", "away", ["+", run({ success: false }, { http: 1 }), "+", "+"], [0], "here"],
    [
      "after a run that could not write and asked nothing",
      "away",
      [run({ success: false, bytes: 0, recordingsSeen: 0 }, { disk: 1 }), "+"],
      [1],
      "here",
    ],
    [
      "not after a run whose disk was full",
      "away",
      [run({ success: false, recordingsSeen: 4 }, { disk: 1 }), "+"],
      [],
      "here",
    ],
    ["and is away until it does", "unknown", ["-"], [], "away"],
    ["and has gone after three looks", "here", ["-", "-", "-"], [], "away"],
    ["and is here while two looks have failed", "here", ["-", "-"], [], "here"],
    ["and is unknown before the first look", "unknown", [], [], "unknown"],
  ])("%s", (_, first, story, arrivals, camera) => {
    const end = told(story, first);
    expect([end.arrivals, end.presence.camera]).toEqual([arrivals, camera]);
  });
});

describe("the next look comes", () => {
  test.each<[what: string, story: Story, every: number, seconds: number]>([
    ["at the usual time", ["+"], 30, 30],
    ["at the usual time after a look that failed", ["-"], 30, 30],
    ["at the usual time after a scheduled run that found nobody", [OFFLINE], 30, 30],
    ["later after a run that its port accepted and it did not answer", ["+", SILENT], 30, 60],
    ["later still after the next", ["+", SILENT, "+", SILENT], 30, 120],
    ["ten minutes later at most", Array.from({ length: 9 }, () => SILENT), 30, 600],
    ["ten minutes later after hundreds of them", Array.from({ length: 2000 }, () => SILENT), 15, 600],
    ["never sooner than usual", [SILENT, SILENT], 600, 600],
    ["at the usual time once a look has failed", ["+", SILENT, "+", SILENT, "-"], 30, 30],
    ["later again when its port is back after one", ["+", SILENT, "-", "+", SILENT], 30, 120],
    ["later once when it has come anew", ["+", SILENT, "+", SILENT, "-", "-", "-", "+", SILENT], 30, 60],
    ["at the usual time after a run that brought something before it left", [SILENT, { ...SILENT, bytes: 7 }], 30, 30],
    ["at the usual time after a run with it", [SILENT, COMPLETED], 30, 30],
  ])("%s", (_, story, every, seconds) => {
    expect(secondsToLook(told(story).presence, every)).toBe(seconds);
  });
});
