import { MOST_GPS_BYTES } from "../../domain/recordings/gps_file.ts";
import { MOST_GSENSOR_BYTES } from "../../domain/recordings/gsensor_file.ts";
import { findEmbedded, readEmbedded } from "./embedded_files.ts";
import { firstBytes } from "./opened_file.ts";
import { pathOf, type Segment } from "./recording_files.ts";

/** More than these bytes of telemetry is not read. */
export const MOST_BYTES = { gps: MOST_GPS_BYTES, gsensor: MOST_GSENSOR_BYTES } as const;

/**
 * The first bytes of a clip's telemetry: of the file beside its videos or, where none was brought home, of the part of a
 * video that stands for it. Null when there is neither, or it is gone meanwhile.
 */
export async function readCompanion(
  root: string,
  segment: Segment,
  part: "gps" | "gsensor",
): Promise<Uint8Array | null> {
  const most = MOST_BYTES[part];
  const ending = segment.parts[part];
  try {
    if (ending === null) {
      const found = await findEmbedded(root, segment, part);
      return found && (await readEmbedded(root, found, most));
    }
    return await firstBytes(root, pathOf(segment, ending), most);
  } catch {
    return null;
  }
}
