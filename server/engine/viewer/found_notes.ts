import { noteMatches } from "../../domain/viewer/note_search.ts";
import type { RetentionParts } from "../retention/retention_parts.ts";
import type { ViewedRecordings } from "./viewed_recordings.ts";

interface NoteParts {
  readonly retention: { readonly kept: Pick<RetentionParts["kept"], "shown"> };
  readonly viewed: Pick<ViewedRecordings, "find">;
}

/** A clip that is here, and its note. */
export interface FoundNote {
  readonly key: string;
  readonly note: string;
}

/** Clips whose note has all of these words, newest first. */
export async function foundNotes({ retention, viewed }: NoteParts, typed: string, most: number): Promise<FoundNote[]> {
  const marks = [...(await retention.kept.shown()).values()];
  const noted = marks
    .flatMap(({ key, kept: { note } }) => (note !== null && noteMatches(note, typed) ? [{ key, note }] : []))
    .sort((one, other) => (one.key < other.key ? 1 : -1));
  const found: FoundNote[] = [];
  for (const one of noted) {
    if (found.length === most) break;
    // A mark may outlive its recording.
    if ((await viewed.find(one.key)) !== null) found.push(one);
  }
  return found;
}
