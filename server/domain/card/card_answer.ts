import { type AskedQuestion, questionView } from "../coverage/question_text.ts";
import type { ZoneTime } from "../text/zone_time.ts";
import type { CardAnswered } from "./card_schema.ts";
import { type CardHealth, reachedSigns } from "./card_signs.ts";
import { foundInWords } from "./card_text.ts";
import { type CardParts, leftOutIn, listedIn, type ReasonAgainst } from "./safe_to_format.ts";

/** Everything that is told of a card. Times are epoch milliseconds. */
export interface CardKnown {
  readonly isSafe: boolean;
  readonly against: readonly ReasonAgainst[];
  /** Null while it is not known what is on it, or at home. */
  readonly content: { readonly parts: CardParts } | null;
  readonly listedAt: number | null;
  readonly question: AskedQuestion | null;
  readonly health: CardHealth;
}

/** The card as `GET /api/card` tells it. */
export function answerOfCard(
  known: CardKnown,
  { now, zone }: { readonly now: number; readonly zone: ZoneTime },
): CardAnswered {
  const { isSafe, against, content, listedAt, health } = known;
  const parts = content?.parts ?? null;
  const of = (count: (parts: CardParts) => number) => (parts === null ? null : count(parts));
  return {
    safe_to_format: isSafe,
    against: [...against],
    listed_at: listedAt === null ? null : isoTime(listedAt),
    on_card: of(listedIn),
    not_home: of(({ coming, unreadable }) => coming + unreadable),
    of_these: {
      coming: of(({ coming }) => coming),
      left_out: of(leftOutIn),
      unknown: of(({ unknown }) => unknown),
      not_checked: of(({ not_checked }) => not_checked),
      unreadable: of(({ unreadable }) => unreadable),
    },
    left_out: parts && { ...parts.left_out },
    question: known.question && questionOf(known.question, now, zone),
    health: reachedSigns(health).map((sign) => ({
      sign: sign.sign,
      since: isoTime(sign.since ?? now),
      sentence: foundInWords(sign),
    })),
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function questionOf(question: AskedQuestion, now: number, zone: ZoneTime): CardAnswered["question"] {
  const { likely, recordings, since } = question;
  const { title, says } = questionView(question, { now, zone });
  return { kind: likely, since: isoTime(since), recordings, sentence: `${title} ${says}` };
}
