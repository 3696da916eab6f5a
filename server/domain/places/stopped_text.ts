import { counted, formatCount } from "../text/format.ts";
import type { Indexing } from "./places_schema.ts";

/** Tells that recordings are not read for now, so that something may be missing. */
export function stoppedText({ done, total }: Indexing): string {
  const read = `${formatCount(done)} of ${counted(total, "clip")}`;
  return `Reading the recordings has stopped after ${read}. The log says why. Dashdock tries again every minute.`;
}
