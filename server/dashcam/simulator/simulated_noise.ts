/** A 32-bit number from a text (FNV-1a): the seed of everything that differs from file to file. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** A well mixed 32-bit number for a seed and an index: randomness that can be asked for at any place. */
export function mixed(seed: number, index: number): number {
  let value = (seed + Math.imul(index, 0x9e3779b9)) | 0;
  value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  value = Math.imul(value ^ (value >>> 15), 0x735a2d97);
  return (value ^ (value >>> 15)) >>> 0;
}

/** Returns `mixed` as a fraction from 0 up to 1. */
export function fraction(seed: number, index: number): number {
  return mixed(seed, index) / 0x1_0000_0000;
}
