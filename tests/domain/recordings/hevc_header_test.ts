import { describe, expect, test } from "bun:test";
import { applyPatches, hevcPatches } from "../../../server/domain/recordings/hevc_header.ts";
import { box, FILE_TYPE, fileOf, hevcRecord, movieOf, nalArray } from "../../support/camera/mp4.ts";

const SETS = [nalArray(32, true, [64, 1, 12]), nalArray(33, true, [66, 1, 1, 1]), nalArray(34, true, [68, 1])];
const INCOMPLETE = [nalArray(32, false, [64, 1, 12]), nalArray(33, false, [66, 1, 1, 1]), nalArray(34, false, [68, 1])];
/** Cameras of 2026 write this behind the parameter sets: a "picture" of 128 zeros. */
const ZEROS = nalArray(0, false, Array<number>(128).fill(0));
const FINE = hevcRecord(...SETS);

const readAtOf = (file: Uint8Array) => {
  const reads: number[] = [];
  const readAt = async (offset: number, length: number) => {
    reads.push(length);
    return file.subarray(offset, offset + length);
  };
  return { reads, readAt };
};

async function repaired(file: Uint8Array): Promise<Uint8Array> {
  const patches = await hevcPatches(file.length, readAtOf(file).readAt);
  return applyPatches(file.slice(), 0, patches);
}

const found = (file: Uint8Array, letters: string) => Buffer.from(file).includes(letters);

describe("the header of an HEVC video", () => {
  test("is as it is where nothing is wrong, and in every other file", async () => {
    for (const file of [
      fileOf(movieOf("hvc1", box("hvcC", FINE)), 100),
      fileOf(movieOf("avc1", box("avcC", [1, 100, 0, 31])), 100),
      // Without its parameter sets no mending helps.
      fileOf(movieOf("hev1", box("hvcC", hevcRecord(nalArray(32, false, [64])))), 100),
      fileOf(movieOf("hev1", box("hvcC", FINE.slice(0, 20))), 100),
      fileOf(movieOf("hev1", box("hvcC", [])), 100),
      fileOf(movieOf("hev1"), 100),
      FILE_TYPE,
      new Uint8Array(0),
      new Uint8Array(5000).fill(255),
    ])
      expect(await hevcPatches(file.length, readAtOf(file).readAt)).toEqual([]);
  });

  test("loses the array of zeros that decoders give up on, in the same number of bytes", async () => {
    for (const isMovieLast of [false, true]) {
      const record = hevcRecord(...INCOMPLETE, ZEROS);
      const file = fileOf(movieOf("hev1", box("hvcC", record), box("colr", [1, 2])), 5000, isMovieLast);
      const free = box("free", new Uint8Array(ZEROS.length - 8));
      const wanted = fileOf(
        movieOf("hvc1", new Uint8Array([...box("hvcC", FINE), ...free]), box("colr", [1, 2])),
        5000,
        isMovieLast,
      );
      expect(await repaired(file)).toEqual(wanted);
    }
  });

  test("loses it wherever it stands, and what is cut off with it", async () => {
    const [video = [], ...others] = SETS;
    const inFront = hevcRecord(ZEROS, video, ZEROS, ...others);
    const cut = hevcRecord(...SETS, ZEROS).slice(0, -100);
    for (const record of [inFront, cut]) {
      const file = fileOf(movieOf("hvc1", box("hvcC", record)), 10);
      const result = await repaired(file);
      expect(result.length).toBe(file.length);
      const at = Buffer.from(result).indexOf("hvcC") - 4;
      expect([...result.subarray(at, at + 8 + FINE.length)]).toEqual([...box("hvcC", FINE)]);
      expect(found(result, "free")).toBeTrue();
    }
  });

  test("is called hvc1 where it holds all parameter sets, which are then complete", async () => {
    const file = fileOf(movieOf("hev1", box("hvcC", hevcRecord(...INCOMPLETE))), 10);
    expect(await repaired(file)).toEqual(fileOf(movieOf("hvc1", box("hvcC", FINE)), 10));
  });

  test("gets its version and its reserved bits", async () => {
    const broken = [...FINE];
    for (const at of [0, 13, 15, 16, 17, 18]) broken[at] = (broken[at] ?? 0) & (at === 0 || at === 13 ? 0 : 3);
    const file = fileOf(movieOf("hvc1", box("hvcC", broken)), 10);
    expect(await repaired(file)).toEqual(fileOf(movieOf("hvc1", box("hvcC", FINE)), 10));
  });

  test("keeps what supplements the sets, and bytes too few for a box of their own", async () => {
    const withSei = hevcRecord(...SETS, nalArray(39, false, [78, 1, 5]));
    const file = fileOf(movieOf("hvc1", box("hvcC", withSei)), 10);
    expect(await repaired(file)).toEqual(file);
    const short = hevcRecord(...SETS, nalArray(0, false));
    const result = await repaired(fileOf(movieOf("hvc1", box("hvcC", short)), 10));
    expect(result).toEqual(fileOf(movieOf("hvc1", box("hvcC", [...FINE, 0, 0, 0])), 10));
  });

  test("is found without the pictures being read, and patches reach into any part", async () => {
    const file = fileOf(movieOf("hev1", box("hvcC", hevcRecord(...INCOMPLETE, ZEROS))), 1_000_000, true);
    const { reads, readAt } = readAtOf(file);
    const patches = await hevcPatches(file.length, readAt);
    expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(40_000);
    const whole = applyPatches(file.slice(), 0, patches);
    const first = patches[0]?.at ?? 0;
    for (let from = first - 20; from < first + 260; from++)
      for (const length of [1, 7, 100])
        expect(applyPatches(file.slice(from, from + length), from, patches)).toEqual(whole.slice(from, from + length));
  });
});
