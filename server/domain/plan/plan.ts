import { CARD_PARTS, type CardPart } from "../recordings/card_part.ts";
import { letterOfMoment, secondsOfMoment, TYPE_LETTERS } from "../recordings/moment_number.ts";
import type { CameraPlace } from "../runs/presence.ts";
import type { Priority } from "../settings/sections/sync.ts";
import { type DownloadOrder, orderKey } from "../sync/download_order.ts";
import type { RiskBoundary } from "../sync/smart_order.ts";
import { cardPartOf } from "./card_memory.ts";
import { type OldestOfParts, type Overwritten, placeIn, type Turnover } from "./turnover.ts";
import { LEAST_VISITS, type Span, usualStay, usualVisits } from "./usual_visits.ts";

export const VERDICTS = ["safe", "in_time", "tight", "too_late", "unknown"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Visits that count for the order: with three, one or two may fail before anything is lost. */
const VISITS_AHEAD = 3;

/** Recordings that wait on the camera, as the plan needs them. */
export interface Waiting {
  readonly recordings: number;
  /** Null while nothing is known of their size. */
  readonly bytes: number | null;
}

/** Facts about those that wait; nothing before the first good list. */
export interface MaybeWaiting {
  readonly recordings: number | null;
  readonly bytes: number | null;
}

/** Calls back with each recording that waits, oldest first: its moment, and its bytes. */
export type EachWaiting = (take: (moment: number, bytes: number) => void) => void;

/** Facts that a plan is made of. All times are seconds on the camera's clock. */
export interface PlanFacts {
  readonly now: number;
  readonly camera: CameraPlace;
  readonly waiting: MaybeWaiting;
  readonly eachWaiting: EachWaiting;
  /** Bytes per second that are expected; null while nothing is known of it. */
  readonly rate: number | null;
  /** Seconds that the small files beside all these videos take; 0 when left out. */
  readonly companionSeconds?: number;
  /** Visits that have ended, in any order. */
  readonly visits: readonly Span[];
  /** The visit that goes on; null when there is none. */
  readonly visit: Span | null;
  /** Null while nothing is known of what the card overwrites. */
  readonly turnover: Turnover | null;
  /** The order in which they come; oldest first when left out. */
  readonly priority?: Priority;
  /** Moments that come before all others. */
  readonly asked?: ReadonlySet<number>;
  /** False while the camera is here and has not told what is on it. */
  readonly isListed?: boolean;
}

/** Recordings that are expected to be overwritten before the end of the next visit. */
export interface AtRisk extends Waiting {
  /** Seconds until they are home in the order in which recordings come; null while the rate is not known. */
  readonly seconds: number | null;
}

export interface Plan {
  readonly verdict: Verdict;
  readonly needsSeconds: number | null;
  readonly usualStaySeconds: number | null;
  /** When the first recording that waits is expected to be overwritten; null when none is, or while unknown. */
  readonly overwrittenFrom: number | null;
  /** Visits that are expected to begin before then; null while unknown. */
  readonly visitsBefore: number | null;
  readonly nextVisits: readonly Span[];
  /** Null while unknown what is at risk. */
  readonly atRisk: AtRisk | null;
  /** Recordings that wait and come home too late, at the rate and in the time that is usual; null while unknown. */
  readonly tooLate: Waiting | null;
  /** Visits that are known, of the five that are needed. */
  readonly visitsKnown: number;
}

/** Makes the plan: what waits, against the time in which it can come. */
export function planOf(facts: PlanFacts): Plan {
  const { waiting, visits, turnover } = facts;
  const nextVisits = nextVisitsOf(facts);
  const needsSeconds = secondsOfAll(facts, { recordings: waiting.recordings ?? 0, bytes: waiting.bytes });
  const usualStaySeconds = staySeconds(facts, nextVisits);
  const isKnown = waiting.recordings !== null && turnover !== null && nextVisits.length > 0;
  const index = indexOf(facts.eachWaiting, waiting.recordings ?? 0);
  const overwrittenFrom = turnover?.firstOverwritten(index) ?? null;
  const atRisk = isKnown ? atRiskOf(facts, index, turnover, nextVisits) : null;
  const time = overwrittenFrom === null ? null : timeBefore(facts, nextVisits, usualStaySeconds, overwrittenFrom);
  return {
    verdict: verdictOf({ waiting, isListed: facts.isListed ?? true, isKnown, needsSeconds, overwrittenFrom, time }),
    needsSeconds,
    usualStaySeconds,
    overwrittenFrom: isKnown ? overwrittenFrom : null,
    visitsBefore:
      isKnown && overwrittenFrom !== null ? nextVisits.filter(({ from }) => from < overwrittenFrom).length : null,
    nextVisits,
    atRisk,
    tooLate: isKnown ? lostOf(facts, nextVisits, turnover, index) : null,
    visitsKnown: Math.min(LEAST_VISITS, visits.length),
  };
}

/** Returns the seconds that so many bytes take; null while that is not known. */
export function secondsFor(bytes: number | null, rate: number | null): number | null {
  if (bytes === 0) return 0;
  return bytes === null || rate === null || rate <= 0 ? null : Math.ceil(bytes / rate);
}

/** As `secondsFor`, with the share of the small files that belong to so many recordings. */
function secondsOfAll({ waiting, rate, companionSeconds = 0 }: PlanFacts, some: Waiting): number | null {
  const seconds = secondsFor(some.bytes, rate);
  return seconds && Math.ceil(seconds + (companionSeconds * some.recordings) / Math.max(1, waiting.recordings ?? 0));
}

function verdictOf(facts: {
  readonly waiting: MaybeWaiting;
  readonly isListed: boolean;
  readonly isKnown: boolean;
  readonly needsSeconds: number | null;
  readonly overwrittenFrom: number | null;
  readonly time: number | null;
}): Verdict {
  const { waiting, isListed, isKnown, needsSeconds, overwrittenFrom, time } = facts;
  if (waiting.recordings === 0) return isListed ? "safe" : "unknown";
  if (!isKnown || needsSeconds === null) return "unknown";
  if (overwrittenFrom === null || time === null || needsSeconds <= time / 2) return "in_time";
  return needsSeconds <= time ? "tight" : "too_late";
}

/** The stay of the visit that goes on, else of the next one. */
function staySeconds({ visits, visit, now }: PlanFacts, nextVisits: readonly Span[]): number | null {
  if (visit !== null) return usualStay(visits, visit.from, now - visit.from);
  const [next] = nextVisits;
  return next === undefined ? usualStay(visits, now) : next.to - next.from;
}

function nextVisitsOf({ now, visits, visit }: Pick<PlanFacts, "now" | "visits" | "visit">): Span[] {
  return usualVisits(visits, visit === null ? visits : [...visits, visit], now);
}

/**
 * Returns what is expected to be overwritten before the end of the next visit, or of the one after that which goes on:
 * what does not come now comes then. Null while unknown.
 */
export function riskBoundaryOf(facts: Pick<PlanFacts, "now" | "visits" | "visit" | "turnover">): RiskBoundary | null {
  return facts.turnover && boundaryBy(facts.turnover, nextVisitsOf(facts));
}

/** @param next visits that are expected after that which goes on, oldest first */
export function boundaryBy(turnover: Pick<Turnover, "boundaryAt">, next: readonly Span[]): RiskBoundary | null {
  const [first, ...rest] = next.slice(0, VISITS_AHEAD);
  if (first === undefined) return null;
  const later = rest.at(-1);
  return { ...turnover.boundaryAt(first.to), ...(later && { later: turnover.boundaryAt(later.to) }) };
}

/** Seconds of Wi-Fi that are expected before a time. */
function timeBefore(
  { now, visit }: PlanFacts,
  nextVisits: readonly Span[],
  usual: number | null,
  until: number,
): number {
  const left = visit === null ? 0 : Math.max(0, Math.min((usual ?? 0) - (now - visit.from), until - now));
  return nextVisits.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, until) - from), left);
}

/** Recordings that wait, by part of the card: moments oldest first, and the bytes of all up to each. */
type WaitingIndex = OldestOfParts & Readonly<Record<CardPart, { readonly bytes: Float64Array }>>;

function indexOf(eachWaiting: EachWaiting, recordings: number): WaitingIndex {
  const empty = () => ({ moments: new Float64Array(recordings), bytes: new Float64Array(recordings), size: 0, sum: 0 });
  const parts = { driving: empty(), parking: empty(), events: empty() };
  eachWaiting((moment, bytes) => {
    const part = parts[cardPartOf(moment)];
    part.sum += bytes;
    part.moments[part.size] = moment;
    part.bytes[part.size++] = part.sum;
  });
  const whole = ({ moments, bytes, size }: (typeof parts)[CardPart]) => ({
    moments: moments.subarray(0, size),
    bytes: bytes.subarray(0, size),
  });
  return { driving: whole(parts.driving), parking: whole(parts.parking), events: whole(parts.events) };
}

function waitingAmong(index: WaitingIndex, overwritten: Overwritten): { recordings: number; bytes: number } {
  const found = { recordings: 0, bytes: 0 };
  for (const part of CARD_PARTS) {
    const first = overwritten[part];
    if (first === null) continue;
    const { moments, bytes } = index[part];
    const count = placeIn(moments, first);
    found.recordings += count;
    found.bytes += count === 0 ? 0 : (bytes[count - 1] ?? 0);
  }
  return found;
}

function atRiskOf(facts: PlanFacts, index: WaitingIndex, turnover: Turnover, nextVisits: readonly Span[]): AtRisk {
  const overwritten = turnover.overwrittenBy(nextVisits[0]?.to ?? facts.now);
  const found = waitingAmong(index, overwritten);
  const { priority = "date", asked = new Set() } = facts;
  const areOldest = overwritten.driving === overwritten.parking && overwritten.driving === overwritten.events;
  const areFirst = priority === "smart" || (priority === "date" && areOldest);
  let until: Waiting = found;
  if (found.recordings > 0 && areFirst && asked.size === 0) {
    if (priority === "smart") until = waitingAmong(index, beforeLastAtRisk(overwritten, index, turnover, nextVisits));
  } else if (found.recordings > 0) {
    const isRisky = (moment: number) => moment < (overwritten[cardPartOf(moment)] ?? 0);
    const order: DownloadOrder = { priority, atRiskBefore: boundaryBy(turnover, nextVisits) };
    until = waitingUntil(facts.eachWaiting, isRisky, order, asked);
  }
  return { ...found, seconds: secondsOfAll(facts, until) };
}

/**
 * In the order `smart` events that are at risk later come before drives and parking recordings that are at risk now.
 */
function beforeLastAtRisk(
  overwritten: Overwritten,
  index: WaitingIndex,
  turnover: Turnover,
  nextVisits: readonly Span[],
): Overwritten {
  const others = waitingAmong(index, { ...overwritten, events: null });
  const later = nextVisits.slice(0, VISITS_AHEAD).at(-1);
  if (others.recordings === 0 || later === undefined) return overwritten;
  return { ...overwritten, events: turnover.overwrittenBy(later.to).events };
}

/** Returns what comes until the last of some recordings has come. */
function waitingUntil(
  eachWaiting: EachWaiting,
  isMeant: (moment: number) => boolean,
  order: DownloadOrder,
  asked: ReadonlySet<number>,
): Waiting {
  const placeOf = (moment: number) => {
    if (asked.has(moment)) return Number.NEGATIVE_INFINITY;
    const type = TYPE_LETTERS[letterOfMoment(moment)] ?? "";
    return orderKey(order, { seconds: secondsOfMoment(moment), type, direction: "" });
  };
  let last = Number.NEGATIVE_INFINITY;
  eachWaiting((moment) => {
    if (isMeant(moment)) last = Math.max(last, placeOf(moment));
  });
  const until = { recordings: 0, bytes: 0 };
  eachWaiting((moment, size) => {
    if (placeOf(moment) > last) return;
    until.recordings++;
    until.bytes += size;
  });
  return until;
}

/**
 * Finds what cannot come home in time at the usual rate, even when what is overwritten first comes first: for each
 * visit, what is expected to be overwritten until it ends less what can have come by then.
 */
function lostOf(
  facts: PlanFacts,
  nextVisits: readonly Span[],
  turnover: Turnover,
  index: WaitingIndex,
): Waiting | null {
  const { now, rate, visit } = facts;
  if (rate === null) return null;
  const usual = visit === null ? 0 : (usualStay(facts.visits, visit.from, now - visit.from) ?? 0) - (now - visit.from);
  let canCome = Math.max(0, usual) * rate;
  let lost = { recordings: 0, bytes: 0 };
  for (const { from, to } of nextVisits) {
    // Recordings that are overwritten before a visit begins had to come in those before it.
    const due = waitingAmong(index, turnover.overwrittenBy(from));
    const missing = due.bytes - canCome;
    if (missing > lost.bytes) {
      const mean = due.bytes / Math.max(1, due.recordings);
      lost = { recordings: Math.min(due.recordings, Math.ceil(missing / mean)), bytes: missing };
    }
    canCome += (to - from) * rate;
  }
  return lost;
}
