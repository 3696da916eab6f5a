import type { Listing } from "../domain/recordings/camera_listing.ts";
import type { ByteSpan, CameraAnswer, Patience } from "./request.ts";

/** How one camera is talked to. */
export interface Wire {
  /** `http://host[:port]` */
  base: string;
  patience: Patience;
  headers: Record<string, string>;
}

/**
 * One wire generation of cameras, as the client uses it; the simulated camera has the other half. Each of these is one
 * request; the client keeps them one after the other.
 */
export interface Generation {
  /** Fetches and reads the list. @throws DashcamProblem */
  list(wire: Wire, signal?: AbortSignal): Promise<Listing>;
  /** Asks whether anything answers; any HTTP answer counts. @throws DashcamProblem */
  probe(wire: Wire, signal?: AbortSignal): Promise<void>;
  /** Opens a recording's file, whole or in part; the answer is not yet judged. @throws DashcamProblem */
  open(wire: Wire, name: string, span: ByteSpan, signal?: AbortSignal): Promise<CameraAnswer>;
  /** The bytes of one of the camera's own files. @throws DashcamProblem */
  configFile(wire: Wire, name: "config.ini" | "version.bin", signal?: AbortSignal): Promise<Uint8Array>;
}
