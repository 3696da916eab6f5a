/** Boxes of an MP4, made byte by byte. */
export function box(type: string, ...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const content = Buffer.concat(parts.map((part) => (part instanceof Uint8Array ? part : Uint8Array.from(part))));
  const made = new Uint8Array(8 + content.length);
  new DataView(made.buffer).setUint32(0, made.length);
  made.set(new TextEncoder().encode(type), 4);
  made.set(content, 8);
  return made;
}

const zeros = (count: number) => new Uint8Array(count);
export const FILE_TYPE = box("ftyp", new TextEncoder().encode("mp42"), zeros(4), new TextEncoder().encode("mp42isom"));

/** A movie header whose only picture track has this sample entry, with these boxes in it. */
export function movieOf(entry: string, ...inner: readonly Uint8Array[]): Uint8Array {
  const descriptions = box("stsd", [0, 0, 0, 0, 0, 0, 0, 1], box(entry, zeros(78), ...inner));
  const track = box("trak", box("tkhd", zeros(84)), box("mdia", box("minf", box("stbl", descriptions))));
  return box("moov", box("mvhd", zeros(100)), track);
}

/** A whole file: type, movie, pictures, or with the movie last. */
export function fileOf(movie: Uint8Array, pictures: number, isMovieLast = false): Uint8Array<ArrayBuffer> {
  const media = box("mdat", new Uint8Array(pictures).fill(5));
  return new Uint8Array(Buffer.concat([FILE_TYPE, ...(isMovieLast ? [media, movie] : [movie, media])]));
}

/** One array of a decoder configuration record: the units' type, whether it is complete, and what the units hold. */
export function nalArray(type: number, isComplete: boolean, ...units: readonly (readonly number[])[]): number[] {
  const written = units.flatMap((unit) => [unit.length >> 8, unit.length & 255, ...unit]);
  return [(isComplete ? 128 : 0) | type, units.length >> 8, units.length & 255, ...written];
}

/** A decoder configuration record that a standard's reader takes. */
export function hevcRecord(...arrays: readonly (readonly number[])[]): number[] {
  const head = [1, 1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 0x5d, 0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f];
  return [...head, arrays.length, ...arrays.flat()];
}
