import { SimulatedLife } from "../dashcam/simulator/simulated_life.ts";
import type { Leg, LifePattern } from "../dashcam/simulator/simulated_life_patterns.ts";
import { LoopRecording, type Stored } from "../dashcam/simulator/simulated_loop.ts";
import type { Moment } from "../dashcam/simulator/simulated_moments.ts";

/** A video of the demo's past. */
export interface PastVideo extends Stored {
  readonly moment: Moment;
  readonly direction: string;
  /** It has come home. */
  isHome: boolean;
}

/** A stay of the camera at home, with the sync in it. All times are epoch milliseconds. */
export interface PastVisit {
  readonly from: number;
  readonly to: number;
  /** Everything on the card when it came. */
  readonly listed: readonly PastVideo[];
  /** Number of those that were not at home. */
  readonly waiting: number;
  /** Videos that the sync brought, in the order in which they came. */
  readonly brought: readonly PastVideo[];
  /** Milliseconds in which each of them came. */
  readonly videoMs: number;
  /** End of the sync; the camera left in the middle of it where that is the end of the visit. */
  readonly ended: number;
}

export interface DemoPast {
  /** The car's drives, by which its recordings have their places. */
  readonly life: SimulatedLife;
  /** Oldest first. */
  readonly visits: readonly PastVisit[];
}

export interface DemoPastOptions {
  /** Now, in epoch milliseconds. */
  readonly now: number;
  /** Camera wall time minus UTC. */
  readonly offsetMinutes: number;
  readonly days: number;
  /** Nothing of the past is later than this. */
  readonly until: number;
  /** Videos that the card holds. */
  readonly recordings: number;
  readonly directions: readonly string[];
  /** Another car has another past. */
  readonly car: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7;
/** Days before today on which the car leaves for two days. */
const AWAY_BEFORE = 5;
/** Time at home before it leaves for so long: enough for a few videos, by a Wi-Fi that hardly reaches the street. */
const SHORT_VISIT_MS = 84_000;
const SLOW_VIDEO_MS = 4400;
/** Time until the first video comes: the list comes, thumbnails and tracks. */
const BEFORE_VIDEOS_MS = 14_000;
/** Time in which a video comes. */
const VIDEO_MS = 400;
/** A car that stays away for longer, by more than from one evening to the next, has only stopped by before. */
const LONG_AWAY_MS = 27 * HOUR;
/** Videos that the card of the past holds at most: less than two days' worth. */
const MOST_VIDEOS = 48;

/**
 * The past of a demo: days with a short drive in the morning and another in the evening, and each week two days away
 * from home after a stop of some seconds, for which the card is too small. It goes by today's weekday, so that each demo
 * has the same.
 */
export function demoPast(options: DemoPastOptions): DemoPast {
  const { now, offsetMinutes, days, until, recordings, directions, car } = options;
  const wall = (at: number) => at + offsetMinutes * MINUTE;
  const life = new SimulatedLife(patternOf(new Date(wall(now)).getUTCDay()), `car ${car}`);
  const loop = new LoopRecording<PastVideo>(Math.min(recordings, MOST_VIDEOS), "oldest");
  const stays: { from: number; to: number; listed: readonly PastVideo[] }[] = [];
  for (const event of life.events(wall(now - days * DAY))) {
    if (event.at >= wall(until)) break;
    const at = event.at - offsetMinutes * MINUTE;
    if (event.kind === "recorded") for (const video of videosOf(event.moment, directions)) loop.write(video);
    else if (event.kind === "arrives") stays.push({ from: at, to: until, listed: [...loop.stored()] });
    else {
      const stay = stays.at(-1);
      if (stay) stay.to = at;
    }
  }
  const visits = stays.map(({ from, to, listed }, index) => {
    const next = stays[index + 1]?.from ?? to;
    return next - to > LONG_AWAY_MS
      ? visitOf(from, from + SHORT_VISIT_MS, listed, SLOW_VIDEO_MS)
      : visitOf(from, to, listed, VIDEO_MS);
  });
  return { life, visits };
}

/** The sync of a visit. What is recorded while it goes on comes with the next one. */
function visitOf(from: number, to: number, listed: readonly PastVideo[], videoMs: number): PastVisit {
  const waiting = listed.filter(({ isHome }) => !isHome).length;
  let ended = from + BEFORE_VIDEOS_MS;
  const brought: PastVideo[] = [];
  for (const video of listed) {
    if (video.isHome) continue;
    ended += videoMs;
    if (ended > to) break;
    video.isHome = true;
    brought.push(video);
  }
  return { from, to, listed, waiting, brought, videoMs, ended: Math.min(ended, to) };
}

function videosOf(moment: Moment, directions: readonly string[]): PastVideo[] {
  const { base, type, flag } = moment;
  return directions.map((direction) => ({
    name: `${base}_${type}${direction}${flag}.mp4`,
    type,
    size: 1,
    moment,
    direction,
    isHome: false,
  }));
}

/** @param today 0 is Sunday */
function patternOf(today: number): LifePattern {
  const leaves = (today - AWAY_BEFORE + WEEK) % WEEK;
  const usual = [0, 1, 2, 3, 4, 5, 6].filter((day) => day !== leaves && day !== (leaves + 1) % WEEK);
  return {
    help: "a short drive in the morning and in the evening, and two days away each week",
    outings: [
      { days: usual, chance: 1, legs: [drive(8.2, 20), drive(17.4, 40)] },
      { days: [leaves], chance: 1, legs: [drive(9, 20), drive(11.5, 10)] },
      {
        days: [leaves],
        chance: 1,
        legs: [drive(11.9, 5), drive(15, 30), drive(20, 30), drive(34, 30), drive(41.5, 30)],
      },
    ],
    home: { awake: [25, 50], every: 40 },
    away: { awake: [500, 560], every: 110 },
  };
}

function drive(hour: number, spread: number): Leg {
  return { hour, spread, minutes: [4, 8] };
}
