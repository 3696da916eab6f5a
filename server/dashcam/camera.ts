import type { Listing } from "../domain/recordings/camera_listing.ts";
import type { ArtifactKind } from "../domain/recordings/recording_name.ts";
import { fetchConfigFile } from "./camera_answers.ts";
import type { Companion, FileAnswer, Generation, GenerationName, Wire } from "./generation.ts";
import { knock, type Looked, type LookOptions, look } from "./look.ts";
import { DashcamProblem } from "./problem.ts";
import { type ByteSpan, type CameraAnswer, type Patience, refuseRedirect, SLOWEST } from "./request.ts";
import { RequestQueue } from "./request_queue.ts";
import { ACCESSIBLE_PATH, SpokenInterface } from "./spoken_interface.ts";

/** Silence in the middle of a body that means the stream is frozen: cameras freeze without an error. */
export const SILENCE_MS = 20_000;

/** By what a camera's answer a file is known to be the one it was before; null for what the answer lacks. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
  /** The file's length. */
  total: number | null;
}

/** A file's bytes on their way. Read it to its end in one of the three ways, or close it. */
export interface OpenedBody {
  kind: "body";
  /** Where in the file it begins. */
  start: number;
  /** The file's length; null when the camera does not name it. */
  total: number | null;
  /** Bytes of which the connection itself shows the end, `Content-Length`; null when it does not. */
  promised: number | null;
  validators: Validators;
  /** Lower case, without parameters; null when the camera does not name it. */
  type: string | null;
  read: CameraAnswer["read"];
  bytes: CameraAnswer["bytes"];
  pour: CameraAnswer["pour"];
  close(): void;
}

/** What the camera answers when a file is asked for. */
export type Opened =
  | OpenedBody
  /** The file is on the list but empty on the card (204, or 200 with length 0). */
  | { kind: "empty" }
  /** Not there, or not to be had: 404, 403. */
  | { kind: "absent"; status: number }
  /** Our offset is at or past the file's end (416); `total` when the camera named it. */
  | { kind: "beyond"; total: number | null }
  /** A 206 that starts elsewhere, does not name its start, or that was not asked for: nothing of it can be used. */
  | { kind: "misplaced" };

export interface Dashcam {
  readonly address: string;
  /** Which interface the camera spoke last; null before it was asked. */
  readonly generation: GenerationName | null;
  /** Whether this interface has such files at all: the newer one has no .3gf. All true before the camera was asked. */
  offers(kind: ArtifactKind): boolean;
  /** Fetches and reads the listing. @throws DashcamProblem */
  list(signal?: AbortSignal): Promise<Listing>;
  /** Resolves when something answers there at all. @throws DashcamProblem */
  probe(signal?: AbortSignal, answerMs?: number): Promise<void>;
  /** Opens a file of the card, the whole or a part of it. @throws DashcamProblem for any other answer, or none */
  open(name: string, span: ByteSpan, signal?: AbortSignal): Promise<Opened>;
  /** Opens a companion of a listed video. @throws DashcamProblem as `open` does */
  openCompanion(of: Companion, signal?: AbortSignal): Promise<Opened>;
  /** The bytes of `/Config/<name>`. @throws DashcamProblem */
  configFile(name: "config.ini" | "version.bin", answerMs: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** Whether something takes connections there; nothing is asked. @throws DashcamProblem */
  knock(answerMs: number, signal: AbortSignal): Promise<void>;
  /** Whatever is answered at a path, bounded in time and length. @throws DashcamProblem when nothing is */
  look(path: string, options: LookOptions, signal: AbortSignal): Promise<Looked>;
  /** True while a request is under way: what can wait should not ask the camera now. */
  readonly isBusy: boolean;
}

export interface DashcamOptions {
  /** `host`, `host:port`, IPv4, `[IPv6]` or `[IPv6]:port`. */
  address: string;
  timeoutMs: number;
  silenceMs?: number;
  /** 1 KiB/s over a minute when left out. */
  slowest?: Patience["slowest"];
  /** Sent as `X-Affinity-Key`, so that one test camera can serve many. */
  affinityKey?: string | null;
}

/**
 * A client for one camera. Requests go one at a time through one queue; nothing is contacted yet.
 * @param spoken which interface it spoke last, where that is known
 */
export function openCamera(options: DashcamOptions, spoken: GenerationName | null = null): Dashcam {
  const patience: Patience = {
    answerMs: options.timeoutMs,
    silenceMs: options.silenceMs ?? Math.max(SILENCE_MS, options.timeoutMs),
    slowest: options.slowest ?? SLOWEST,
  };
  const headers: Record<string, string> = options.affinityKey ? { "X-Affinity-Key": options.affinityKey } : {};
  const wire: Wire = { base: `http://${options.address}`, patience, headers };
  const queue = new RequestQueue();
  const interfaces = new SpokenInterface(spoken);

  /** Runs one whole conversation in its turn. */
  async function inTurn<T>(signal: AbortSignal | undefined, talk: () => Promise<T>): Promise<T> {
    const leave = await queue.enter(signal);
    try {
      return await talk();
    } catch (error) {
      interfaces.note(error);
      throw error;
    } finally {
      leave();
    }
  }

  /** Opens a file in its turn, which lasts until its body has ended. */
  async function openInTurn(
    signal: AbortSignal | undefined,
    span: ByteSpan,
    ask: (generation: Generation) => Promise<FileAnswer>,
  ): Promise<Opened> {
    const next = await queue.enter(signal);
    const leave: Leave = (error) => {
      interfaces.note(error);
      next();
    };
    let answer: CameraAnswer | null = null;
    try {
      answer = await interfaces.file(wire, signal, ask);
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

  return {
    address: options.address,
    get generation() {
      return interfaces.name;
    },
    offers: (kind) => interfaces.generation.offers(kind),
    get isBusy() {
      return queue.isBusy;
    },
    list: (signal) => inTurn(signal, () => interfaces.list(wire, signal)),
    probe: (signal, answerMs = patience.answerMs) =>
      inTurn(signal, () => interfaces.probe({ ...wire, patience: { ...patience, answerMs } }, signal)),
    open: (name, span, signal) => openInTurn(signal, span, (generation) => generation.open(wire, name, span, signal)),
    openCompanion: (of, signal) =>
      openInTurn(signal, { from: 0 }, (generation) => generation.openCompanion(wire, of, signal)),
    configFile: (name, answerMs, signal) =>
      inTurn(signal, async () => {
        const quick = { ...wire, patience: { ...patience, answerMs, silenceMs: answerMs } };
        try {
          return await fetchConfigFile(quick, name, signal);
        } catch (error) {
          // Whether its interface has settings at all is what tells a refusal from a trouble.
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
          await interfaces.probe({ ...wire, patience: { ...patience, answerMs } }, signal);
        }
      }),
    look: (path, limits, signal) =>
      inTurn(signal, async () => {
        const looked = await look(wire.base + path, limits, { headers, slowest: patience.slowest }, signal);
        if (path === ACCESSIBLE_PATH) interfaces.learn(looked.status, new TextDecoder().decode(looked.body));
        return looked;
      }),
  };
}

/** Lets the next request go; with what went wrong, if anything did. May be called more than once. */
type Leave = (error?: unknown) => void;

/** Sorts a camera's answer to a request for a file or a part of it. */
function judge(answer: CameraAnswer, { from: offset, to }: ByteSpan, leave: Leave): Opened {
  refuseRedirect(answer);
  // Of chunks a length is no promise (RFC 9112, 6.3).
  const isChunked = answer.header("transfer-encoding") !== null;
  const length = isChunked ? null : wholeNumber(answer.header("content-length"));
  switch (answer.status) {
    case 200:
      return length === 0 ? { kind: "empty" } : body(answer, { start: 0, total: length, promised: length }, leave);
    case 206: {
      const range = /^\s*bytes\s+([0-9]+)-[0-9]+\/([0-9]+|\*)\s*$/i.exec(answer.header("content-range") ?? "");
      if (!range || Number(range[1]) !== offset) return { kind: "misplaced" };
      const computed = length === null || to !== undefined ? null : offset + length;
      const total = range[2] === "*" ? computed : Number(range[2]);
      return body(answer, { start: offset, total, promised: length }, leave);
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

function body(answer: CameraAnswer, place: Pick<OpenedBody, "start" | "total" | "promised">, leave: Leave): OpenedBody {
  /** The next request may go as soon as the body has ended, however it did. */
  const leaving = async <T>(work: Promise<T>): Promise<T> => {
    try {
      const done = await work;
      leave();
      return done;
    } catch (error) {
      leave(error);
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
        if (piece === null) leave();
        return piece;
      } catch (error) {
        leave(error);
        throw error;
      }
    },
    bytes: () => leaving(answer.bytes()),
    pour: (into) => leaving(answer.pour(into)),
    close() {
      answer.close();
      leave();
    },
  };
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}

/** The camera by the options in force: the same client for as long as they stay the same. */
export function cameraInForce(options: () => DashcamOptions): () => Dashcam {
  let [key, client]: [string, Dashcam | null] = ["", null];
  return () => {
    const wanted = options();
    if (client !== null && key === JSON.stringify(wanted)) return client;
    const spoken = client?.address === wanted.address ? client.generation : null;
    [key, client] = [JSON.stringify(wanted), openCamera(wanted, spoken)];
    return client;
  };
}
