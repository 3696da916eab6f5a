import { describe, expect, test } from "bun:test";
import { swapWords, viewOf, words } from "../../../server/domain/recordings/mp4_writing.ts";

describe("swapWords()", () => {
  test("reads the numbers of an MP4 as they were written, and writes them so", () => {
    const numbers = [0, 1, 0x1234_5678, 0x8000_0001, 0xffff_ffff];
    const read = new Uint32Array(words(...numbers).slice().buffer);
    swapWords(read);
    expect([...read]).toEqual(numbers);
    swapWords(read);
    const view = viewOf(new Uint8Array(read.buffer));
    expect(numbers.map((_, at) => view.getUint32(4 * at))).toEqual(numbers);
  });
});
