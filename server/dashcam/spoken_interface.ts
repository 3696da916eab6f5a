import * as v from "valibot";
import type { Listing } from "../domain/recordings/camera_listing.ts";
import { fetchList } from "./camera_answers.ts";
import type { FileAnswer, Generation, GenerationName, Wire } from "./generation.ts";
import { LEGACY } from "./legacy.ts";
import { DashcamProblem } from "./problem.ts";
import { type CameraAnswer, readText, request } from "./request.ts";
import { V1009 } from "./v1009.ts";

/** Where cameras with the newer interface say so; there is nothing on the others. */
export const ACCESSIBLE_PATH = "/accessible";
/** What a newer camera says of itself is a line. */
export const SAYING_BYTES = 4096;
const ACCESSIBLE = v.object({ accessible: v.literal("OK") });

/** Both wire generations by their names. */
export const GENERATIONS: Readonly<Record<GenerationName, Generation>> = { legacy: LEGACY, v1009: V1009 };

/** What an answer at `ACCESSIBLE_PATH` shows; null for neither. */
export function generationOf(status: number, text: string): GenerationName | null {
  if (status === 404) return "legacy";
  return status === 200 && isAccessible(text) ? "v1009" : null;
}

function isAccessible(text: string): boolean {
  try {
    return v.is(ACCESSIBLE, JSON.parse(text));
  } catch {
    return false;
  }
}

/**
 * Which interface one camera speaks. It is asked with each list, and again before an answer is believed that a camera
 * with other firmware would give as well: firmware changes between runs, and also while one is under way.
 */
export class SpokenInterface {
  #spoken: GenerationName | null;
  /** A connection broke since the camera was asked: it may have restarted with other firmware. */
  #isInDoubt = false;
  /** It hung up on the question, and then sent its list: small servers may do that with what they do not know. */
  #hangsUp = false;

  constructor(spoken: GenerationName | null) {
    this.#spoken = spoken;
  }

  /** What was spoken last; null before the camera was asked. */
  get name(): GenerationName | null {
    return this.#spoken;
  }

  get generation(): Generation {
    return GENERATIONS[this.#spoken ?? "legacy"];
  }

  /** Takes note of what went wrong in talking. */
  note(error: unknown): void {
    if (error instanceof DashcamProblem && error.isPassing && !this.#hangsUp) this.#isInDoubt = true;
  }

  /** Takes what was answered at `ACCESSIBLE_PATH`; an answer that shows nothing changes nothing. */
  learn(status: number, text: string): void {
    this.#spoken = generationOf(status, text) ?? this.#spoken;
    [this.#isInDoubt, this.#hangsUp] = [false, false];
  }

  /** Whether anything answers; any HTTP answer counts. @throws DashcamProblem */
  async probe(wire: Wire, signal: AbortSignal | undefined): Promise<void> {
    // Newer cameras need not answer HEAD.
    if (this.#spoken !== "legacy" || this.#isInDoubt) return void (await this.#ask(wire, signal));
    const answer = await request(wire.base + LEGACY.listPath, { ...wire, method: "HEAD", signal });
    answer.close();
    this.#isInDoubt = answer.status === 400 || answer.status === 415;
  }

  /** Fetches and reads the list, of the interface that is spoken now. @throws DashcamProblem */
  async list(wire: Wire, signal: AbortSignal | undefined): Promise<Listing> {
    const asked = await this.#askUnlessItHangsUp(wire, signal);
    const generation = asked ?? this.generation;
    try {
      const listing = await this.#listOf(generation, wire, signal);
      if (asked === null) [this.#isInDoubt, this.#hangsUp] = [false, true];
      return listing;
    } catch (error) {
      const isElsewhere = error instanceof DashcamProblem && (error.status === 404 || error.status === 415);
      if (!isElsewhere) throw error;
      const now = await this.#ask(wire, signal);
      const other = generation === LEGACY ? V1009 : LEGACY;
      try {
        return await this.#listOf(other, wire, signal);
      } catch (second) {
        const isOthers = now === other || !(second instanceof DashcamProblem) || second.isPassing;
        throw isOthers ? second : error;
      }
    }
  }

  /**
   * Asks for a file; an answer that a camera of the other interface would give as well is believed once the camera has
   * said what it speaks, and else the file is asked for there. @throws DashcamProblem
   */
  async file(
    wire: Wire,
    signal: AbortSignal | undefined,
    ask: (generation: Generation) => Promise<FileAnswer>,
  ): Promise<CameraAnswer> {
    const spoken = this.#isInDoubt ? await this.#ask(wire, signal) : this.generation;
    const { answer, isDoubtful } = await ask(spoken);
    if (!isDoubtful) return answer;
    answer.close();
    const now = this.#hangsUp ? await this.#askUnlessItHangsUp(wire, signal) : await this.#ask(wire, signal);
    return now === null || now === spoken ? answer : (await ask(now)).answer;
  }

  async #listOf(generation: Generation, wire: Wire, signal: AbortSignal | undefined): Promise<Listing> {
    const listing = await fetchList(generation, wire, signal);
    this.#spoken = generation.name;
    return listing;
  }

  /** Null when it hangs up; a camera that is away hangs up on what is asked next, too. */
  async #askUnlessItHangsUp(wire: Wire, signal: AbortSignal | undefined): Promise<Generation | null> {
    try {
      return await this.#ask(wire, signal);
    } catch (error) {
      if (error instanceof DashcamProblem && error.kind === "closed") return null;
      throw error;
    }
  }

  /** @throws DashcamProblem when nothing answers */
  async #ask(wire: Wire, signal: AbortSignal | undefined): Promise<Generation> {
    const { answerMs, silenceMs } = wire.patience;
    const patience = { ...wire.patience, silenceMs: Math.min(answerMs, silenceMs) };
    const answer = await request(wire.base + ACCESSIBLE_PATH, { ...wire, patience, signal });
    let text = "";
    try {
      // Also when the status tells all: a body that is left unread would cost its connection.
      text = await readText(answer, SAYING_BYTES);
    } catch (error) {
      if (!(error instanceof DashcamProblem)) throw error;
    } finally {
      answer.close();
    }
    this.learn(answer.status, text);
    return this.generation;
  }
}
