import { counted } from "../text/format.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import { CARD_ANSWERS, type CardAnswer } from "./recording_state.ts";

/** A question about the card that only a user can answer. */
export interface AskedQuestion {
  /** Epoch milliseconds at which a list of the camera raised it. */
  readonly since: number;
  readonly likely: Exclude<CardAnswer, "lost">;
  /** Recordings that depend on the answer. */
  readonly recordings: number;
}

/** An answer that can be chosen, and what follows from it. */
export interface AnswerView {
  readonly answer: CardAnswer;
  readonly label: string;
  readonly consequence: string;
  /** True for the answer that the lists point to. */
  readonly isLikely: boolean;
}

export interface QuestionView {
  readonly title: string;
  readonly says: string;
  /** The likely one first. */
  readonly answers: readonly AnswerView[];
}

const LABELS: Readonly<Record<CardAnswer, string>> = {
  formatted: "I formatted the card",
  other_card: "Another card is in the camera",
  lost: "Neither of them",
};

/** Asks what happened to the card. */
export function questionView(
  { since, likely, recordings }: AskedQuestion,
  { now, zone }: { readonly now: number; readonly zone: ZoneTime },
): QuestionView {
  const all = counted(recordings, "recording");
  const one = recordings === 1;
  const consequences: Readonly<Record<CardAnswer, string>> = {
    formatted: `${all} ${one ? "counts" : "count"} as deleted with the card.`,
    other_card: `${all} ${one ? "stays" : "stay"} on the other card, and ${one ? "comes" : "come"} home when that is back.`,
    lost: `${all} ${one ? "counts" : "count"} as lost.`,
  };
  const answers = CARD_ANSWERS.map((answer) => ({
    answer,
    label: LABELS[answer],
    consequence: consequences[answer],
    isLikely: answer === likely,
  }));
  return {
    title: likely === "formatted" ? "Did you format the card?" : "Is another card in the camera?",
    says: `Since ${zone.moment(since, now)} the camera lists nothing of what it had before. ${all} had not come home. Nothing of that counts as lost until you answer.`,
    answers: answers.toSorted((a, b) => Number(b.isLikely) - Number(a.isLikely)),
  };
}
