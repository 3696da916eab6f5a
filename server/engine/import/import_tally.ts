import type { CardFile } from "../../domain/import/import_plan.ts";
import type { ImportCounts } from "../../domain/import/import_text.ts";
import { LeftCounts } from "../../domain/import/left_out.ts";

/** Counts what becomes of the files of a card. */
export class ImportTally {
  recordings = 0;
  files = 0;
  bytes = 0;
  present = 0;
  removed = 0;
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
