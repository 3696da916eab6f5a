import type { Listing } from "../domain/recordings/camera_listing.ts";
import type { ArtifactKind } from "../domain/recordings/recording_name.ts";
import type { ByteSpan, CameraAnswer, Patience } from "./request.ts";

/** How one camera is talked to. */
export interface Wire {
  /** `http://host[:port]` */
  base: string;
  patience: Patience;
  headers: Record<string, string>;
}

/** The wire generations: of all models until 2026, and of firmware V1.009 and later. */
export type GenerationName = "legacy" | "v1009";

/** A file beside a recording's videos. */
export interface Companion {
  /** What it is called at home. */
  name: string;
  kind: Exclude<ArtifactKind, "mp4">;
  /** A listed video of its recording. */
  video: string;
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
  /** Whether it has files of this kind at all. */
  offers(kind: ArtifactKind): boolean;
  /** Opens a companion; the answer is not yet judged. @throws DashcamProblem */
  openCompanion(wire: Wire, of: Companion, signal?: AbortSignal): Promise<CameraAnswer>;
  /** The bytes of one of the camera's own files. @throws DashcamProblem */
  configFile(wire: Wire, name: "config.ini" | "version.bin", signal?: AbortSignal): Promise<Uint8Array>;
}
