import { type Listing, NotAListing, parseListing } from "../domain/recordings/camera_listing.ts";
import { DashcamProblem } from "./problem.ts";
import { type ByteSpan, type CameraAnswer, type Patience, readText, request } from "./request.ts";

/** The list of the legacy generation, the one name of a maker in the product. */
export const LIST_PATH = "/blackvue_vod.cgi";

/** A listing of a full card is about 100 kB; what is far beyond that is something else. */
const LIST_LIMIT = 32 * 1024 * 1024;

export interface Wire {
  /** `http://host[:port]` */
  base: string;
  patience: Patience;
  headers: Record<string, string>;
}

/** Fetches and reads the list. @throws DashcamProblem */
export async function listLegacy(wire: Wire, signal?: AbortSignal): Promise<Listing> {
  const answer = await request(wire.base + LIST_PATH, { ...wire, signal });
  try {
    refuseRedirect(answer);
    if (answer.status !== 200)
      throw new DashcamProblem(
        "http",
        `the camera was asked for its list and answered with status ${answer.status}`,
        answer.status,
      );
    return parseListing(await readText(answer, LIST_LIMIT));
  } catch (error) {
    if (!(error instanceof NotAListing)) throw error;
    throw new DashcamProblem(
      "not-a-listing",
      `what answers there does not look like a camera: ${error.message}. Check the address`,
    );
  } finally {
    answer.close();
  }
}

/** Asks whether anything answers; any HTTP answer counts. @throws DashcamProblem */
export async function probeLegacy(wire: Wire, signal?: AbortSignal): Promise<void> {
  const answer = await request(wire.base + LIST_PATH, { ...wire, method: "HEAD", signal });
  answer.close();
}

/** Opens a recording's file, whole or in part; the answer is not yet judged. */
export function openLegacy(
  wire: Wire,
  name: string,
  { from, to }: ByteSpan,
  signal?: AbortSignal,
): Promise<CameraAnswer> {
  const isPart = from > 0 || to !== undefined;
  const range = `bytes=${from}-${to === undefined ? "" : to - 1}`;
  const headers = isPart ? { ...wire.headers, Range: range } : wire.headers;
  return request(`${wire.base}/Record/${encodeURIComponent(name)}`, { ...wire, headers, signal });
}

/** A body of at most `limit` bytes, whole. @throws DashcamProblem `too-long` past the limit, or what broke */
export async function readAll(answer: CameraAnswer, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let part = await answer.read(); part !== null; part = await answer.read()) {
    parts.push(part);
    length += part.length;
    if (length > limit) {
      answer.close();
      throw new DashcamProblem("too-long", "the camera's answer is far longer than it can be");
    }
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

export function refuseRedirect(answer: CameraAnswer): void {
  if (answer.status >= 300 && answer.status < 400)
    throw new DashcamProblem(
      "redirect",
      `what answers there sent us elsewhere (status ${answer.status}); cameras never do, and redirects are not followed`,
      answer.status,
    );
}
