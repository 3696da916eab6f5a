import { counted, formatCount, formatRate } from "../text/format.ts";
import {
  type CardSign,
  CLIP_WINDOW,
  DRIVE_WINDOW,
  FIRST_DAYS,
  RUN_WINDOW,
  SIGN_LIMITS,
  type SignFigures,
} from "./card_signs.ts";

const NBSP = "\u00a0";

/** Names of the signs. */
export const SIGN_NAMES: Readonly<Record<CardSign, string>> = {
  empty_files: "Empty files",
  read_errors: "Read errors",
  holes: "Holes",
  short_clips: "Short clips",
  falling_rate: "Rate",
  clock_resets: "Clock resets",
};

const SIGN_MEANINGS: Readonly<Record<CardSign, string>> = {
  empty_files: "Recordings without a byte.",
  read_errors: "The camera could not read its own card.",
  holes: "Missing minutes within a drive.",
  short_clips: "Ended early though the drive went on.",
  falling_rate: "How fast the card is read.",
  clock_resets: "The clock fell back to its first day.",
};

/** The sentence that says from what on a sign is one. */
export function limitInWords(sign: CardSign): string {
  const { share, cases } = SIGN_LIMITS[sign];
  const percent = `${formatCount(share * 100)}${NBSP}%`;
  switch (sign) {
    case "empty_files":
    case "read_errors":
      return `A sign from ${percent} of the last ${CLIP_WINDOW} clips on.`;
    case "holes":
      return `A sign from ${percent} of the minutes of the last ${CLIP_WINDOW} driving clips on.`;
    case "short_clips":
      return `A sign from ${percent} of the last ${CLIP_WINDOW} driving clips on.`;
    case "falling_rate":
      return `A sign when the last ${RUN_WINDOW} runs are below half of the first ${FIRST_DAYS} days.`;
    case "clock_resets":
      return `A sign from ${cases} of the last ${DRIVE_WINDOW} drives and ${percent} on.`;
  }
}

/** Says what a sign is, and from what on it is one. */
export function signInWords(sign: CardSign): string {
  return `${SIGN_MEANINGS[sign]} ${limitInWords(sign)}`;
}

/** The figure of a sign: its first part stands out. */
export function figureInWords({ sign, cases, of }: SignFigures): readonly [strong: string, rest: string] {
  if (cases === 0 && of === 0) return ["–", "not known yet"];
  switch (sign) {
    case "falling_rate": {
      const [now = "", unit = ""] = formatRate(cases).split(NBSP);
      if (of === 0) return [now, unit];
      const isSteady = cases >= 0.8 * of;
      return isSteady ? [now, `${unit}, steady`] : [now, `${unit}, ${formatRate(of)} at first`];
    }
    case "holes":
      return [formatCount(cases), `of ${counted(of, "minute")}`];
    case "clock_resets":
      return [formatCount(cases), `of ${counted(of, "drive")}`];
    case "short_clips":
      return [formatCount(cases), `of ${counted(of, "clip")}`];
    default:
      return [formatCount(cases), `of ${counted(of, "recording")}`];
  }
}

/** Says what was found, and from what on it is a sign. */
export function foundInWords(figures: SignFigures): string {
  const { sign, cases, of } = figures;
  const [strong, rest] = figureInWords(figures);
  switch (sign) {
    case "empty_files":
      return `${strong} ${rest} are empty. ${limitInWords(sign)}`;
    case "read_errors":
      return `The camera could not read ${strong} ${rest}. ${limitInWords(sign)}`;
    case "holes":
      return `${strong} ${rest} of driving are missing. ${limitInWords(sign)}`;
    case "short_clips":
      return `${strong} ${rest} ended early though the drive went on. ${limitInWords(sign)}`;
    case "falling_rate":
      return `The card is read at ${formatRate(cases)}, and at ${formatRate(of)} in the first days. ${limitInWords(sign)}`;
    case "clock_resets":
      return `The camera’s clock was reset in ${strong} ${rest}. ${limitInWords(sign)}`;
  }
}
