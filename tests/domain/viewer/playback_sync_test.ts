import { describe, expect, test } from "bun:test";
import {
  type Correction,
  correctionOf,
  type Following,
  type Leading,
} from "../../../server/domain/viewer/playback_sync.ts";

const RUNNING: Leading = { time: 10, rate: 1, state: "running" };
const WAITING: Leading = { time: 10, rate: 1, state: "waiting" };
const PAUSED: Leading = { time: 10, rate: 1, state: "paused" };
const player = (time: number, changes: Partial<Following> = {}): Following => ({
  time,
  length: 60,
  isBusy: false,
  ...changes,
});

const ROWS: [name: string, leading: Leading, following: Following, wanted: Correction][] = [
  ["together: the same rate", RUNNING, player(10), { kind: "run", rate: 1 }],
  ["half a frame apart: the same rate", RUNNING, player(10.015), { kind: "run", rate: 1 }],
  ["a little ahead: a little slower", RUNNING, player(10.05), { kind: "run", rate: 0.95 }],
  ["a little behind: a little faster", RUNNING, player(9.95), { kind: "run", rate: 1.05 }],
  ["further ahead: never slower than by a tenth", RUNNING, player(10.14), { kind: "run", rate: 0.9 }],
  ["twice as fast: the nudge grows with the rate", { ...RUNNING, rate: 2 }, player(9.9), { kind: "run", rate: 2.2 }],
  [
    "four times as fast: a seek only four times as far apart",
    { ...RUNNING, rate: 4 },
    player(9.5),
    { kind: "run", rate: 4.4 },
  ],
  ["four times as fast and farther: a seek", { ...RUNNING, rate: 4 }, player(9.3), { kind: "seek", to: 10 }],
  ["far behind: a seek", RUNNING, player(9.8), { kind: "seek", to: 10 }],
  ["far ahead: a seek", RUNNING, player(10.2), { kind: "seek", to: 10 }],
  ["seeking or without data: left alone", RUNNING, player(3, { isBusy: true }), { kind: "leave" }],
  ["all wait for data: stands, a little apart is no matter", WAITING, player(10.1), { kind: "hold" }],
  ["all wait for data, but far apart: a seek", WAITING, player(10.2), { kind: "seek", to: 10 }],
  ["paused together: stands", PAUSED, player(10.01), { kind: "hold" }],
  ["paused apart: exactly there", PAUSED, player(10.1), { kind: "seek", to: 10 }],
  ["a shorter video that is over: rests", RUNNING, player(9.5, { length: 9.5 }), { kind: "rest" }],
  ["over while it seeks: rests", RUNNING, player(4, { length: 9.5, isBusy: true }), { kind: "rest" }],
  ["paused behind its end: rests", PAUSED, player(9.5, { length: 9.5 }), { kind: "rest" }],
  ["a length nobody knows yet ends nothing", RUNNING, player(10, { length: Number.NaN }), { kind: "run", rate: 1 }],
];

describe("correctionOf()", () => {
  for (const [name, leading, following, wanted] of ROWS)
    test(name, () => expect(correctionOf(leading, following)).toEqual(wanted));

  test("brings a player together within two seconds, and leaves it there", () => {
    let drift = -0.149;
    for (let frame = 0; frame < 60; frame++) {
      const correction = correctionOf({ ...RUNNING, time: 100 }, player(100 + drift, { length: 200 }));
      expect(correction.kind).toBe("run");
      if (correction.kind === "run") drift += (correction.rate - 1) / 30;
    }
    expect(Math.abs(drift)).toBeLessThan(0.05);
    expect(drift).toBeLessThan(0);
  });
});
