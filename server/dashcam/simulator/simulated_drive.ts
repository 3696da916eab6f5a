import { SESSIONS } from "./simulated_moments.ts";
import { fraction, mixed } from "./simulated_noise.ts";
import { type Road, road } from "./simulated_road.ts";

/** Place and motion of the car at one tenth of a second. */
export interface DrivePoint {
  /** Metres east and north of the fictional town's middle. */
  x: number;
  y: number;
  /** Degrees clockwise from north. */
  course: number;
  /** Metres per second. */
  speed: number;
  /** g, to the right. */
  lateral: number;
  /** g, forwards: negative while braking. */
  longitudinal: number;
  /** No satellites are seen here. */
  covered: boolean;
}

/** Samples per second of a drive. */
export const DRIVE_HZ = 10;
const STEP = 1 / DRIVE_HZ;
const GRAVITY = 9.81;
/** Metres per second squared: an everyday stop, and one that makes the camera keep the clip. */
const BRAKING = 1.8;
const HARD_BRAKING = 7;
/** Part of an event's clip after which the driver brakes hard. */
const EVENT_AT = 0.6;
const EVENT_SECONDS = 6;

/** Drives in turns, such as days: within a turn each starts where the one before ended. */
export interface DrivePlan {
  turnOf(session: number): number;
  /** The drives of a turn, oldest first, with the type of each minute's recording. */
  drivesOf(turn: number): Iterable<{ readonly session: number; readonly letters: string }>;
}

/** The drives of a card that repeats a pattern of sessions, which are numbered backwards in time. */
const CARD_DRIVES: DrivePlan = {
  turnOf: (session) => Math.floor(session / SESSIONS.length),
  *drivesOf(turn) {
    for (let index = SESSIONS.length - 1; index >= 0; index--) {
      const letters = SESSIONS[index] ?? "";
      if (letters.startsWith("P")) continue;
      yield { session: turn * SESSIONS.length + index, letters: [...letters].reverse().join("") };
    }
  },
};

/** One drive from standstill to standstill, ten points a second. */
interface Drive {
  /** Metres along the road, and metres per second. */
  place: Float64Array;
  speed: Float64Array;
}

/**
 * All drives of the simulated car: laps of one fictional road, each drive starting where the one before ended.
 * The chain starts anew with every turn, so that no drive needs more than a few others.
 */
export class SimulatedDrives {
  readonly #road: Road = road();
  readonly #eventSeconds: number;
  readonly #startsAt: number;
  readonly #plan: DrivePlan;
  #turn = -1;
  #drives = new Map<number, Drive>();

  /**
   * @param eventSeconds length of an event's clip: the hard brake is at 60 % of it
   * @param startsAt metres along the road to the car's first place
   */
  constructor(eventSeconds: number, startsAt = 0, plan: DrivePlan = CARD_DRIVES) {
    this.#eventSeconds = eventSeconds;
    this.#startsAt = startsAt;
    this.#plan = plan;
  }

  /** The point of a drive after so many seconds; before its start and after its end the car stands there. */
  point(session: number, seconds: number): DrivePoint {
    const { place, speed } = this.#drive(session);
    const last = place.length - 1;
    const index = Math.max(0, Math.min(last, Math.round(seconds * DRIVE_HZ)));
    const at = place[index] ?? 0;
    const now = speed[index] ?? 0;
    // Over three samples: a real body does not change its speed between two of them.
    const change = (speed[Math.min(last, index + 2)] ?? 0) - (speed[Math.max(0, index - 1)] ?? 0);
    const spot = this.#road.at(at);
    return {
      x: spot.x,
      y: spot.y,
      course: spot.course,
      speed: now,
      lateral: (now * now * spot.curvature) / GRAVITY,
      longitudinal: change / (3 * STEP) / GRAVITY,
      covered: spot.covered,
    };
  }

  /** Returns the car's place after a drive. */
  endOf(session: number): DrivePoint {
    return this.point(session, Number.MAX_SAFE_INTEGER);
  }

  #drive(session: number): Drive {
    const turn = this.#plan.turnOf(session);
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#drives = this.#chain(turn);
    }
    const drive = this.#drives.get(session);
    if (!drive) throw new Error(`Session ${session} of the simulated car is no drive`);
    return drive;
  }

  /** The drives of one turn, oldest first, because each begins where the older one ended. */
  #chain(turn: number): Map<number, Drive> {
    const drives = new Map<number, Drive>();
    let place = this.#startsAt + (turn % 5) * 700;
    for (const { session, letters } of this.#plan.drivesOf(turn)) {
      const drive = this.#bestDrive(session, [...letters], place);
      place = drive.place.at(-1) ?? place;
      drives.set(session, drive);
    }
    return drives;
  }

  /** Takes the departure whose events find the car at speed: only then is there something to brake. */
  #bestDrive(session: number, letters: readonly string[], from: number): Drive {
    const events = letters.flatMap((letter, minute) =>
      letter === "E" ? [minute * 60 + EVENT_AT * this.#eventSeconds] : [],
    );
    let best: Drive | null = null;
    let bestSpeed = -1;
    for (let delay = 3; delay <= (events.length > 0 ? 27 : 3); delay += 3) {
      const drive = this.#simulate(session, letters.length * 60, from, delay, events);
      const speed = events.reduce((sum, at) => sum + (drive.speed[Math.round(at * DRIVE_HZ)] ?? 0), 0);
      if (speed <= bestSpeed) continue;
      best = drive;
      bestSpeed = speed;
    }
    return best ?? this.#simulate(session, letters.length * 60, from, 3, events);
  }

  #simulate(session: number, seconds: number, from: number, delay: number, events: readonly number[]): Drive {
    const limits = this.#road.limits((light) => mixed(session, light) % 3 === 0, BRAKING);
    const count = seconds * DRIVE_HZ + 1;
    const drive: Drive = { place: new Float64Array(count), speed: new Float64Array(count) };
    let place = from;
    let speed = 0;
    let standsUntil = delay;
    let passed = -1;
    for (let index = 0; index < count; index++) {
      const time = index * STEP;
      drive.place[index] = place;
      drive.speed[index] = speed;
      const sinceEvent = events.reduce((since, at) => (time >= at ? time - at : since), Number.POSITIVE_INFINITY);
      // An attentive driver: a little under the limit, a little uneven.
      const care = 0.95 + 0.03 * Math.sin(time / 9 + session);
      const ahead = Math.floor(place) + 1;
      let wished = (limits[ahead % limits.length] ?? 0) * care;
      if (sinceEvent < EVENT_SECONDS || time < standsUntil) wished = 0;
      // It comes to rest two seconds before the drive ends.
      wished = Math.min(wished, Math.max(0, (seconds - 2 - time) * BRAKING));
      if (limits[ahead % limits.length] === 0 && time >= standsUntil && passed !== ahead && speed < 1) {
        // The car waits at a red light for a while; then it is green.
        passed = ahead;
        standsUntil = time + 5 + 9 * fraction(session, ahead);
        wished = 0;
      } else if (passed === ahead && time >= standsUntil && sinceEvent >= EVENT_SECONDS) {
        wished = Math.min(3, Math.max(0, (seconds - 2 - time) * BRAKING));
      }
      const down = (sinceEvent < EVENT_SECONDS ? HARD_BRAKING : BRAKING * 1.3) * STEP;
      const up = Math.max(0.5, 2.3 - speed * 0.05) * STEP;
      speed = Math.max(0, Math.max(speed - down, Math.min(speed + up, wished)));
      place += speed * STEP;
    }
    return drive;
  }
}
