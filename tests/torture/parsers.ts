import { embeddedParts } from "../../server/domain/recordings/embedded_parts.ts";
import { readGps } from "../../server/domain/recordings/gps_file.ts";
import { readGsensor } from "../../server/domain/recordings/gsensor_file.ts";
import { applyPatches, hevcPatches } from "../../server/domain/recordings/hevc_header.ts";
import { judgeMp4 } from "../../server/domain/recordings/mp4_boxes.ts";
import { secondsOfMp4 } from "../../server/domain/recordings/mp4_length.ts";
import { videoCodecOf } from "../../server/domain/recordings/video_codec.ts";
import { forceOf } from "../../server/domain/viewer/force.ts";
import { telemetryOf } from "../../server/domain/viewer/telemetry.ts";
import { trackOf } from "../../server/domain/viewer/track.ts";
import { GpxPoints, TelemetryLines } from "../../server/domain/viewer/track_export.ts";
import { box, FILE_TYPE, fileOf, hevcRecord, movieOf, nalArray } from "../support/camera/mp4.ts";

/** One kind of file that cameras write: some that are well, and what must hold for whatever becomes of them. */
export interface ParsedKind {
  readonly samples: readonly Uint8Array[];
  /** @throws Error with what is wrong */
  readonly check: (bytes: Uint8Array) => void | Promise<void>;
}

const KEY = "20260607_101500_N";
/** Reading a header takes no more requests to the disk, whatever stands in it. */
const MOST_READS = 400;

const sentence = (second: number, kind: "RMC" | "GGA") => {
  const lat = `3348.${10_000 + second * 7}`;
  const lon = `15101.${10_000 + second * 9}`;
  const rest =
    kind === "RMC" ? `A,${lat},S,${lon},E,${second}.5,84.4,070626,,,A,V` : `${lat},S,${lon},E,1,12,0.7,52.8,M`;
  return `[${1_780_855_916_491 + second * 1000}]$GN${kind},0550${10 + second}.25,${rest}*07\r\n`;
};
const seconds = Array.from({ length: 8 }, (_, second) => second);
const GPS = seconds.map((second) => sentence(second, "RMC") + sentence(second, "GGA")).join("");
const GPS_TEXTS = [
  GPS,
  `[1000]$GNRMC,055056.00,V,,,,,,,070626,,,N*65\r\n\r\n[1500]$GNGGA,,,,,,0,00,,,M,,M,,*50\r\n${sentence(2, "RMC")}`,
  "[1]$GPRMC,101500.00,A,1700.00000,S,17959.99900,E,90,,070626\n[2]$GPRMC,,A,1700.0,S,17959.99990,W,90,,070626\n",
];
const record = (milliseconds: number, ...axes: readonly number[]) => {
  const view = new DataView(new ArrayBuffer(10));
  view.setUint32(0, milliseconds);
  for (const [axis, raw] of axes.entries()) view.setInt16(4 + axis * 2, raw);
  return new Uint8Array(view.buffer);
};
const GSENSOR = Buffer.concat(seconds.map((at) => record(at * 105, 128 + at, -at, at * 40)));
const ENDED = Buffer.concat([
  record(735, 130, 5, -20),
  record(840, 129, 5, -20),
  new Uint8Array(10).fill(255),
  GSENSOR,
]);

const bytesOf = (text: string) => new TextEncoder().encode(text);
const JPEG = [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3];
const FREE = box(
  "free",
  box("cprt", [65]),
  box("thum", [0, 0, 0, 7, ...JPEG]),
  box("gps ", bytesOf(GPS)),
  box("3gf ", ENDED),
);
const SETS = [nalArray(32, false, [64, 1, 12]), nalArray(33, false, [66, 1, 1, 1]), nalArray(34, false, [68, 1])];
const HEVC = movieOf("hev1", box("hvcC", hevcRecord(...SETS, nalArray(0, false, Array<number>(40).fill(0)))));
const whole = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

export const PARSED_KINDS: Readonly<Record<string, ParsedKind>> = {
  gps: { samples: GPS_TEXTS.map(bytesOf), check: (bytes) => checkTelemetry(bytes, null) },
  gsensor: { samples: [GSENSOR, ENDED], check: (bytes) => checkTelemetry(null, bytes) },
  embedded: {
    samples: [whole(FILE_TYPE, FREE), whole(FREE, fileOf(movieOf("avc1"), 50)), whole(fileOf(HEVC, 50), FREE)],
    check: checkEmbedded,
  },
  mp4: { samples: [fileOf(HEVC, 60), fileOf(HEVC, 60, true), fileOf(movieOf("avc1"), 9)], check: checkMp4 },
};

function checkTelemetry(gps: Uint8Array | null, gsensor: Uint8Array | null): void {
  const read = gps && readGps(gps);
  const samples = gsensor && readGsensor(gsensor);
  let before = -1;
  for (const { t, lat, lon, speed } of read?.points ?? []) {
    hold(t > before && t < 1e12, `a fix at ${t} s behind one at ${before} s`);
    hold(Math.abs(lat) <= 90 && Math.abs(lon) <= 180, `a place at ${lat}°, ${lon}°`);
    hold(speed === null || Number.isFinite(speed), `a speed of ${speed}`);
    before = t;
  }
  hold(read === null || read.startUtc === null || Number.isFinite(read.startUtc), `a start at ${read?.startUtc}`);
  for (const { t, x, y, z } of samples ?? []) {
    hold(t >= 0 && t < 4_294_967.295, `a sample at ${t} s`);
    hold(
      [x, y, z].every((g) => Math.abs(g) <= 256),
      `a force of ${x}, ${y}, ${z} g`,
    );
  }
  const track = read && trackOf(read.points);
  const force = samples && forceOf(samples);
  const told = telemetryOf([{ key: KEY, offsetSeconds: 0, durationSeconds: 60, track, force }]);
  holdNumbers(told, "telemetry");
  const clip = { key: KEY, gps: read, force: samples, from: 0, to: Number.POSITIVE_INFINITY };
  const written = new GpxPoints().next(clip) + new TelemetryLines().next(clip);
  hold(!/NaN|Infinity|undefined|Invalid/.test(written), `an export with "${written.slice(0, 200)}"`);
}

async function checkEmbedded(bytes: Uint8Array): Promise<void> {
  const { readAt, done } = reading(bytes);
  const { gps, gsensor, thumbnail } = await embeddedParts(bytes.length, readAt);
  done();
  const partOf = (span: typeof gps) => {
    if (span === null) return null;
    const { at, length } = span;
    hold(at >= 8 && length > 0 && at + length <= bytes.length, `a part of ${length} bytes at ${at} of ${bytes.length}`);
    return bytes.subarray(at, at + length);
  };
  const picture = partOf(thumbnail);
  hold(picture === null || (picture[0] === 0xff && picture[1] === 0xd8), "a preview that is no JPEG");
  checkTelemetry(partOf(gps), partOf(gsensor));
}

async function checkMp4(bytes: Uint8Array): Promise<void> {
  const { readAt, done } = reading(bytes);
  await judgeMp4(bytes.length, readAt);
  done();
  const length = await secondsOfMp4(bytes.length, readAt);
  hold(length === null || (length > 0 && length <= 86_400), `a length of ${length} s`);
  done();
  await videoCodecOf(bytes.length, readAt);
  done();
  const patches = await hevcPatches(bytes.length, readAt);
  done();
  for (const { at, bytes: patch } of patches)
    hold(at >= 0 && at + patch.length <= bytes.length, `a patch of ${patch.length} bytes at ${at} of ${bytes.length}`);
  const repaired = applyPatches(bytes.slice(), 0, patches);
  const again = await hevcPatches(repaired.length, reading(repaired).readAt);
  hold(again.length === 0, `${again.length} patches in what is repaired already`);
}

/** Reads as of a file: never more than there is, and counted. */
function reading(bytes: Uint8Array) {
  let reads = 0;
  return {
    readAt: async (offset: number, length: number) => {
      hold(offset >= 0 && length >= 0, `a read of ${length} bytes at ${offset}`);
      reads++;
      return bytes.subarray(offset, offset + length);
    },
    done() {
      hold(reads <= MOST_READS, `${reads} reads`);
      reads = 0;
    },
  };
}

function holdNumbers(value: unknown, where: string): void {
  if (typeof value === "number") hold(Number.isFinite(value), `${value} in ${where}`);
  else if (typeof value === "object" && value !== null)
    for (const [name, part] of Object.entries(value))
      holdNumbers(part, Number.isNaN(Number(name)) ? `${where}.${name}` : where);
}

function hold(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}
