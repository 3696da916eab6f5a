import { describe, expect, test } from "bun:test";
import {
  afterLook,
  type Incidents,
  INCIDENT_CODES,
  type Weights,
  weightOf,
} from "../../../server/domain/notify/incidents.ts";

const DAY = 86_400_000;

/** Looks in order; each row's last part is what is told at it. */
const rows: readonly (readonly [name: string, ...looks: readonly (readonly [day: number, Weights, told: string])[]])[] =
  [
    ["is told once", [0, { damaged: 0 }, "damaged"], [1, { damaged: 0 }, ""], [6.9, { damaged: 0 }, ""]],
    [
      "is told again after a week",
      [0, { damaged: 0 }, "damaged"],
      [7, { damaged: 0 }, "damaged"],
      [8, { damaged: 0 }, ""],
    ],
    [
      "is told when it gets worse",
      [0, { damaged: 0 }, "damaged"],
      [1, { damaged: 2 }, "damaged"],
      [2, { damaged: 1 }, ""],
    ],
    ["is new once it was over", [0, { held: 0 }, "held"], [1, { held: null }, ""], [2, { held: 0 }, "held"]],
    ["goes on while nothing is known of it", [0, { held: 0 }, "held"], [1, {}, ""], [2, { held: 0 }, ""]],
    [
      "is told once by a clock that was set back",
      [9, { held: 0 }, "held"],
      [8, { held: 0 }, ""],
      [0, { held: 0 }, "held"],
    ],
    ["was none", [0, { held: null, damaged: null }, ""]],
  ];

describe("an incident", () => {
  for (const [name, ...looks] of rows)
    test(name, () => {
      let incidents: Incidents = {};
      for (const [day, weights, wanted] of looks) {
        const after = afterLook(incidents, weights, INCIDENT_CODES, day * DAY);
        expect([day, after.told.join(" ")]).toEqual([day, wanted]);
        incidents = after.incidents;
      }
    });

  test("that is not wanted is forgotten, and told once it is", () => {
    const before = afterLook({}, { held: 0 }, ["held"], 0).incidents;
    const off = afterLook(before, { held: 0 }, [], 1);
    expect(off).toEqual({ incidents: {}, told: [] });
    expect(afterLook(off.incidents, { held: 0 }, ["held"], 2).told).toEqual(["held"]);
  });

  test("is worse with twice as many", () => {
    expect([0, 1, 2, 3, 4, 1000].map(weightOf)).toEqual([null, 0, 1, 1, 2, 9]);
  });
});
