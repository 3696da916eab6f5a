import { describe, expect, test } from "bun:test";
import { embeddedParts } from "../../../server/domain/recordings/embedded_parts.ts";
import { videoCodecOf } from "../../../server/domain/recordings/video_codec.ts";
import { box, FILE_TYPE, fileOf, movieOf } from "../../support/camera/mp4.ts";

const text = (value: string) => new TextEncoder().encode(value);
const GPS = text("\r\n[1000]$GNRMC,055056.00,A,3348.10000,S,15101.10000,E,0.000,,070626,,,A*00\r\n\0\0\0\0");
const FORCE = [0, 0, 0, 0, 0, 128, 0, 0, 0, 0, ...Array<number>(10).fill(255)];
const JPEG = [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3];
const THUMBNAIL = [0, 0, 0, JPEG.length, ...JPEG, 0, 0, 0];
const MODEL = box("cprt", text("a camera"));
const NOTHING = { gps: null, gsensor: null, thumbnail: null };

const whole = (...boxes: readonly Uint8Array[]) => new Uint8Array(Buffer.concat([FILE_TYPE, ...boxes]));
function readAtOf(file: Uint8Array) {
  const reads: number[] = [];
  const readAt = async (offset: number, length: number) => {
    reads.push(length);
    return file.subarray(offset, offset + length);
  };
  return { reads, readAt };
}
async function found(file: Uint8Array) {
  const parts = await embeddedParts(file.length, readAtOf(file).readAt);
  return Object.fromEntries(
    Object.entries(parts).map(([name, span]) => [name, span && [...file.subarray(span.at, span.at + span.length)]]),
  );
}

describe("what a camera put into a video", () => {
  test("is found in a free box, before and behind the pictures", async () => {
    const free = box("free", MODEL, box("thum", THUMBNAIL), box("gps ", GPS), box("3gf ", FORCE));
    const media = box("mdat", new Uint8Array(1_000_000));
    for (const file of [whole(free, media), whole(media, movieOf("avc1"), free)])
      expect(await found(file)).toEqual({ gps: [...GPS], gsensor: FORCE, thumbnail: JPEG });
  });

  test("may be in several of them, and counts once", async () => {
    const file = whole(
      box("free"),
      box("free", box("gps ", GPS)),
      box("free", box("gps ", text("[9]")), box("3gf ", FORCE)),
    );
    expect(await found(file)).toEqual({ gps: [...GPS], gsensor: FORCE, thumbnail: null });
  });

  test.each([
    [
      "room that was only made",
      box("free", box("gps ", new Uint8Array(500)), box("3gf ", Array<number>(50).fill(255))),
    ],
    ["boxes without content", box("free", box("gps "), box("3gf "), box("thum"))],
    ["a preview longer than its box", box("free", box("thum", [0, 0, 0, 9, ...JPEG]))],
    ["a preview of no length", box("free", box("thum", [0, 0, 0, 0, ...JPEG]))],
    ["a preview that is none", box("free", box("thum", [0, 0, 0, 3, 1, 2, 3]))],
    ["zeros", box("free", new Uint8Array(5000))],
    ["another box than a free one", box("udta", box("gps ", GPS))],
    ["a free box within the movie", box("moov", box("free", box("gps ", GPS)))],
    ["a part that is cut off", box("free", box("gps ", GPS)).slice(0, -20)],
  ])("is not %s", async (_, part) => {
    expect(await found(whole(part))).toEqual(NOTHING);
  });

  test("is found by seeking: no pictures are read", async () => {
    const file = whole(box("mdat", new Uint8Array(3_000_000)), box("free", box("gps ", GPS)));
    const { reads, readAt } = readAtOf(file);
    await embeddedParts(file.length, readAt);
    expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(20_000);
  });

  test("is not looked for without end", async () => {
    const crumbs = Array.from({ length: 300 }, () => box("free", ...Array.from({ length: 10 }, () => box("none"))));
    expect(await found(whole(...crumbs.slice(0, 90), box("free", box("gps ", GPS))))).toMatchObject({ gps: [...GPS] });
    expect(await found(whole(...crumbs, box("free", box("gps ", GPS))))).toEqual(NOTHING);
  });
});

test("a video's codec is that of its pictures", async () => {
  const codecOf = (file: Uint8Array) => videoCodecOf(file.length, readAtOf(file).readAt);
  for (const [entry, codec] of [
    ["avc1", "avc"],
    ["hev1", "hevc"],
    ["hvc1", "hevc"],
    ["av01", "av1"],
    ["mp4v", null],
  ] as const)
    expect(await codecOf(fileOf(movieOf(entry), 10))).toBe(codec);
  expect(await codecOf(FILE_TYPE)).toBeNull();
  expect(await codecOf(new Uint8Array(0))).toBeNull();
});

test("and is not looked for in more boxes than any movie has", async () => {
  const nested = (count: number) => box("minf", ...Array.from({ length: count }, () => box("none")));
  const codecBehind = async (count: number) => {
    const description = box("stbl", box("stsd", new Uint8Array(8), box("avc1", new Uint8Array(78))));
    const tracks = Array.from({ length: 10 }, () => box("trak", box("mdia", nested(count))));
    const file = whole(box("moov", ...tracks, box("trak", box("mdia", box("minf", description)))));
    return await videoCodecOf(file.length, readAtOf(file).readAt);
  };
  expect([await codecBehind(100), await codecBehind(500)]).toEqual(["avc", null]);
});
