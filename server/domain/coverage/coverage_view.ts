import type { StatusLevel } from "../answers/status_level.ts";
import { cameraDay } from "../recordings/camera_clock.ts";
import { daySpan } from "../text/day_span.ts";
import { capitalized, counted, formatCount, formatSeconds } from "../text/format.ts";
import { dateOf, shortDateOf, wallOf, type ZoneTime } from "../text/zone_time.ts";
import type { Coverage, CoverageCounts, CoverageOfDay } from "./coverage_schema.ts";
import { type HeatMap, heatMapOf } from "./heat_map.ts";
import type { LossCause } from "./recording_state.ts";

/** Days of the page, from the first to the last, `YYYY-MM-DD`. */
export interface CoveragePeriod {
  readonly from: string;
  readonly to: string;
  /** Today, as the camera counts days. */
  readonly today: string;
}

/** All that the sentence depends on. */
export interface CoverageFacts {
  readonly coverage: Pick<Coverage, "since" | "days" | "totals" | "nothing_lost_since">;
  readonly period: CoveragePeriod;
  /** A question about the card is open. */
  readonly isAsked: boolean;
  readonly hasAddress: boolean;
  /** Trouble with the ledger, as a sentence; null for none. */
  readonly trouble: string | null;
  readonly zone: ZoneTime;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A figure with its unit, and its name. */
export interface CoverageReading {
  readonly name: string;
  readonly figure: string;
  readonly unit: string;
}

export interface LostDay {
  readonly date: string;
  /** `Tue 10 Nov` */
  readonly name: string;
  readonly why: string;
  readonly recorded: string;
  readonly home: string;
  readonly lost: string;
}

/** The page but for the day that is opened, in words and figures. */
export interface CoverageView {
  readonly level: StatusLevel;
  readonly sentence: string;
  readonly says: string;
  /** `24 Aug to 21 Nov 2026, AEDT · updated 07:51` */
  readonly span: string;
  /** `13 weeks` */
  readonly length: string;
  readonly readings: readonly CoverageReading[];
  /** Null while nothing is known. */
  readonly map: HeatMap | null;
  /** Newest first. */
  readonly lostDays: readonly LostDay[];
  /** Days with something lost that are not among these. */
  readonly moreLostDays: number;
}

const NBSP = "\u00a0";
const DAY_MS = 86_400_000;
const MOST_LOST_DAYS = 20;
/** From so many minutes on they are told in hours. */
const MOST_MINUTES = 120;

export function coverageView(facts: CoverageFacts): CoverageView {
  const { coverage, period, zone, now } = facts;
  const { days, since } = coverage;
  const lost = days.filter((day) => day.lost > 0).toReversed();
  const { format } = zone;
  const year = wallOf(Date.parse(period.today)).year;
  return {
    ...headline(facts),
    span: spanOf(period, zone, now),
    length: lengthInWords(period),
    readings: since === null ? [] : readingsOf(facts),
    map: since === null ? null : heatMapOf({ ...period, since, days, format }),
    lostDays: lost.slice(0, MOST_LOST_DAYS).map((day) => lostDayOf(day, cameraDay(day.date, year, format))),
    moreLostDays: Math.max(0, lost.length - MOST_LOST_DAYS),
  };
}

/** The page while the ledger cannot be used. @param why as a sentence */
export function unusableView(why: string, { period, zone, now }: Pick<CoverageFacts, "period" | "zone" | "now">) {
  return {
    level: "failed",
    sentence: "What became of the recordings is not known now.",
    says: why,
    span: spanOf(period, zone, now),
    length: lengthInWords(period),
    readings: [],
    map: null,
    lostDays: [],
    moreLostDays: 0,
  } satisfies CoverageView;
}

type Headline = Pick<CoverageView, "level" | "sentence" | "says">;

/** Says in a sentence or two whether something was lost, and what that is based on. */
export function headline(facts: CoverageFacts): Headline {
  const found = lossHeadline(facts);
  if (facts.trouble === null) return found;
  const level = found.level === "fine" ? "attention" : found.level;
  return { ...found, level, says: `${found.says} ${facts.trouble}`.trim() };
}

function lossHeadline(facts: CoverageFacts): Headline {
  const { coverage, isAsked, hasAddress } = facts;
  const { since, totals } = coverage;
  if (since === null) return hasAddress ? NOTHING_KNOWN : NO_CAMERA;
  const when = whenInWords(facts);
  const asked = "Until you answer the question about the card, what it had is not counted.";
  if (totals.lost > 0) {
    return {
      level: "attention",
      sentence: `${lostInWords(totals)} ${when}. ${isAsked ? "More may be: that depends on your answer." : restInWords(totals)}`,
      says: [daysInWords(coverage.days), isAsked ? asked : "", sinceInWords(facts)].filter(Boolean).join(" "),
    };
  }
  if (isAsked) return { level: "attention", sentence: "Is something lost? That depends on your answer.", says: asked };
  if (totals.recorded === 0)
    return {
      level: "waiting",
      sentence: `No recordings ${when}.`,
      says: sinceInWords(facts),
    };
  const trouble = troubleInWords(totals);
  return {
    level: trouble === "" ? "fine" : "attention",
    sentence: `Nothing was lost ${when}.${trouble === "" ? "" : ` ${trouble}`}`,
    says: [broughtInWords(totals), sinceInWords(facts)].filter(Boolean).join(" "),
  };
}

const NO_CAMERA = {
  level: "waiting",
  sentence: "No camera is set up yet.",
  says: "Set the camera’s address first. Dashdock then keeps track of every recording from the first sync on.",
} as const;
const NOTHING_KNOWN = {
  level: "waiting",
  sentence: "Nothing is known yet.",
  says: "Dashdock keeps track from the camera’s first list of recordings on.",
} as const;

/** Short causes, for a table and a file. */
export const LOSS_WORDS: Readonly<Record<LossCause, string>> = {
  failing: "The camera did not deliver",
  disk: "The disk was full",
  paused: "Syncing was paused",
  rate: "Wi-Fi too slow",
  short_visit: "At home too briefly",
  away: "Not at home in between",
  unknown: "Not known",
};

/** `46 minutes were lost`; of parked moments that take no minutes `3 recordings were lost`. */
function lostInWords({ lost, lost_minutes }: CoverageCounts): string {
  const minutes = Math.round(lost_minutes);
  if (minutes < 1) return `${counted(lost, "recording")} ${lost === 1 ? "was" : "were"} lost`;
  const length = minutes < MOST_MINUTES ? counted(minutes, "minute") : lengthOf(minutes);
  return `${length} ${minutes === 1 ? "was" : "were"} lost`;
}

/** Says what became of everything else. */
function restInWords(totals: CoverageCounts): string {
  const trouble = troubleInWords(totals);
  if (trouble !== "") return trouble;
  // Some deleted recordings may never have been at home: a card that was formatted took it along.
  if (totals.deleted > 0 || totals.home === 0) return "Nothing else was lost.";
  return totals.coming > 0 ? "All else came home, or is still to come." : "All else came home.";
}

function troubleInWords({ damaged, unknown }: CoverageCounts): string {
  if (damaged > 0) return `${counted(damaged, "recording")} ${damaged === 1 ? "is" : "are"} damaged.`;
  return unknown > 0 ? `${counted(unknown, "recording")} cannot be checked now.` : "";
}

/** Says what came home of a time in which nothing was lost. */
function broughtInWords(totals: CoverageCounts): string {
  const { coming, deleted, left_out: leftOut } = totals;
  const came = totals.home + totals.damaged;
  const parts = [
    came > 0 ? `${counted(came, "recording")} came home` : "",
    coming > 0 ? `${formatCount(coming)} ${coming === 1 ? "is" : "are"} still to come` : "",
    deleted > 0 ? `${formatCount(deleted)} ${deleted === 1 ? "was" : "were"} deleted` : "",
    leftOut > 0 ? `${formatCount(leftOut)} ${leftOut === 1 ? "was" : "were"} left out by your rules` : "",
  ].filter(Boolean);
  if (parts.length === 0) return "";
  const whole = came > 0 && parts.length === 1 ? `All ${parts[0]}` : parts.join(", ");
  return `${capitalized(whole)}.`;
}

/** `On 2 of 72 driving days the camera recorded over something before it could be fetched.` */
function daysInWords(days: readonly CoverageOfDay[]): string {
  const lost = days.filter((day) => day.lost > 0);
  const driven = days.filter((day) => day.driven_minutes > 0);
  const isDriven = lost.every((day) => day.driven_minutes > 0);
  const on = isDriven
    ? `${formatCount(lost.length)} of ${counted(driven.length, "driving day")}`
    : counted(lost.length, "day");
  return `On ${on} the camera recorded over something before it could be fetched.`;
}

/** Says that nothing is claimed of the days before the ledger began, where some of them are in the period. */
function sinceInWords({ coverage: { since }, period, zone: { format } }: CoverageFacts): string {
  if (since === null || since <= period.from) return "";
  const day = dateOf(wallOf(Date.parse(since)), format);
  const began = since === period.today ? "began to keep track today" : `has kept track since ${day}`;
  return `Dashdock ${began}. It claims nothing about the time before.`;
}

/** `in 13 weeks`, `since 3 Nov`, of an earlier time `from 24 May to 22 Aug` */
function whenInWords({ coverage: { since }, period, zone: { format } }: CoverageFacts): string {
  const { to, today } = period;
  const from = later(period.from, since ?? period.from);
  if (to < today) return `from ${shortDay(from)} to ${shortDay(to)}`;
  if (from === today) return "today";
  return from > period.from ? `since ${shortDay(from)}` : `in ${lengthInWords(period)}`;

  function shortDay(date: string): string {
    const wall = wallOf(Date.parse(date));
    return wall.year === wallOf(Date.parse(today)).year ? shortDateOf(wall, format) : dateOf(wall, format);
  }
}

/** `13 weeks`, `10 days` */
function lengthInWords({ from, to }: CoveragePeriod): string {
  const days = daysFrom(from, to) + 1;
  if (days < 14) return counted(days, "day");
  // Weeks begin on a Monday, and the last one may not be over.
  const isWhole = wallOf(Date.parse(from)).weekday === 1;
  return counted(isWhole ? Math.ceil(days / 7) : Math.round(days / 7), "week");
}

function spanOf(period: CoveragePeriod, zone: ZoneTime, now: number): string {
  return `${spanInWords(period, zone)}, ${zone.name(now)} · updated ${zone.clock(now)}`;
}

/** Always with its year: the page is kept and printed. */
function spanInWords({ from, to }: CoveragePeriod, { format }: ZoneTime): string {
  const words = daySpan(from, to, Date.parse(to), format);
  const { year } = wallOf(Date.parse(to));
  return wallOf(Date.parse(from)).year === year ? `${words} ${year}` : words;
}

function readingsOf({ coverage, period, isAsked }: CoverageFacts): CoverageReading[] {
  const { totals, days, nothing_lost_since: since } = coverage;
  const came = arrived(totals);
  const lostDays = days.filter((day) => day.lost > 0).length;
  const without = since === null ? 0 : Math.max(0, daysFrom(since, period.today) + 1);
  const [driven = "", unit = ""] = figureOf(lengthOf(totals.driven_minutes));
  const share = totals.unknown > 0 || isAsked ? NOT_KNOWN : shareOf(came, came + totals.lost);
  return [
    { name: "Driven", figure: driven, unit },
    { name: "Came home", ...share },
    { name: "Lost", ...(isAsked && totals.lost === 0 ? NOT_KNOWN : lostFigure(totals, lostDays)) },
    { name: "Unreadable on the card", ...countOf(totals.unreadable) },
    { name: "Left out by your rules", ...countOf(totals.left_out) },
    {
      name: "Nothing lost for",
      ...(isAsked ? NOT_KNOWN : { figure: formatCount(without), unit: without === 1 ? "day" : "days" }),
    },
  ];
}

/** `46` and `min, 2 days` */
function lostFigure({ lost, lost_minutes: minutes }: CoverageCounts, days: number): Figure {
  if (lost === 0) return { figure: "None", unit: "" };
  const [figure = "", unit = ""] =
    Math.round(minutes) < 1
      ? [formatCount(lost), lost === 1 ? "recording" : "recordings"]
      : figureOf(lengthOf(minutes));
  return { figure, unit: `${unit}, ${counted(days, "day")}` };
}

type Figure = Pick<CoverageReading, "figure" | "unit">;
const NOT_KNOWN = { figure: "", unit: "not known" } as const;

/** Percent with a decimal, rounded down: one lost of ten thousand is not none. */
function shareOf(part: number, whole: number): Figure {
  if (whole === 0) return { figure: "–", unit: "" };
  return { figure: String(Math.floor((part / whole) * 1000) / 10), unit: "%" };
}

function countOf(count: number): Figure {
  if (count === 0) return { figure: "None", unit: "" };
  return { figure: formatCount(count), unit: count === 1 ? "recording" : "recordings" };
}

/** Recordings that are not lost: those that are here, and those that were deleted. */
function arrived({ home, deleted, damaged }: CoverageCounts): number {
  return home + deleted + damaged;
}

/** `23 min`, `2 recordings`, `None` */
export function lossInShort({ lost, lost_minutes: minutes }: Pick<CoverageCounts, "lost" | "lost_minutes">): string {
  if (lost === 0) return "None";
  return Math.round(minutes) < 1 ? counted(lost, "recording") : lengthOf(minutes);
}

function lostDayOf(day: CoverageOfDay, name: string): LostDay {
  const { date, cause, recorded, home } = day;
  return {
    date,
    name,
    why: LOSS_WORDS[cause ?? "unknown"],
    recorded: formatCount(recorded),
    home: formatCount(home),
    lost: lossInShort(day),
  };
}

/** Hours, however many: `46 min`, `89 h 38 min`. */
function lengthOf(minutes: number): string {
  const whole = Math.round(minutes);
  if (whole < 24 * 60) return formatSeconds(whole * 60).replace(/^0\u00a0s$/, `0${NBSP}min`);
  return `${formatCount(Math.floor(whole / 60))}${NBSP}h ${whole % 60}${NBSP}min`;
}

/** The first number of a length, and the rest of it. */
function figureOf(length: string): [figure: string, unit: string] {
  const at = length.indexOf(NBSP);
  return [length.slice(0, at), length.slice(at + 1)];
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

/** Whole days from one to another. */
export function daysFrom(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}
