import { secondsOf, typeOf } from "../recordings/recording_name.ts";
import { type TimeFormat, USUAL_FORMAT } from "../text/time_format.ts";
import { clockOf, clockSpanOf, type Wall, wallOf, type ZoneTime } from "../text/zone_time.ts";
import type { CoveredRecording } from "./coverage_schema.ts";

/** The mark of a recording on the lane of those that came home. */
export type LaneState = "home" | "lost" | "coming" | "damaged" | "left_out" | "deleted" | "unknown";

/** A part of a day in percent of it. */
export interface LaneSpan {
  readonly is: LaneState | "card" | "car";
  readonly x: number;
  readonly width: number;
  /** Shorter than can be seen well at its true size. */
  readonly isShort: boolean;
}

/** One lane of a day: what is drawn, and the same in words. */
export interface Lane {
  readonly name: string;
  readonly words: string;
  readonly spans: readonly LaneSpan[];
}

/** A time in which the camera was at home, in epoch milliseconds; `to` is null while it goes on. */
export interface LaneVisit {
  readonly from: number;
  readonly to: number | null;
}

/** Seconds of a day, from its midnight on. */
interface Stretch<S = unknown> {
  readonly state: S;
  from: number;
  to: number;
}

const DAY_SECONDS = 86_400;
/** Between two recordings that follow each other the camera takes a moment. */
const GAP_SECONDS = 30;
/** A clip of a minute is less than a pixel wide. */
const LEAST_PERCENT = 0.5;
const SHORT_VISIT_SECONDS = 900;
/** Stretches that are told one by one. */
const MOST_TOLD = 6;
/** Those of them that have room in a sentence. */
const MOST_NAMED = 2;
/** Types of recordings while the car was parked: Parking, and Parking impact. */
const PARKED = "PI";

/** States from the one that is drawn before all others of the same moment. */
const WORST_FIRST: readonly LaneState[] = ["lost", "damaged", "unknown", "coming", "left_out", "deleted", "home"];
type LaneRecording = Pick<CoveredRecording, "key" | "state" | "seconds">;

interface Moment {
  readonly from: number;
  readonly to: number;
  readonly state: LaneState;
  readonly isParked: boolean;
}

/** The lanes of a day of the camera. */
export function recordingLanes(
  date: string,
  recordings: readonly LaneRecording[],
  format: TimeFormat = USUAL_FORMAT,
): { readonly card: Lane; readonly home: Lane; readonly states: ReadonlySet<LaneState> } {
  const moments = momentsOf(date, recordings);
  const driven = stretches(
    moments.filter(({ isParked }) => !isParked),
    () => "card" as const,
  );
  const parked = stretches(
    moments.filter(({ isParked }) => isParked),
    () => "card" as const,
  );
  const drawn = stretches(moments, ({ state }) => state);
  return {
    card: {
      name: "On the card",
      words: recordedInWords(driven, parked.length, format),
      spans: [...driven, ...parked].map((stretch) => spanOf(stretch, stretch.state)),
    },
    home: {
      name: "Came home",
      words: broughtInWords(drawn, format),
      // Missing ones are drawn over those that are here.
      spans: drawn
        .toSorted((one, other) => WORST_FIRST.indexOf(other.state) - WORST_FIRST.indexOf(one.state))
        .map((stretch) => spanOf(stretch, stretch.state)),
    },
    states: new Set(moments.map(({ state }) => state)),
  };
}

/** The times of a day in which the camera was at home, by the clock of the service's zone. */
export function visitLane(date: string, visits: readonly LaneVisit[], now: number, zone: ZoneTime): Lane {
  const midnight = Date.parse(date);
  const secondAt = (ms: number) => Math.min(DAY_SECONDS, Math.max(0, (ms + zone.offset(ms) - midnight) / 1000));
  const found = visits
    .map(({ from, to }) => ({ state: to === null, from: secondAt(from), to: secondAt(to ?? now) }))
    .filter(({ from, to }) => to > from)
    .toSorted((one, other) => one.from - other.from);
  const { format } = zone;
  const told = found.slice(0, MOST_TOLD).map((visit) => visitInWords(visit, format));
  const more = found.length - told.length;
  const words = inList(more > 0 ? [...told, moreInWords(more)] : told);
  return {
    name: "Car at home",
    words: words === "" ? "Not seen at home" : words.charAt(0).toUpperCase() + words.slice(1),
    spans: found.map((visit) => ({
      ...spanOf(visit, "car"),
      isShort: visit.to - visit.from < SHORT_VISIT_SECONDS && !visit.state,
    })),
  };
}

/** The times of a day's recordings, the longest first where there are many: `17:40 to 18:03`. */
export function timesInWords(
  date: string,
  recordings: readonly LaneRecording[],
  format: TimeFormat = USUAL_FORMAT,
): string {
  const all = stretches(momentsOf(date, recordings), () => null);
  const told = all
    .toSorted((one, other) => other.to - other.from - (one.to - one.from))
    .slice(0, MOST_NAMED)
    .toSorted((one, other) => one.from - other.from)
    .map((stretch) => clockSpan(stretch, format));
  const more = all.length - told.length;
  return inList(more > 0 ? [...told, moreInWords(more)] : told);
}

/** One for each moment of all directions, by time. */
function momentsOf(date: string, recordings: readonly LaneRecording[]): Moment[] {
  const midnight = Date.parse(date) / 1000;
  const found = new Map<string, Moment>();
  for (const { key, state, seconds } of recordings) {
    const before = found.get(key);
    const drawn = state === "trash" ? "deleted" : state;
    const from = secondsOf(key) - midnight;
    found.set(key, {
      from,
      to: Math.min(DAY_SECONDS, Math.max(before?.to ?? 0, from + Math.max(1, seconds))),
      state: before && rank(before.state) < rank(drawn) ? before.state : drawn,
      isParked: PARKED.includes(typeOf(key)),
    });
  }
  return [...found.values()].toSorted((one, other) => one.from - other.from);
}

function rank(state: LaneState): number {
  return WORST_FIRST.indexOf(state);
}

/** Moments that follow each other and are alike, as one. */
function stretches<S>(moments: readonly Moment[], stateOf: (moment: Moment) => S): Stretch<S>[] {
  const found: Stretch<S>[] = [];
  for (const moment of moments) {
    const state = stateOf(moment);
    const last = found.at(-1);
    if (last && last.state === state && moment.from - last.to <= GAP_SECONDS) last.to = Math.max(last.to, moment.to);
    else found.push({ state, from: moment.from, to: moment.to });
  }
  return found;
}

function spanOf({ from, to }: Pick<Stretch, "from" | "to">, is: LaneSpan["is"]): LaneSpan {
  const width = Math.max(LEAST_PERCENT, percentOf(to - from));
  return { is, x: Math.min(percentOf(from), 100 - width), width, isShort: false };
}

function percentOf(seconds: number): number {
  return Math.round((seconds / DAY_SECONDS) * 10_000) / 100;
}

/** `Recorded 08:02 to 08:51 and 5 times parked` */
function recordedInWords(driven: readonly Stretch[], parked: number, format: TimeFormat): string {
  const told = driven.slice(0, MOST_TOLD).map((stretch) => clockSpan(stretch, format));
  const more = driven.length - told.length;
  const parts = [...told];
  if (more > 0) parts.push(moreInWords(more));
  if (parked > 0) parts.push(`${parked === 1 ? "once" : `${parked} times`} parked`);
  return parts.length === 0 ? "Nothing recorded" : `Recorded ${inList(parts)}`;
}

const MISSING_WORDS: Readonly<Record<Exclude<LaneState, "home">, string>> = {
  lost: "lost",
  damaged: "damaged",
  coming: "still to come",
  left_out: "left out by your rules",
  deleted: "deleted",
  unknown: "not known",
};

/** `All but 17:40 to 18:03 (lost)` */
function broughtInWords(drawn: readonly Stretch<LaneState>[], format: TimeFormat): string {
  if (drawn.length === 0) return "Nothing recorded";
  const missing = drawn.flatMap(({ state, from, to }) => (state === "home" ? [] : [{ state, from, to }]));
  if (missing.length === 0) return "All";
  const told = missing
    .slice(0, MOST_TOLD)
    .map((stretch) => `${clockSpan(stretch, format)} (${MISSING_WORDS[stretch.state]})`);
  const more = missing.length - told.length;
  return `All but ${inList(more > 0 ? [...told, moreInWords(more)] : told)}`;
}

/** `until 07:55`, `18:04 to 18:10`, `since 18:04` */
function visitInWords({ state: goesOn, from, to }: Stretch<boolean>, format: TimeFormat): string {
  const isWhole = from <= 0 && to >= DAY_SECONDS;
  if (isWhole) return "all day";
  if (goesOn && from <= 0) return "since the day before";
  if (goesOn || to >= DAY_SECONDS) return `from ${clockOf(wallAt(from), format)} on`;
  return from <= 0 ? `until ${clockOf(wallAt(to), format)}` : clockSpan({ from, to }, format);
}

/** The end of a recording that ends a second before the minute is over is the next minute. */
function clockSpan({ from, to }: Pick<Stretch, "from" | "to">, format: TimeFormat): string {
  return clockSpanOf(wallAt(from), wallAt(Math.min(to + 1, DAY_SECONDS - 1)), format);
}

function wallAt(seconds: number): Wall {
  return wallOf(Math.floor(seconds) * 1000);
}

function moreInWords(more: number): string {
  return more === 1 ? "once more" : `${more} times more`;
}

/** `a, b and c` */
function inList(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
