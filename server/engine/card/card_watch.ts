import type { Clock } from "../../clock.ts";
import { DashcamProblem } from "../../dashcam/problem.ts";
import type { CardRecord, FetchAnswer } from "../../domain/card/card_record.ts";
import { answersOf, type FetchedVideo, rateOfRun } from "../../domain/card/fetch_answers.ts";
import {
  hasNoAge,
  letterOfMoment,
  momentKey,
  momentNumber,
  TYPE_LETTERS,
} from "../../domain/recordings/moment_number.ts";
import { nameOf } from "../../domain/recordings/recording_name.ts";
import type { CameraList } from "../../domain/sync/camera_list.ts";
import type { PlannedFile } from "../../domain/sync/download_plan.ts";
import type { CardHistoryFile, CardNews } from "../../store/config/card_history_file.ts";
import { isSliceEnd, nextTurn } from "../../turns.ts";
import type { Outcome } from "../transfer/transfer_outcome.ts";

/** Such an answer is about the camera or what is in between, not about the file: it is busy, or wants a sign-in. */
const NOT_OF_THE_FILE: ReadonlySet<number> = new Set([401, 403, 404, 429, 502, 503, 504]);

export interface CardWatchParts {
  readonly clock: Pick<Clock, "now">;
  readonly file: Pick<CardHistoryFile, "read" | "add">;
}

/** Keeps what runs see of the card: which videos it has, and what the camera answers to requests for them. */
export class CardWatch {
  readonly #parts: CardWatchParts;
  #fetched: FetchedVideo[] = [];
  #version = 0;
  /** The list that is remembered already. */
  #remembered: CameraList | null = null;

  constructor(parts: CardWatchParts) {
    this.#parts = parts;
  }

  /** Another number when more is remembered of the card. */
  get version(): number {
    return this.#version;
  }

  /** A run begins. @param list the last one before it */
  begin(list: CameraList | null): void {
    this.#fetched = [];
    this.#remembered ??= list;
  }

  /** Notes what became of a request for a file. */
  note(
    { kind, recording, newest }: PlannedFile,
    outcome: Outcome,
    { bytes, seconds }: { bytes: number; seconds: number },
  ) {
    const answer = kind === "mp4" ? answerOf(outcome) : null;
    // The newest may be empty because it has just begun.
    if (answer === null || (answer === "empty" && newest)) return;
    this.#fetched.push({ name: recording.name, answer, bytes, seconds });
  }

  /** The run has ended: what it has seen is remembered. Never rejects. @param list the last one by now */
  async end(list: CameraList | null): Promise<void> {
    const { clock, file } = this.#parts;
    const fetched = this.#fetched;
    this.#fetched = [];
    const isOther = list !== null && list !== this.#remembered;
    if (!isOther && fetched.length === 0) return;
    const at = clock.now();
    const record = await file.read();
    if (record === null) return;
    const before = record.videos.length === 0 ? null : this.#remembered;
    const listed = isOther ? await newsOf(list, before) : [];
    if (isOther) this.#remembered = list;
    const answers = newAnswers(answersOf(fetched), record);
    await file.add({ at, listed, answers, rate: rateOfRun(fetched) });
    this.#version++;
  }
}

/** The answers that are not remembered yet. An error counts each time. */
function newAnswers(fetched: readonly FetchedVideo[], { videos }: CardRecord): FetchedVideo[] {
  const asked = new Set(fetched.map(({ name }) => momentNumber(name)));
  const known = new Map<string, FetchAnswer | null>();
  for (const { moment, ending, answer } of videos)
    if (asked.has(moment)) known.set(nameOf(momentKey(moment), ending), answer);
  return fetched.filter(({ name, answer }) => answer === "error" || known.get(name) !== answer);
}

/** The videos that a list has and the one before lacks; the first list has all of them. */
async function newsOf(list: CameraList, before: CameraList | null): Promise<CardNews["listed"][number][]> {
  const news: CardNews["listed"][number][] = [];
  let isOld = true;
  for (let at = 0; at < list.size; at++) {
    if (isSliceEnd(at + 1)) await nextTurn();
    const moment = list.momentAt(at);
    // Cameras overwrite these first: what is older is what an event has spared.
    if (TYPE_LETTERS[letterOfMoment(moment)] === "N" && !hasNoAge(moment)) isOld = false;
    if (before?.hasVideo(moment, list.endingAt(at))) continue;
    news.push({ name: list.nameAt(at), isOld: isOld && !hasNoAge(moment) });
  }
  return news;
}

function answerOf(outcome: Outcome): FetchAnswer | null {
  if (outcome.kind === "received") return "whole";
  if (outcome.kind === "empty") return "empty";
  if (outcome.kind !== "failed" || !(outcome.problem instanceof DashcamProblem)) return null;
  const { kind, status } = outcome.problem;
  if (kind === "http") return status !== null && !NOT_OF_THE_FILE.has(status) ? "error" : null;
  // The camera answers, but does not bring this file to its end.
  return outcome.problem.isPassing ? "error" : null;
}
