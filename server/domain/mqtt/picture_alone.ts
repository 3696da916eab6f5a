const FILL = 0xff;
const PIXELS = 0xda;
const END = [0xff, 0xd9] as const;
/** Segments of programs, and comments. The first kind is the picture's own, and the one of Adobe says how colours are written. */
const isBeside = (marker: number) => (marker > 0xe0 && marker <= 0xef && marker !== 0xee) || marker === 0xfe;

/**
 * A JPEG without what its camera wrote beside the picture, such as a place (Exif), also behind its end. One that is damaged
 * is returned up to the damage.
 */
export function pictureAlone(jpeg: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [jpeg.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= jpeg.length && jpeg[at] === 0xff) {
    const [, marker = FILL, high = 0, low = 0] = jpeg.subarray(at, at + 4);
    if (marker === FILL) {
      at += 1;
      continue;
    }
    if (marker === PIXELS) {
      parts.push(jpeg.subarray(at, endFrom(jpeg, at)));
      break;
    }
    const end = at + 2 + ((high << 8) | low);
    if (!isBeside(marker)) parts.push(jpeg.subarray(at, end));
    at = end;
  }
  const alone = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let to = 0;
  for (const part of parts) {
    alone.set(part, to);
    to += part.length;
  }
  return alone;
}

/** The first byte behind the end marker; among pixels it cannot stand. */
function endFrom(jpeg: Uint8Array, from: number): number {
  for (let at = from; ; at++) {
    at = jpeg.indexOf(END[0], at);
    if (at < 0) return jpeg.length;
    if (jpeg[at + 1] === END[1]) return at + 2;
  }
}
