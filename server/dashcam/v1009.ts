import { parseVodList } from "../domain/recordings/v1009_list.ts";
import {
  isMetadataRefusal,
  type MetadataKind,
  metadataRequest,
  NotMetadata,
  readMetadata,
} from "../domain/recordings/v1009_metadata.ts";
import type { FileAnswer, Generation, Wire } from "./generation.ts";
import { DashcamProblem } from "./problem.ts";
import { type CameraAnswer, rangeHeader, readText, refuseRedirect, request } from "./request.ts";

/** A thumbnail is some 100 kB of base64; an answer far beyond that is something else. */
const METADATA_LIMIT = 8 * 1024 * 1024;

/** The generation of firmware V1.009 and later: a JSON list, videos at the root, companions by a question for each. */
export const V1009: Generation = {
  name: "v1009",
  listPath: "/vodList",
  // It need not answer HEAD.
  probeMethod: "GET",
  // The 50,000 names of a full card are about 3 MB.
  listLimit: 8 * 1024 * 1024,
  parseList: parseVodList,
  async open(wire, name, span, signal) {
    const headers = { ...wire.headers, ...rangeHeader(span) };
    const answer = await request(`${wire.base}/${encodeURIComponent(name)}`, { ...wire, headers, signal });
    return { answer, isDoubtful: isRefusal(answer.status) };
  },
  async openCompanion(wire, { kind, video }, signal) {
    if (kind === "3gf") return { answer: answerOf(null), isDoubtful: false };
    const answer = await question(wire, metadataRequest(video, kind), signal);
    try {
      return await readCompanion(answer, kind);
    } finally {
      answer.close();
    }
  },
};

async function question(wire: Wire, body: string, signal: AbortSignal | undefined): Promise<CameraAnswer> {
  const headers = { ...wire.headers, "Content-Type": "application/json" };
  const ask = () => request(`${wire.base}/vodMetadata`, { ...wire, method: "POST", headers, body, signal });
  try {
    return await ask();
  } catch (error) {
    // The camera may have closed a connection that was used before. Only a GET is asked again by the runtime itself.
    if (!(error instanceof DashcamProblem) || error.kind !== "closed") throw error;
    return await ask();
  }
}

/**
 * Tells the answers of a legacy camera, which has nothing at these places; 416 is about the part that was asked for.
 */
function isRefusal(status: number): boolean {
  return (status >= 400 && status < 500 && status !== 416) || status === 501;
}

/** @throws DashcamProblem for what is no companion, which says nothing of its video */
async function readCompanion(answer: CameraAnswer, kind: MetadataKind): Promise<FileAnswer> {
  refuseRedirect(answer);
  const { status } = answer;
  if (status === 204) return { answer: answerOf(null), isDoubtful: false };
  const text = await readText(answer, METADATA_LIMIT);
  if (status !== 200) {
    const isItsOwn = status < 500 && isMetadataRefusal(text);
    return isItsOwn
      ? { answer: answerOf(null), isDoubtful: false }
      : { answer: { ...answerOf(null), status }, isDoubtful: isRefusal(status) };
  }
  try {
    return { answer: answerOf(readMetadata(kind, text)), isDoubtful: false };
  } catch (error) {
    if (!(error instanceof NotMetadata)) throw error;
    throw new DashcamProblem(
      "http",
      `the camera was asked for ${kind === "gps" ? "the GPS track" : "the thumbnail"} and ${error.message}`,
      status,
    );
  }
}

/** Turns a part of an answer into the file that a legacy camera answers; 404 when there is none. */
function answerOf(content: Uint8Array | null): CameraAnswer {
  let rest = content;
  const take = () => {
    const piece = rest;
    rest = null;
    return piece;
  };
  return {
    status: content === null ? 404 : 200,
    header: (name) => (name === "content-length" && content !== null ? String(content.length) : null),
    read: async () => take(),
    bytes: async () => take() ?? new Uint8Array(),
    pour: () => Promise.reject(new TypeError("what is in memory already is not poured")),
    close: () => {
      rest = null;
    },
  };
}
