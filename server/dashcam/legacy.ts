import { parseListing } from "../domain/recordings/camera_listing.ts";
import type { Generation, Wire } from "./generation.ts";
import { type ByteSpan, type CameraAnswer, rangeHeader, request } from "./request.ts";

/** The list of the legacy generation, the one name of a maker in the product. */
export const LIST_PATH = "/blackvue_vod.cgi";

/** Answers of the newer interface to requests of this one. */
const REFUSALS: ReadonlySet<number> = new Set([400, 415]);

/** The generation of all models until 2026: a text listing, files below `/Record/`. */
export const LEGACY: Generation = {
  name: "legacy",
  listPath: LIST_PATH,
  probeMethod: "HEAD",
  listLimit: 32 * 1024 * 1024,
  parseList: parseListing,
  async open(wire, name, span, signal) {
    const answer = await file(wire, name, span, signal);
    // Seldom the truth of a video, which was listed a moment ago.
    return { answer, isDoubtful: REFUSALS.has(answer.status) || answer.status === 404 };
  },
  async openCompanion(wire, { name }, signal) {
    const answer = await file(wire, name, { from: 0 }, signal);
    return { answer, isDoubtful: REFUSALS.has(answer.status) };
  },
};

function file(wire: Wire, name: string, span: ByteSpan, signal: AbortSignal | undefined): Promise<CameraAnswer> {
  const headers = { ...wire.headers, ...rangeHeader(span) };
  return request(`${wire.base}/Record/${encodeURIComponent(name)}`, { ...wire, headers, signal });
}
