import type { CardAnswer } from "../../domain/coverage/recording_state.ts";
import type { LedgerFile } from "../../store/config/ledger.ts";
import type { KnownCard } from "../../store/config/ledger_rows.ts";
import type { LedgerParts } from "./ledger_parts.ts";

/** The card was formatted, or is another one, and recordings on it were still to come: only a user knows. */
export interface CardQuestion {
  /** Epoch milliseconds at which a list showed it first. */
  readonly since: number;
  /** The likelier answer. */
  readonly likely: Exclude<CardAnswer, "lost">;
  /** Recordings of which it is unknown whether they are lost. */
  readonly recordings: number;
}

/** A question as the ledger keeps it. */
export interface OpenQuestion extends Pick<CardQuestion, "since" | "likely"> {
  /** The cards that were taken out since. */
  readonly cards: readonly number[];
  /** The answer that was given, while not all recordings have it yet, and who gave it. */
  readonly answer?: CardAnswer;
  readonly by?: string | null;
}

const LOGGER = "ledger";
/** Names of facts. */
const CURRENT = "card";
const QUESTION = "question";

/**
 * The cards that were in the camera, as far as lists tell them from each other. A card that is not known gets a number of
 * its own, and what the one before holds stays as it was known: it takes one step, which a kill cannot halve.
 */
export class Cards {
  readonly #file: LedgerFile;
  readonly #log: LedgerParts["log"];

  constructor({ file, log }: Pick<LedgerParts, "file" | "log">) {
    this.#file = file;
    this.#log = log;
  }

  /** The number of the card in the camera. */
  get current(): number {
    return this.#file.use((ledger) => Number(ledger.fact(CURRENT) ?? 1));
  }

  known(card: number): KnownCard | null {
    return this.#file.use((ledger) => ledger.card(card));
  }

  get question(): OpenQuestion | null {
    const text = this.#file.use((ledger) => ledger.fact(QUESTION));
    return text === null ? null : (JSON.parse(text) as OpenQuestion);
  }

  /** @param open null when it is settled */
  keepQuestion(open: OpenQuestion | null): void {
    this.#file.change((ledger) => ledger.setFact(QUESTION, open && JSON.stringify(open)));
  }

  /** Recordings of these cards that are to come. */
  waitingOn(cards: readonly number[]): number {
    return this.#file.use((ledger) => cards.reduce((sum, card) => sum + ledger.waitingOnCard(card), 0));
  }

  /**
   * A card that is not known is in the camera. While recordings of the one before were to come, a user is asked.
   * @returns its number
   */
  begin(likely: CardQuestion["likely"], now: number, list: Pick<KnownCard, "size" | "strangeLines">): number {
    const left = this.current;
    const open = this.question;
    const cards = [...(open?.cards ?? []), left];
    const recordings = this.waitingOn(cards);
    const card = this.#file.change((ledger) => {
      const number = ledger.newestCard() + 1;
      ledger.sawCard(number, now, list);
      ledger.setFact(CURRENT, String(number));
      if (recordings > 0) ledger.setFact(QUESTION, JSON.stringify({ since: now, likely, ...open, cards }));
      return number;
    });
    const words =
      likely === "formatted" ? "The card was formatted, or is another one" : "Another card is in the camera";
    const asks = recordings > 0 ? `; ${recordings} recordings had not come home, so a user is asked` : "";
    this.#log.info(LOGGER, `${words}${asks}`);
    return card;
  }

  /**
   * A card that was in the camera before is there again: nothing has to be asked of it.
   * @param isSame what is in the camera was taken for another one, and is that card
   */
  goBackTo(card: number, isSame: boolean): void {
    const open = this.question;
    const cards = open?.cards.filter((one) => one !== card) ?? [];
    const left = this.current;
    this.#file.change((ledger) => {
      if (isSame) ledger.joinCards(left, card);
      ledger.setFact(CURRENT, String(card));
      if (open !== null) ledger.setFact(QUESTION, cards.length === 0 ? null : JSON.stringify({ ...open, cards }));
    });
    this.#log.info(LOGGER, "A card that was in the camera before is there again");
  }

  /** Notes that a good list of the card in the camera has come. @param since the first day that it tells of */
  saw(now: number, list: Pick<KnownCard, "size" | "strangeLines">, since: () => string | null): void {
    const card = this.current;
    this.#file.change((ledger) => {
      ledger.sawCard(card, now, list);
      ledger.setFact(CURRENT, String(card));
      if (ledger.fact("since") === null) ledger.setFact("since", since());
    });
  }

  sawShortList(): void {
    const card = this.current;
    this.#file.change((ledger) => ledger.sawShortList(card));
  }
}
