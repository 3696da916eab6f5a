import { describe, expect, test } from "bun:test";
import { flatTrackOf, scaleBar, speedRunsOf, timeNear } from "../../../server/domain/viewer/map_drawing.ts";
import { trackInWords } from "../../../server/domain/viewer/map_text.ts";
import {
  boundsOf,
  carAt,
  courseBetween,
  type MapTrack,
  mapTrackOf,
  strongestTime,
} from "../../../server/domain/viewer/map_track.ts";
import { speedClassOf, speedLegend, speedScale, speedSteps } from "../../../server/domain/viewer/speed_ramp.ts";
import type { Telemetry } from "../../../server/domain/viewer/viewer_schema.ts";

type Fix = readonly [t: number, lat: number, lon: number, knots?: number | null];

/** Telemetry of clips that begin at an offset and have these fixes; null for a clip without a GPS file. */
function telemetry(
  clips: readonly (readonly [offset: number, fixes: readonly Fix[] | null, breaks?: readonly number[]])[],
): Telemetry {
  return {
    segments: clips.map(([offset_seconds, fixes, breaks = []]) => ({
      key: "20260607_101500_N",
      offset_seconds,
      duration_seconds: 60,
      track: fixes && {
        t: fixes.map(([t]) => t),
        lat: fixes.map(([, lat]) => lat),
        lon: fixes.map(([, , lon]) => lon),
        speed: fixes.map(([, , , knots]) => (knots === undefined ? 10 : knots)),
        breaks: [...breaks],
      },
      force: null,
      rest: null,
    })),
    rest: null,
    distance_meters: 24_600,
    fastest_knots: 44.3,
    strongest_g: null,
    box: null,
  };
}

const track = (...clips: Parameters<typeof telemetry>[0]): MapTrack => {
  const found = mapTrackOf(telemetry(clips));
  if (found === null) throw new Error("There is no track");
  return found;
};

describe("mapTrackOf()", () => {
  test("joins the clips of a trip, and leaves open what lies between tracks that do not meet", () => {
    const joined = track(
      [
        0,
        [
          [0, 50, 10],
          [59, 50.01, 10],
        ],
      ],
      [
        60,
        [
          [0.5, 50.0101, 10],
          [59, 50.02, 10],
        ],
      ],
      [200, [[0, 50.03, 10]]],
      [260, null],
      [
        320,
        [
          [0, 50.03, 10],
          [10, 50.03, 10],
        ],
        [1],
      ],
    );
    expect(joined.t).toEqual([0, 59, 60.5, 119, 200, 320, 330]);
    expect(joined.starts).toEqual([0, 4, 5, 6]);
  });

  test("goes on over the date line in either direction, also over a gap", () => {
    expect(
      track([
        0,
        [
          [0, 0, 179.9],
          [1, 0, -179.95],
          [2, 0, -179.9],
        ],
      ]).lon.map((lon) => Math.round(lon * 100)),
    ).toEqual([17990, 18005, 18010]);
    expect(
      track(
        [
          0,
          [
            [0, 0, -179.9],
            [1, 0, 179.9],
          ],
        ],
        [90, [[0, 0, 179.8]]],
      ).lon.map((lon) => Math.round(lon * 10)),
    ).toEqual([-1799, -1801, -1802]);
  });

  test("never goes back in time where a clip's last fix is later than the next one's first", () => {
    const late = track(
      [
        0,
        [
          [0, 50, 10],
          [62, 50.001, 10],
        ],
      ],
      [
        60,
        [
          [0, 50.0009, 10],
          [3, 50.0012, 10],
        ],
      ],
    );
    expect(late.t).toEqual([0, 62, 63]);
    expect(late.starts).toEqual([0]);
  });

  test("is nothing without fixes", () => {
    expect(mapTrackOf(telemetry([]))).toBeNull();
    expect(
      mapTrackOf(
        telemetry([
          [0, null],
          [60, []],
        ]),
      ),
    ).toBeNull();
  });
});

describe("carAt()", () => {
  const drive = track(
    [
      0,
      [
        [1, 50, 10],
        [2, 50.001, 10],
        [3, 50.001, 10.001],
      ],
    ],
    [
      60,
      [
        [0, 51, 11],
        [10, 51, 11.01],
        [30, 51, 11.02],
      ],
      [2],
    ],
  );
  const samples: [time: number, lat: number, lon: number, course: number, hasFix: boolean][] = [
    [-5, 50, 10, 0, false],
    [0, 50, 10, 0, true],
    [1, 50, 10, 0, true],
    [1.5, 50.0005, 10, 0, true],
    [2.25, 50.001, 10.00025, 90, true],
    [3, 50.001, 10.001, 90, true],
    [6, 50.001, 10.001, 90, true],
    [6.1, 50.001, 10.001, 90, false],
    [56, 50.001, 10.001, 90, false],
    [57.5, 51, 11, 90, true],
    // Thinned out, but not broken: the line between the two is known.
    [65, 51, 11.005, 90, true],
    [75, 51, 11.01, 90, false],
    [88, 51, 11.02, 90, true],
    [93, 51, 11.02, 90, true],
    [94, 51, 11.02, 90, false],
    [1e9, 51, 11.02, 90, false],
  ];
  for (const [time, lat, lon, course, hasFix] of samples)
    test(`at ${time} s it is ${hasFix ? "here" : "not known where"}`, () => {
      const car = carAt(drive, time);
      expect([car.lat.toFixed(5), car.lon.toFixed(5), Math.round(car.course), car.hasFix]).toEqual([
        lat.toFixed(5),
        lon.toFixed(5),
        course,
        hasFix,
      ]);
    });

  test("a car that stands keeps its course, however its receiver wanders", () => {
    const standing = track([
      0,
      [
        [0, 50, 10],
        [1, 50, 10.001],
        [2, 50.00001, 10.001],
        [3, 49.99999, 10.00101],
        [4, 50, 10.001],
      ],
    ]);
    expect(standing.course.map(Math.round)).toEqual([90, 90, 90, 90, 90]);
    expect(
      track([
        0,
        [
          [0, 50, 10],
          [1, 50, 10],
        ],
      ]).course,
    ).toEqual([0, 0]);
  });
});

describe("strongestTime()", () => {
  const [clip] = telemetry([[60, null]]).segments;
  const told = (force: NonNullable<typeof clip>["force"]): Telemetry => ({
    ...telemetry([]),
    rest: { x: 1, y: 0, z: 0 },
    segments: clip ? [{ ...clip, force }] : [],
  });

  test("is when the force was farthest from how the camera hangs, else when the clip begins", () => {
    const force = { t: [0, 1, 2], x: [1, 1, 0.2], y: [0, -0.5, 0], z: [0, 0.4, 0] };
    expect(strongestTime(told(force), "20260607_101500_N")).toBe(62);
    expect(strongestTime(told(null), "20260607_101500_N")).toBe(60);
    expect(strongestTime(told(force), "20260607_101500_E")).toBeNull();
  });
});

describe("courseBetween()", () => {
  const samples: [lat: number, lon: number, course: number][] = [
    [1, 0, 0],
    [0, 1, 90],
    [-1, 0, 180],
    [0, -1, 270],
  ];
  for (const [lat, lon, course] of samples)
    test(`to ${lat}, ${lon} is ${course}°`, () => {
      expect(courseBetween({ lat: 0, lon: 0 }, { lat, lon })).toBeCloseTo(course, 1);
    });

  test("knows that degrees of longitude are short in the north", () => {
    expect(courseBetween({ lat: 60, lon: 0 }, { lat: 60.001, lon: 0.002 })).toBeCloseTo(45, 1);
  });
});

describe("the drawing of a track", () => {
  test("has a line for each speed, which begin where the one before ended, and none over gaps", () => {
    const knots = (kmh: number) => kmh / 1.852;
    const fixes = [10, 10, 30, 30, 100].map((kmh, t): Fix => [t, 50 + t / 1000, 10, knots(kmh)]);
    const drawn = track([0, [...fixes, [20, 51, 10, null], [21, 51.001, 10, null], [30, 52, 10]], [5, 7]]);
    expect(speedRunsOf(drawn, speedScale(knots(100), "kmh"))).toEqual([
      { from: 0, to: 1, speed: 1 },
      { from: 1, to: 3, speed: 2 },
      { from: 3, to: 4, speed: 4 },
      { from: 5, to: 6, speed: 0 },
    ]);
  });

  test("finds the time at a place, on the pass that is meant, and none beside the track", () => {
    const there = [0, 1, 2, 3, 4].map((t): Fix => [t, 50, 10 + t / 1000]);
    const andBack = [3, 2, 1, 0].map((at, index): Fix => [5 + index, 50, 10 + at / 1000]);
    const both = track([0, [...there, ...andBack, [60, 50.01, 10]], [9]]);
    const flat = flatTrackOf(both);
    const at = (lat: number, lon: number, time: number) => {
      const {
        x: [x = 0],
        y: [y = 0],
      } = flatTrackOf(track([0, [[0, lat, lon]]]));
      return timeNear(flat, { x, y, most: 1e-7, time });
    };
    expect(at(50, 10.0015, 0)).toBeCloseTo(1.5, 3);
    expect(at(50, 10.0015, 8)).toBeCloseTo(6.5, 3);
    expect(at(50.005, 10, 0)).toBeNull();
    expect(at(50.01, 10, 0)).toBeCloseTo(60, 3);
  });

  test("stays finite at the poles and on the date line", () => {
    const { x, y } = flatTrackOf(
      track([
        0,
        [
          [0, 90, 180],
          [1, -90, -180],
        ],
      ]),
    );
    expect([...x, ...y].every(Number.isFinite)).toBe(true);
  });

  test("shows how large things are in a round length", () => {
    const samples: [metersPerPixel: number, unit: "kmh" | "mph", text: string, pixels: number][] = [
      [1, "kmh", "50\u00a0m", 50],
      [10, "kmh", "500\u00a0m", 50],
      [13, "kmh", "1\u00a0km", 77],
      [0.5, "kmh", "20\u00a0m", 40],
      [5000, "kmh", "200\u00a0km", 40],
      [10, "mph", "2000\u00a0ft", 61],
      [21, "mph", "1\u00a0mi", 77],
    ];
    for (const [metersPerPixel, unit, text, pixels] of samples)
      expect(scaleBar(metersPerPixel, 80, unit)).toEqual({ text, pixels });
  });
});

describe("the colours of speed", () => {
  const knots = (kmh: number) => kmh / 1.852;
  const tops: readonly (readonly [kmh: number, unit: "kmh" | "mph", legend: string])[] = [
    [82, "kmh", "0 18 36 54 72 90"],
    [82, "mph", "0 12 24 36 48 60"],
    [100, "kmh", "0 20 40 60 80 100"],
    [131, "kmh", "0 28 56 84 112 140"],
    [42, "kmh", "0 9 18 27 36 45"],
    [12, "kmh", "0 3 6 9 12 15"],
    [0, "kmh", "0 1 2 3 4 5"],
  ];
  for (const [kmh, unit, legend] of tops)
    test(`of a trip that reached ${kmh} km/h end at ${legend.split(" ").at(-1)} in ${unit}`, () => {
      const scale = speedScale(knots(kmh), unit);
      expect(speedLegend(scale).join(" ")).toBe(legend);
      expect(speedSteps(scale).join(" ")).toBe(legend.split(" ").slice(0, 5).join(" "));
    });

  for (let kmh = 25; kmh <= 240; kmh++)
    test(`all come up in a trip that reached ${kmh} km/h`, () => {
      const scale = speedScale(knots(kmh), "kmh");
      expect([speedClassOf(knots(0), scale), speedClassOf(knots(kmh), scale)]).toEqual([1, 5]);
    });

  test("are one for each step, and none where the speed is unknown", () => {
    const scale = speedScale(knots(82), "kmh");
    const classes = [null, 0, 17.9, 18.1, 36.1, 54.1, 72.1, 90, 300].map((kmh) =>
      speedClassOf(kmh === null ? null : knots(kmh), scale),
    );
    expect(classes).toEqual([0, 1, 1, 2, 3, 4, 5, 5, 5]);
    expect(speedLegend(speedScale(null, "kmh"))).toHaveLength(6);
  });
});

describe("trackInWords()", () => {
  const words = (fixes: readonly Fix[], events: readonly string[] = [], unit: "kmh" | "mph" = "kmh") =>
    trackInWords({ telemetry: telemetry([]), track: track([0, fixes]), unit, events });
  const samples: [text: string, fixes: readonly Fix[]][] = [
    [
      "from west to east",
      [
        [0, 50, 10],
        [1, 50, 11],
      ],
    ],
    [
      "from south-west to north-east",
      [
        [0, 50, 10],
        [1, 51, 11.5],
      ],
    ],
    [
      "from east to west",
      [
        [0, 0, -179.5],
        [1, 0, 179.5],
      ],
    ],
    [
      "and back to where it began",
      [
        [0, 50, 10],
        [1, 51, 11],
        [2, 50.01, 10.01],
      ],
    ],
    [
      "at one place",
      [
        [0, 50, 10],
        [1, 50, 10],
      ],
    ],
    [
      "to the north",
      [
        [0, 50, 10],
        [1, 50.5, 10],
        [2, 50, 30],
        [3, 40, 30],
        [4, 54, 10],
      ],
    ],
  ];
  for (const [text, fixes] of samples)
    test(`tells ${text}`, () => {
      expect(words(fixes)).toBe(`Track, 24.6\u00a0km ${text}, fastest 82\u00a0km/h`);
    });

  test("names events, in miles where speed is in miles", () => {
    const drive: readonly Fix[] = [
      [0, 50, 10],
      [1, 50, 11],
    ];
    expect(words(drive, ["08:24"], "mph")).toBe(
      "Track, 15.3\u00a0mi from west to east, fastest 51\u00a0mph, one event at 08:24",
    );
    expect(words(drive, ["08:24", "08:25", "08:26", "08:27"])).toEndWith(", 4 events at 08:24, 08:25, 08:26 and later");
  });

  test("knows the bounds it is told by", () => {
    expect(
      boundsOf(
        track([
          0,
          [
            [0, 1, 2],
            [1, -3, 4],
          ],
        ]),
      ),
    ).toEqual({ south: -3, west: 2, north: 1, east: 4 });
  });
});
