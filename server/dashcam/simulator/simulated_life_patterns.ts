/** Ways in which a simulated car is used. */
export const LIFE_NAMES = ["weekday", "weekend", "nights", "taxi"] as const;
export type LifeName = (typeof LIFE_NAMES)[number];

/** The least and the most of something. */
export type Range = readonly [least: number, most: number];

/** One drive of an outing. The car is at home again after the last of them. */
export interface Leg {
  /** Hours after midnight of the day on which the outing begins, 24 and more for the days that follow. */
  readonly hour: number;
  /** Minutes by which it begins earlier or later. */
  readonly spread: number;
  readonly minutes: Range;
}

export interface Outing {
  /** Days of the week on which it begins; 0 is Sunday. */
  readonly days: readonly number[];
  /** Part of these days on which it does. */
  readonly chance: number;
  readonly legs: readonly Leg[];
}

/** Behaviour of the camera in a car that stands. */
export interface Parking {
  /** Minutes after a drive for which the camera stays on: it is switched off before it empties the car's battery. */
  readonly awake: Range;
  /** Mean minutes from one parking recording to the next. */
  readonly every: number;
}

export interface LifePattern {
  /** The car's week in a few words. */
  readonly help: string;
  readonly outings: readonly Outing[];
  readonly home: Parking;
  readonly away: Parking;
}

/** Most days that an outing goes on after the one on which it begins. */
export const LONGEST_OUTING = 2;

const WORKDAYS = [1, 2, 3, 4, 5];

export const LIFE_PATTERNS: Readonly<Record<LifeName, LifePattern>> = {
  weekday: {
    help: "to work and back from Monday to Friday, errands, a trip on some Sundays",
    outings: [
      { days: WORKDAYS, chance: 0.95, legs: [leg(7.5, 15, [25, 45]), leg(17.2, 35, [25, 55])] },
      { days: WORKDAYS, chance: 0.3, legs: [leg(19.8, 15, [8, 15]), leg(21, 20, [8, 15])] },
      { days: [6], chance: 0.9, legs: [leg(10.5, 40, [10, 25]), leg(12.5, 20, [10, 25])] },
      { days: [0], chance: 0.5, legs: [leg(10, 45, [50, 90]), leg(16.5, 60, [50, 100])] },
    ],
    home: { awake: [40, 110], every: 30 },
    away: { awake: [420, 600], every: 18 },
  },
  weekend: {
    help: "stands all week, is away from Friday to Sunday",
    outings: [
      {
        days: [5],
        chance: 0.85,
        legs: [leg(16.5, 45, [110, 160]), leg(34.5, 40, [30, 60]), leg(39.5, 60, [40, 70]), leg(63.5, 60, [110, 170])],
      },
      { days: [3], chance: 0.4, legs: [leg(18, 30, [10, 20]), leg(19.2, 15, [10, 20])] },
    ],
    home: { awake: [60, 240], every: 40 },
    away: { awake: [240, 480], every: 25 },
  },
  nights: {
    help: "to the night shift and back, parked at home all day with the camera on",
    outings: [
      { days: [0, 1, 2, 3, 4], chance: 0.93, legs: [leg(21.3, 12, [20, 35]), leg(30.2, 15, [20, 40])] },
      { days: [6], chance: 0.6, legs: [leg(14, 40, [15, 30]), leg(16, 30, [15, 30])] },
    ],
    home: { awake: [420, 840], every: 6 },
    away: { awake: [240, 480], every: 15 },
  },
  taxi: {
    help: "two shifts from Monday to Saturday, at home for a short time between them",
    outings: [
      { days: [1, 2, 3, 4, 5, 6], chance: 0.97, legs: shift(5.8, 9) },
      { days: [1, 2, 3, 4, 5, 6], chance: 0.9, legs: shift(14.2, 9) },
    ],
    home: { awake: [40, 110], every: 25 },
    away: { awake: [30, 60], every: 9 },
  },
};

function leg(hour: number, spread: number, minutes: Range): Leg {
  return { hour, spread, minutes };
}

/** So many fares, one about every forty minutes. */
function shift(hour: number, fares: number): Leg[] {
  return Array.from({ length: fares }, (_, index) => leg(hour + index * 0.7, 5, [14, 34]));
}
