import { type Box, boxesOf, type ReadAt } from "./mp4_boxes.ts";

/** Path to the descriptions of samples (ISO/IEC 14496-12 §8.5.2), from the movie's header on. */
const TO_SAMPLE_DESCRIPTIONS = ["trak", "mdia", "minf", "stbl", "stsd"] as const;
/** Cameras write a picture, a sound and perhaps a text. */
const MOST_TRACKS = 16;
/** Boxes read on the way to the sample entries: there are some hundred. */
const MOST_BOXES = 4096;
/** Bytes of a picture's sample entry before its boxes (§12.1.3): dimensions, the compressor's name and others. */
export const VISUAL_ENTRY_BYTES = 78;

/** The sample entries of all tracks: their letters say how the track is coded. It reads box headers only. */
export async function* sampleEntriesOf(size: number, read: ReadAt): AsyncGenerator<Box> {
  for await (const movie of boxesOf(read, 0, size)) {
    if (movie.type !== "moov") continue;
    yield* entriesWithin(read, movie, 0, { left: MOST_BOXES });
    return;
  }
}

async function* entriesWithin(read: ReadAt, box: Box, depth: number, boxes: { left: number }): AsyncGenerator<Box> {
  const wanted = TO_SAMPLE_DESCRIPTIONS[depth];
  let count = 0;
  for await (const inner of boxesWithin(read, box)) {
    if (--boxes.left < 0) return;
    if (wanted === undefined) yield inner;
    // Version, flags and the number of entries come first.
    else if (inner.type === wanted)
      yield* entriesWithin(read, wanted === "stsd" ? behind(inner, 8) : inner, depth + 1, boxes);
    if (inner.type === "trak" && ++count === MOST_TRACKS) return;
  }
}

/** The boxes in a box, as far as they end within it. */
export async function* boxesWithin(read: ReadAt, { content, end }: Box): AsyncGenerator<Box> {
  for await (const box of boxesOf(read, content, end)) {
    if (box.end > end) return;
    yield box;
  }
}

/** A box without the first bytes of its content. */
export function behind(box: Box, bytes: number): Box {
  return { ...box, content: box.content + bytes };
}
