import { hasNoAge, secondsOfMoment } from "../recordings/moment_number.ts";
import {
  type CardRecord,
  type DrivenClip,
  isDriven,
  latestDriven,
  type RunRate,
  type SeenVideo,
} from "./card_record.ts";

/** Signs of a dying card, in the order in which they are shown. */
export const CARD_SIGNS = [
  "empty_files",
  "read_errors",
  "holes",
  "short_clips",
  "falling_rate",
  "clock_resets",
] as const;
export type CardSign = (typeof CARD_SIGNS)[number];

/** Nothing is claimed from fewer recordings. */
export const FEWEST_RECORDINGS = 200;

/** Windows of the signs: the last so many clips, drives and runs that there is something to judge by. */
export const CLIP_WINDOW = 240;
export const DRIVE_WINDOW = 20;
export const RUN_WINDOW = 10;
/** The rate is compared with that of the first days that are remembered. */
export const FIRST_DAYS = 14;

/**
 * Thresholds. A sign is there from this share of its window on, and from so many cases on: a single bad night is none.
 * Cards that are well stay below a quarter of each share.
 */
export const SIGN_LIMITS = {
  /** An empty video, of the clips that were fetched. */
  empty_files: { share: 0.05, cases: 5 },
  /** A video that the camera could not read, of the clips that were fetched. */
  read_errors: { share: 0.05, cases: 5 },
  /** A minute without a recording, of the minutes driven. */
  holes: { share: 0.1, cases: 5 },
  /** A clip that broke off though the drive went on, of the driven clips. */
  short_clips: { share: 0.1, cases: 5 },
  /** The part that is left of the rate of the first days. */
  falling_rate: { share: 0.5, cases: RUN_WINDOW },
  /** A drive whose clips begin with the camera's first day, of all drives. */
  clock_resets: { share: 0.2, cases: 2 },
} as const satisfies Readonly<Record<CardSign, { readonly share: number; readonly cases: number }>>;

/** Figures behind one sign. */
export interface SignFigures {
  readonly sign: CardSign;
  readonly isReached: boolean;
  /** Epoch milliseconds of the first case in the window; null unless the sign is reached. */
  readonly since: number | null;
  /** Cases: clips, minutes or drives. For the rate, bytes per second in the last runs. */
  readonly cases: number;
  /**
   * Number that the cases are of. For the rate, bytes per second in the first days; 0 while there is nothing to judge
   * by.
   */
  readonly of: number;
}

export interface CardHealth {
  /** Number of recordings that it is judged by. */
  readonly recordings: number;
  /** Epoch milliseconds of the first of them; null when there is none. */
  readonly since: number | null;
  /** False: too few recordings to claim anything. */
  readonly isKnown: boolean;
  readonly signs: readonly SignFigures[];
  /** The rate over time, by medians. */
  readonly curve: readonly RunRate[];
}

/** Length of a clip in seconds; null while it is not known. */
export type LengthOf = (moment: number) => number | null;

/** A step between two clips that is this much longer than usual has a hole in it. */
const HOLE_STEPS = 1.5;
/** The longest gap within a drive, in seconds; a longer one is a stop. */
const LONGEST_GAP = 15 * 60;
/** Minutes of the camera's clock keep their second: as far as this is a hole and not a stop, in seconds. */
const ALIGNED_SECONDS = 2;
/** A clip of this part of the usual length was recorded to its end. */
const WHOLE_CLIP = 0.85;
const SHORT_CLIP = 0.75;
/** Drives in the time of an unset clock are this far apart, in seconds. */
const UNSET_GAP = 30 * 60;
const DAY_MS = 86_400_000;
/** Thirteen weeks, and a point for each. */
const CURVE_DAYS = 91;
const CURVE_POINTS = 13;

/** Judges a card by all that is remembered of it. */
export function cardHealth(record: CardRecord, lengthOf: LengthOf): CardHealth {
  const { videos } = record;
  const isKnown = videos.length >= FEWEST_RECORDINGS;
  const signs = isKnown ? signsOf(record, lengthOf) : CARD_SIGNS.map((sign) => figures(sign, [], 0));
  return {
    recordings: videos.length,
    since: videos[0]?.seenAt ?? null,
    isKnown,
    signs,
    curve: isKnown ? curveOf(record.rates) : [],
  };
}

/** The signs that are reached. */
export function reachedSigns({ signs }: Pick<CardHealth, "signs">): SignFigures[] {
  return signs.filter(({ isReached }) => isReached);
}

function signsOf(record: CardRecord, lengthOf: LengthOf): SignFigures[] {
  const fetched = lastFetched(record.videos);
  const answers = fetched.length;
  const isError = ({ answer, errors }: SeenVideo) => answer === "error" || errors > 0;
  const driven = latestDriven(record.videos, CLIP_WINDOW);
  const pace = paceOf(driven, lengthOf);
  return [
    figures("empty_files", fetched.filter(({ answer }) => answer === "empty").map(seenAt), answers),
    figures("read_errors", fetched.filter(isError).map(seenAt), answers),
    holes(driven, pace, lengthOf),
    shortClips(driven, pace, lengthOf),
    fallingRate(record),
    clockResets(record.videos),
  ];
}

/** @param cases the time of each */
function figures(sign: CardSign, cases: readonly number[], of: number): SignFigures {
  const limit = SIGN_LIMITS[sign];
  const isReached = cases.length >= limit.cases && cases.length >= limit.share * of;
  return { sign, isReached, since: isReached ? Math.min(...cases) : null, cases: cases.length, of };
}

function seenAt(video: { readonly seenAt: number }): number {
  return video.seenAt;
}

/** The videos of the last clips that were asked for. */
function lastFetched(videos: readonly SeenVideo[]): SeenVideo[] {
  const clips = new Set<number>();
  const found: SeenVideo[] = [];
  for (let at = videos.length - 1; at >= 0; at--) {
    const video = videos[at];
    if (video === undefined || video.answer === null) continue;
    if (!clips.has(video.moment) && clips.size === CLIP_WINDOW) break;
    clips.add(video.moment);
    found.push(video);
  }
  return found.reverse();
}

/** Usual times of the clips of a drive, in seconds. */
interface Pace {
  /** From the beginning of one to that of the next. */
  readonly step: number;
  /** Length of one that was recorded to its end; null while no length is known. */
  readonly length: number | null;
}

/** Returns null where no two clips follow one another. */
function paceOf(driven: readonly DrivenClip[], lengthOf: LengthOf): Pace | null {
  const steps = pairsOf(driven).map(({ step }) => step);
  if (steps.length === 0) return null;
  const lengths = driven.flatMap(({ moment }) => lengthOf(moment) ?? []);
  return { step: quantile(steps, 0.5), length: lengths.length === 0 ? null : quantile(lengths, 0.75) };
}

/** Clips that follow one another within a drive, with the seconds between their beginnings. */
function pairsOf(driven: readonly DrivenClip[]): { readonly clip: DrivenClip; readonly step: number }[] {
  return driven.flatMap((clip, at) => {
    const next = driven[at + 1];
    const step = next === undefined ? 0 : next.from - clip.from;
    return step > 0 && step <= LONGEST_GAP ? [{ clip, step }] : [];
  });
}

/**
 * Minutes without a recording while the car was driven. A drive that ends has a last clip that is shorter than usual,
 * and the next drive begins at any second: a stop for a few minutes is so told from a hole.
 */
function holes(driven: readonly DrivenClip[], pace: Pace | null, lengthOf: LengthOf): SignFigures {
  const cases: number[] = [];
  let seconds = 0;
  for (const { clip, step } of pace === null ? [] : pairsOf(driven)) {
    if (pace === null || clip.isOld) continue;
    const own = lengthOf(clip.moment);
    const length = own ?? pace.step;
    const isWhole = own !== null && pace.length !== null && own >= WHOLE_CLIP * pace.length;
    const isHole = step > HOLE_STEPS * pace.step && (isWhole || isAligned(step, pace.step));
    // A stop is no time in which anything should have been recorded.
    seconds += isHole ? step : Math.min(step, Math.max(length, pace.step));
    if (!isHole) continue;
    const missing = Math.max(1, Math.round((step - pace.step) / 60));
    for (let minute = 0; minute < missing; minute++) cases.push(clip.seenAt);
  }
  return figures("holes", cases, Math.round(seconds / 60));
}

function isAligned(step: number, usual: number): boolean {
  const off = step % usual;
  return Math.min(off, usual - off) <= ALIGNED_SECONDS;
}

/** Clips that broke off while the drive went on: the next one begins only when this one should have ended. */
function shortClips(driven: readonly DrivenClip[], pace: Pace | null, lengthOf: LengthOf): SignFigures {
  const cases: number[] = [];
  let clips = 0;
  for (const { clip, step } of pace === null ? [] : pairsOf(driven)) {
    const length = lengthOf(clip.moment);
    if (pace === null || pace.length === null || length === null || step > HOLE_STEPS * pace.step) continue;
    clips++;
    const isShort = length < SHORT_CLIP * pace.length && step - length > (1 - SHORT_CLIP) * pace.step;
    if (isShort) cases.push(clip.seenAt);
  }
  return figures("short_clips", cases, clips);
}

/** The median of the last runs against that of the first days, which must have been before. */
function fallingRate({ rates }: CardRecord): SignFigures {
  const first = rates[0];
  const recent = rates.slice(-RUN_WINDOW);
  const nothing: SignFigures = { sign: "falling_rate", isReached: false, since: null, cases: 0, of: 0 };
  const begin = recent[0];
  if (first === undefined || begin === undefined) return nothing;
  const end = first.at + FIRST_DAYS * DAY_MS;
  const early = rates.filter(({ at }) => at < end);
  const cases = quantile(recent.map(rateOf), 0.5);
  const { share, cases: fewest } = SIGN_LIMITS.falling_rate;
  // Two spans that share runs must not be compared.
  if (early.length < fewest / 2 || recent.length < fewest || begin.at < end) return { ...nothing, cases };
  const of = quantile(early.map(rateOf), 0.5);
  const isReached = cases < share * of;
  return { sign: "falling_rate", isReached, since: isReached ? fellAt(rates, share * of) : null, cases, of };
}

/** The time from which on the median of so many runs was always below a rate. */
function fellAt(rates: CardRecord["rates"], below: number): number {
  let since = rates.length;
  for (let end = rates.length; end >= RUN_WINDOW; end--) {
    if (quantile(rates.slice(end - RUN_WINDOW, end).map(rateOf), 0.5) >= below) break;
    since = end;
  }
  return rates[since - 1]?.at ?? 0;
}

/** The medians of the rates in equal parts of the last time; parts without a run have none. */
function curveOf(rates: CardRecord["rates"]): RunRate[] {
  const end = rates.at(-1)?.at ?? 0;
  const shown = rates.filter(({ at }) => at >= end - CURVE_DAYS * DAY_MS);
  const begin = shown[0]?.at ?? 0;
  const slotOf = ({ at }: RunRate) =>
    Math.min(CURVE_POINTS - 1, Math.floor((CURVE_POINTS * (at - begin)) / (end - begin)));
  if (end === begin) return shown.slice(-1);
  return [...Map.groupBy(shown, slotOf).values()].map((slot) => ({
    at: slot.at(-1)?.at ?? 0,
    rate: quantile(slot.map(rateOf), 0.5),
  }));
}

function rateOf({ rate }: { readonly rate: number }): number {
  return rate;
}

/** Drives that begin in the time of a clock that was not set, among the last ones. */
function clockResets(videos: readonly SeenVideo[]): SignFigures {
  const drives: { readonly isReset: boolean; readonly at: number }[] = [];
  let last: SeenVideo | null = null;
  for (const video of videos) {
    if (!isDriven(video.moment)) continue;
    if (last === null || isOtherDrive(last, video)) drives.push({ isReset: hasNoAge(video.moment), at: video.seenAt });
    last = video;
  }
  const recent = drives.slice(-DRIVE_WINDOW);
  const resets = recent.filter(({ isReset }) => isReset);
  return figures(
    "clock_resets",
    resets.map(({ at }) => at),
    recent.length,
  );
}

function isOtherDrive(before: SeenVideo, video: SeenVideo): boolean {
  const isUnset = hasNoAge(video.moment);
  if (isUnset !== hasNoAge(before.moment)) return true;
  const step = secondsOfMoment(video.moment) - secondsOfMoment(before.moment);
  return step < 0 || step > (isUnset ? UNSET_GAP : LONGEST_GAP);
}

/** The value below which this part of them lies. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
