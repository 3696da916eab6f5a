import { expect, test } from "bun:test";
import { readGps } from "../../../server/domain/recordings/gps_file.ts";
import { stretchesOf, tripLineSteps } from "../../../server/domain/places/trip_line.ts";
import { countsByZoom, zoomLevelSteps } from "../../../server/domain/places/zoom_levels.ts";
import { trackOf } from "../../../server/domain/viewer/track.ts";
import { wanderingDrive } from "../../support/camera/staged_drives.ts";
import { gpsText } from "../../support/camera/written_telemetry.ts";

function ended<T>(steps: Generator<void, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

function lineOf(seed: number, minutes: number, from: { lat: number; lon: number }) {
  const clips = wanderingDrive(seed, minutes, from).map((fixes, at) => {
    const { points } = readGps(new TextEncoder().encode(gpsText(fixes, 1_780_000_000_000)));
    return { begin: at * 60, track: trackOf(points) };
  });
  return ended(tripLineSteps(clips));
}

/** Pixels of a web map, by the textbook. */
function pixel(lat: number, lon: number, zoom: number): readonly [number, number] {
  const size = 256 * 2 ** zoom;
  const sine = Math.sin((lat * Math.PI) / 180);
  return [((lon + 180) / 360) * size, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size];
}

function distance(
  [x, y]: readonly [number, number],
  a: readonly [number, number],
  b: readonly [number, number],
): number {
  const way = [b[0] - a[0], b[1] - a[1]] as const;
  const length = way[0] ** 2 + way[1] ** 2;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - a[0]) * way[0] + (y - a[1]) * way[1]) / length));
  return Math.hypot(x - a[0] - share * way[0], y - a[1] - share * way[1]);
}

test("at every zoom the line is within three pixels of every fix, near the poles and over the date line, too", () => {
  for (const [seed, lat, lon] of [
    [1, 48, 11],
    [2, -36.8, 179.99],
    [3, 0, 0],
    [4, 84, -179.99],
    [5, -84, 30],
  ] as const) {
    const line = lineOf(seed, 20, { lat, lon });
    const levels = ended(zoomLevelSteps(line));
    const counts = countsByZoom(levels);
    for (const zoom of [0, 3, 8, 11, 14, 17, 20, 22]) {
      const at = (index: number) => pixel((line.lat[index] ?? 0) / 1e7, (line.lon[index] ?? 0) / 1e7, zoom);
      for (const [first, last] of stretchesOf(line)) {
        let from = first;
        for (let to = first + 1; to <= last; to++) {
          if ((levels[to] ?? 99) > zoom) continue;
          for (let fix = from; fix <= to; fix++) expect(distance(at(fix), at(from), at(to))).toBeLessThan(3);
          from = to;
        }
        expect(from).toBe(last);
      }
      expect(counts[zoom]).toBe(levels.filter((level) => level <= zoom).length);
    }
    expect(counts[3]).toBeLessThan((counts[22] ?? 0) / 10);
  }
});

test("beyond the last latitude of web maps and without any fix nothing goes wrong", () => {
  for (const lat of [89.9, -89.9])
    expect(ended(zoomLevelSteps(lineOf(7, 3, { lat, lon: 0 }))).length).toBeGreaterThan(100);
  const nothing = ended(tripLineSteps([{ begin: 0, track: null }]));
  expect(ended(zoomLevelSteps(nothing))).toHaveLength(0);
});
