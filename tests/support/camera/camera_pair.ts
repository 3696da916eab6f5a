import { type Dashcam, openCamera } from "../../../server/dashcam/camera.ts";
import type { Companion, GenerationName } from "../../../server/dashcam/generation.ts";
import type { Opened } from "../../../server/dashcam/opened.ts";
import { DashcamProblem } from "../../../server/dashcam/problem.ts";
import { SimulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator, type Simulator, type SimulatorOptions } from "../../../server/dashcam/simulator/simulator.ts";

/** The one video on the card, its length, and the companions of it. */
export const VIDEO = "20260702_141045_NF.mp4";
export const SIZE = 100_000;
export const THUMBNAIL: Companion = { name: "20260702_141045_NF.thm", kind: "thm", video: VIDEO };
export const TRACK: Companion = { name: "20260702_141045_N.gps", kind: "gps", video: VIDEO };
export const SENSOR: Companion = { name: "20260702_141045_N.3gf", kind: "3gf", video: VIDEO };

export interface CameraPair extends AsyncDisposable {
  readonly camera: Simulator;
  readonly client: Dashcam;
}

/** A simulated camera with one moment on its card, and a client that knows nothing of it yet. */
export async function cameraPair(
  generation: GenerationName,
  options: Partial<SimulatorOptions> = {},
): Promise<CameraPair> {
  const card = new SimulatedCard(syntheticFootage(SIZE));
  card.record(VIDEO);
  const camera = await openSimulator({ card, generation, ...options });
  const client = openCamera({ address: camera.address, timeoutMs: 5000, silenceMs: 5000 });
  return { camera, client, [Symbol.asyncDispose]: () => camera.close() };
}

/** A device that answers in its own way, what it was asked, and a client for it. */
export function deviceOf(answer: (path: string, request: Request) => Response | Promise<Response>) {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(`${request.method} ${pathname}`);
      return answer(pathname, request);
    },
  });
  const client = openCamera({ address: `127.0.0.1:${server.port}`, timeoutMs: 5000, silenceMs: 5000 });
  return { asked, client, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** Requests to a simulated camera: `GET /accessible`. */
export function asksOf({ requests }: Simulator): string[] {
  return requests.map(({ method, path }) => `${method} ${path}`);
}

/** The problem that a promise ends with. */
export async function problemOf(promise: Promise<unknown>): Promise<DashcamProblem> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DashcamProblem)) throw new Error(`Expected a problem, got ${error}`);
  return error;
}

/** All bytes of a file that is being opened. */
export async function bytesOf(opening: Promise<Opened>): Promise<Buffer> {
  const body = await opening;
  if (body.kind !== "body") throw new Error(`Expected a body, got ${body.kind}`);
  const pieces: Uint8Array[] = [];
  for (let piece = await body.read(); piece !== null; piece = await body.read()) pieces.push(piece);
  return Buffer.concat(pieces);
}
