/** A corner of the fictional road, and the leg that begins there. */
interface Corner {
  /** Metres east and north. */
  x: number;
  y: number;
  /** Metres: how tightly the corner is taken. */
  radius: number;
  /** km/h on the leg after the corner. */
  limit: number;
  /** A traffic light stands before the corner. */
  light?: true;
  /** Metres of the leg that lie in a tunnel, around its middle. */
  tunnel?: number;
}

/** A round trip of some twelve kilometres: streets, a main road, a motorway and back. */
const CORNERS: readonly Corner[] = [
  { x: 0, y: 0, radius: 12, limit: 50, light: true },
  { x: 450, y: 0, radius: 12, limit: 50 },
  { x: 450, y: 350, radius: 14, limit: 50, light: true },
  { x: 900, y: 420, radius: 15, limit: 70, tunnel: 210 },
  { x: 1500, y: 300, radius: 60, limit: 80 },
  { x: 1900, y: 700, radius: 150, limit: 120 },
  { x: 2900, y: 2100, radius: 600, limit: 120, tunnel: 330 },
  { x: 2500, y: 3600, radius: 450, limit: 100 },
  { x: 1600, y: 4100, radius: 150, limit: 80, tunnel: 240 },
  { x: 900, y: 3700, radius: 60, limit: 80 },
  { x: 500, y: 2600, radius: 40, limit: 70, tunnel: 190 },
  { x: 620, y: 1700, radius: 15, limit: 50, light: true },
  { x: 150, y: 1500, radius: 12, limit: 50 },
  { x: 150, y: 900, radius: 12, limit: 50, light: true },
  { x: -200, y: 820, radius: 12, limit: 30 },
  { x: -200, y: 60, radius: 12, limit: 30 },
];

/** g's worth of cornering that a calm driver accepts, in metres per second squared. */
const CORNERING = 2.8;

/** One metre of road. */
interface Spot {
  x: number;
  y: number;
  /** Degrees clockwise from north. */
  course: number;
  /** 1/metres, positive to the right. */
  curvature: number;
  covered: boolean;
}

export interface Road {
  /** The place after so many metres, laps and all. */
  at(metres: number): Spot;
  /**
   * Metres per second that can be driven at each metre when one brakes gently before whatever comes.
   * @param isRed whether the light at this corner shows red; the stop line then has 0
   */
  limits(isRed: (corner: number) => boolean, braking: number): Float64Array;
}

/** Builds the road, metre by metre: straight legs joined by arcs. */
export function road(): Road {
  const spots: Spot[] = [];
  const allowed: number[] = [];
  const lights = new Map<number, number>();
  for (const [index, corner] of CORNERS.entries()) {
    const before = CORNERS[(index + CORNERS.length - 1) % CORNERS.length] ?? corner;
    const after = CORNERS[(index + 1) % CORNERS.length] ?? corner;
    const beyond = CORNERS[(index + 2) % CORNERS.length] ?? corner;
    const arc = arcOf(before, corner, after);
    if (corner.light) lights.set(index, spots.length);
    const turns = Math.max(1, Math.round(Math.abs(arc.turn) * corner.radius));
    for (let metre = 0; metre < turns; metre++) {
      const heading = arc.heading + (arc.turn * metre) / turns;
      const side = arc.turn > 0 ? 1 : -1;
      spots.push({
        x: arc.middle.x - side * corner.radius * Math.cos(heading),
        y: arc.middle.y + side * corner.radius * Math.sin(heading),
        course: degrees(heading),
        curvature: side / corner.radius,
        covered: false,
      });
      allowed.push(Math.min(Math.sqrt(CORNERING * corner.radius), corner.limit / 3.6));
    }
    const next = arcOf(corner, after, beyond);
    const length = Math.hypot(after.x - corner.x, after.y - corner.y);
    const straight = Math.round(length - arc.tangent - next.tangent);
    const heading = Math.atan2(after.x - corner.x, after.y - corner.y);
    for (let metre = 0; metre < straight; metre++) {
      const along = arc.tangent + metre;
      spots.push({
        x: corner.x + along * Math.sin(heading),
        y: corner.y + along * Math.cos(heading),
        course: degrees(heading),
        curvature: 0,
        covered: Math.abs(along - length / 2) < (corner.tunnel ?? 0) / 2,
      });
      allowed.push(corner.limit / 3.6);
    }
  }
  return {
    at: (metres) => between(spots, metres),
    limits: (isRed, braking) => foresight(allowed, lights, isRed, braking),
  };
}

/** The arc that rounds a corner: where it begins, how far it turns (radians, positive to the right), its middle. */
function arcOf(before: Corner, corner: Corner, after: Corner) {
  const heading = Math.atan2(corner.x - before.x, corner.y - before.y);
  const leaving = Math.atan2(after.x - corner.x, after.y - corner.y);
  const turn = Math.atan2(Math.sin(leaving - heading), Math.cos(leaving - heading));
  const tangent = corner.radius * Math.tan(Math.abs(turn) / 2);
  const begin = { x: corner.x - tangent * Math.sin(heading), y: corner.y - tangent * Math.cos(heading) };
  const side = turn > 0 ? 1 : -1;
  const middle = {
    x: begin.x + side * corner.radius * Math.cos(heading),
    y: begin.y - side * corner.radius * Math.sin(heading),
  };
  return { heading, turn, tangent, middle };
}

function between(spots: readonly Spot[], metres: number): Spot {
  const whole = Math.floor(metres);
  const first = spots[whole % spots.length];
  const second = spots[(whole + 1) % spots.length];
  if (!first || !second) throw new Error("The simulated road has no length");
  const part = metres - whole;
  return { ...first, x: first.x + (second.x - first.x) * part, y: first.y + (second.y - first.y) * part };
}

function foresight(
  allowed: readonly number[],
  lights: ReadonlyMap<number, number>,
  isRed: (corner: number) => boolean,
  braking: number,
): Float64Array {
  const limits = Float64Array.from(allowed);
  for (const [corner, at] of lights) if (isRed(corner)) limits[at] = 0;
  // Twice around, because the road has no beginning.
  for (let index = 2 * limits.length - 1; index >= 0; index--) {
    const here = index % limits.length;
    const next = limits[(index + 1) % limits.length] ?? 0;
    limits[here] = Math.min(limits[here] ?? 0, Math.sqrt(next * next + 2 * braking));
  }
  return limits;
}

function degrees(radians: number): number {
  return ((radians * 180) / Math.PI + 360) % 360;
}
