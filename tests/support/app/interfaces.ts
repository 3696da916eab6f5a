import { describe } from "bun:test";
import type { GenerationName } from "../../../server/dashcam/generation.ts";
import { LEGACY } from "../../../server/dashcam/legacy.ts";
import { GENERATION_NAMES } from "../../../server/dashcam/simulator/simulator_generation.ts";
import { V1009 } from "../../../server/dashcam/v1009.ts";
import { type ArtifactKind, parseArtifact } from "../../../server/domain/recordings/recording_name.ts";

/**
 * Tests of what is the same whichever interface the camera speaks. What differs between the two stands here: in requests,
 * `requestFor` and its like find a file with either; of the card, `SyncBench.offered` is what the interface has.
 */
export function onBothInterfaces(tests: (generation: GenerationName) => void): void {
  describe.each([...GENERATION_NAMES])("with a %s camera", tests);
}

/** How what comes of a video is asked for with the newer interface, which has no names for it. */
const ASKED_BY_POST: Readonly<Partial<Record<ArtifactKind, string>>> = { thm: "thumbnail", gps: "gps" };

/** The paths at which files of the card are asked for. */
export const FILE_PATHS: Readonly<Record<GenerationName, RegExp>> = {
  legacy: /^\/Record\/[0-9]{8}_[0-9]{6}_[A-Z]+\.[a-z0-9]+$/,
  v1009: /^\/([0-9]{8}_[0-9]{6}_[A-Z]+\.mp4|vodMetadata)$/,
};

/** Requests for the list. */
export const LIST_REQUEST = either(`^${RegExp.escape(LEGACY.listPath)}$`, `^${RegExp.escape(V1009.listPath)}$`);

/** Requests for files of these kinds; of any kind when none is given. */
export function requestsFor(...kinds: ArtifactKind[]): RegExp {
  const wanted = kinds.length === 0 ? (["mp4", "thm", "3gf", "gps"] as const) : kinds;
  return either(
    ...wanted.flatMap((kind) => {
      const type = ASKED_BY_POST[kind];
      return [`\\.${kind}$`, ...(type === undefined ? [] : [`"types":\\["${type}"\\]`])];
    }),
  );
}

/** Requests for the file of this name. */
export function requestFor(name: string): RegExp {
  const file = parseArtifact(name);
  const type = file === null ? undefined : ASKED_BY_POST[file.kind];
  const named = `/${RegExp.escape(name)}$`;
  if (file === null || type === undefined) return either(named);
  // Of the GPS data any direction's video may be named.
  const video = file.kind === "gps" ? `${file.stem}[A-Z]` : file.stem;
  return either(named, `"file":"${video}[LS]?\\.mp4","types":\\["${type}"\\]`);
}

function either(...patterns: string[]): RegExp {
  return new RegExp(patterns.join("|"));
}
