import { NotAListing, parseListing } from "../domain/recordings/camera_listing.ts";
import type { Generation } from "./generation.ts";
import { DashcamProblem } from "./problem.ts";
import { readPieces, readText, refuseRedirect, request } from "./request.ts";

/** The list of the legacy generation, the one name of a maker in the product. */
export const LIST_PATH = "/blackvue_vod.cgi";

/** A listing of a full card is about 100 kB; what is far beyond that is something else. */
const LIST_LIMIT = 32 * 1024 * 1024;
/** config.ini is a few kB. */
const CONFIG_LIMIT = 1024 * 1024;

/** The generation of all models until 2026: a text listing, files below `/Record/`, settings below `/Config/`. */
export const LEGACY: Generation = {
  async list(wire, signal) {
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
  },
  async probe(wire, signal) {
    const answer = await request(wire.base + LIST_PATH, { ...wire, method: "HEAD", signal });
    answer.close();
  },
  offers: () => true,
  openCompanion: (wire, { name }, signal) => LEGACY.open(wire, name, { from: 0 }, signal),
  open(wire, name, { from, to }, signal) {
    const isPart = from > 0 || to !== undefined;
    const range = `bytes=${from}-${to === undefined ? "" : to - 1}`;
    const headers = isPart ? { ...wire.headers, Range: range } : wire.headers;
    return request(`${wire.base}/Record/${encodeURIComponent(name)}`, { ...wire, headers, signal });
  },
  async configFile(wire, name, signal) {
    const answer = await request(`${wire.base}/Config/${name}`, { ...wire, signal });
    try {
      refuseRedirect(answer);
      if (answer.status !== 200)
        throw new DashcamProblem("http", `the camera answered ${name} with status ${answer.status}`, answer.status);
      const pieces: Uint8Array[] = [];
      await readPieces(answer, CONFIG_LIMIT, (piece) => pieces.push(piece));
      return Buffer.concat(pieces);
    } finally {
      answer.close();
    }
  },
};
