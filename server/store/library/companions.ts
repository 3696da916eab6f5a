import { MOST_GPS_BYTES } from "../../domain/recordings/gps_file.ts";
import { MOST_GSENSOR_BYTES } from "../../domain/recordings/gsensor_file.ts";
import { findServedFile } from "./media_files.ts";
import { pathOf, type Segment } from "./recording_files.ts";

const MOST_BYTES = { gps: MOST_GPS_BYTES, gsensor: MOST_GSENSOR_BYTES } as const;

/** The first bytes of a telemetry file beside a clip's videos; null when there is none, or it is gone meanwhile. */
export async function readCompanion(
  root: string,
  segment: Segment,
  part: "gps" | "gsensor",
): Promise<Uint8Array | null> {
  const ending = segment.parts[part];
  const found = ending && (await findServedFile(root, pathOf(segment, ending)));
  if (!found) return null;
  try {
    return await Bun.file(found.path).slice(0, MOST_BYTES[part]).bytes();
  } catch {
    return null;
  }
}
