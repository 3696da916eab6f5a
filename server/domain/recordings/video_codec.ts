import { type ReadAt, windowed } from "./mp4_boxes.ts";
import { sampleEntriesOf } from "./mp4_tracks.ts";

/** The codecs that cameras of this kind record with, by the letters of their sample entries (ISO/IEC 14496-15). */
const CODECS: Readonly<Record<string, string>> = {
  avc1: "avc",
  avc2: "avc",
  avc3: "avc",
  avc4: "avc",
  hvc1: "hevc",
  hev1: "hevc",
  dvh1: "hevc",
  dvhe: "hevc",
  av01: "av1",
};

/** Returns the coding of a video's pictures: `avc`, `hevc` or `av1`; null when it is another, or not told. */
export async function videoCodecOf(size: number, readAt: ReadAt): Promise<string | null> {
  for await (const { type } of sampleEntriesOf(size, windowed(readAt))) {
    const codec = CODECS[type];
    if (codec !== undefined) return codec;
  }
  return null;
}
