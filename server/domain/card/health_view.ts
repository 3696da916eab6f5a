import type { StatusLevel } from "../answers/status_level.ts";
import { counted, formatCount, formatRate } from "../text/format.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import { type CardHealth, type CardSign, FEWEST_RECORDINGS, SIGN_LIMITS, type SignFigures } from "./card_signs.ts";
import { figureInWords, limitInWords, SIGN_NAMES, signInWords } from "./card_text.ts";

export interface SignView {
  readonly sign: CardSign;
  readonly level: StatusLevel;
  readonly name: string;
  readonly says: string;
  readonly figure: string;
  readonly unit: string;
}

/** The rate over time, for a drawing of 1000 by 100. */
export interface RateCurve {
  readonly points: string;
  /** Height of the line below which it is a sign; null where there is nothing to compare with. */
  readonly limit: number | null;
  readonly limitName: string;
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

export interface HealthView {
  readonly level: StatusLevel;
  readonly word: string;
  readonly sentence: string;
  readonly from: string;
  /** Those that are reached first; none while nothing is claimed. */
  readonly signs: readonly SignView[];
  /** Null with fewer than two points. */
  readonly curve: RateCurve | null;
  readonly foot: string;
}

/** Signs of a card that cannot be read are worse than those that may have other causes. */
const GRAVE: readonly CardSign[] = ["empty_files", "read_errors"];
const WORDS = ["No sign", "One sign", "Two signs", "Three signs", "Four signs", "Five signs", "Six signs"];

export function healthView(
  health: CardHealth,
  { now, zone }: { readonly now: number; readonly zone: ZoneTime },
): HealthView {
  const { recordings, since, isKnown, signs } = health;
  const reached = signs.filter(({ isReached }) => isReached);
  const from = `from ${counted(recordings, "recording")}${since === null ? "" : ` since ${zone.day(since, now)}`}`;
  if (!isKnown) {
    const so = recordings === 0 ? "none was seen yet" : `${formatCount(recordings)} so far`;
    return {
      level: "waiting",
      word: "Not known yet",
      sentence: "Nothing is claimed yet.",
      from: `Signs of wear are looked for from ${counted(FEWEST_RECORDINGS, "recording")} on, ${so}.`,
      signs: [],
      curve: null,
      foot: "",
    };
  }
  const isGrave = reached.some(({ sign }) => GRAVE.includes(sign));
  const word = WORDS[reached.length] ?? "";
  return {
    level: isGrave ? "failed" : reached.length > 0 ? "attention" : "fine",
    word: reached.length === 0 ? "Healthy" : word,
    sentence: `${word} of wear`,
    from,
    signs: [...reached, ...signs.filter(({ isReached }) => !isReached)].map((sign) => signView(sign, now, zone)),
    curve: curveOf(health, zone),
    foot: footOf(reached),
  };
}

function signView(figures: SignFigures, now: number, zone: ZoneTime): SignView {
  const { sign, isReached, since, of } = figures;
  const [figure, unit] = figureInWords(figures);
  const unreached = of === 0 ? "waiting" : "fine";
  return {
    sign,
    level: isReached ? (GRAVE.includes(sign) ? "failed" : "attention") : unreached,
    name: SIGN_NAMES[sign],
    says: isReached && since !== null ? `Since ${zone.day(since, now)}. ${limitInWords(sign)}` : signInWords(sign),
    figure,
    unit,
  };
}

function footOf(reached: readonly SignFigures[]): string {
  const signs = reached.map(({ sign }) => sign);
  if (signs.includes("falling_rate") && signs.length === 1) return "A slow rate can also come from the Wi-Fi.";
  if (signs.includes("falling_rate")) return "A slow rate can also come from the Wi-Fi. Read errors cannot.";
  if (signs.includes("clock_resets")) return "A clock that is reset can also come from an empty battery in the camera.";
  return "";
}

const WIDTH = 1000;
const HEIGHT = 100;

function curveOf({ curve, signs }: CardHealth, zone: ZoneTime): RateCurve | null {
  const [first] = curve;
  const last = curve.at(-1);
  if (first === undefined || last === undefined || first === last || last.at === first.at) return null;
  const rate = signs.find(({ sign }) => sign === "falling_rate");
  const limit = rate === undefined || rate.of === 0 ? null : SIGN_LIMITS.falling_rate.share * rate.of;
  const most = Math.max(...curve.map((one) => one.rate), limit ?? 0) * 1.1;
  const y = (value: number) => Math.round(10 * (HEIGHT - (HEIGHT * value) / most)) / 10;
  const x = (at: number) => Math.round((10 * WIDTH * (at - first.at)) / (last.at - first.at)) / 10;
  return {
    points: curve.map(({ at, rate: value }, place) => `${place === 0 ? "M" : "L"}${x(at)} ${y(value)}`).join(""),
    limit: limit === null ? null : y(limit),
    limitName: limit === null ? "" : `Half of the first days, ${formatRate(limit)}`,
    label: `Rate from ${zone.date(first.at)} to ${zone.date(last.at)}: from ${formatRate(first.rate)} to ${formatRate(last.rate)}`,
    from: zone.shortDate(first.at),
    to: zone.shortDate(last.at),
  };
}
