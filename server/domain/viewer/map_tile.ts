/** One square of the street map: the world is `2^z` of them wide and high. */
export interface MapTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** The closest look that tile servers have pictures for. */
export const CLOSEST_ZOOM = 19;

/** The square, or null when there is none, or one of the numbers is not one. */
export function tileOf({ z, x, y }: MapTile): MapTile | null {
  const wide = 2 ** z;
  return z <= CLOSEST_ZOOM && x < wide && y < wide ? { z, x, y } : null;
}

/** Returns the address of a square's picture. @returns null when the address leads to another host for some squares */
export function tileAddress(template: string, { z, x, y }: MapTile): string | null {
  const filled = (tile: MapTile) =>
    template.replaceAll("{z}", String(tile.z)).replaceAll("{x}", String(tile.x)).replaceAll("{y}", String(tile.y));
  const address = filled({ z, x, y });
  const other = filled({ z: 0, x: 0, y: 0 });
  if (!URL.canParse(address) || !URL.canParse(other)) return null;
  const url = new URL(address);
  return url.origin === new URL(other).origin && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** The host that map pictures come from, as people are told it; empty when the address makes no sense. */
export function tileHost(template: string): string {
  return URL.canParse(template) ? new URL(template).host : "";
}

const BEGINS: readonly (readonly [type: string, begins: (bytes: Uint8Array) => boolean])[] = [
  ["image/png", (bytes) => has(bytes, 0, "\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (bytes) => has(bytes, 0, "\xff\xd8\xff")],
  ["image/webp", (bytes) => has(bytes, 0, "RIFF") && has(bytes, 8, "WEBP")],
];

/** Tells a picture's type by its first bytes, not by its sender's word; null when maps are not made of it. */
export function pictureType(bytes: Uint8Array): string | null {
  return BEGINS.find(([, begins]) => begins(bytes))?.[0] ?? null;
}

function has(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
}
