import type { StatusLevel } from "../answers/status_level.ts";
import { type QuestionView, questionView } from "../coverage/question_text.ts";
import type { AskedQuestion } from "../coverage/question_text.ts";
import { clipName } from "../recordings/camera_clock.ts";
import { agoInWords, counted, formatBytes, formatCount, formatRate, formatSeconds } from "../text/format.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import type { CardPlace } from "./card_place.ts";
import type { CardRow } from "./card_rows.ts";
import { type HealthView, healthView } from "./health_view.ts";
import type { CardHealth } from "./card_signs.ts";
import {
  type CardParts,
  LEFT_ON_CARD,
  leftOutIn,
  LIST_HOLDS_SECONDS,
  listedIn,
  type ReasonAgainst,
} from "./safe_to_format.ts";

/** All that the page is made of. Times are epoch milliseconds. */
export interface CardPageFacts {
  readonly hasAddress: boolean;
  readonly isSyncing: boolean;
  readonly isSafe: boolean;
  readonly against: readonly ReasonAgainst[];
  /** Null while it is not known what is on the card, or at home. */
  readonly parts: CardParts | null;
  /** About how many bytes a place has; null while that is not known. */
  readonly bytesOf: (places: readonly CardPlace[]) => number | null;
  readonly listedAt: number | null;
  readonly question: AskedQuestion | null;
  readonly ledgerProblem: string | null;
  readonly health: CardHealth;
  /** Key of the oldest recording on it. */
  readonly oldest: string | null;
  /** Bytes per second at which files came last; null before the first. */
  readonly rate: number | null;
  readonly rows: readonly CardRow[];
  /** Keys of what cannot be read, and of what was given up. */
  readonly unreadable: readonly string[];
  readonly givenUp: readonly string[];
  /** The camera is away, as far as is known. */
  readonly isAway: boolean;
  readonly now: number;
  readonly zone: ZoneTime;
}

export interface CardReadingView {
  readonly name: string;
  readonly figure: string;
  readonly unit: string;
}

/** A part of the card in the bar and the list below. */
export interface PartView {
  readonly look: "home" | "unch" | "come" | "bad" | "gap" | "left";
  readonly name: string;
  readonly count: number;
  readonly size: string;
  readonly says: string;
  readonly link: { readonly label: string; readonly href: string } | null;
  /** It offers to wait again for what was given up. */
  readonly isGivenUp: boolean;
}

/** A step of those to take, in order. */
export interface StepView {
  readonly title: string;
  readonly text: string;
  readonly link: { readonly label: string; readonly href: string } | null;
  /** It offers to give up what cannot be read. */
  readonly givesUp: boolean;
}

export interface CardView {
  readonly level: StatusLevel;
  readonly sentence: string;
  readonly says: string;
  /** `Listed 07:49, 2 min ago`; empty before the first list. */
  readonly listed: string;
  readonly state: { readonly level: StatusLevel; readonly word: string };
  readonly readings: readonly CardReadingView[];
  /** Empty while nothing is known, and for an empty card. */
  readonly parts: readonly PartView[];
  /** The bar in words. */
  readonly bar: string;
  readonly foot: string;
  readonly steps: { readonly title: string; readonly items: readonly StepView[]; readonly foot: string } | null;
  readonly health: HealthView;
  readonly question: QuestionView | null;
  /** The action of the head; null while there is none. */
  readonly action: CardAction | null;
  readonly caption: string;
  readonly rows: readonly CardRow[];
  /** Recordings that are in no row. */
  readonly more: number;
  readonly unreadable: KeysView;
  readonly givenUp: KeysView;
}

/** Keys of clips, and how many of their recordings are meant. */
export interface KeysView {
  readonly keys: readonly string[];
  readonly recordings: number;
}

/** `bring`: a sync, which has something to bring. `look`: a sync, for the list. */
export type CardAction =
  | { readonly kind: "bring" | "look"; readonly label: string }
  | { readonly kind: "go"; readonly label: string; readonly href: string };

const NBSP = "\u00a0";
/** Rows of the table. */
const MOST_ROWS = 50;

export function cardView(facts: CardPageFacts): CardView {
  const { parts, health, zone, now, question, rows } = facts;
  const shown = rows.slice(0, MOST_ROWS);
  const only = parts === null ? 0 : onlyOnCard(parts) + parts.unknown;
  return {
    ...headline(facts),
    listed: listedInWords(facts),
    state: stateOf(facts),
    readings: readingsOf(facts),
    parts: partsInWords(facts),
    bar: barInWords(facts),
    foot: facts.isSafe
      ? `The list is good for ${LIST_HOLDS_SECONDS / 60} minutes. After that this page asks you to look again.`
      : "",
    steps: stepsOf(facts),
    health: healthView(health, { now, zone }),
    question: question && questionView(question, { now, zone }),
    action: actionOf(facts),
    caption: `${counted(only, "recording")} that ${only === 1 ? "is" : "are"} only on the card`,
    rows: shown,
    more: shown.length < rows.length ? rows.length - shown.length : 0,
    unreadable: { keys: facts.unreadable, recordings: parts?.unreadable ?? 0 },
    givenUp: { keys: facts.givenUp, recordings: parts?.left_out.given_up ?? 0 },
  };
}

/** Number of recordings that are wanted and nowhere else. */
function onlyOnCard({ coming, unreadable }: CardParts): number {
  return coming + unreadable;
}

type Headline = Pick<CardView, "level" | "sentence" | "says">;

/** Says whether the card may be formatted, and why not. */
export function headline(facts: CardPageFacts): Headline {
  const { hasAddress, isSafe, parts, listedAt, against } = facts;
  if (!hasAddress) return NO_CAMERA;
  if (isSafe && parts !== null) return safe(parts);
  if (against.includes("question")) return ASKED;
  if (parts === null) return listedAt === null && !against.includes("home_unknown") ? NO_LIST : unknownHome(facts);
  if (onlyOnCard(parts) > 0) return unsafe(facts, parts);
  if (parts.unknown > 0)
    return { level: "failed", sentence: `Do not format the card. ${notKnown(parts)}`, says: UNKNOWN_SAYS };
  if (against.some((reason) => OUTDATED.includes(reason))) return outdated(facts);
  const told = against.map((reason) => TOLD[reason]).find((one) => one !== undefined);
  if (against.includes("not_checked")) {
    const count = counted(parts.not_checked, "recording");
    return {
      level: "waiting",
      sentence: `Do not format the card yet. ${count} ${parts.not_checked === 1 ? "is" : "are"} not checked.`,
      says: [told?.says, NOT_CHECKED_SAYS].find(Boolean) ?? "",
    };
  }
  if (against.includes("ledger_unknown"))
    return {
      level: "attention",
      sentence: "Do not format the card yet. It is not known if it is the same card as before.",
      says: facts.ledgerProblem ?? "",
    };
  return told ?? outdated(facts);
}

const OUTDATED: readonly ReasonAgainst[] = ["no_list", "old_list", "has_left"];

const NO_CAMERA: Headline = {
  level: "waiting",
  sentence: "No camera is set up yet.",
  says: "Set the camera’s address first. After the first sync this page tells what is on its card.",
};
const NO_LIST: Headline = {
  level: "waiting",
  sentence: "Nothing is known of the card yet.",
  says: "With the first sync the camera tells what is on its card.",
};
const ASKED: Headline = {
  level: "attention",
  sentence: "Do not format the card yet. There is a question about it.",
  says: "The camera lists other recordings than before. Your answer decides what counts as lost.",
};
const UNKNOWN_SAYS =
  "A folder here cannot be read, or the card has names that Dashdock does not know. The dashboard and the log say which.";
const NOT_CHECKED_SAYS =
  "Dashdock reads each recording once more here and takes its checksum. That goes on by itself while no sync runs.";

const TOLD: Partial<Record<ReasonAgainst, Headline>> = {
  empty: {
    level: "waiting",
    sentence: "The camera lists no recording.",
    says: "The card is empty, or the camera cannot read it. An empty card need not be formatted.",
  },
  list_cut: {
    level: "attention",
    sentence: "Do not format the card yet. The camera’s list may be incomplete.",
    says: "It lacks something that should be there. Look again: the next list settles it.",
  },
  recording: {
    level: "waiting",
    sentence: "Do not format the card yet. The camera is recording.",
    says: "Switch the engine off, wait two minutes, then look again.",
  },
};

function safe(parts: CardParts): Headline {
  const left = leftOutIn(parts);
  const home =
    parts.home === 0
      ? ""
      : `${counted(parts.home, "recording")} ${parts.home === 1 ? "is" : "are"} home, and ${parts.home === 1 ? "its checksum was" : "their checksums were"} taken.`;
  const rest =
    left === 0
      ? ""
      : ` ${counted(left, "other", "others")} ${left === 1 ? "is" : "are"} left out, and formatting loses ${left === 1 ? "it" : "them"}.`;
  return {
    level: "fine",
    sentence: "You may format the card. All that your rules want is safe here.",
    says: `${home}${rest}`.trim(),
  };
}

function unsafe(facts: CardPageFacts, parts: CardParts): Headline {
  const { against, zone, listedAt, now } = facts;
  const only = onlyOnCard(parts);
  const isOld = against.some((reason) => OUTDATED.includes(reason)) && listedAt !== null;
  const are = isOld ? (only === 1 ? "was" : "were") : only === 1 ? "is" : "are";
  const when = isOld ? ` at ${zone.moment(listedAt, now)}` : "";
  const says = [
    comingInWords(facts, parts),
    parts.unreadable > 0 ? `${formatCount(parts.unreadable)}${NBSP}cannot be read.` : "",
    wearInWords(facts),
  ];
  return {
    level: "failed",
    sentence: `Do not format the card. ${counted(only, "recording")} ${are} nowhere else${when}.`,
    says: says.filter(Boolean).join(" "),
  };
}

function comingInWords(facts: CardPageFacts, { coming, unreadable }: CardParts): string {
  if (coming === 0) return "";
  const seconds = secondsToCome(facts);
  const who = unreadable === 0 ? (coming === 1 ? "It" : "They") : `${formatCount(coming)}${NBSP}of them`;
  const come = coming === 1 && unreadable === 0 ? "comes" : "come";
  if (facts.isAway) return `${who} ${come} home when the camera is back.`;
  return seconds === null
    ? `${who} ${come} home with the next sync.`
    : `${who} ${come} home in about ${formatSeconds(roundUp(seconds))}.`;
}

/** A forecast is not told to the second. */
function roundUp(seconds: number): number {
  return Math.max(60, Math.ceil(seconds / 60) * 60);
}

function secondsToCome({ bytesOf, rate }: CardPageFacts): number | null {
  const bytes = bytesOf(["coming"]);
  return bytes === null || rate === null || rate <= 0 ? null : bytes / rate;
}

function wearInWords({ health }: CardPageFacts): string {
  const signs = health.signs.filter(({ isReached }) => isReached).length;
  if (signs === 0) return "";
  return signs === 1
    ? "And the card shows a sign of wear."
    : `And the card shows ${NUMBERS[signs] ?? signs} signs of wear.`;
}

/** Small numbers in words. */
export const NUMBERS: readonly string[] = ["no", "one", "two", "three", "four", "five", "six"];

function notKnown({ unknown }: CardParts): string {
  return `It is not known if ${counted(unknown, "recording")} ${unknown === 1 ? "is" : "are"} home.`;
}

function unknownHome({ against }: CardPageFacts): Headline {
  if (against.includes("no_list") && !against.includes("ledger_unknown")) return NO_LIST;
  return {
    level: "failed",
    sentence: "Do not format the card. It is not known what is home.",
    says: "The recordings folder is not available. The dashboard says why.",
  };
}

/** All was safe by the last list, but that says nothing any more. */
function outdated({ listedAt, zone, now, isAway }: CardPageFacts): Headline {
  const then = listedAt === null ? "" : `All was safe here at ${zone.moment(listedAt, now)}. `;
  return {
    level: "waiting",
    sentence: isAway ? "Look again when the camera is back." : "Look again before you format the card.",
    says: `${then}A list is good for ${LIST_HOLDS_SECONDS / 60} minutes: the camera may have recorded more since.`,
  };
}

function stateOf({ isSafe, parts, against }: CardPageFacts): CardView["state"] {
  if (isSafe) return { level: "fine", word: "Safe to format" };
  if (parts === null) return { level: "waiting", word: "Not known" };
  if (onlyOnCard(parts) + parts.unknown > 0) return { level: "failed", word: "Not safe" };
  if (against.includes("question")) return { level: "attention", word: "One question" };
  return { level: "waiting", word: against.includes("empty") ? "Empty" : "Not yet" };
}

function listedInWords({ listedAt, zone, now }: CardPageFacts): string {
  if (listedAt === null) return "";
  const isToday = zone.dayNumber(listedAt) === zone.dayNumber(now);
  const when = isToday ? zone.clock(listedAt) : zone.moment(listedAt, now);
  return `Listed ${when}, ${agoInWords((now - listedAt) / 1000)}`;
}

function readingsOf({ parts, oldest, bytesOf, zone, now }: CardPageFacts): CardReadingView[] {
  if (parts === null) return [];
  const recordings = (name: string, count: number): CardReadingView => ({
    name,
    figure: formatCount(count),
    unit: count === 1 ? "recording" : "recordings",
  });
  const all = bytesOf(EVERY_PLACE);
  const [figure = "", unit = ""] = all === null ? [] : formatBytes(all).split(NBSP);
  const [day = "", clock = ""] = oldest === null ? [] : clipName(oldest, zone.wall(now).year, zone.format).split(", ");
  return [
    recordings("On the card", listedIn(parts)),
    recordings("Home and checked", parts.home),
    recordings("Not home", onlyOnCard(parts)),
    ...(parts.not_checked > 0 ? [recordings("Home, not checked", parts.not_checked)] : []),
    recordings("Left out", leftOutIn(parts)),
    ...(oldest !== null && parts.not_checked === 0 ? [{ name: "Oldest on it", figure: day, unit: clock }] : []),
    ...(all !== null && listedIn(parts) > 0 ? [{ name: "Size, about", figure, unit }] : []),
  ];
}

const EVERY_PLACE: readonly CardPlace[] = ["home", "not_checked", "coming", "unreadable", "unknown", ...LEFT_ON_CARD];

function partsInWords(facts: CardPageFacts): PartView[] {
  const { parts, bytesOf, rate } = facts;
  if (parts === null) return [];
  const size = (places: readonly CardPlace[]) => {
    const bytes = bytesOf(places);
    return bytes === null ? "" : formatBytes(bytes);
  };
  const row = (
    look: PartView["look"],
    name: string,
    count: number,
    places: readonly CardPlace[],
    says: string,
  ): PartView => ({
    ...{ look, name, count, says, link: null, isGivenUp: false },
    size: size(places),
  });
  const { left_out: left } = parts;
  const seconds = secondsToCome(facts);
  const about =
    seconds === null || rate === null ? "" : `About ${formatSeconds(roundUp(seconds))} at ${formatRate(rate)}`;
  return [
    row("home", "Home and checked", parts.home, ["home"], facts.isSafe ? "Formatting loses nothing of these" : ""),
    row(
      "unch",
      "Home, not checked yet",
      parts.not_checked,
      ["not_checked"],
      "Their checksums are taken while no sync runs",
    ),
    row("come", "Coming", parts.coming, ["coming"], about),
    row("bad", "Not readable", parts.unreadable, ["unreadable"], "The camera could not deliver them"),
    row(
      "gap",
      "Not known",
      parts.unknown,
      ["unknown"],
      "They may be home: a folder cannot be read, or a name is not known",
    ),
    {
      ...row(
        "left",
        "Left out by your rules",
        left.retention + left.selection,
        ["retention", "selection"],
        rulesInWords(parts),
      ),
      link: { label: "See the rules", href: "/settings#sync" },
    },
    row(
      "left",
      "Deleted here",
      left.deleted,
      ["deleted"],
      "Formatting loses them for good, but for what is in the trash",
    ),
    row("left", "Not needed", left.unwanted, ["unwanted"], "You said so. Formatting loses them for good"),
    {
      ...row(
        "left",
        "Given up",
        left.given_up,
        ["given_up"],
        "The camera could not deliver them. Formatting loses them for good",
      ),
      isGivenUp: true,
    },
  ].filter(({ count }) => count > 0);
}

function rulesInWords({ left_out: { retention, selection } }: CardParts): string {
  const why = [
    retention > 0 && `${formatCount(retention)}${NBSP}older than you keep them`,
    selection > 0 && `${formatCount(selection)}${NBSP}of kinds you do not download`,
  ].filter((one) => one !== false);
  return `${why.join(", ")}. Formatting loses them for good.`;
}

function barInWords(facts: CardPageFacts): string {
  const all = facts.parts === null ? 0 : listedIn(facts.parts);
  const each = partsInWords(facts).map(({ count, name }) => `${formatCount(count)} ${name.toLowerCase()}`);
  return `Of ${counted(all, "recording")}: ${each.join(", ")}`;
}

function actionOf({ hasAddress, isSyncing, parts, isAway, listedAt }: CardPageFacts): CardAction | null {
  if (!hasAddress) return { kind: "go", label: "Set the camera’s address", href: "/" };
  if (isSyncing) return { kind: "go", label: "Watch the sync", href: "/" };
  const coming = parts?.coming ?? 0;
  if (coming > 0 && !isAway) return { kind: "bring", label: `Bring ${formatCount(coming)} home` };
  return { kind: "look", label: listedAt === null ? "Look now" : "Look again" };
}

function stepsOf(facts: CardPageFacts): CardView["steps"] {
  if (facts.isSafe) return { title: "How to format", items: HOW_TO_FORMAT, foot: NEVER_WRITES };
  const items = reasonSteps(facts);
  return items.length === 0 ? null : { title: "Why not, and what to do", items, foot: "" };
}

const NEVER_WRITES = "Dashdock itself never writes to the camera.";

function step(title: string, text: string, link: StepView["link"] = null): StepView {
  return { title, text, link, givesUp: false };
}

const HOW_TO_FORMAT: readonly StepView[] = [
  step(
    "Open the maker’s app for your camera",
    "Connect the phone to the camera’s own Wi-Fi. That is where the app finds it.",
  ),
  step(
    "Format the card in the camera’s settings",
    "The app erases everything on the card, and some settings of the camera do so too.",
  ),
  step(
    "Drive, or wait for one recording",
    "Dashdock then sees that the old recordings are gone. If something was still to come it asks what happened.",
  ),
];

/** Reasons against formatting the card, with what helps, in the order in which it is to be done. */
function reasonSteps(facts: CardPageFacts): StepView[] {
  const { parts, against, health, isAway, ledgerProblem, hasAddress, zone, listedAt, now } = facts;
  if (!hasAddress) return [];
  const steps: StepView[] = [];
  if (against.includes("question")) steps.push(step("Answer the question", "Only you know what happened to the card."));
  if (parts === null) return steps;
  const isOutdated = against.some((reason) => OUTDATED.includes(reason));
  if (parts.coming > 0) {
    const all = parts.coming === 1 ? "Let it come" : `Let the ${formatCount(parts.coming)} come`;
    const seconds = secondsToCome(facts);
    const text = isAway
      ? "They come by themselves when the camera is back."
      : seconds === null
        ? "Leave the camera on until the sync has ended."
        : `Leave the camera on for about ${formatSeconds(roundUp(seconds))}. This page says when.`;
    steps.push(step(all, text));
  }
  if (parts.unreadable > 0) {
    const all = parts.unreadable === 1 ? "the one" : `the ${formatCount(parts.unreadable)}`;
    steps.push(
      step(`Try ${all} once more from a card reader`, "A reader often gets what the camera cannot.", {
        label: "How to import from a card",
        href: "/help/syncing#from-a-card",
      }),
      {
        ...step(
          `Or give ${parts.unreadable === 1 ? "it" : all} up`,
          "This page no longer waits for them. They then count as lost.",
        ),
        givesUp: true,
      },
    );
  }
  if (parts.unknown > 0)
    steps.push(step("Make the folder readable", UNKNOWN_SAYS, { label: "The dashboard", href: "/" }));
  if (against.includes("recording"))
    steps.push(step("Wait until it records no more", "Switch the engine off, wait two minutes, then look again."));
  if (against.includes("list_cut") && !against.includes("question"))
    steps.push(step("Look again", "The camera’s list may be incomplete. The next one settles it."));
  if (parts.not_checked > 0)
    steps.push(
      step(
        parts.not_checked === 1 ? "Let it be checked" : `Let the ${formatCount(parts.not_checked)} be checked`,
        NOT_CHECKED_SAYS,
      ),
    );
  if (against.includes("ledger_unknown") && !isOutdated)
    steps.push(step("See what is wrong with the ledger", ledgerProblem ?? "", { label: "The log", href: "/logs" }));
  if (isOutdated) {
    const when = listedAt === null ? "" : `The list is of ${zone.moment(listedAt, now)}. `;
    steps.push(
      step(
        isAway ? "Look again when the camera is back" : "Look again",
        `${when}The camera may have recorded more since.`,
      ),
    );
  }
  if (health.signs.some(({ isReached }) => isReached))
    steps.push(step("Replace the card", "Put in a new one of a kind made for dashcams, and format that."));
  return steps;
}
