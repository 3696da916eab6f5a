import type { Opened, OpenedBody } from "./opened.ts";
import { DashcamProblem } from "./problem.ts";
import type { ByteSpan } from "./request.ts";

/** Answers in a row that ended too early: so many are a habit of the camera, not an accident of the way to it. */
const HABIT = 2;
/** Fewer bytes than this in an answer tell nothing of where it will be cut the next time. */
const TELLING = 4 * 1024;
const LEAST = 512;
const FIRST = 64 * 1024;
/** A camera that sends so much in one piece needs no bounds. */
const UNBOUNDED_FROM = 64 * 1024 * 1024;
/** An answer with less than this to come is read at once: to let its bytes gather would only delay the next question. */
const GATHERED_FROM = 1024 * 1024;
/** Whole answers in a row before more is asked for at once; four times as many after each span that was too much. */
const WHOLE_BEFORE_MORE = 16;
const MOST_BEFORE_MORE = 1024;
/** Breaks of an answer in which bytes are lost that had come. */
const BREAKS: ReadonlySet<DashcamProblem["kind"]> = new Set(["closed", "reset", "cut"]);

/** Bytes that came of a body, and those that its answer promised. */
export interface Received {
  bytes: number;
  promised: number | null;
}

/**
 * Learns how much a camera sends before it cuts an answer. When a connection ends early, `fetch` throws away the bytes
 * that have come and were not read yet, up to some hundred kilobytes. From a camera that closes after each 100 kB
 * nothing would ever come. A part that ends before the cut comes whole. When the connection is reset, the system
 * itself may drop the bytes in its buffers. Such bytes cannot be had, and are asked for again.
 */
export class CutHabit {
  #span: number | null = null;
  #breaks = 0;
  #whole = 0;
  #wholeBeforeMore = WHOLE_BEFORE_MORE;
  #isWithoutPieces = false;
  /** Spans that were asked for and got no answer at all: a habit, or a camera that has left. */
  readonly #unanswered: (number | null)[] = [];

  /** Bytes to ask for at once; null for all. */
  get span(): number | null {
    return this.#span;
  }

  /** Its parts cannot be told to be of one file: from now on all is asked for, as if it had no such habit. */
  stopPieces(): void {
    this.#isWithoutPieces = true;
    this.#span = null;
  }

  /** The camera answers other questions: what got no answer was cut by it, too. */
  answered(): void {
    for (const asked of this.#unanswered.splice(0)) this.#broke(0, asked);
  }

  /** The camera answers nothing. That it has left says nothing of its habits. */
  left(): void {
    this.#unanswered.length = 0;
  }

  /**
   * Learns from the end of an answer.
   * @param error what broke it, if anything did
   * @param received left out where no answer came
   */
  learn(error: unknown, received: Received | undefined, { from, to }: ByteSpan): void {
    const asked = to === undefined ? null : to - from;
    const isBroken = error instanceof DashcamProblem && BREAKS.has(error.kind);
    // A stop, silence and the like say nothing of its habits.
    if (error !== undefined && !isBroken) return;
    if (isBroken && received === undefined) {
      this.#unanswered.push(asked);
      return;
    }
    const bytes = received?.bytes ?? 0;
    if (isBroken || (received !== undefined && bytes < (received.promised ?? 0))) this.#broke(bytes, asked);
    else if (received !== undefined && (asked === null || asked >= (this.#span ?? Number.POSITIVE_INFINITY)))
      this.#came();
  }

  #came(): void {
    this.#breaks = 0;
    if (this.#span === null || ++this.#whole < this.#wholeBeforeMore) return;
    this.#whole = 0;
    this.#span = this.#span * 2 > UNBOUNDED_FROM ? null : Math.max(this.#span * 2, TELLING);
    if (this.#span === null) this.#wholeBeforeMore = WHOLE_BEFORE_MORE;
  }

  #broke(bytes: number, asked: number | null): void {
    this.#whole = 0;
    if (this.#isWithoutPieces || (this.#span === null && ++this.#breaks < HABIT)) return;
    if (this.#span !== null) this.#wholeBeforeMore = Math.min(this.#wholeBeforeMore * 4, MOST_BEFORE_MORE);
    this.#breaks = 0;
    const seen = bytes >= TELLING ? 2 ** Math.floor(Math.log2(bytes)) : FIRST;
    this.#span = Math.max(LEAST, Math.min(seen, asked === null ? UNBOUNDED_FROM : asked / 2));
  }
}

/** Opens a part of a file, or the whole; in pieces, one request each, when the camera is known to cut its answers. */
export async function openInPieces(
  open: (span: ByteSpan) => Promise<Opened>,
  wanted: ByteSpan,
  habit: CutHabit,
): Promise<Opened> {
  const first = pieceOf(wanted, habit);
  if (first === wanted) return await open(wanted);
  let opened: Opened;
  try {
    opened = await open(first);
  } catch (error) {
    // It may refuse parts in this way.
    if (!(error instanceof DashcamProblem) || !(error.kind === "http" || BREAKS.has(error.kind))) throw error;
    return await open(wanted);
  }
  if (opened.kind === "beyond" && wanted.from > 0) return opened;
  if (opened.kind !== "body") return await open(wanted);
  const { total, start } = opened;
  if (start !== wanted.from) return opened;
  if (total === null) {
    opened.close();
    return await open(wanted);
  }
  const end = Math.min(wanted.to ?? total, total);
  return endOf(opened) >= end ? opened : joined(opened, end, open, habit);
}

function pieceOf(wanted: ByteSpan, { span }: CutHabit): ByteSpan {
  if (span === null || (wanted.to !== undefined && wanted.to - wanted.from <= span)) return wanted;
  return { from: wanted.from, to: wanted.from + span };
}

/** Returns the position in the file at which an answer ends by its own word. */
const endOf = ({ start, promised }: OpenedBody) => (promised === null ? Number.POSITIVE_INFINITY : start + promised);

/** One body made of several, each asked for when the one before has ended. */
function joined(
  first: OpenedBody,
  end: number,
  open: (span: ByteSpan) => Promise<Opened>,
  habit: CutHabit,
): OpenedBody {
  let current = first;
  let at = first.start;
  let isClosed = false;
  return {
    ...first,
    promised: null,
    async read(gatherMs) {
      for (;;) {
        const isLong = endOf(current) - at >= GATHERED_FROM;
        const piece = isClosed ? null : await current.read(isLong ? gatherMs : 0);
        if (piece !== null) {
          at += piece.length;
          return piece;
        }
        // An answer without a byte would lead to the same question again, for ever.
        if (isClosed || at >= end || at < endOf(current) || at === current.start) return null;
        current = sameFile(first, at, await open(pieceOf({ from: at, to: end }, habit)), habit);
      }
    },
    bytes: () => Promise.reject(new TypeError("what comes in pieces is read in pieces")),
    pour: () => Promise.reject(new TypeError("what comes in pieces is read in pieces")),
    close() {
      isClosed = true;
      current.close();
    },
  };
}

/** @throws DashcamProblem when the next piece is none of the same file, which may have grown */
function sameFile(first: OpenedBody, at: number, next: Opened, habit: CutHabit): OpenedBody {
  const { etag, lastModified, total } = first.validators;
  if (next.kind === "body") {
    const now = next.validators;
    const isSame = now.etag === etag && now.lastModified === lastModified;
    if (next.start === at && isSame && (now.total ?? 0) >= (total ?? 0)) return next;
    next.close();
    // Some cameras name another ETag with every answer, though the bytes are the same.
    if (!isSame) habit.stopPieces();
  }
  throw new DashcamProblem("cut", "the camera sent a part of the file, and something else for the next part");
}
