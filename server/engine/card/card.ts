import { type Clock, steadyTime } from "../../clock.ts";
import { AppError } from "../../domain/answers/errors.ts";
import { type CardHealth, cardHealth, type LengthOf } from "../../domain/card/card_signs.ts";
import {
  type CardFacts,
  isAllHome,
  isSafeToFormat,
  type ReasonAgainst,
  reasonsAgainst,
} from "../../domain/card/safe_to_format.ts";
import { ageOf, wasRecording } from "../../domain/card/taken_list.ts";
import type { CardAnswer } from "../../domain/coverage/recording_state.ts";
import { momentKey } from "../../domain/recordings/moment_number.ts";
import { nameOf } from "../../domain/recordings/recording_name.ts";
import type { CameraPlace } from "../../domain/runs/presence.ts";
import type { CardHistoryFile } from "../../store/config/card_history_file.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import { changedSizes } from "../../store/destination/changed_sizes.ts";
import { type CheckedFile, pathOfFile } from "../../store/destination/sums_rows.ts";
import type { Library } from "../../store/library/library.ts";
import { fileOfMarker } from "../../store/library/name_index.ts";
import type { Checksums } from "../checksums/checksums.ts";
import type { KeptSums } from "../checksums/kept_sums.ts";
import type { CardQuestion } from "../coverage/cards.ts";
import type { Ledger } from "../coverage/ledger.ts";
import type { KnownList } from "../listed/known_list.ts";
import { type CheckParts, checksOf, isHere } from "./card_checks.ts";
import { type CardContent, contentOf } from "./card_content.ts";
import type { CardWatch } from "./card_watch.ts";
import type { GivenUp } from "./given_up.ts";

/** Time for which the places of recordings hold: another program may find files damaged. */
const CONTENT_HOLDS_MS = 30_000;
/** Time for which the signs hold: the lengths of clips come to be known later than their names. */
const SIGNS_HOLD_MS = 60_000;
/** A reading that is overtaken by a new list is begun again so often. */
const MOST_TRIES = 3;

export interface CardSources {
  readonly clock: Clock;
  readonly address: () => string;
  readonly listed: Pick<KnownList, "counts" | "judged" | "revision" | "taken">;
  readonly library: CheckParts["library"] & Pick<Library, "markers" | "refreshIfOlder" | "root" | "version">;
  readonly history: Pick<RunHistory, "latestReached">;
  readonly arrival: { readonly place: CameraPlace };
  /** True when another camera or device was found at the address since. */
  readonly isAnother: () => boolean;
  readonly ledger: Pick<Ledger, "question" | "answer" | "hasTaken" | "noteChanged" | "trouble">;
  /** The checksums of what is at home. */
  readonly checksums: Pick<Checksums, "version" | "lookAgain" | "doubt"> & { readonly sums: Pick<KeptSums, "between"> };
  readonly watch: Pick<CardWatch, "version">;
  readonly file: Pick<CardHistoryFile, "read" | "forget">;
  readonly givenUp: GivenUp;
  /** Told that another card is in the camera. */
  readonly otherCard: () => Promise<void>;
  /** Lengths of clips, as far as they are known by now. */
  readonly lengths: () => Promise<LengthOf>;
}

/** Everything that is known of the card. */
export interface CardReading {
  readonly isSafe: boolean;
  readonly against: readonly ReasonAgainst[];
  /** Null while it is not known what is on it, or at home. */
  readonly content: CardContent | null;
  /** Epoch milliseconds of the last list; null when there never was one. */
  readonly listedAt: number | null;
  readonly question: CardQuestion | null;
  /** Reason that the question cannot be known; null when it can. */
  readonly ledgerProblem: string | null;
  readonly health: CardHealth;
  /** Runs that failed to fetch a video, by its name. */
  readonly errors: ReadonlyMap<string, number>;
}

interface Signs {
  readonly of: number;
  readonly at: number;
  readonly health: CardHealth;
  readonly errors: ReadonlyMap<string, number>;
  /** Names of videos without a byte. */
  readonly empty: ReadonlySet<string>;
}

/** The camera's card: what is on it, whether it may be formatted, and how it is doing. */
export class Card {
  readonly #parts: CardSources;
  #content: { readonly of: unknown; readonly key: string; readonly at: number; readonly content: CardContent } | null =
    null;
  #signs: Signs | null = null;

  constructor(parts: CardSources) {
    this.#parts = parts;
  }

  /** Reads what is known of the card now. */
  async read(): Promise<CardReading> {
    const { clock, listed, library, arrival, isAnother, ledger } = this.#parts;
    await library.refreshIfOlder();
    await listed.counts();
    let taken = listed.taken;
    let content = await this.#read();
    for (let tries = 1; tries < MOST_TRIES && taken !== listed.taken; tries++) {
      taken = listed.taken;
      content = await this.#read();
    }
    // Asked last: a list that shows another card opens the question after it was taken.
    const { question, problem } = await this.#question();
    const now = { at: clock.now(), steady: steadyTime(clock) };
    const facts: CardFacts = {
      listAge: taken === null || taken !== listed.taken ? null : ageOf(taken, now),
      // The ledger compares it with all lists before.
      isListWhole: taken === null || problem !== null || (taken.isWhole && ledger.hasTaken),
      hasLeft: arrival.place === "away" || isAnother(),
      isRecording: taken !== null && wasRecording(taken),
      isQuestionOpen: problem === null ? question !== null : null,
      parts: content?.parts ?? null,
    };
    const { health, errors } = await this.#health();
    return {
      isSafe: isSafeToFormat(facts),
      against: reasonsAgainst(facts),
      content,
      listedAt: taken?.asked.at ?? this.#lastReached(),
      question,
      ledgerProblem: problem,
      health,
      errors,
    };
  }

  /**
   * Answers the question what has become of the card.
   * @returns whether there was one
   * @throws AppError LEDGER_UNUSABLE
   */
  async answer(answer: CardAnswer, by: string | null): Promise<boolean> {
    const isAnswered = await this.#parts.ledger.answer(answer, by);
    // The card wears out: formatting heals nothing, and another one begins anew.
    if (isAnswered && answer === "other_card") {
      await this.#parts.file.forget();
      await this.#parts.otherCard();
      this.#signs = null;
    }
    return isAnswered;
  }

  /** True when a restart forgets none of what was given up. */
  get isSaved(): boolean {
    return this.#parts.givenUp.isSaved;
  }

  /** Number of moments that are given up. */
  get givenUp(): number {
    return this.#parts.givenUp.moments.size;
  }

  /** These are not waited for any more. */
  async giveUp(moments: readonly number[]): Promise<void> {
    await this.#parts.givenUp.add(moments);
    this.#parts.ledger.noteChanged(moments);
  }

  /** These are waited for again. */
  async waitAgain(moments: readonly number[]): Promise<void> {
    await this.#parts.givenUp.takeBack(moments);
    this.#parts.ledger.noteChanged(moments);
  }

  async #read(): Promise<CardContent | null> {
    const { clock, listed, library, givenUp, watch, checksums } = this.#parts;
    const { judged, revision } = listed;
    if (judged === null) return null;
    const { errors, empty } = await this.#health();
    const strangers = listed.taken?.strangers ?? judged.list.unknown;
    const now = clock.elapsed();
    checksums.lookAgain();
    const key = [revision, library.version, checksums.version, givenUp.revision, watch.version, strangers].join(" ");
    const known = this.#content;
    if (known?.of === judged && known.key === key && now - known.at < CONTENT_HOLDS_MS) return known.content;
    const failing = new Set(errors.keys());
    for (const { name } of library.markers()) failing.add(fileOfMarker(name));
    const read = async (between: CheckParts["between"]) => {
      const checks = await checksOf(judged.list, { between, library });
      return await contentOf({ judged, strangers, checks, failing, empty, givenUp: givenUp.moments });
    };
    let content = await read((from, to) => checksums.sums.between(from, to));
    // Only before a yes: each file is asked for.
    if (isAllHome(content.parts)) content = await read((from, to) => this.#unchanged(from, to));
    this.#content = { of: judged, key, at: now, content };
    return content;
  }

  /** Files of which checksums were taken, and whose size is still the same. Others are read again. */
  async #unchanged(from: number, to: number): Promise<readonly CheckedFile[]> {
    const { checksums, library } = this.#parts;
    const taken = checksums.sums.between(from, to).filter((file) => isHere(file, library));
    const changed = new Set(await changedSizes(library.root, taken));
    for (const file of changed) if (!file.isDamaged) checksums.doubt(pathOfFile(file));
    return taken.filter((file) => file.isDamaged || !changed.has(file));
  }

  async #question(): Promise<{ question: CardQuestion | null; problem: string | null }> {
    const { ledger } = this.#parts;
    try {
      return { question: await ledger.question(), problem: ledger.hasTaken ? null : ledger.trouble };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { question: null, problem: error.message };
    }
  }

  async #health(): Promise<Signs> {
    const { clock, watch, file, lengths } = this.#parts;
    const { version } = watch;
    const now = clock.elapsed();
    if (this.#signs?.of === version && now - this.#signs.at < SIGNS_HOLD_MS) return this.#signs;
    const record = (await file.read()) ?? { videos: [], rates: [] };
    const errors = new Map<string, number>();
    const empty = new Set<string>();
    for (const { moment, ending, answer, errors: count } of record.videos)
      if (answer === "error") errors.set(nameOf(momentKey(moment), ending), count);
      else if (answer === "empty") empty.add(nameOf(momentKey(moment), ending));
    this.#signs = { of: version, at: now, health: cardHealth(record, await lengths()), errors, empty };
    return this.#signs;
  }

  #lastReached(): number | null {
    const { listed, history, address } = this.#parts;
    const run = listed.judged === null ? null : history.latestReached(address());
    return run === null ? null : run.ts * 1000;
  }
}
