import * as v from "valibot";
import type { Listing } from "../domain/recordings/camera_listing.ts";
import { fetchList } from "./camera_answers.ts";
import type { FileAnswer, Generation, GenerationName, Wire } from "./generation.ts";
import { LEGACY } from "./legacy.ts";
import { DashcamProblem } from "./problem.ts";
import { type CameraAnswer, readText, request } from "./request.ts";
import { V1009 } from "./v1009.ts";

/** Path at which cameras with the newer interface name it; the others have nothing there. */
export const ACCESSIBLE_PATH = "/accessible";
/** Most bytes of that answer: it is one line. */
export const SAYING_BYTES = 4096;
/** Milliseconds until that answer begins. A silent camera is asked for its list next, which tells if it is away. */
const SAYING_MS = 2000;
const ACCESSIBLE = v.object({ accessible: v.literal("OK") });

/** Statuses with which cameras answer a request for nothing they have, or for a part of the other interface. */
const OF_NEITHER: ReadonlySet<number> = new Set([400, 404, 415]);

/** Both wire generations by their names. */
export const GENERATIONS: Readonly<Record<GenerationName, Generation>> = { legacy: LEGACY, v1009: V1009 };

/** Returns the interface that an answer at `ACCESSIBLE_PATH` shows; null for neither. */
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
 * Keeps the interface that one camera speaks. The camera is asked with each list. It is asked again before an answer
 * is believed that a camera with other firmware would give as well. Firmware changes between runs, and also while one
 * is under way.
 */
export class SpokenInterface {
  #spoken: GenerationName | null;
  /** A connection broke since the camera was asked: it may have restarted with other firmware. */
  #isInDoubt = false;
  /** It left the question unanswered, and then sent its list: small servers may do that with what they do not know. */
  #isMute = false;
  /** Interface whose list came, or could have come by now; null before. */
  #lists: GenerationName | null = null;

  constructor(spoken: GenerationName | null) {
    this.#spoken = spoken;
  }

  /** Interface spoken last; null before the camera was asked. */
  get name(): GenerationName | null {
    return this.#spoken;
  }

  get generation(): Generation {
    return GENERATIONS[this.#spoken ?? "legacy"];
  }

  /** Takes note of what went wrong in talking. */
  note(error: unknown): void {
    if (error instanceof DashcamProblem && error.isPassing && !this.#isMute) this.#isInDoubt = true;
  }

  /** Takes the answer at `ACCESSIBLE_PATH`; an answer that shows nothing changes nothing. */
  learn(status: number, text: string): void {
    this.#spoken = generationOf(status, text) ?? this.#spoken;
    this.#isInDoubt = false;
    this.#isMute = false;
  }

  /**
   * Resolves when anything answers within its limits, to the first question or the second; any HTTP answer counts.
   * @throws DashcamProblem
   */
  async probe(wire: Wire, signal: AbortSignal | undefined): Promise<void> {
    const began = performance.now();
    const within = (answerMs: number): Wire => ({ ...wire, waitLimits: { ...wire.waitLimits, answerMs } });
    const { answerMs } = wire.waitLimits;
    const isAsked = this.#spoken !== "legacy" || this.#isInDoubt;
    if (isAsked && (await this.#askUnlessItIsMute(within(answerMs / 2), signal)) !== null) return;
    const { listPath, probeMethod: method } = this.generation;
    const left = within(Math.max(1, answerMs - (performance.now() - began)));
    const answer = await request(wire.base + listPath, { ...left, method, signal });
    answer.close();
    this.#isInDoubt = isAsked || answer.status === 400 || answer.status === 415;
  }

  /** Fetches and reads the list, of the interface that is spoken now. @throws DashcamProblem */
  async list(wire: Wire, signal: AbortSignal | undefined): Promise<Listing> {
    const asked = await this.#askUnlessItIsMute(wire, signal);
    const generation = asked ?? this.generation;
    try {
      return await this.#listOf(generation, asked === null, wire, signal);
    } catch (error) {
      const isElsewhere = error instanceof DashcamProblem && (error.status === 404 || error.status === 415);
      if (!isElsewhere) throw error;
      const now = await this.#askUnlessItIsMute(wire, signal);
      const other = generation === LEGACY ? V1009 : LEGACY;
      try {
        return await this.#listOf(other, now === null, wire, signal);
      } catch (second) {
        // A server that is mute where it knows nothing is so at the other list, too: its first answer tells more.
        const isBroken = second instanceof DashcamProblem && second.isPassing && now !== null;
        const isOthers = now === other || !(second instanceof DashcamProblem) || isBroken;
        throw isOthers ? second : error;
      }
    }
  }

  /**
   * Asks for a file. A camera of the other interface would give some answers as well. Such an answer is believed once
   * the camera has said what it speaks; else the file is asked for there. @throws DashcamProblem
   */
  async file(
    wire: Wire,
    signal: AbortSignal | undefined,
    ask: (generation: Generation) => Promise<FileAnswer>,
  ): Promise<CameraAnswer> {
    const answer = await this.#believed(wire, signal, ask);
    if (OF_NEITHER.has(answer.status)) {
      answer.close();
      await this.#requireList(wire, signal);
    }
    return answer;
  }

  async #believed(
    wire: Wire,
    signal: AbortSignal | undefined,
    ask: (generation: Generation) => Promise<FileAnswer>,
  ): Promise<CameraAnswer> {
    const spoken = (this.#isInDoubt ? await this.#askUnlessItIsMute(wire, signal) : null) ?? this.generation;
    const { answer, isDoubtful } = await ask(spoken);
    if (!isDoubtful) return answer;
    answer.close();
    const now = this.#isMute ? await this.#askUnlessItIsMute(wire, signal) : await this.#ask(wire, signal);
    return now === null || now === spoken ? answer : (await ask(now)).answer;
  }

  /**
   * Asks a camera for a list of the legacy kind before it passes for a legacy one that lacks the file. A newer camera
   * may answer 404 to everything for a moment while it starts. @throws DashcamProblem, of the kinds that pass, unless
   * there is such a list
   */
  async #requireList(wire: Wire, signal: AbortSignal | undefined): Promise<void> {
    if (this.#spoken !== "legacy" || this.#lists !== "v1009") return;
    const { status, close } = await request(wire.base + LEGACY.listPath, {
      ...wire,
      method: LEGACY.probeMethod,
      signal,
    });
    close();
    if (OF_NEITHER.has(status))
      throw new DashcamProblem("closed", "the camera answered as if it had nothing, not even a list");
    this.#lists = "legacy";
  }

  async #listOf(
    generation: Generation,
    isMute: boolean,
    wire: Wire,
    signal: AbortSignal | undefined,
  ): Promise<Listing> {
    const listing = await fetchList(generation, wire, signal);
    [this.#spoken, this.#lists] = [generation.name, generation.name];
    if (isMute) [this.#isInDoubt, this.#isMute] = [false, true];
    return listing;
  }

  /** Null when it hangs up or is silent; a camera that is away leaves the next question unanswered, too. */
  async #askUnlessItIsMute(wire: Wire, signal: AbortSignal | undefined): Promise<Generation | null> {
    try {
      return await this.#ask(wire, signal);
    } catch (error) {
      if (error instanceof DashcamProblem && (error.kind === "closed" || error.kind === "timeout")) return null;
      throw error;
    }
  }

  /** @throws DashcamProblem when nothing answers */
  async #ask(wire: Wire, signal: AbortSignal | undefined): Promise<Generation> {
    const answerMs = Math.min(SAYING_MS, wire.waitLimits.answerMs);
    const waitLimits = { ...wire.waitLimits, answerMs, silenceMs: Math.min(answerMs, wire.waitLimits.silenceMs) };
    const answer = await request(wire.base + ACCESSIBLE_PATH, { ...wire, waitLimits, signal });
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
