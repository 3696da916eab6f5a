import { mixed, seedOf } from "./simulated_noise.ts";

const WIDTH = 704;
const HEIGHT = 480;

/**
 * A small valid picture of one shade of grey that depends on the name: a baseline JPEG (ITU-T T.81) of one component,
 * every block of it flat, which takes two bits each.
 */
export function greyImage(name: string): Uint8Array {
  const blocks = (WIDTH / 8) * (HEIGHT / 8);
  const scan = new Uint8Array(Math.ceil((10 + (blocks - 1) * 2) / 8));
  // The first block is darker than the middle grey by 64 to 127 steps: code 10, then seven bits; all others are equal.
  const darker = 64 + (mixed(seedOf(name), 0) % 64);
  const opening = (0b10 << 14) | ((127 - darker) << 7);
  scan[0] = opening >> 8;
  scan[1] = opening & 0xff;
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, [...new TextEncoder().encode("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...new Array<number>(64).fill(8)]),
    ...segment(0xc0, [8, HEIGHT >> 8, HEIGHT & 0xff, WIDTH >> 8, WIDTH & 0xff, 1, 1, 0x11, 0]),
    // Two codes for the shade's change: 0 is none, 10 is one of seven bits. One code for the rest of a block: none.
    ...segment(0xc4, [0x00, 1, 1, ...new Array<number>(14).fill(0), 0, 7]),
    ...segment(0xc4, [0x10, 1, ...new Array<number>(15).fill(0), 0]),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
    ...scan,
    ...[0xff, 0xd9],
  ]);
}

function segment(marker: number, content: readonly number[]): number[] {
  const length = content.length + 2;
  return [0xff, marker, length >> 8, length & 0xff, ...content];
}
