import type { CardFile } from "../../domain/import/import_plan.ts";
import type { ImportStep } from "../../domain/import/import_schema.ts";
import type { ImportCounts } from "../../domain/import/import_text.ts";
import { LeftCounts } from "../../domain/import/left_out.ts";

/** Counts what becomes of the files of a card, while it becomes of them. */
export class ImportTally {
  /** Step of the import at the moment. */
  step: ImportStep = "waiting";
  recordings = 0;
  files = 0;
  bytes = 0;
  present = 0;
  removed = 0;
  /** Files that are at home by their names, and those of them that were compared. */
  toCompare = 0;
  compared = 0;
  readonly left = new LeftCounts();

  came({ name, size }: CardFile): void {
    this.files++;
    this.bytes += size;
    if (name.kind === "mp4") this.recordings++;
  }

  get counts(): ImportCounts {
    const { recordings, files, bytes, present, removed, left } = this;
    return { recordings, files, bytes, present, removed, left: left.all };
  }
}
