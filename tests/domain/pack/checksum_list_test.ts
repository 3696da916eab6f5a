import { expect, test } from "bun:test";
import { checksumText, readChecksums } from "../../../server/domain/pack/checksum_list.ts";

const ONE = "a".repeat(64);
const TWO = "0123456789abcdef".repeat(4);

test("a list is written as sha256sum writes it, and read again", () => {
  const lines = [
    { name: "originals/20261120_080000_NF.mp4", sha256: ONE },
    { name: "a name\\with\na break", sha256: TWO },
  ];
  const text = checksumText(lines);
  expect(text).toBe(`${ONE}  originals/20261120_080000_NF.mp4\n\\${TWO}  a name\\\\with\\na break\n`);
  expect(readChecksums(text)).toEqual({ sums: new Map(lines.map(({ name, sha256 }) => [name, sha256])), problems: [] });
});

test("lists of other systems are read, too", () => {
  const { sums, problems } = readChecksums(`${ONE.toUpperCase()} *one.mp4\r\n${TWO}  two.mp4`);
  expect([[...sums], problems]).toEqual([
    [
      ["one.mp4", ONE],
      ["two.mp4", TWO],
    ],
    [],
  ]);
});

test("what is no checksum is told with its line", () => {
  const { sums, problems } = readChecksums(`${ONE}  one\nhello\n${ONE.slice(1)}  two\n${TWO}  one\n\n`);
  expect(sums).toEqual(new Map([["one", ONE]]));
  expect(problems).toEqual([
    "line 2 is no checksum",
    "line 3 is no checksum",
    "line 4 names a file that has a line already",
    "line 5 is no checksum",
  ]);
});
