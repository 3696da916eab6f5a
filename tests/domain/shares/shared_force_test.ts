import { describe, expect, test } from "bun:test";
import { forceAt, sharedForces } from "../../../server/domain/shares/shared_force.ts";
import type { SharedFix } from "../../../server/domain/shares/shared_track.ts";

/** Ten samples a second, of which one axis has gravity, and another the push. */
const force = (pushes: readonly number[]) => ({
  t: Float64Array.from(pushes, (_, at) => at / 10),
  x: Float64Array.from(pushes, () => 1),
  y: Float64Array.from(pushes),
  z: Float64Array.from(pushes, () => 0),
});
const stretch = (from: number, to: number): SharedFix[] => [
  [from, 48, 11, 10],
  [to, 48.01, 11, 10],
];

describe("sharedForces()", () => {
  test("tells the strongest of each fifth of a second, without what the mounting adds", () => {
    const clips = [{ offset: 10, force: force([0, 0, 0, 0.5, 0.25, 0, 0, 0]) }];
    expect(sharedForces(clips, [stretch(0, 60)])).toEqual([
      [10, 0],
      [10.2, 0.5],
      [10.4, 0.25],
      [10.6, 0],
    ]);
  });

  test("tells nothing where the track is not shown", () => {
    const clips = [{ offset: 0, force: force([9, 9, 0, 0, 0, 0, 0, 0, 9, 9]) }];
    const told = sharedForces(clips, [stretch(0.2, 0.45), stretch(0.6, 0.7)]);
    expect(told).toEqual([
      [0.2, 0],
      [0.4, 0],
      [0.6, 0],
    ]);
    expect(sharedForces(clips, [])).toEqual([]);
    expect(sharedForces([], [stretch(0, 60)])).toEqual([]);
  });

  test("leaves out samples that lie behind the beginning of the next clip", () => {
    const clips = [
      { offset: 0, force: force([0, 0, 0, 3]) },
      { offset: 0.2, force: force([0, 0]) },
    ];
    expect(sharedForces(clips, [stretch(0, 60)])).toEqual([
      [0, 0],
      [0.2, 0],
    ]);
  });
});

test("a force holds for less than half a second", () => {
  const forces: [number, number][] = [
    [1, 0.3],
    [1.2, 0.6],
  ];
  expect([0.9, 1, 1.15, 1.2, 1.59, 1.7].map((time) => forceAt(forces, time))).toEqual([null, 0.3, 0.3, 0.6, 0.6, null]);
  expect(forceAt([], 1)).toBeNull();
});
