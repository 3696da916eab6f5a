import type { Pass } from "../../server/domain/places/places_schema.ts";
import { dateOf } from "../../server/domain/recordings/recording_name.ts";
import { capitalized } from "../../server/domain/text/format.ts";

/** Passes of one day of the camera's calendar. */
export interface PassDay {
  readonly date: string;
  readonly passes: readonly Pass[];
}

/** Passes by day, in the order in which they came. */
export function passDays(passes: readonly Pass[]): PassDay[] {
  const days: { date: string; passes: Pass[] }[] = [];
  for (const pass of passes) {
    const date = dateOf(pass.key);
    const last = days.at(-1);
    if (last?.date === date) last.passes.push(pass);
    else days.push({ date, passes: [pass] });
  }
  return days;
}

const WINDS: readonly string[] = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split(" ");
const WIND_NAMES: readonly string[] = [
  ...["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"],
];

/** `WSW`, of 16 winds. */
export function windOf(heading: number): string {
  return WINDS[Math.round(heading / 22.5) % WINDS.length] ?? "N";
}

/** The one of eight winds, from 0 for north. */
function mainWindOf(heading: number): number {
  return Math.round(heading / 45) % WIND_NAMES.length;
}

/** `north-east`, of eight winds. */
export function windInWords(heading: number): string {
  return WIND_NAMES[mainWindOf(heading)] ?? "north";
}

/** Passes that lead the same way. */
export interface PassWay {
  /** From 0 for north to 7, or null for those that stood. */
  readonly wind: number | null;
  readonly count: number;
}

/** The ways that passes lead, the most frequent first, and those that stood at the end. */
export function passWays(passes: readonly Pick<Pass, "heading">[]): PassWay[] {
  const counts = new Map<number | null, number>();
  for (const pass of passes) counts.set(wayOf(pass), (counts.get(wayOf(pass)) ?? 0) + 1);
  const ways = [...counts].map(([wind, count]) => ({ wind, count }));
  return ways.sort((one, other) => {
    if (one.wind === null || other.wind === null) return one.wind === null ? 1 : -1;
    return other.count - one.count || one.wind - other.wind;
  });
}

/** The way of one pass, as `passWays` has it. */
export function wayOf({ heading }: Pick<Pass, "heading">): number | null {
  return heading === null ? null : mainWindOf(heading);
}

/** `North-east`, `Standing`. */
export function wayInWords(wind: number | null): string {
  return wind === null ? "Standing" : capitalized(WIND_NAMES[wind] ?? "north");
}
