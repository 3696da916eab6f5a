import type { GsensorSample } from "./sensor_schema.ts";

/** Bytes read of a file: two and a half hours at ten samples a second. The rest is ignored. */
export const MOST_GSENSOR_BYTES = 1024 * 1024;

const RECORD_BYTES = 10;
/** Raw units per g: found by measuring cameras at rest; no maker documents it. */
const UNITS_PER_G = 128;
/** A record of nothing but 0xFF ends the data in some files. */
const END = 0xffff_ffff;

/**
 * Reads a `.3gf` file: ten-byte big-endian records without a header, each milliseconds since the start (unsigned 32
 * bits) and three axes (signed 16 bits). A record that is cut off at the end is ignored.
 */
export function readGsensor(file: Uint8Array): GsensorSample[] {
  const view = new DataView(file.buffer, file.byteOffset, Math.min(file.byteLength, MOST_GSENSOR_BYTES));
  const samples: GsensorSample[] = [];
  for (let at = 0; at + RECORD_BYTES <= view.byteLength; at += RECORD_BYTES) {
    const milliseconds = view.getUint32(at);
    if (milliseconds === END) break;
    samples.push({
      t: milliseconds / 1000,
      x: view.getInt16(at + 4) / UNITS_PER_G,
      y: view.getInt16(at + 6) / UNITS_PER_G,
      z: view.getInt16(at + 8) / UNITS_PER_G,
    });
  }
  return samples;
}
