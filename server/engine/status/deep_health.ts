import { dirname } from "node:path";
import type { DestinationState } from "../../domain/status/destination_state.ts";
import { UNSAVED } from "../../domain/status/status_summary.ts";
import type { RunHistory } from "../../store/config/run_history.ts";
import type { Library } from "../../store/library/library.ts";
import { isWritable } from "../../store/writable.ts";

export interface DeepHealthParts {
  readonly settings: { readonly path: string; readonly isSaved: boolean };
  readonly history: Pick<RunHistory, "unwritable">;
  readonly library: Pick<Library, "root" | "rootProblem">;
  readonly destination: { readonly standing: DestinationState; check(): Promise<unknown> };
}

const FOLDER: Readonly<Record<DestinationState, string | null>> = {
  known: null,
  accepted: null,
  gone: "The recordings folder is not there; see whether its disk is mounted.",
  unmarked: "The recordings folder is not the one used before; see whether the right disk is mounted.",
  other: "The recordings folder is not the one used before; see whether the right disk is mounted.",
};

/**
 * Tells why nothing can be saved or brought home just now. The sentences name no path: they are for everyone who asks.
 */
export async function deepHealth({ settings, history, library, destination }: DeepHealthParts): Promise<string[]> {
  await destination.check();
  const unsaved = settings.isSaved ? history.unwritable : "full";
  const { rootProblem } = library;
  const isUnreadable = rootProblem !== null && rootProblem.code !== "ENOENT";
  const known = FOLDER[destination.standing];
  const reasons = [
    unsaved && UNSAVED[unsaved],
    unsaved === null && !(await isWritable(dirname(settings.path))) && "The config folder cannot be written.",
    known,
    known === null && isUnreadable && "The recordings folder cannot be read; check its disk and its permissions.",
    known === null && !isUnreadable && !(await isWritable(library.root)) && "The recordings folder cannot be written.",
  ];
  return reasons.filter((reason) => typeof reason === "string");
}
