import { describe } from "bun:test";
import type { GenerationName } from "../../../server/dashcam/generation.ts";
import { LEGACY } from "../../../server/dashcam/legacy.ts";
import { GENERATION_NAMES } from "../../../server/dashcam/simulator/simulator_generation.ts";
import { V1009 } from "../../../server/dashcam/v1009.ts";
import { type ArtifactKind, parseArtifact } from "../../../server/domain/recordings/recording_name.ts";

/**
 * Runs tests of behaviour that both interfaces of the camera share. The differences have names: `requestFor` and its
 * like find requests for a file with either, and `SyncBench.offered` lists the card's files that the interface has.
 */
export function onBothInterfaces(tests: (generation: GenerationName) => void): void {
  describe.each([...GENERATION_NAMES])("with a %s camera", tests);
}

/** Names that the newer interface has for the companions of a video, which it does not offer by path. */
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
  // A request for GPS data may name the video of any direction.
  const video = file.kind === "gps" ? `${file.stem}[A-Z]` : file.stem;
  return either(named, `"file":"${video}[LS]?\\.mp4","types":\\["${type}"\\]`);
}

function either(...patterns: string[]): RegExp {
  return new RegExp(patterns.join("|"));
}
