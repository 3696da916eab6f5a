import { describe, expect, test } from "bun:test";
import { judgeMp4 } from "../../server/domain/mp4.ts";

/** A box as it stands in a file; `length` and `wide` say something else than the truth, or say it in 64 bits. */
function box(type: string, content = 0, told: { length?: number; wide?: bigint } = {}): Uint8Array {
  const head = told.wide === undefined ? 8 : 16;
  const bytes = new Uint8Array(head + content);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, told.wide === undefined ? (told.length ?? bytes.length) : 1);
  bytes.set(new TextEncoder().encode(type), 4);
  if (told.wide !== undefined) view.setBigUint64(8, told.wide);
  return bytes;
}

/** Judges these boxes as a file; `size` pretends that the file is longer or shorter than they are. */
async function isWhole(boxes: Uint8Array[], size?: number): Promise<boolean> {
  return (await judge(boxes, size)) === "whole";
}

function judge(boxes: Uint8Array[], size?: number) {
  const file = Buffer.concat(boxes);
  const end = size ?? file.length;
  return judgeMp4(end, async (offset, length) => file.subarray(offset, Math.min(end, offset + length)));
}

const FTYP = box("ftyp", 16);
const MOOV = box("moov", 100);
const MDAT = box("mdat", 1000);

describe("judgeMp4()", () => {
  const cases: [sentence: string, boxes: Uint8Array[], whole: boolean][] = [
    ["ftyp, moov, mdat", [FTYP, MOOV, MDAT], true],
    ["ftyp, mdat, moov: the index at the end", [FTYP, MDAT, MOOV], true],
    ["boxes nobody knows in between and behind", [FTYP, box("free", 0), MOOV, MDAT, box("gps ", 33)], true],
    ["fragments behind the moov", [FTYP, MOOV, box("moof", 40), MDAT, box("moof", 40), MDAT], true],
    ["an mdat with a 64-bit length", [FTYP, MOOV, box("mdat", 500, { wide: 516n })], true],
    ["a 64-bit length of an empty box", [FTYP, MOOV, box("mdat", 0, { wide: 16n })], true],
    [
      "a last box that runs to the end of the file, wherever that is",
      [FTYP, MOOV, box("mdat", 500, { length: 0 })],
      false,
    ],
    ["nothing", [], false],
    ["ftyp alone", [FTYP], false],
    ["no pictures: cut exactly behind the moov", [FTYP, MOOV], false],
    ["no moov: the camera lost power before writing it", [FTYP, MDAT], false],
    ["moov only inside another box", [FTYP, box("skip", 0, { length: 8 + MOOV.length }), MOOV], false],
    ["no ftyp first", [MOOV, FTYP, MDAT], false],
    ["text", [new TextEncoder().encode("<html><body>not found</body></html>")], false],
    ["zeros, as of a damaged card", [new Uint8Array(4096)], false],
    ["zeros behind good boxes", [FTYP, MOOV, MDAT, new Uint8Array(4)], false],
    ["a box longer than the file", [FTYP, MOOV, box("mdat", 500, { length: 509 })], false],
    ["a box shorter than its own head", [FTYP, MOOV, box("mdat", 0, { length: 7 })], false],
    ["a 64-bit length that is shorter than its own head", [FTYP, MOOV, box("mdat", 0, { wide: 15n })], false],
    ["a 64-bit length beyond all files", [FTYP, MOOV, box("mdat", 0, { wide: 0xffff_ffff_ffff_ffffn })], false],
    ["a 64-bit length of zero", [FTYP, MOOV, box("mdat", 0, { wide: 0n })], false],
    ["a length of four billion", [FTYP, MOOV, box("mdat", 9, { length: 0xffff_ffff })], false],
  ];
  for (const [sentence, boxes, whole] of cases)
    test(`${sentence}: ${whole ? "whole" : "not whole"}`, async () => expect(await isWhole(boxes)).toBe(whole));

  test("any cut of a whole file is noticed, wherever it falls", async () => {
    const boxes = [FTYP, box("mdat", 20, { wide: 36n }), MOOV];
    const size = boxes.reduce((sum, { length }) => sum + length, 0);
    expect(await isWhole(boxes, size)).toBe(true);
    for (let cut = 0; cut < size; cut++) expect(await isWhole(boxes, cut)).toBe(false);
  });

  test("a cut in front of the trailing boxes is the one that cannot be seen", async () => {
    expect(await isWhole([FTYP, MOOV, MDAT, MDAT], FTYP.length + MOOV.length + MDAT.length)).toBe(true);
  });

  test("follows lengths beyond four gigabytes, reading only heads", async () => {
    const GIGABYTES = 5_000_000_000;
    const boxes = new Map([
      [0, FTYP],
      [FTYP.length, box("mdat", 0, { wide: BigInt(GIGABYTES) })],
      [FTYP.length + GIGABYTES, MOOV],
    ]);
    let read = 0;
    const readAt = async (offset: number, length: number) => {
      const bytes = boxes.get(offset)?.subarray(0, length) ?? new Uint8Array(0);
      read += bytes.length;
      return bytes;
    };
    const size = FTYP.length + GIGABYTES + MOOV.length;
    expect(await judgeMp4(size, readAt)).toBe("whole");
    expect(await judgeMp4(size - 1, readAt)).not.toBe("whole");
    expect(read).toBeLessThanOrEqual(2 * 3 * 16);
  });

  test("a file that ends sooner than its size said is not whole", async () => {
    expect(await isWhole([FTYP, MOOV], FTYP.length + MOOV.length + 8)).toBe(false);
  });
});

describe("judgeMp4() tells a video in the making from what is merely odd", () => {
  const cases: [sentence: string, boxes: Uint8Array[], state: Awaited<ReturnType<typeof judge>>][] = [
    ["an mdat that goes on behind the end", [FTYP, box("mdat", 500, { length: 5000 })], "unfinished"],
    ["an mdat whose length is still to be written", [FTYP, box("mdat", 500, { length: 0 })], "unfinished"],
    ["a moov cut in the middle", [FTYP, MDAT, box("moov", 50, { length: 108 })], "unfinished"],
    ["a box of which only the first bytes are there", [FTYP, MDAT, new Uint8Array(4)], "unfinished"],
    ["padding behind a whole video", [FTYP, MDAT, MOOV, new Uint8Array(4)], "unknown"],
    ["noise behind ftyp", [FTYP, new Uint8Array(400).fill(0xa7)], "unknown"],
    ["an unknown box that goes on behind the end", [FTYP, MOOV, box("abcd", 50, { length: 5000 })], "unknown"],
    ["boxes that end with the file, without a moov", [FTYP, MDAT], "unknown"],
    ["no MP4 at all", [new Uint8Array(4096).fill(7)], "unknown"],
  ];
  for (const [sentence, boxes, state] of cases)
    test(`${sentence}: ${state}`, async () => expect(await judge(boxes)).toBe(state));
});
