import { describe, expect, test } from "bun:test";
import { gpsSteps, MOST_GPS_BYTES, readGps } from "../../../server/domain/recordings/gps_file.ts";
import type { GpsPoint } from "../../../server/domain/recordings/sensor_schema.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const pointsOf = (text: string) => readGps(bytes(text)).points;

/** A good sentence at 10°N 20°E, with fields replaced. */
function rmc(stamp: number, change: Partial<Record<"status" | "lat" | "ns" | "lon" | "ew" | "speed", string>> = {}) {
  const { status = "A", lat = "1000.00000", ns = "N", lon = "02000.00000", ew = "E", speed = "1.0" } = change;
  return `[${stamp}]$GNRMC,055059.00,${status},${lat},${ns},${lon},${ew},${speed},,070626,,,A*00\r\n`;
}
function gga(stamp: number, lat = "1100.00000", lon = "02100.00000", quality = "1") {
  return `[${stamp}]$GNGGA,055059.00,${lat},N,${lon},E,${quality},12,0.68,52.8,M,19.4,M,,*00\r\n`;
}

type Point = [t: number, lat: number, lon: number, speed: number | null];

describe("readGps()", () => {
  const cases: [sentence: string, text: string, points: Point[]][] = [
    [
      "reads RMC and GGA of one stamp as one point, south and west as negative",
      "[1000]$GNRMC,055056.00,A,3348.10000,S,15101.10000,E,0.000,,070626,,,A,V*07\r\n" +
        "[1000]$GNGGA,055056.00,3348.10000,S,15101.10000,E,1,12,0.68,52.8,M,19.4,M,,*6A\r\n\r\n" +
        "[2000]$GNRMC,055057.00,A,3348.20000,N,15101.20000,W,12.340,,070626,,,A,V*3D\r\n",
      [
        [0, -33.80166666666666, 151.01833333333335, 0],
        [1, 33.80333333333333, -151.02, 12.34],
      ],
    ],
    [
      "counts time from the first sentence, also one without a fix",
      "[1000]$GNRMC,055056.00,V,,,,,,,070626,,,N*65\r\n[1500]$GNGGA,055056.50,,,,,0,00,,,M,,M,,*50\r\n" +
        "[4000]$GNRMC,055059.00,A,3348.20000,N,15101.20000,E,1.0,,070626,,,A*6E\r\n",
      [[3, 33.80333333333333, 151.02, 1]],
    ],
    [
      "tells a missing speed as null",
      "[1780855916491]$GPRMC,101500.00,A,5128.67600,N,00000.03000,W,21.598,84.4,070626,,,A*49\r\n" +
        "[1780855917491]$GPRMC,101501.00,A,5128.67900,N,00000.02000,E,,84.4,070626,,,A*4D\r\n",
      [
        [0, 51.47793333333334, -0.0005, 21.598],
        [1, 51.477983333333334, 0.0003333333333333333, null],
      ],
    ],
    [
      "takes a GGA where the RMC of the same stamp is void",
      "[5000]$GNRMC,055056.00,V,,,,,,,070626,,,N*65\r\n[5000]$GNGGA,1,1234.50000,N,12345.60000,W,1,12*00\r\n",
      [[0, 12.575, -123.76, null]],
    ],
    [
      "prefers RMC to GGA at one stamp, and the later RMC to the earlier",
      rmc(1000) + gga(1000) + rmc(1000, { lat: "1200.00000", lon: "02200.00000", speed: "2.0" }),
      [[0, 12, 22, 2]],
    ],
    ["prefers RMC to GGA also when the GGA comes first", gga(1000) + rmc(1000), [[0, 10, 20, 1]]],
    ["takes the later of two GGA", gga(1000) + gga(1000, "1200.0", "02200.0"), [[0, 12, 22, null]]],
    ["does not look at checksums", rmc(1000).replace("*00", "*ZZ"), [[0, 10, 20, 1]]],
    [
      "ignores other satellite systems and sentences without their bracket",
      rmc(1000).replace("$GN", "$BD") + rmc(1000).slice("[1000]".length) + rmc(1000).replace("]", "] "),
      [],
    ],
    ["drops a sentence whose speed is a word", rmc(1000, { speed: "fast" }), []],
    ["keeps a negative speed", rmc(1000, { speed: "-1.5" }), [[0, 10, 20, -1.5]]],
    ["makes a speed beyond all numbers null", rmc(1000, { speed: "1e999" }), [[0, 10, 20, null]]],
    ["drops an endless latitude", rmc(1000, { lat: "inf" }), []],
    ["drops empty coordinates", rmc(1000, { lat: "" }) + rmc(1100, { lon: "" }), []],
    [
      "drops coordinates that are words and goes on",
      rmc(1000, { lat: "BAD", lon: "XXXX" }) + rmc(2000),
      [[1, 10, 20, 1]],
    ],
    ["sorts by time and counts from the earliest sentence", rmc(3000) + rmc(2000, { status: "V" }), [[1, 10, 20, 1]]],
    [
      "reads a lone bracket before an entry, and GGA of quality 2",
      "[1553161574690]\n\n[1553161574690]$GPGGA,144617.000,1234.5678,N,12345.6789,W,2,07,1.2,123.4,M,-123.4,M,,0000*50\n",
      [[0, 12.576130000000001, -123.76131500000001, null]],
    ],
    [
      "reads a line that is cut off behind the speed",
      "[1000]$GNRMC,055059.00,A,1000.0,N,02000.0,E,4.2",
      [[0, 10, 20, 4.2]],
    ],
    ["drops a line that is cut off inside the longitude", "[1000]$GNRMC,055059.00,A,1000.0,N,020", []],
    [
      "keeps fractions of a second",
      rmc(1000) + rmc(1100) + rmc(1333),
      [
        [0, 10, 20, 1],
        [0.1, 10, 20, 1],
        [0.333, 10, 20, 1],
      ],
    ],
    ["accepts dead reckoning", gga(1000, "1100.0", "02100.0", "6"), [[0, 11, 21, null]]],
    ["drops GGA without a quality", gga(1000, "1100.0", "02100.0", ""), []],
    ["takes any other hemisphere letter as positive", rmc(1000, { ns: "s", ew: "" }), [[0, 10, 20, 1]]],
    [
      "reads two entries on one line",
      rmc(1000).trimEnd() + rmc(2000),
      [
        [0, 10, 20, 1],
        [1, 10, 20, 1],
      ],
    ],
    [
      "loses the second of one line when the first has no asterisk",
      rmc(1000).slice(0, -5) + rmc(2000),
      [[0, 10, 20, 1]],
    ],
    [
      "refuses latitudes beyond the poles",
      rmc(1000, { lat: "9000.00001" }) + rmc(2000, { lat: "9000.0" }),
      [[1, 90, 20, 1]],
    ],
    [
      "refuses longitudes beyond the date line",
      rmc(1000, { lon: "18000.1" }) + rmc(2000, { lon: "18000" }),
      [[1, 10, 180, 1]],
    ],
    ["refuses minutes from sixty", rmc(1000, { lat: "1060.0" }) + rmc(2000, { lon: "02099.9" }), []],
    [
      "refuses numbers with signs, spaces, exponents or underscores",
      ["-1000.0", " 1000", "1e3", "10_00.0"].map((lat) => rmc(1, { lat })).join(""),
      [],
    ],
    ["refuses the place where a receiver without a fix is", rmc(1000, { lat: "0000.0", lon: "00000.0" }), []],
    ["finds nothing in nothing", "", []],
    ["finds nothing in text of another kind", "<html>[12]$G</html>", []],
    ["ignores a bracket of more digits than time has", rmc(1000).replace("1000", "9".repeat(400)), []],
  ];
  test.each(cases)("%s", (_, text, points) => {
    const found = pointsOf(text);
    expect(found.map(({ t, speed }) => [t, speed])).toEqual(points.map(([t, , , speed]) => [t, speed]));
    for (const [index, [, lat, lon]] of points.entries()) {
      expect(found[index]?.lat).toBeCloseTo(lat, 9);
      expect(found[index]?.lon).toBeCloseTo(lon, 9);
    }
  });

  test.each(["nan", "NaN", "inf", "-inf", "Infinity", "+INF"])("keeps the place where the speed is %s", (speed) => {
    expect(pointsOf(rmc(1000, { speed }))).toEqual([{ t: 0, lat: 10, lon: 20, speed: null }]);
  });

  test("reads what is not UTF-8 around the entries", () => {
    const text = bytes(rmc(1000));
    expect(readGps(Buffer.concat([Uint8Array.of(0xff, 0xfe, 0), text, Uint8Array.of(0xc3)])).points).toHaveLength(1);
  });

  test("reads no more than its share of a huge file", () => {
    const line = rmc(1000);
    const text = line.repeat(Math.ceil(MOST_GPS_BYTES / line.length)) + rmc(9000);
    expect(pointsOf(text).map(({ t }): GpsPoint["t"] => t)).toEqual([0]);
  });
});

describe("the real time of a track", () => {
  test("is that of the satellites at t 0, whatever the camera's clock says", () => {
    const text = `[5000]$GNRMC,,V,,,,,,,,,,N*65\r\n${rmc(7500).replace("055059.00", "055059.25")}`;
    expect(readGps(bytes(text)).startUtc).toBe(Date.UTC(2026, 5, 7, 5, 50, 56, 750));
  });

  test("is unknown without a date", () => {
    expect(readGps(bytes(gga(1000))).startUtc).toBeNull();
    expect(readGps(bytes(rmc(1000).replace("070626", ""))).startUtc).toBeNull();
  });
});

test("a file that lies is read in many short steps, with what it comes to in one go", () => {
  const lies = bytes(Array.from({ length: 9000 }, (_, at) => rmc((at * 7919) % 100_000)).join(""));
  const steps = gpsSteps(lies);
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count++;
  expect(count).toBeGreaterThanOrEqual(15);
  expect(step.value).toEqual(readGps(lies));
  // A minute of a usual receiver is no longer than one.
  expect(gpsSteps(bytes(Array.from({ length: 120 }, (_, at) => rmc(at * 500)).join(""))).next().done).toBe(true);
});
