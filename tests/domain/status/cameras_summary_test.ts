import { expect, test } from "bun:test";
import type { CameraAnswer } from "../../../server/domain/status/cameras_schema.ts";
import { camerasInShort, camerasSummary } from "../../../server/domain/status/cameras_summary.ts";
import { ARRIVED, IN_TIME } from "../../support/app/plans.ts";

const one = (name: string, state: CameraAnswer["state"], waiting = 0) => {
  return { name, state, waiting, sentence: `${name} has a problem.` };
};

const ROWS: readonly (readonly [readonly ReturnType<typeof one>[], mood: string, sentence: string, detail: string])[] =
  [
    [[one("Car", "safe"), one("Van", "safe")], "fine", "Both cameras are safe.", ""],
    [[one("Car", "safe")], "fine", "Car is safe.", ""],
    [[one("Car", "safe"), one("Van", "safe"), one("Bus", "safe")], "fine", "All 3 cameras are safe.", ""],
    [[one("Car", "syncing"), one("Van", "waiting", 12)], "busy", "Car is syncing. Van waits with 12 recordings.", ""],
    [[one("Car", "safe"), one("Van", "waiting", 1)], "waiting", "Van waits with 1 recording. Car is safe.", ""],
    [
      [one("Car", "failed"), one("Van", "attention"), one("Bus", "safe")],
      "failed",
      "Car and Van need you. Bus is safe.",
      "Car has a problem. Van has a problem.",
    ],
    [
      ["A", "B", "D", "E"].map((name) => one(name, "failed")),
      "failed",
      "4 cameras need you.",
      "A has a problem. B has a problem. D has a problem. E has a problem.",
    ],
    [
      ["A", "B", "D", "E", "F", "G", "H", "I", "J"].map((name) => one(name, "failed")),
      "failed",
      "9 cameras need you.",
      "A has a problem. B has a problem. D has a problem. And 6 more.",
    ],
    [["A", "B", "D", "E"].map((name) => one(name, "waiting", 2)), "waiting", "4 cameras wait with 8 recordings.", ""],
    [[one("Car", "safe"), one("Van", "waiting")], "waiting", "Van waits for a sync. Car is safe.", ""],
    [[one("Car", "paused"), one("Van", "no_address")], "waiting", "Car is paused. Van has no address yet.", ""],
  ];

test.each(ROWS)("several cameras are told in one line %#", (cameras, mood, sentence, detail) => {
  const told = camerasSummary(cameras);
  expect([told.mood, told.sentence]).toEqual([mood as typeof told.mood, sentence]);
  expect(told.detail.replaceAll(/\w+: /g, "")).toBe(detail);
});

test("in one line there is the most pressing, and what comes after it where both are short", () => {
  const few = [one("Car", "syncing"), one("Van", "safe")];
  expect(camerasInShort(few)).toEqual({ mood: "busy", sentence: "Car is syncing. Van is safe." });
  const many = [one("Car", "failed"), one("Van", "failed"), one("Bus", "waiting", 1200), one("Truck", "safe")];
  expect(camerasInShort(many)).toEqual({ mood: "failed", sentence: "Car and Van need you." });
});

test.each<[string, Parameters<typeof camerasSummary>[0]]>([
  [
    "Car is safe in about 9 min. Nothing on Van is at risk.",
    [
      { ...one("Car", "syncing", 46), plan: { ...ARRIVED, at_risk: { recordings: 18, bytes: 1, seconds: 540 } } },
      { ...one("Van", "waiting", 12), plan: IN_TIME },
    ],
  ],
  [
    "1 recording on Van is at risk.",
    [
      one("Car", "waiting", 46),
      { ...one("Van", "waiting", 1), plan: { ...IN_TIME, at_risk: { recordings: 1, bytes: 1, seconds: 9 } } },
    ],
  ],
  ["", [one("Car", "waiting", 46), { ...one("Van", "safe"), plan: IN_TIME }]],
  ["", ["A", "B", "C", "D"].map((name) => ({ ...one(name, "waiting", 2), plan: IN_TIME }))],
  ["Car: Car has a problem.", [one("Car", "failed", 46), { ...one("Van", "waiting", 1), plan: IN_TIME }]],
])("several cameras are told with what is at risk on them: %s", (detail, cameras) => {
  expect(camerasSummary(cameras).detail.replaceAll(/\s/g, " ")).toBe(detail);
});
