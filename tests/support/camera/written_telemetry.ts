/** A fix as a receiver writes it. */
export interface WrittenFix {
  /** Seconds into the clip. */
  readonly t: number;
  readonly lat: number;
  readonly lon: number;
  /** Null for a sentence without speed. */
  readonly knots: number | null;
}

/** A `.gps` file. @param utc real time at its beginning, epoch milliseconds */
export function gpsText(fixes: readonly WrittenFix[], utc: number): string {
  // Cameras write from the first second on, also while they see no satellites.
  const begins = `[${1e12}]$GNRMC,,V,,,,,,,,,,N*00\r\n`;
  const lines = fixes
    .map(({ t, lat, lon, knots }) => {
      const at = Math.round(t * 1000);
      const stamp = new Date(utc + at).toISOString();
      const time = `${stamp.slice(11, 19).replaceAll(":", "")}.${stamp.slice(20, 23)}`;
      const date = `${stamp.slice(8, 10)}${stamp.slice(5, 7)}${stamp.slice(2, 4)}`;
      const place = `${angle(lat, 2)},${lat < 0 ? "S" : "N"},${angle(lon, 3)},${lon < 0 ? "W" : "E"}`;
      if (knots === null) return `[${1e12 + at}]$GNGGA,${time},${place},1,12,0.7,10.0,M,,M,,*00\r\n`;
      return `[${1e12 + at}]$GNRMC,${time},A,${place},${knots.toFixed(3)},,${date},,,A*00\r\n`;
    })
    .join("");
  return begins + lines;
}

/** `DDMM.mmmmmm` */
function angle(degrees: number, digits: number): string {
  const units = Math.round(Math.abs(degrees) * 60e6);
  const whole = Math.floor(units / 60e6);
  const minutes = ((units - whole * 60e6) / 1e6).toFixed(6).padStart(9, "0");
  return `${String(whole).padStart(digits, "0")}${minutes}`;
}

/** A force in g on the three axes of the sensor. */
export type WrittenForce = readonly [x: number, y: number, z: number];

/** A `.3gf` file of ten samples a second. */
export function gsensorBytes(samples: readonly WrittenForce[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(samples.length * 10));
  for (const [at, sample] of samples.entries()) {
    view.setUint32(at * 10, at * 100);
    for (const [axis, g] of sample.entries())
      view.setInt16(at * 10 + 4 + axis * 2, Math.max(-32_768, Math.min(32_767, Math.round(g * 128))));
  }
  return new Uint8Array(view.buffer);
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
