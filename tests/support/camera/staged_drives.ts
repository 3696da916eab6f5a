import { randomFrom, type WrittenFix, type WrittenForce } from "./written_telemetry.ts";

const METERS_PER_DEGREE = 111_195;
const KNOTS = 1.943844;
const STANDARD_G = 9.80665;

/** A drive of clips of a minute, with gaps, stops and places where the car never was. */
export function wanderingDrive(seed: number, minutes: number, from: { lat: number; lon: number }): WrittenFix[][] {
  const random = randomFrom(seed);
  let { lat, lon } = from;
  let course = random() * 2 * Math.PI;
  let speed = random() * 15;
  let stops = 0;
  let hidden = 0;
  return Array.from({ length: minutes }, () =>
    Array.from({ length: 60 }, (_, t): WrittenFix[] => {
      course += (random() - 0.5) * 0.4;
      speed = Math.max(0, Math.min(30, speed + (random() - 0.5) * 2));
      if (stops > 0) stops--;
      else if (random() < 0.01) stops = Math.floor(random() * 30);
      const moved = stops > 0 ? 0 : speed;
      lat = Math.max(-89.9, Math.min(89.9, lat + (moved * Math.cos(course)) / METERS_PER_DEGREE));
      lon += (moved * Math.sin(course)) / (METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180));
      if (lon > 180) lon -= 360;
      if (lon < -180) lon += 360;
      if (hidden > 0) hidden--;
      else if (random() < 0.005) hidden = Math.floor(random() * 25);
      if (hidden > 0) return [];
      const strange = random();
      if (strange < 0.003) return [{ t, lat: lat + 1, lon, knots: 3 }];
      if (strange < 0.006) return [{ t, lat: 0, lon: 0, knots: 0 }];
      return [{ t, lat, lon, knots: strange < 0.05 ? null : moved * KNOTS }];
    }).flat(),
  );
}

export interface StagedMoment {
  readonly kind: "brake" | "accelerate" | "turn" | "bump" | "impact";
  /** Seconds from the beginning of the drive. */
  readonly at: number;
}

export interface StagedDrive {
  /** Of a minute each. */
  readonly clips: readonly { readonly fixes: WrittenFix[]; readonly forces: WrittenForce[] }[];
  readonly staged: readonly StagedMoment[];
}

const STAGED: readonly StagedMoment["kind"][] = ["brake", "accelerate", "turn", "bump", "impact"];
const A_SECOND = 10;

/** A drive of ten minutes with moments, and things that are none, felt by a camera that is mounted askew. */
export function stagedDrive(seed: number, turned = rotation(randomFrom(seed + 1e6))): StagedDrive {
  const random = randomFrom(seed);
  const noise = (size: number) => (random() + random() + random() - 1.5) * size;
  const seconds = 600;
  const forward = new Float64Array(seconds * A_SECOND);
  const sideways = new Float64Array(seconds * A_SECOND);
  const upwards = new Float64Array(seconds * A_SECOND);
  // Ordinary driving: the car gains and loses speed all the time, and turns.
  for (let at = 0; at < forward.length; at++) {
    forward[at] = 0.12 * Math.sin(at / 37) + 0.05 * Math.sin(at / 11);
    sideways[at] = 0.1 * Math.sin(at / 53 + seed);
  }
  const put = (column: Float64Array, from: number, lasting: number, g: number) => {
    for (let at = Math.round(from * A_SECOND); at < Math.round((from + lasting) * A_SECOND); at++) column[at] = g;
  };
  const staged: StagedMoment[] = [];
  for (let at = 20; at < seconds - 20; at += 18 + Math.floor(random() * 12)) {
    const kind = STAGED[Math.floor(random() * STAGED.length)] ?? "brake";
    const sign = random() < 0.5 ? -1 : 1;
    if (random() < 0.35) {
      // Nothing to tell: a gentle push, and a stone under a tyre.
      put(forward, at, 1.5, sign * 0.25);
      put(sideways, at + 4, 0.2, 0.55);
      put(upwards, at + 8, 0.1, 0.35 * sign);
      continue;
    }
    if (kind === "brake") put(forward, at, 1.2 + random(), -0.5 - random() * 0.3);
    if (kind === "accelerate") put(forward, at, 1.2 + random(), 0.45 + random() * 0.2);
    if (kind === "turn") put(sideways, at, 1.2 + random(), sign * (0.5 + random() * 0.3));
    if (kind === "bump") put(upwards, at, 0.2, sign * (0.75 + random() * 0.5));
    if (kind === "impact") put(sideways, at, 0.1, sign * (2.4 + random() * 2));
    staged.push({ kind, at });
  }
  let speed = 20;
  const fixes = Array.from({ length: seconds }, (_, t): WrittenFix => {
    for (let at = t * A_SECOND; at < (t + 1) * A_SECOND; at++)
      speed = Math.max(0, speed + ((forward[at] ?? 0) * STANDARD_G) / A_SECOND);
    const knots = Math.max(0, speed + noise(0.1)) * KNOTS;
    return { t: t + 1, lat: 48 + (t * 20) / METERS_PER_DEGREE, lon: 11, knots };
  });
  const forces = Array.from(forward, (ahead, at): WrittenForce => {
    const felt = [1 + (upwards[at] ?? 0), sideways[at] ?? 0, ahead] as const;
    const [x, y, z] = turned.map(([a, b, c]) => a * felt[0] + b * felt[1] + c * felt[2] + noise(0.03));
    return [x ?? 0, y ?? 0, z ?? 0];
  });
  return {
    clips: Array.from({ length: seconds / 60 }, (_, minute) => ({
      fixes: fixes.slice(minute * 60, minute * 60 + 60).map((fix) => ({ ...fix, t: fix.t - minute * 60 })),
      forces: forces.slice(minute * 60 * A_SECOND, (minute + 1) * 60 * A_SECOND),
    })),
    staged,
  };
}

type Row = readonly [number, number, number];

/** Any way to turn a camera by some tens of degrees about each axis, and all around upwards. */
export function rotation(random: () => number): readonly [Row, Row, Row] {
  const around = random() * 2 * Math.PI;
  const [one, other] = [(random() - 0.5) * 1.2, (random() - 0.5) * 1.2];
  const times = (a: readonly Row[], b: readonly Row[]) =>
    a.map((row) => [0, 1, 2].map((at) => row.reduce((sum, value, index) => sum + value * (b[index]?.[at] ?? 0), 0)));
  const turn = (axis: number, angle: number) =>
    [0, 1, 2].map((row) =>
      [0, 1, 2].map((column) => {
        if (row === axis || column === axis) return row === column ? 1 : 0;
        if (row === column) return Math.cos(angle);
        return (row + 1) % 3 === column ? -Math.sin(angle) : Math.sin(angle);
      }),
    ) as unknown as Row[];
  return times(times(turn(1, one), turn(2, other)) as unknown as Row[], turn(0, around)) as unknown as [Row, Row, Row];
}
