import { describe, expect, test } from "bun:test";
import {
  addDriving,
  type Direction,
  frontOf,
  isSameMounting,
  NO_DRIVING,
} from "../../../server/domain/places/mounting.ts";
import { type FeltClip, type MomentKind, momentsOf, type Thresholds } from "../../../server/domain/places/moments.ts";
import { readGsensor } from "../../../server/domain/recordings/gsensor_file.ts";
import { forceOf } from "../../../server/domain/viewer/force.ts";
import { trackOf } from "../../../server/domain/viewer/track.ts";
import { gsensorBytes, type WrittenForce } from "../../support/camera/written_telemetry.ts";

const USUAL: Thresholds = { brake: 0.4, accelerate: 0.35, turn: 0.4, bump: 0.6, impact: 2, parked_bump: 0.3 };
const SECONDS = 30;

/** A clip in which some axes feel something for a while: `[axis, second, seconds, g]`. */
type Push = readonly [axis: 0 | 1 | 2, from: number, lasting: number, g: number];

function clip(pushes: readonly Push[], more: Partial<FeltClip> = {}): FeltClip {
  const samples = Array.from({ length: SECONDS * 10 }, (_, at): WrittenForce => {
    const felt: [number, number, number] = [1, 0, 0];
    for (const [axis, from, lasting, g] of pushes)
      if (at >= Math.round(from * 10) && at < Math.round((from + lasting) * 10)) felt[axis] += g;
    return felt;
  });
  const points = Array.from({ length: SECONDS }, (_, t) => ({
    t,
    lat: 48 + t * 1e-4,
    lon: 11,
    speed: t < 10 ? 40 : 20,
  }));
  return {
    force: forceOf(readGsensor(gsensorBytes(samples))),
    track: trackOf(points),
    isParked: false,
    rest: { x: 1, y: 0, z: 0 },
    front: [0, 0, 1],
    ...more,
  };
}

const told = (given: FeltClip, thresholds = USUAL) =>
  momentsOf(given, thresholds).map(({ kind, seconds }) => `${kind} ${seconds}`);

describe("momentsOf()", () => {
  const rows: [string, readonly Push[], readonly string[]][] = [
    ["nothing in a quiet clip", [], []],
    ["braking of half a second", [[2, 5, 0.5, -0.5]], ["brake 5"]],
    ["no braking of less", [[2, 5, 0.4, -0.9]], []],
    ["no braking below the threshold", [[2, 5, 3, -0.38]], []],
    ["acceleration", [[2, 5, 1, 0.37]], ["accelerate 5"]],
    [
      "turns to both sides",
      [
        [1, 5, 1, 0.5],
        [1, 15, 1, -0.5],
      ],
      ["turn 5", "turn 15"],
    ],
    [
      "a bump of one sample, up or down",
      [
        [0, 5, 0.1, 0.7],
        [0, 15, 0.1, -0.7],
      ],
      ["bump 5", "bump 15"],
    ],
    ["an impact of one sample", [[1, 5, 0.1, -2.2]], ["impact 5"]],
    [
      "one moment, while the force comes back within a second",
      [
        [0, 5, 0.1, 0.7],
        [0, 5.8, 0.1, 0.9],
        [0, 6.6, 0.1, 0.8],
      ],
      ["bump 5.8"],
    ],
    [
      "two, when it comes back later",
      [
        [0, 5, 0.1, 0.7],
        [0, 6.3, 0.1, 0.9],
      ],
      ["bump 5", "bump 6.3"],
    ],
    [
      "the strongest sample",
      [
        [2, 5, 2, -0.5],
        [2, 6, 0.1, -0.2],
      ],
      ["brake 6"],
    ],
    [
      "braking and turning together",
      [
        [2, 5, 1, -0.5],
        [1, 5, 1, 0.5],
      ],
      ["brake 5", "turn 5"],
    ],
    [
      "an impact alone of all that is beside it",
      [
        [2, 4.5, 1, -0.8],
        [0, 5.6, 0.2, 1.2],
        [1, 5.2, 0.1, 3],
      ],
      ["impact 5.2"],
    ],
    [
      "what is far from an impact as well",
      [
        [2, 2, 1, -0.8],
        [1, 15, 0.1, 3],
      ],
      ["brake 2", "impact 15"],
    ],
    [
      "braking with one sample out of line in it",
      [
        [2, 5, 1, -0.5],
        [2, 5.5, 0.1, 0.3],
      ],
      ["brake 5"],
    ],
  ];
  for (const [name, pushes, moments] of rows)
    test(`tells ${name}`, () => {
      expect(told(clip(pushes))).toEqual([...moments]);
    });

  const pushes: readonly Push[] = [
    [2, 5, 1, -0.6],
    [0, 12, 0.1, 0.9],
    [1, 20, 0.1, 2.5],
  ];
  test("tells bump and impact alone without fixes, and while the front is not known", () => {
    const alone = ["bump 12", "impact 20"];
    expect(told(clip(pushes, { track: null }))).toEqual(alone);
    expect(told(clip(pushes, { track: trackOf([]) }))).toEqual(alone);
    expect(told(clip(pushes, { front: null }))).toEqual(alone);
  });

  test("tells knocks alone in a clip of the parked car", () => {
    expect(told(clip(pushes, { isParked: true }))).toEqual(["parked_bump 5", "parked_bump 12", "parked_bump 20"]);
  });

  test("tells nothing of a kind whose threshold is 0", () => {
    const none = Object.fromEntries(Object.keys(USUAL).map((kind) => [kind, 0])) as Record<MomentKind, number>;
    expect(told(clip(pushes), none)).toEqual([]);
    expect(told(clip(pushes), { ...USUAL, impact: 0 })).toEqual(["brake 5", "bump 12"]);
  });

  test("tells strength, speeds and place", () => {
    expect(momentsOf(clip([[2, 10, 1, -0.5]]), USUAL)).toEqual([
      { kind: "brake", seconds: 10, strength: 0.5, speed: 20, speedBefore: 40, speedAfter: 20, lat: 48.001, lon: 11 },
    ]);
  });

  test("takes a file of nothing, and one of a sensor that feels no gravity", () => {
    expect(told(clip([], { force: forceOf([]) }))).toEqual([]);
    expect(told(clip([[1, 5, 0.1, 2.5]], { rest: { x: 0, y: 0, z: 0 }, front: null }))).toEqual(["impact 5"]);
  });
});

describe("the mounting", () => {
  test("is told by how the speed changes, and by nothing that stands or drives evenly", () => {
    const drive = (gain: (second: number) => number) => {
      let speed = 30;
      const speeds = Array.from({ length: 60 }, (_, t) => (speed += gain(t) * 19.06));
      const track = trackOf(speeds.map((knots, t) => ({ t: t + 1, lat: 48 + t * 1e-4, lon: 11, speed: knots })));
      const samples = Array.from({ length: 600 }, (_, at): WrittenForce => [0.02, 1, -gain(Math.floor(at / 10))]);
      return addDriving(NO_DRIVING, track, forceOf(readGsensor(gsensorBytes(samples))));
    };
    const rest = { x: 0.02, y: 1, z: 0 };
    const front = frontOf(
      drive((second) => 0.1 * Math.sin(second / 3)),
      rest,
    );
    expect(front?.[2]).toBeLessThan(-0.99);
    expect(
      frontOf(
        drive(() => 0),
        rest,
      ),
    ).toBeNull();
    expect(frontOf(NO_DRIVING, rest)).toBeNull();
  });

  test("is another one when gravity turned by more than 15 degrees", () => {
    const tilted = (degrees: number): Direction => {
      const angle = (degrees * Math.PI) / 180;
      return [Math.cos(angle), Math.sin(angle), 0];
    };
    expect([0, 14, 16, 90].map((degrees) => isSameMounting(tilted(0), tilted(degrees)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
