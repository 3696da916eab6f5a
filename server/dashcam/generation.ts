import type { Listing } from "../domain/recordings/camera_listing.ts";
import type { ArtifactKind } from "../domain/recordings/recording_name.ts";
import type { AnswerLimits, ByteSpan, CameraAnswer } from "./request.ts";

/** Address and limits of waiting for talking to one camera. */
export interface Wire {
  /** `http://host[:port]` */
  base: string;
  waitLimits: AnswerLimits;
  headers: Record<string, string>;
}

/** The wire generations: of all models until 2026, and of firmware V1.009 and later. */
export type GenerationName = "legacy" | "v1009";

/** True when cameras of this interface have files of this kind at all; all have, while it is not known. */
export function hasFilesOf(kind: ArtifactKind, generation: GenerationName | null): boolean {
  return generation !== "v1009" || kind !== "3gf";
}

/** A file beside a recording's videos. */
export interface Companion {
  /** Name that it gets at home. */
  name: string;
  kind: Exclude<ArtifactKind, "mp4">;
  /** A listed video of its recording. */
  video: string;
}

/** Answer to a request for a file; not yet judged. */
export interface FileAnswer {
  answer: CameraAnswer;
  /** A camera that speaks the other interface by now would answer so, too. */
  isDoubtful: boolean;
}

/**
 * One wire generation of cameras, as the client uses it; the simulated camera has the other half. Each asking is one
 * request; the client keeps them one after the other.
 */
export interface Generation {
  readonly name: GenerationName;
  readonly listPath: string;
  /** Method by which it is asked at its list whether it is there. */
  readonly probeMethod: "HEAD" | "GET";
  /** Most bytes of a list: a longer answer is something else. */
  readonly listLimit: number;
  /** @throws NotAListing */
  parseList(text: string): Listing;
  /** Opens a video, whole or in part. @throws DashcamProblem */
  open(wire: Wire, name: string, span: ByteSpan, signal?: AbortSignal): Promise<FileAnswer>;
  /** Opens a companion. @throws DashcamProblem */
  openCompanion(wire: Wire, of: Companion, signal?: AbortSignal): Promise<FileAnswer>;
}
