import { type Listing, NotAListing } from "../domain/recordings/camera_listing.ts";
import type { Generation, Wire } from "./generation.ts";
import { DashcamProblem } from "./problem.ts";
import { readBytes, readText, refuseRedirect, request } from "./request.ts";

/** config.ini is a few kB. */
const CONFIG_LIMIT = 1024 * 1024;

/** Fetches and reads the list. @throws DashcamProblem */
export async function fetchList(generation: Generation, wire: Wire, signal?: AbortSignal): Promise<Listing> {
  const answer = await request(wire.base + generation.listPath, { ...wire, signal });
  try {
    refuseRedirect(answer);
    if (answer.status !== 200)
      throw new DashcamProblem(
        "http",
        `the camera was asked for its list and answered with status ${answer.status}`,
        answer.status,
      );
    return generation.parseList(await readText(answer, generation.listLimit));
  } catch (error) {
    if (!(error instanceof NotAListing)) throw error;
    const words =
      generation.name === "legacy"
        ? `what answers there does not look like a camera: ${error.message}. Check the address`
        : `the camera sent a list that cannot be read: ${error.message}. Turn the camera off and on`;
    throw new DashcamProblem("not-a-listing", words);
  } finally {
    answer.close();
  }
}

/** The bytes of one of the camera's own files; those with the newer interface refuse them. @throws DashcamProblem */
export async function fetchConfigFile(
  wire: Wire,
  name: "config.ini" | "version.bin",
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const answer = await request(`${wire.base}/Config/${name}`, { ...wire, signal });
  try {
    refuseRedirect(answer);
    if (answer.status !== 200)
      throw new DashcamProblem("http", `the camera answered ${name} with status ${answer.status}`, answer.status);
    return await readBytes(answer, CONFIG_LIMIT);
  } finally {
    answer.close();
  }
}
