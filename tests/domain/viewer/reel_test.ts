import { describe, expect, test } from "bun:test";
import { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import { nearMovement, stayName } from "../../../server/domain/viewer/reel.ts";

const clockOf = (keys: readonly string[]) => new JourneyClock(keys.map((key) => ({ key, duration_seconds: 20 })));

describe("stayName()", () => {
  const rows: readonly (readonly [keys: string[], name: string])[] = [
    [["20261119_220900_P", "20261120_063100_P"], "Night"],
    [["20261119_180000_P", "20261119_221500_P"], "Night"],
    [["20261120_001200_P"], "Night"],
    [["20261120_033000_P", "20261120_090000_P"], "Night"],
    [["20261120_090000_P", "20261120_163000_P"], "Parked"],
    [["20261120_050000_P", "20261120_195900_P"], "Parked"],
  ];
  for (const [keys, name] of rows)
    test(`${keys.join(" to ")} is ${name}`, () => {
      expect(stayName(clockOf(keys))).toBe(name);
    });
});

describe("nearMovement()", () => {
  // At 0, 600 and 640 seconds, 20 seconds each.
  const clock = clockOf(["20261119_220000_P", "20261119_221000_P", "20261119_221040_P"]);
  const rows: readonly (readonly [what: string, time: number, meant: number])[] = [
    ["within a movement the time itself", 610, 610],
    ["shortly before a movement its start", 575, 600],
    ["shortly behind a movement its start", 45, 0],
    ["at its very end its start", 20, 0],
    ["between two the nearer one", 633, 640],
    ["far from all the time itself", 300, 300],
  ];
  for (const [what, time, meant] of rows)
    test(what, () => {
      expect(nearMovement(clock, time, 30)).toBe(meant);
    });
});
