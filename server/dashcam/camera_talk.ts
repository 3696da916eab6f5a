import type { Listing } from "../domain/recordings/camera_listing.ts";
import { withOrdinal } from "../domain/recordings/recording_name.ts";
import type { Turns } from "../turns.ts";
import { CutHabit, openInPieces, type Received } from "./answer_pieces.ts";
import { fetchConfigFile } from "./camera_answers.ts";
import type { Companion, FileAnswer, Generation, GenerationName, Wire } from "./generation.ts";
import { knock, type Looked, type LookOptions, look } from "./look.ts";
import type { Opened, OpenedBody } from "./opened.ts";
import { DashcamProblem } from "./problem.ts";
import { type AnswerLimits, type ByteSpan, type CameraAnswer, refuseRedirect, SLOWEST } from "./request.ts";
import { ACCESSIBLE_PATH, SpokenInterface } from "./spoken_interface.ts";

/** Silence in the middle of a body that means the stream is frozen: cameras freeze without an error. */
const SILENCE_MS = 20_000;

/** Conversations with one camera. */
export interface CameraTalk {
  /** Interface that the camera spoke last; null before it was asked. */
  readonly generation: GenerationName | null;
  /** Fetches and reads the listing. @throws DashcamProblem */
  list(signal?: AbortSignal): Promise<Listing>;
  /** Resolves when something answers there at all. @throws DashcamProblem */
  probe(signal?: AbortSignal, answerMs?: number): Promise<void>;
  /** Opens a file of the card, the whole or a part of it; which recording of its name it is, no camera knows. @throws DashcamProblem for any other answer, or none */
  open(name: string, span: ByteSpan, signal?: AbortSignal): Promise<Opened>;
  /** Opens a companion of a listed video. @throws DashcamProblem as `open` does */
  openCompanion(of: Companion, signal?: AbortSignal): Promise<Opened>;
  /** The bytes of `/Config/<name>`. @throws DashcamProblem */
  configFile(name: "config.ini" | "version.bin", answerMs: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** Resolves when something takes connections there; nothing is asked. @throws DashcamProblem */
  knock(answerMs: number, signal: AbortSignal): Promise<void>;
  /** Whatever is answered at a path, bounded in time and length. @throws DashcamProblem when nothing is */
  look(path: string, options: LookOptions, signal: AbortSignal): Promise<Looked>;
}

export interface DashcamOptions {
  /** `host`, `host:port`, IPv4, `[IPv6]` or `[IPv6]:port`. */
  address: string;
  timeoutMs: number;
  silenceMs?: number;
  /** 1 KiB/s over a minute when left out. */
  slowest?: AnswerLimits["slowest"];
  /** Sent as `X-Affinity-Key`, so that one test camera can serve many. */
  affinityKey?: string | null;
}

/**
 * Opens conversations with one camera; nothing is contacted yet.
 * @param spoken which interface it spoke last, where that is known
 * @param queue requests go one at a time through it
 */
export function openTalk(options: DashcamOptions, spoken: GenerationName | null, queue: Turns): CameraTalk {
  const waitLimits: AnswerLimits = {
    answerMs: options.timeoutMs,
    silenceMs: options.silenceMs ?? Math.max(SILENCE_MS, options.timeoutMs),
    slowest: options.slowest ?? SLOWEST,
  };
  const headers: Record<string, string> = options.affinityKey ? { "X-Affinity-Key": options.affinityKey } : {};
  const wire: Wire = { base: `http://${options.address}`, waitLimits, headers };
  const interfaces = new SpokenInterface(spoken);
  const habit = new CutHabit();

  /** Runs one whole conversation in its turn. */
  async function inTurn<T>(signal: AbortSignal | undefined, exchange: () => Promise<T>): Promise<T> {
    const leave = await queue.enter(signal);
    try {
      const said = await exchange();
      habit.answered();
      return said;
    } catch (error) {
      interfaces.note(error);
      if (error instanceof DashcamProblem && error.isConnection) habit.left();
      throw error;
    } finally {
      leave();
    }
  }

  /**
   * Opens a file in its turn, which lasts until its body has ended.
   * @param learn is told how the answer ended
   */
  async function openInTurn(
    signal: AbortSignal | undefined,
    span: ByteSpan,
    ask: (generation: Generation) => Promise<FileAnswer>,
    learn: Leave = () => {},
  ): Promise<Opened> {
    const next = await queue.enter(signal);
    const leave: Leave = (error, received) => {
      interfaces.note(error);
      learn(error, received);
      next();
    };
    let answer: CameraAnswer | null = null;
    try {
      answer = await interfaces.file(wire, signal, ask);
      habit.answered();
      const opened = judge(answer, span, leave);
      if (opened.kind !== "body") {
        answer.close();
        leave();
      }
      return opened;
    } catch (error) {
      answer?.close();
      leave(error);
      throw error;
    }
  }

  function openVideo(name: string, span: ByteSpan, signal: AbortSignal | undefined): Promise<Opened> {
    // It may cut by the connection, whatever the number of answers.
    const isPiece = habit.span !== null && span.to !== undefined;
    const own = isPiece ? { ...wire, headers: { ...headers, Connection: "close" } } : wire;
    const learn: Leave = (error, received) => habit.learn(error, received, span);
    return openInTurn(signal, span, (generation) => generation.open(own, name, span, signal), learn);
  }

  return {
    get generation() {
      return interfaces.name;
    },
    list: (signal) => inTurn(signal, () => interfaces.list(wire, signal)),
    probe: (signal, answerMs = waitLimits.answerMs) =>
      inTurn(signal, () => interfaces.probe({ ...wire, waitLimits: { ...waitLimits, answerMs } }, signal)),
    open: (name, span, signal) => openInPieces((part) => openVideo(withOrdinal(name, 1), part, signal), span, habit),
    openCompanion: ({ name, kind, video }, signal) => {
      const of = { name: withOrdinal(name, 1), kind, video: withOrdinal(video, 1) };
      return openInTurn(signal, { from: 0 }, (generation) => generation.openCompanion(wire, of, signal));
    },
    configFile: (name, answerMs, signal) =>
      inTurn(signal, async () => {
        const quick = { ...wire, waitLimits: { ...waitLimits, answerMs, silenceMs: answerMs } };
        try {
          return await fetchConfigFile(quick, name, signal);
        } catch (error) {
          // The newer interface may have no settings, so only the interface tells a refusal from a trouble.
          const isRefusal = error instanceof DashcamProblem && error.status !== null;
          if (isRefusal && interfaces.name === null) await interfaces.probe(quick, signal);
          throw error;
        }
      }),
    knock: (answerMs, signal) =>
      inTurn(signal, async () => {
        try {
          await knock(wire.base, answerMs, signal);
        } catch (error) {
          if (!(error instanceof DashcamProblem) || error.kind !== "refused") throw error;
          // Bun's sockets call a missing way refused too; its requests tell them apart.
          await interfaces.probe({ ...wire, waitLimits: { ...waitLimits, answerMs } }, signal);
        }
      }),
    look: (path, limits, signal) =>
      inTurn(signal, async () => {
        const looked = await look(wire.base + path, limits, { headers, slowest: waitLimits.slowest }, signal);
        if (path === ACCESSIBLE_PATH) interfaces.learn(looked.status, new TextDecoder().decode(looked.body));
        return looked;
      }),
  };
}

/**
 * Lets the next request go. May be called more than once.
 * @param error what went wrong, if anything did
 * @param received bytes of the body, and what it promised; left out when it was not read to its end
 */
type Leave = (error?: unknown, received?: Received) => void;

/** Sorts a camera's answer to a request for a file or a part of it. */
function judge(answer: CameraAnswer, { from: offset, to }: ByteSpan, leave: Leave): Opened {
  refuseRedirect(answer);
  // The length of a chunked answer is no promise (RFC 9112, 6.3).
  const isChunked = answer.header("transfer-encoding") !== null;
  const length = isChunked ? null : wholeNumber(answer.header("content-length"));
  switch (answer.status) {
    case 200:
      return length === 0
        ? { kind: "empty" }
        : body(answer, { start: 0, total: length, promised: length, isChunked }, leave);
    case 206: {
      const range = /^\s*bytes\s+([0-9]+)-[0-9]+\/([0-9]+|\*)\s*$/i.exec(answer.header("content-range") ?? "");
      if (!range || Number(range[1]) !== offset) return { kind: "misplaced" };
      const computed = length === null || to !== undefined ? null : offset + length;
      const total = range[2] === "*" ? computed : Number(range[2]);
      return body(answer, { start: offset, total, promised: length, isChunked }, leave);
    }
    case 204:
      return { kind: "empty" };
    case 403:
    case 404:
      return { kind: "absent", status: answer.status };
    case 416: {
      const range = /^\s*bytes\s+\*\/([0-9]+)\s*$/i.exec(answer.header("content-range") ?? "");
      return { kind: "beyond", total: range ? Number(range[1]) : null };
    }
  }
  throw new DashcamProblem("http", `the camera answered with status ${answer.status}`, answer.status);
}

function body(
  answer: CameraAnswer,
  place: Pick<OpenedBody, "start" | "total" | "promised" | "isChunked">,
  leave: Leave,
): OpenedBody {
  const { promised } = place;
  let bytes = 0;
  /** The next request may go as soon as the body has ended, however it did. */
  const leaving = async <T>(work: Promise<T>, length: (done: T | null) => number): Promise<T> => {
    try {
      const done = await work;
      leave(undefined, { bytes: length(done), promised });
      return done;
    } catch (error) {
      leave(error, { bytes: length(null), promised });
      throw error;
    }
  };
  const type = answer.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  return {
    kind: "body",
    ...place,
    validators: { etag: answer.header("etag"), lastModified: answer.header("last-modified"), total: place.total },
    type: type || null,
    async read(gatherMs) {
      try {
        const piece = await answer.read(gatherMs);
        if (piece === null) leave(undefined, { bytes, promised });
        else bytes += piece.length;
        return piece;
      } catch (error) {
        leave(error, { bytes, promised });
        throw error;
      }
    },
    bytes: () => leaving(answer.bytes(), (all) => all?.length ?? 0),
    pour: (into) => leaving(answer.pour(into), () => into.grown()),
    close() {
      answer.close();
      leave();
    },
  };
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}
