import type { SpeedUnit } from "../viewer/distance_text.ts";
import { forceText, speedIn, speedInWords } from "../viewer/distance_text.ts";
import type { MomentKind } from "./moments.ts";
import type { ToldMoment } from "./places_schema.ts";

type Told = Pick<
  ToldMoment,
  "kind" | "strength" | "speed" | "speed_before" | "speed_after" | "place" | "place_inferred"
>;

/** Words for what happened, and a short name of such moments together. */
const NAMES: Readonly<Record<MomentKind, readonly [happened: string, together: string]>> = {
  brake: ["Braked hard", "Braking"],
  turn: ["Turned fast", "Turning"],
  accelerate: ["Sped up fast", "Speed-up"],
  bump: ["Bump in the road", "Bumps"],
  impact: ["Impact", "Impact"],
  parked_bump: ["Knock while parked", "Parked"],
};

/** Drawings of kinds, in a square of 24. */
export const MOMENT_DRAWINGS: Readonly<Record<MomentKind, string>> = {
  brake: "M3.5 12h11M10.5 7.5L15 12l-4.5 4.5M19.5 5v14",
  accelerate: "M5 6l6 6-6 6M12.5 6l6 6-6 6",
  turn: "M6 20v-5.5A5.5 5.5 0 0 1 11.5 9H19M14.5 4.5L19 9l-4.5 4.5",
  bump: "M2.5 16.5H6c2.75 0 3-8.5 6-8.5s3.25 8.5 6 8.5h3.5",
  impact:
    "M12 2.5v5M12 16.5v5M2.5 12h5M16.5 12h5M5.3 5.3l3.4 3.4M15.3 15.3l3.4 3.4M18.7 5.3l-3.4 3.4M8.7 15.3l-3.4 3.4",
  parked_bump:
    "M2.5 7.5h14v14h-14zM7.5 18.2v-7.4h2.3a2.25 2.25 0 0 1 0 4.5H7.5M17.5 2.5v2.75M21.5 4.5l-2 2M21.5 8.5h-2.25",
};

/** `Braked hard` */
export function momentInWords(kind: MomentKind): string {
  return NAMES[kind][0];
}

/** `Braking`, beside a number. */
export function momentsInWords(kind: MomentKind): string {
  return NAMES[kind][1];
}

/** `58 to 0 km/h` where the speed changed, else `38 km/h`; empty when it is not known. */
export function momentSpeeds({ kind, speed, speed_before: before, speed_after: after }: Told, unit: SpeedUnit): string {
  if (kind === "parked_bump") return "";
  const changes = kind === "brake" || kind === "accelerate" || kind === "impact";
  if (changes && before !== null && after !== null && roundedIn(before, unit) !== roundedIn(after, unit))
    return `${roundedIn(before, unit)} to ${speedInWords(after, unit)}`;
  const one = speed ?? before ?? after;
  return one === null ? "" : speedInWords(one, unit);
}

function roundedIn(knots: number, unit: SpeedUnit): number {
  return Math.round(speedIn(knots, unit));
}

/** `Weir`; `near Weir` where the place is that of the last fix before. Empty without a name. */
export function momentPlace({ place, place_inferred: isInferred }: Told): string {
  return place === null ? "" : isInferred ? `near ${place}` : place;
}

/** `Braked hard, 0.62 g · 58 to 0 km/h · Weir` */
export function momentHeadline(moment: Told, unit: SpeedUnit): string {
  const what = `${momentInWords(moment.kind)}, ${forceText(moment.strength)}\u00a0g`;
  return [what, momentSpeeds(moment, unit), momentPlace(moment)].filter((part) => part !== "").join(" · ");
}

/** A moment with its time on the clock of its trip. */
export interface TimedMoment {
  readonly time: number;
  readonly moment: ToldMoment;
}

/** So long before it and after it a moment is what one sees. */
const BEFORE_SECONDS = 3;
const AFTER_SECONDS = 4;
/** A place is told to a tenth. */
const SAME_SECONDS = 0.5;
/** Nearer than this behind a moment, a step back leads to the one before: people press twice. */
const STEP_BACK_SECONDS = 2;

/** The moment at a time: of several near it the nearest; null for none. */
export function momentAt(moments: readonly TimedMoment[], time: number): TimedMoment | null {
  const near = moments.filter((one) => time >= one.time - BEFORE_SECONDS && time <= one.time + AFTER_SECONDS);
  return near.reduce<TimedMoment | null>(
    (best, one) => (best === null || Math.abs(one.time - time) < Math.abs(best.time - time) ? one : best),
    null,
  );
}

/** The time after another (1) or before it (-1); undefined when there is none. @param times in order */
export function timeBeside(times: readonly number[], now: number, by: 1 | -1): number | undefined {
  return by > 0
    ? times.find((time) => time > now + SAME_SECONDS)
    : times.findLast((time) => time < now - STEP_BACK_SECONDS);
}

/** True for the same moment in two lists. */
export function isSameMoment(one: ToldMoment | null, other: ToldMoment | null): boolean {
  return (
    one !== null && other !== null && one.key === other.key && one.seconds === other.seconds && one.kind === other.kind
  );
}
