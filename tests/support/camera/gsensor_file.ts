const SECONDS = 15;
const A_SECOND = 10;
const STEPS_PER_G = 128;

/** A `.3gf` file of a car that rolls along, and whose brakes are hit after so many seconds. */
export function brakedAt(seconds: number, g = 0.75): Uint8Array {
  const view = new DataView(new ArrayBuffer(SECONDS * A_SECOND * 10));
  for (let at = 0; at < SECONDS * A_SECOND; at++) {
    const isHit = at === Math.round(seconds * A_SECOND);
    view.setUint32(at * 10, at * (1000 / A_SECOND));
    view.setInt16(at * 10 + 4, STEPS_PER_G);
    view.setInt16(at * 10 + 8, isHit ? -Math.round(g * STEPS_PER_G) : 0);
  }
  return new Uint8Array(view.buffer);
}
