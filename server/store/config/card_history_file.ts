import { open, readFile } from "node:fs/promises";
import type { CardRecord, FetchAnswer, RunRate, SeenVideo } from "../../domain/card/card_record.ts";
import { momentKey, momentNumber } from "../../domain/recordings/moment_number.ts";
import { endingOf, nameOf } from "../../domain/recordings/recording_name.ts";
import type { Log } from "../../log.ts";
import { isSliceEnd, nextTurn, Turns } from "../../turns.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";
import { CARD_HISTORY_VERSION } from "../file_versions.ts";

const FIRST_LINE = `# card history ${CARD_HISTORY_VERSION}`;
/** Videos that are remembered: a month of a car that is driven all day. */
const MOST_VIDEOS = 20_000;
/** Rates of runs: half a year of one each hour. */
const MOST_RATES = 4000;
/** Bytes from which on the file is written anew with what it has to remember; its lines are 22 bytes or so. */
const LONG_BYTES = 2 * 1024 * 1024;
/** A longer one was not written by this program. */
const MOST_BYTES = 4 * LONG_BYTES;

/** Letters of answers behind a name; a video without one was not asked for yet. */
const ANSWERS = { w: "whole", e: "empty", x: "error" } as const satisfies Readonly<Record<string, FetchAnswer>>;
const LETTERS: Readonly<Record<FetchAnswer, string>> = { whole: "w", empty: "e", error: "x" };
/** A list or a run: its time in epoch seconds and, when it brought videos, their rate in bytes per second. */
const RUN = /^@([0-9]{1,12})(?: ([0-9]{1,12}))?$/;
/** A video; `o`: those beside it were overwritten by then; then the answer, and how many times it was an error. */
const VIDEO = /^([0-9]{8}_[0-9]{6}_[A-Z]{2}[LS]?(?:\.[1-9][0-9]?)?)( o)?(?: ([wex])([1-9][0-9]{0,3})?)?$/;

/** Everything that one run adds. */
export interface CardNews {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Names of videos that no list had before, in their order, and which of them are older than what is still there. */
  readonly listed: readonly { readonly name: string; readonly isOld: boolean }[];
  readonly answers: readonly { readonly name: string; readonly answer: FetchAnswer }[];
  /** Null when it brought nothing to tell a rate by. */
  readonly rate: number | null;
}

/**
 * `card-history.txt` in the config folder: what each run has seen of the card, added line by line. A line that is damaged
 * is left out. A file of a newer version is left alone, and nothing is remembered.
 */
export class CardHistoryFile {
  readonly #path: string;
  readonly #log: Log;
  readonly #turns = new Turns(1);
  #isWarned = false;

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /** All that is remembered; null when the file cannot be used. */
  async read(): Promise<CardRecord | null> {
    return await this.#turns.run(() => this.#read());
  }

  /** Adds what a run has seen. Never rejects: what cannot be written is not remembered. */
  async add(news: CardNews): Promise<void> {
    await this.#turns.run(() => this.#guarded(() => this.#add(news)));
  }

  /** Forgets everything: another card is in the camera. */
  async forget(): Promise<void> {
    await this.#turns.run(() =>
      this.#guarded(async () => {
        if ((await this.#length()) !== null) await replaceFile(this.#path, `${FIRST_LINE}\n`);
      }),
    );
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    await this.#turns.run(async () => {});
  }

  async #read(): Promise<CardRecord | null> {
    try {
      const text = await readFile(this.#path, "latin1");
      return isOurs(text) && text.length <= MOST_BYTES ? await recordIn(text) : null;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return { videos: [], rates: [] };
      this.#warn(`cannot be read (${errorCode(error) || error})`);
      return null;
    }
  }

  async #add(news: CardNews): Promise<void> {
    const lines = linesOf(news);
    if (lines.length < 2 && news.rate === null) return;
    const length = await this.#length();
    if (length === null) return;
    if (length > LONG_BYTES) await this.#shorten();
    await using file = await open(this.#path, "a", 0o600);
    // The newline comes first: the last line may have been torn by a power cut.
    await file.appendFile(`${length === 0 ? `${FIRST_LINE}\n` : "\n"}${lines.join("\n")}`);
    await file.datasync();
    this.#isWarned = false;
  }

  /** Length of the file, 0 when there is none; null for one that another program has written. */
  async #length(): Promise<number | null> {
    try {
      await using file = await open(this.#path, "r");
      const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_LINE.length + 1), 0, FIRST_LINE.length + 1, 0);
      if (bytesRead === 0 || isOurs(buffer.toString("latin1", 0, bytesRead))) return (await file.stat()).size;
      this.#warn("is of another version of Dashdock and is left alone; signs of a dying card are not found meanwhile");
      return null;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return 0;
      throw error;
    }
  }

  /** Writes the file anew, without what is too old to count. */
  async #shorten(): Promise<void> {
    const record = await this.#read();
    if (record === null) return;
    const videos = record.videos.slice(-MOST_VIDEOS);
    const rates = record.rates.slice(-MOST_RATES);
    const lines = [FIRST_LINE];
    const times = [...new Set([...videos.map(({ seenAt }) => seenAt), ...rates.map(({ at }) => at)])].sort(
      (one, other) => one - other,
    );
    const rateAt = new Map(rates.map(({ at, rate }) => [at, rate]));
    const seenAt = Map.groupBy(videos, (video) => video.seenAt);
    for (const time of times) {
      lines.push(runLine(time, rateAt.get(time) ?? null));
      for (const video of seenAt.get(time) ?? []) lines.push(videoLine(video));
      if (isSliceEnd(lines.length)) await nextTurn();
    }
    await replaceFile(this.#path, lines.join("\n"));
  }

  async #guarded(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#warn(`could not be written (${errorCode(error) || error}); what this run saw of the card is forgotten`);
    }
  }

  #warn(what: string): void {
    if (!this.#isWarned) this.#log.warning("card", `${this.#path} ${what}`);
    this.#isWarned = true;
  }
}

function isOurs(text: string): boolean {
  return text === FIRST_LINE || text.startsWith(`${FIRST_LINE}\n`);
}

function linesOf({ at, listed, answers, rate }: CardNews): string[] {
  const lines = [runLine(at, rate)];
  const answered = new Map(answers.map(({ name, answer }) => [name, answer]));
  for (const { name, isOld } of listed) {
    const answer = answered.get(name);
    lines.push(`${stemOf(name)}${isOld ? " o" : ""}${answer === undefined ? "" : ` ${LETTERS[answer]}`}`);
    answered.delete(name);
  }
  for (const [name, answer] of answered) lines.push(`${stemOf(name)} ${LETTERS[answer]}`);
  return lines;
}

function runLine(at: number, rate: number | null): string {
  return `@${Math.round(at / 1000)}${rate === null ? "" : ` ${Math.round(rate)}`}`;
}

function videoLine({ moment, ending, isOld, answer, errors }: SeenVideo): string {
  const stem = stemOf(nameOf(momentKey(moment), ending));
  if (answer === null) return `${stem}${isOld ? " o" : ""}`;
  return `${stem}${isOld ? " o" : ""} ${LETTERS[answer]}${errors > 0 ? errors : ""}`;
}

function stemOf(name: string): string {
  return name.slice(0, -".mp4".length);
}

async function recordIn(text: string): Promise<CardRecord> {
  const videos = new Map<string, SeenVideo>();
  const rates: RunRate[] = [];
  let seenAt: number | null = null;
  let handled = 0;
  for (let from = text.indexOf("\n") + 1; from > 0 && from < text.length; ) {
    if (isSliceEnd(++handled)) await nextTurn();
    const end = text.indexOf("\n", from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
    const run = line.startsWith("@") ? RUN.exec(line) : null;
    if (run !== null) {
      seenAt = Number(run[1]) * 1000;
      if (run[2] !== undefined) rates.push({ at: seenAt, rate: Number(run[2]) });
    } else if (seenAt !== null) readVideo(line, seenAt, videos);
  }
  return { videos: [...videos.values()], rates };
}

function readVideo(line: string, seenAt: number, videos: Map<string, SeenVideo>): void {
  const [, stem, old, letter, times] = VIDEO.exec(line) ?? [];
  if (stem === undefined) return;
  const before = videos.get(stem);
  const moment = before?.moment ?? momentNumber(stem);
  if (moment < 0) return;
  const answer = letter === undefined ? (before?.answer ?? null) : ANSWERS[letter as keyof typeof ANSWERS];
  const isError = letter === "x" ? 1 : 0;
  videos.set(stem, {
    moment,
    ending: before?.ending ?? endingOf(`${stem}.mp4`),
    seenAt: before?.seenAt ?? seenAt,
    isOld: before?.isOld ?? old !== undefined,
    answer,
    errors: (before?.errors ?? 0) + (times === undefined ? isError : Number(times)),
  });
}
