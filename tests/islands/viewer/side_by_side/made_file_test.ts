import { expect, test } from "bun:test";
import { FileInMemory } from "../../../../islands/viewer/side_by_side/made_file.ts";
import { REFUSALS } from "../../../../islands/viewer/side_by_side/refusals.ts";

type Chunk = readonly [position: number, length: number, value: number];

/** The file after writing these: bytes of one value at a place. */
async function written(chunks: readonly Chunk[]) {
  const file = new FileInMemory(100);
  for (const [position, length, value] of chunks)
    await file.write({ type: "write", position, data: new Uint8Array(length).fill(value) });
  const { size } = file;
  const blob = await file.finish();
  expect([blob?.size, blob?.type]).toEqual([size, "video/mp4"]);
  return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))].join("");
}

test("a file in memory holds what was written last at each place", async () => {
  const rows: readonly (readonly [chunks: readonly Chunk[], text: string])[] = [
    [
      [
        [0, 2, 1],
        [2, 3, 2],
      ],
      "11222",
    ],
    // Room for a header, which is written at the end.
    [
      [
        [0, 4, 0],
        [4, 3, 5],
        [0, 3, 7],
      ],
      "7770555",
    ],
    [[[3, 2, 4]], "00044"],
    [
      [
        [0, 4, 1],
        [2, 4, 2],
      ],
      "112222",
    ],
    [
      [
        [0, 6, 1],
        [1, 2, 2],
        [2, 2, 3],
      ],
      "123311",
    ],
    [[], ""],
  ];
  for (const [chunks, text] of rows) expect(await written(chunks)).toBe(text);
});

test("a file in memory has a limit, and says so", async () => {
  await expect(
    written([
      [0, 60, 1],
      [60, 41, 1],
    ]),
  ).rejects.toThrow(REFUSALS.tooLarge);
});

test("nothing of a file in memory stays when it is discarded", async () => {
  const file = new FileInMemory(100);
  await file.write({ type: "write", position: 0, data: new Uint8Array(10) });
  await file.discard();
  expect([file.size, (await file.finish())?.size]).toEqual([0, 0]);
});
