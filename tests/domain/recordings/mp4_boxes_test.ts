import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { beginsAsMp4, judgeMp4 } from "../../../server/domain/recordings/mp4_boxes.ts";

const DEMO = join(import.meta.dir, "../../../assets/demo");

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

type State = Awaited<ReturnType<typeof judgeMp4>>;

/** Judges these boxes as a file; `size` pretends that the file is longer or shorter than they are. */
function judge(boxes: Uint8Array[], size?: number): Promise<State> {
  const file = Buffer.concat(boxes);
  const end = size ?? file.length;
  return judgeMp4(end, async (offset, length) => file.subarray(offset, Math.min(end, offset + length)));
}

const FTYP = box("ftyp", 16);
const MOOV = box("moov", 100);
const MDAT = box("mdat", 1000);

const SIZE_OF = (boxes: Uint8Array[]) => boxes.reduce((sum, { length }) => sum + length, 0);

describe("judgeMp4()", () => {
  const cases: [sentence: string, boxes: Uint8Array[], state: State][] = [
    ["ftyp, moov, mdat", [FTYP, MOOV, MDAT], "whole"],
    ["ftyp, mdat, moov: the index at the end", [FTYP, MDAT, MOOV], "whole"],
    ["unknown boxes in between and behind", [FTYP, box("free", 0), MOOV, MDAT, box("gps ", 33)], "whole"],
    ["fragments behind the moov", [FTYP, MOOV, box("moof", 40), MDAT, box("moof", 40), MDAT], "whole"],
    ["a segment: fragments alone", [box("styp", 16), box("moof", 40), MDAT], "whole"],
    ["an mdat with a 64-bit length", [FTYP, MOOV, box("mdat", 500, { wide: 516n })], "whole"],
    ["a 64-bit length of an empty box", [FTYP, MOOV, box("mdat", 0, { wide: 16n })], "whole"],
    ["no ftyp, as of older writers", [MOOV, MDAT], "whole"],
    ["a placeholder in front of ftyp", [box("free", 8), FTYP, MOOV, MDAT], "whole"],
    ["an mdat to the end of the file", [FTYP, MOOV, box("mdat", 500, { length: 0 })], "open-ended"],
    ["a last fragment to the end", [FTYP, MOOV, box("moof", 40), box("mdat", 9, { length: 0 })], "open-ended"],
    ["ftyp alone", [FTYP], "unfinished"],
    ["no pictures: cut exactly behind the moov", [FTYP, MOOV], "unfinished"],
    ["no moov: the camera lost power before writing it", [FTYP, MDAT], "unfinished"],
    [
      "no moov before an mdat whose length is still to be written",
      [FTYP, box("mdat", 500, { length: 0 })],
      "unfinished",
    ],
    ["moov only inside another box", [FTYP, box("skip", 0, { length: 8 + MOOV.length }), MOOV], "unfinished"],
    ["an mdat that goes on behind the end", [FTYP, box("mdat", 500, { length: 5000 })], "unfinished"],
    ["an mdat one byte longer than the file", [FTYP, MOOV, box("mdat", 500, { length: 509 })], "unfinished"],
    ["an unknown box that goes on behind the end", [FTYP, MOOV, box("abcd", 50, { length: 5000 })], "unfinished"],
    ["a moov cut in the middle", [FTYP, MDAT, box("moov", 50, { length: 108 })], "unfinished"],
    ["a box of which only the first bytes are there", [FTYP, MDAT, MOOV, new Uint8Array([0, 0, 1, 0])], "unfinished"],
    ["zeros behind good boxes", [FTYP, MOOV, MDAT, new Uint8Array(4)], "unfinished"],
    ["a block of zeros behind good boxes", [FTYP, MOOV, MDAT, new Uint8Array(4096)], "unfinished"],
    ["a preallocated file of which only the head is written", [FTYP, new Uint8Array(100_000)], "unfinished"],
    ["noise behind ftyp", [FTYP, new Uint8Array(400).fill(0xa7)], "unfinished"],
    ["a box shorter than its own head", [FTYP, MOOV, box("mdat", 0, { length: 7 })], "unfinished"],
    ["a 64-bit length that is shorter than its own head", [FTYP, MOOV, box("mdat", 0, { wide: 15n })], "unfinished"],
    ["a 64-bit length beyond all files", [FTYP, MOOV, box("mdat", 0, { wide: 0xffff_ffff_ffff_ffffn })], "unfinished"],
    ["a 64-bit length still to be written", [FTYP, MOOV, box("mdat", 0, { wide: 0n })], "unfinished"],
    ["a length of four billion", [FTYP, MOOV, box("mdat", 9, { length: 0xffff_ffff })], "unfinished"],
    ["a moov to the end of the file", [FTYP, MDAT, box("moov", 50, { length: 0 })], "unfinished"],
    ["nothing", [], "foreign"],
    ["the first bytes of ftyp", [FTYP.subarray(0, 7)], "foreign"],
    ["text", [new TextEncoder().encode("<html><body>not found</body></html>")], "foreign"],
    ["zeros, as of a file of which only the room is taken", [new Uint8Array(65_536)], "unfinished"],
    ["a few zeros", [new Uint8Array(4096)], "foreign"],
    ["noise", [new Uint8Array(4096).fill(7)], "foreign"],
    ["a box of another kind first", [box("gps ", 33), FTYP, MOOV, MDAT], "foreign"],
    ["a type box of no possible length", [box("ftyp", 16, { length: 25 }), MOOV, MDAT], "foreign"],
  ];
  for (const [sentence, boxes, state] of cases)
    test(`${sentence}: ${state}`, async () => expect(await judge(boxes)).toBe(state));

  test("any cut of a whole file is noticed, wherever it falls", async () => {
    const boxes = [FTYP, box("mdat", 20, { wide: 36n }), MOOV];
    expect(await judge(boxes)).toBe("whole");
    for (let cut = 0; cut < SIZE_OF(boxes); cut++)
      expect(await judge(boxes, cut)).toBe(cut < 8 ? "foreign" : "unfinished");
  });

  test("a cut in front of the trailing boxes is the one that cannot be seen", async () => {
    expect(await judge([FTYP, MOOV, MDAT, MDAT], SIZE_OF([FTYP, MOOV, MDAT]))).toBe("whole");
  });

  test("follows lengths beyond four gigabytes, reading only heads", async () => {
    const GIGABYTES = 5_000_000_000;
    const boxes = new Map([
      [0, FTYP],
      [FTYP.length, box("mdat", 0, { wide: BigInt(GIGABYTES) })],
      [FTYP.length + GIGABYTES, MOOV],
    ]);
    let reads = 0;
    const readAt = async (offset: number, length: number) => {
      reads++;
      return boxes.get(offset)?.subarray(0, length) ?? new Uint8Array(0);
    };
    const size = FTYP.length + GIGABYTES + MOOV.length;
    expect(await judgeMp4(size, readAt)).toBe("whole");
    expect(await judgeMp4(size - 1, readAt)).toBe("unfinished");
    expect(reads).toBe(6);
  });

  test("a file that ends sooner than its size said is unfinished", async () => {
    expect(await judge([FTYP, MOOV], SIZE_OF([FTYP, MOOV]) + 8)).toBe("unfinished");
  });

  test("a long recording in fragments is whole", async () => {
    const fragments = Array.from({ length: 1800 }, () => [box("moof", 40), box("mdat", 90)]).flat();
    expect(await judge([FTYP, MOOV, ...fragments])).toBe("whole");
  });

  test("gives up on a file of crumbs after a few reads, whatever its size", async () => {
    const crumb = box("free");
    const file = Buffer.alloc(10_000_000, Buffer.concat([crumb]));
    let reads = 0;
    const readAt = async (offset: number, length: number) => {
      reads++;
      return file.subarray(offset, offset + length);
    };
    expect(await judgeMp4(file.length, readAt)).toBe("unfinished");
    expect(reads).toBeLessThan(20);
  });

  test.each([...new Bun.Glob("*.mp4").scanSync(DEMO)].sort())("the demo's clip %s is whole", async (name) => {
    const file = Bun.file(join(DEMO, name));
    expect(await judgeMp4(file.size, (offset, length) => file.slice(offset, offset + length).bytes())).toBe("whole");
  });
});

describe("beginsAsMp4()", () => {
  const head = (length: number, type: string, rest = 4) => box(type, rest, { length });
  const cases: [sentence: string, head: Uint8Array, begins: boolean][] = [
    ["a type box", head(24, "ftyp"), true],
    ["its first eight bytes", head(24, "ftyp", 0), true],
    ["a segment's type box", head(24, "styp"), true],
    ["an index", head(100_000, "moov"), true],
    ["pictures", head(0xffff_ffff, "mdat"), true],
    ["pictures whose length is still to be written", head(0, "mdat"), true],
    ["pictures with a 64-bit length", box("mdat", 0, { wide: 5_000_000_000n }), true],
    ["a 64-bit length beyond all files", box("mdat", 0, { wide: 0xffff_ffff_ffff_ffffn }), false],
    ["a placeholder", head(8, "free"), true],
    ["a length below the head's own", head(7, "mdat"), false],
    ["a type box that is too short", head(8, "ftyp"), false],
    ["a type box that is too long", head(0x3c68_746d, "ftyp"), false],
    ["letters of no first box", head(24, "trak"), false],
    ["a web page", new TextEncoder().encode("<!doctype html>"), false],
    ["JSON", new TextEncoder().encode('{"moov":"mdat"}'), false],
    ["a picture", new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0, 1]), false],
    ["zeros", new Uint8Array(12), false],
    ["fewer bytes than a head", head(24, "ftyp").subarray(0, 7), false],
    ["nothing", new Uint8Array(0), false],
  ];
  test.each(cases)("%s", (_, bytes, begins) => expect(beginsAsMp4(bytes)).toBe(begins));
});
