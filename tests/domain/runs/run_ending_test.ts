import { describe, expect, test } from "bun:test";
import { type Failures, noFailures } from "../../../server/domain/runs/failure_reason.ts";
import type { Run } from "../../../server/domain/runs/run.ts";
import { type RunEnding, runEnding } from "../../../server/domain/runs/run_ending.ts";

describe("runEnding()", () => {
  type Ended = Partial<Omit<Run, "failures">> & { failures: Partial<Failures> };
  const failed = (failures: Partial<Failures>, facts: Partial<Omit<Run, "failures">> = {}) => ({ failures, ...facts });
  const cases: [sentence: string, run: Ended, ending: RunEnding][] = [
    ["a network failure alone", failed({ network: 1 }), "away"],
    ["a timeout alone", failed({ timeout: 1 }), "away"],
    ["network failures and timeouts", failed({ network: 3, timeout: 2 }), "away"],
    ["network and disk", failed({ network: 1, disk: 1 }), "failed"],
    ["network and http", failed({ network: 1, http: 1 }), "failed"],
    ["timeout and unknown", failed({ timeout: 1, unknown: 1 }), "failed"],
    ["http alone", failed({ http: 1 }), "failed"],
    ["disk alone", failed({ disk: 1 }), "failed"],
    ["unknown alone", failed({ unknown: 1 }), "failed"],
    ["a failure without a reason", failed({}), "failed"],
    ["a stop", failed({ unknown: 1 }, { stopped: true, cause: "stopped" }), "stopped"],
    ["a stop after files that failed", failed({ unknown: 1, network: 2 }, { stopped: true }), "stopped"],
    ["a message that says it was stopped", failed({ unknown: 1 }, { message: "sync stopped by user" }), "failed"],
    ["the end of its process", failed({ unknown: 1 }, { cause: "interrupted" }), "interrupted"],
    ["a message that says it was interrupted", failed({ unknown: 1 }, { message: "interrupted" }), "failed"],
    ["a success", { success: true, failures: {} }, "completed"],
    ["a success in which one file had a network failure", { success: true, failures: { network: 1 } }, "completed"],
    ["a success with nothing but timeouts", { success: true, failures: { timeout: 9 } }, "completed"],
  ];
  for (const [sentence, { success = false, failures, ...facts }, ending] of cases)
    test(`${sentence}: ${ending}`, () =>
      expect(runEnding({ success, failures: { ...noFailures(), ...failures }, ...facts })).toBe(ending));
});
