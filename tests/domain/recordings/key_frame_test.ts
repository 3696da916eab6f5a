import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { keyFrameAt } from "../../../server/domain/recordings/key_frame.ts";
import { judgeMp4, type ReadAt } from "../../../server/domain/recordings/mp4_boxes.ts";
import { secondsOfMp4 } from "../../../server/domain/recordings/mp4_length.ts";
import { videoCodecOf } from "../../../server/domain/recordings/video_codec.ts";
import { box } from "../../support/camera/mp4.ts";

const DRIVE = readFileSync(join(import.meta.dir, "..", "..", "..", "assets", "demo", "drive-1-front.mp4"));
const readerOf =
  (bytes: Uint8Array): ReadAt =>
  async (offset, length) =>
    bytes.slice(offset, offset + length);

/** The whole small video. */
async function frameOf(video: Uint8Array, seconds: number) {
  const found = await keyFrameAt(video.length, readerOf(video), seconds);
  if (found === null) return null;
  const bytes = new Uint8Array(Buffer.concat([found.head, video.subarray(found.at, found.at + found.length)]));
  return { ...found, bytes };
}

test("a picture of a video is a whole video by itself, of the same coding and length", async () => {
  const found = await frameOf(DRIVE, 5.5);
  if (found === null) throw new Error("There is no picture");
  const read = readerOf(found.bytes);
  expect(await judgeMp4(found.bytes.length, read)).toBe("whole");
  expect(await videoCodecOf(found.bytes.length, read)).toBe("avc");
  expect(await secondsOfMp4(found.bytes.length, read)).toBe(await secondsOfMp4(DRIVE.length, readerOf(DRIVE)));
  expect(found.bytes.length).toBeLessThan(DRIVE.length / 4);
  // A picture that stands by itself begins with a unit of its parameters or with one of type 5 (ITU-T H.264 §7.4.1).
  const picture = DRIVE.subarray(found.at, found.at + found.length);
  const units: number[] = [];
  for (let at = 0; at < picture.length; at += 4 + picture.readUInt32BE(at)) units.push((picture[at + 4] ?? 0) & 31);
  expect(units).toContain(5);
});

test("it is the one at that time or next before it, the first before the beginning, and the last behind the end", async () => {
  const samples: number[] = [];
  for (const seconds of [0, 0.01, 3, 6, 9, 1000]) samples.push((await frameOf(DRIVE, seconds))?.sample ?? -1);
  expect(samples).toEqual(samples.toSorted((one, other) => one - other));
  expect([samples[0], samples[1]]).toEqual([0, 0]);
  expect(new Set(samples).size).toBeGreaterThan(2);
});

test("what has no index, or one that says more than it has, gives none", async () => {
  const broken = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(DRIVE);
    change(bytes);
    return bytes;
  };
  const place = (name: string) => DRIVE.indexOf(name, DRIVE.indexOf("stbl"));
  for (const [at, video] of [
    new Uint8Array(0),
    new Uint8Array(5000),
    new Uint8Array(Buffer.concat([box("ftyp", [0, 0, 0, 0, 0, 0, 0, 0]), box("mdat", [1, 2, 3])])),
    DRIVE.subarray(0, DRIVE.length - 100),
    broken((bytes) =>
      bytes.fill(255, place("stco") + 12, place("stco") + 12 + 4 * bytes.readUInt32BE(place("stco") + 8)),
    ),
    broken((bytes) => bytes.fill(255, place("stsz") + 8, place("stsz") + 16)),
    broken((bytes) => bytes.write("xxxx", place("stsc"), "latin1")),
  ].entries())
    expect([at, (await frameOf(video, 3)) === null]).toEqual([at, true]);
  // A table of times that claims rows without end leads no farther than to the last picture.
  const endless = broken((bytes) => bytes.fill(255, place("stts") + 8, place("stts") + 12));
  expect((await frameOf(endless, 1e9))?.sample ?? 0).toBeLessThan(DRIVE.readUInt32BE(place("stsz") + 12));
});
