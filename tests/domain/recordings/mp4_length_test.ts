import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { secondsOfMp4 } from "../../../server/domain/recordings/mp4_length.ts";

function box(type: string, ...contents: Uint8Array[]): Uint8Array {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
}
/** A movie header; version 1 counts in 64 bits. */
function header(scale: number, length: number | bigint, version: 0 | 1 = 0): Uint8Array {
  const bytes = Buffer.alloc(version === 1 ? 112 : 100);
  bytes[0] = version;
  bytes.writeUInt32BE(scale, version === 1 ? 20 : 12);
  if (version === 1) bytes.writeBigUInt64BE(BigInt(length), 24);
  else bytes.writeUInt32BE(Number(length), 16);
  return box("mvhd", bytes);
}

const FTYP = box("ftyp", new Uint8Array(16));
const MDAT = box("mdat", new Uint8Array(20_000));
const moov = (...inside: Uint8Array[]) => box("moov", ...inside);
function wideMdat(length: number): Uint8Array {
  const head = Buffer.alloc(16 + length);
  head.writeUInt32BE(1);
  head.write("mdat", 4, "latin1");
  head.writeBigUInt64BE(BigInt(16 + length), 8);
  return head;
}

async function secondsOf(boxes: Uint8Array[]) {
  const file = Buffer.concat(boxes);
  let reads = 0;
  const seconds = await secondsOfMp4(file.length, async (offset, length) => {
    reads++;
    return file.subarray(offset, offset + length);
  });
  return { seconds, reads };
}

describe("secondsOfMp4()", () => {
  const cases: [sentence: string, boxes: Uint8Array[], seconds: number | null][] = [
    ["reads the header in front", [FTYP, moov(header(1000, 60_500)), MDAT], 60.5],
    ["reads the header at the end", [FTYP, MDAT, moov(header(90_000, 5_404_500))], 60.05],
    ["reads it behind an mdat with a 64-bit length", [FTYP, wideMdat(9000), moov(header(600, 36_000))], 60],
    ["reads 64-bit lengths", [FTYP, moov(header(1_000_000, 61_123_456n, 1)), MDAT], 61.123],
    ["reads a header that is not the first inside", [FTYP, moov(box("free", new Uint8Array(9000)), header(1, 7))], 7],
    ["does not know a length of nothing", [FTYP, moov(header(1000, 0)), MDAT], null],
    ["does not know a length said to be unknown", [FTYP, moov(header(1000, 0xffff_ffff))], null],
    ["does not know a 64-bit length said to be unknown", [FTYP, moov(header(1000, 2n ** 64n - 1n, 1))], null],
    ["does not know a length of less than half a millisecond", [FTYP, moov(header(4_000_000_000, 1_999_999))], null],
    ["believes a day", [FTYP, moov(header(1, 86_400))], 86_400],
    ["does not believe more than a day", [FTYP, moov(header(1, 86_401))], null],
    ["does not believe a 64-bit length of ages", [FTYP, moov(header(1, 2n ** 63n, 1))], null],
    ["does not divide by nothing", [FTYP, moov(header(0, 1000))], null],
    ["does not look for it outside the moov", [FTYP, moov(box("free")), header(1, 7)], null],
    ["does not know without a moov", [FTYP, MDAT], null],
    ["does not know of a header that is cut off", [FTYP, moov(header(1000, 60_500)).subarray(0, 30)], null],
    ["does not know of nothing", [], null],
    ["does not know of text", [Buffer.from("<html><body>not found</body></html>")], null],
    ["does not know of zeros", [new Uint8Array(4096), moov(header(1, 7))], null],
    [
      "gives up on a file of crumbs",
      [FTYP, ...Array.from({ length: 5000 }, () => box("free")), moov(header(1, 7))],
      null,
    ],
  ];
  test.each(cases)("%s", async (_, boxes, seconds) => {
    expect((await secondsOf(boxes)).seconds).toBe(seconds);
  });

  test("needs a read or two, whatever the size of the video", async () => {
    expect((await secondsOf([FTYP, moov(header(1, 7)), MDAT])).reads).toBe(1);
    expect((await secondsOf([FTYP, MDAT, moov(header(1, 7))])).reads).toBe(2);
  });

  test("reads the clips of the demo", async () => {
    const file = Bun.file(join(import.meta.dir, "../../../assets/demo/drive-1-front.mp4"));
    const seconds = await secondsOfMp4(file.size, (offset, length) => file.slice(offset, offset + length).bytes());
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThan(120);
  });
});
