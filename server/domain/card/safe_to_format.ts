/** Recordings in the camera's last good list, by what formatting its card would do to them. */
export interface CardParts {
  /** At home as a whole, with a checksum. */
  readonly home: number;
  /** At home, and no checksum was taken yet: nothing proves that it is whole. */
  readonly not_checked: number;
  /** To come: the video or a file beside it is only on the card, or the one at home is damaged. */
  readonly coming: number;
  /** The camera could not deliver it. */
  readonly unreadable: number;
  /** It may lie in a folder that cannot be read, or its name is not known. */
  readonly unknown: number;
  /** Left on the card on purpose, by what. */
  readonly left_out: Readonly<Record<LeftOnCard, number>>;
}

/** Reasons for which a recording is not to come: a rule, a user who deleted it or does not need it, or who gave it up. */
export const LEFT_ON_CARD = ["retention", "selection", "deleted", "unwanted", "given_up"] as const;
export type LeftOnCard = (typeof LEFT_ON_CARD)[number];

/** All that decides whether the card may be formatted. */
export interface CardFacts {
  /** Seconds since the last good list was taken by this process; null when none was. */
  readonly listAge: number | null;
  /** Nothing shows that the list was cut short: it was read to its end, and has what must be in it. */
  readonly isListWhole: boolean;
  /** The camera was not there any more when it was looked for after the list, or another one was. */
  readonly hasLeft: boolean;
  /** It is recording, or may have been when it sent the list. */
  readonly isRecording: boolean;
  /** A question about the card waits for its answer; null while that is not known. */
  readonly isQuestionOpen: boolean | null;
  /** Null while it is not known what is at home. */
  readonly parts: CardParts | null;
}

/** After so many seconds a list says nothing about the card any more. */
export const LIST_HOLDS_SECONDS = 600;

/**
 * The reasons against formatting, each with what has to be so for it. The order is the one in which they are told. A
 * card without a recording has nothing to lose, but a camera that cannot read its card lists none either.
 */
const REASONS = {
  question: ({ isQuestionOpen }) => isQuestionOpen === true,
  no_list: ({ listAge }) => listAge === null,
  old_list: ({ listAge }) => listAge !== null && !(listAge >= 0 && listAge <= LIST_HOLDS_SECONDS),
  has_left: ({ hasLeft }) => hasLeft,
  home_unknown: ({ parts }) => parts === null,
  ledger_unknown: ({ isQuestionOpen }) => isQuestionOpen === null,
  empty: ({ parts }) => parts !== null && listedIn(parts) === 0,
  list_cut: ({ isListWhole }) => !isListWhole,
  unreadable: ({ parts }) => parts !== null && parts.unreadable > 0,
  coming: ({ parts }) => parts !== null && parts.coming > 0,
  unknown: ({ parts }) => parts !== null && parts.unknown > 0,
  recording: ({ isRecording }) => isRecording,
  not_checked: ({ parts }) => parts !== null && parts.not_checked > 0,
} satisfies Readonly<Record<string, (facts: CardFacts) => boolean>>;

export type ReasonAgainst = keyof typeof REASONS;
export const REASONS_AGAINST = Object.keys(REASONS) as readonly ReasonAgainst[];

/** True when nothing that is on the card speaks against formatting it. */
export function isAllHome({ coming, unreadable, unknown, not_checked }: CardParts): boolean {
  return coming + unreadable + unknown + not_checked === 0;
}

/** Everything that speaks against formatting the card. */
export function reasonsAgainst(facts: CardFacts): ReasonAgainst[] {
  return REASONS_AGAINST.filter((reason) => REASONS[reason](facts));
}

/** True when formatting the card loses nothing that the rules want. */
export function isSafeToFormat(facts: CardFacts): boolean {
  return reasonsAgainst(facts).length === 0;
}

/** Number of recordings on the card. */
export function listedIn({ home, not_checked, coming, unreadable, unknown, ...parts }: CardParts): number {
  return home + not_checked + coming + unreadable + unknown + leftOutIn(parts);
}

/** Number of recordings that are not to come. */
export function leftOutIn({ left_out }: Pick<CardParts, "left_out">): number {
  return LEFT_ON_CARD.reduce((sum, why) => sum + left_out[why], 0);
}
