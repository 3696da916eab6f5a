import { expect, test } from "bun:test";
import { MAP_FILE_HEAD, mapFileProblem } from "../../../server/domain/viewer/map_file.ts";
import { worldMapFile } from "../../support/app/map_file.ts";

const MAP = worldMapFile();
const GIGABYTES = 10 * 1024 ** 3;
const problemOf = (file: Uint8Array, size = file.length) => mapFileProblem(file.subarray(0, MAP_FILE_HEAD), size);

/** A map with eight bytes of its head changed. */
function withNumber(at: number, value: bigint): Uint8Array {
  const file = Buffer.from(MAP);
  file.writeBigUInt64LE(value, at);
  return file;
}

test("a map is one, also with room behind its tiles", () => {
  expect(problemOf(MAP)).toBeNull();
  expect(problemOf(MAP, GIGABYTES)).toBeNull();
  expect(problemOf(worldMapFile({ compression: 1 }))).toBeNull();
});

for (const [name, file, words] of [
  ["nothing", new Uint8Array(), "is not a PMTiles file"],
  ["a page", Buffer.from("<!doctype html><title>404</title>"), "is not a PMTiles file"],
  ["an older map", worldMapFile({ version: 2 }), "of version 2, and only version 3"],
  ["the beginning of a head", MAP.subarray(0, 9), "ends too early"],
  ["a name alone", MAP.subarray(0, 7), "ends too early"],
  ["a map without its last byte", MAP.subarray(0, -1), "ends too early"],
  ["a list that lies behind the end", withNumber(8, 1n << 40n), "ends too early"],
  ["tiles longer than any file", withNumber(64, (1n << 64n) - 1n), "ends too early"],
  ["a map of pictures", worldMapFile({ tileType: 2 }), "has pictures"],
  ["a map by another compression", worldMapFile({ compression: 3 }), "in another way than by gzip"],
  ["a map by a compression that is not told", worldMapFile({ compression: 0 }), "in another way than by gzip"],
] as const)
  test(`${name} is none, and it is said why`, () => {
    expect(problemOf(file)).toContain(words);
  });
