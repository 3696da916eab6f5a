import { describe, expect, test } from "bun:test";
import { FAILURE_REASONS, type Failures, isOffline, noFailures } from "../../server/domain/run.ts";

const offline = (success: boolean, failures: Partial<Failures>) =>
  isOffline({ success, failures: { ...noFailures(), ...failures } });

describe("isOffline()", () => {
  const cases: [sentence: string, success: boolean, failures: Partial<Failures>, isAway: boolean][] = [
    ["a network failure alone", false, { network: 1 }, true],
    ["a timeout alone", false, { timeout: 1 }, true],
    ["network failures and timeouts", false, { network: 3, timeout: 2 }, true],
    ["network and disk", false, { network: 1, disk: 1 }, false],
    ["network and http", false, { network: 1, http: 1 }, false],
    ["timeout and unknown", false, { timeout: 1, unknown: 1 }, false],
    ["http alone", false, { http: 1 }, false],
    ["disk alone", false, { disk: 1 }, false],
    ["unknown alone, such as a stop", false, { unknown: 1 }, false],
    ["a failure without a reason", false, {}, false],
    ["a success", true, {}, false],
    ["a success in which one file had a network failure", true, { network: 1 }, false],
    ["a success with nothing but timeouts", true, { timeout: 9 }, false],
  ];
  for (const [sentence, success, failures, isAway] of cases)
    test(`${sentence} is ${isAway ? "" : "not "}offline`, () => expect(offline(success, failures)).toBe(isAway));
});

describe("noFailures()", () => {
  test("has every reason, each at nothing, and is a new one each time", () => {
    expect(Object.keys(noFailures()).toSorted()).toEqual([...FAILURE_REASONS].toSorted());
    expect(Object.values(noFailures()).every((count) => count === 0)).toBe(true);
    expect(noFailures()).not.toBe(noFailures());
  });
});
