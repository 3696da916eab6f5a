import { describe, expect, test } from "bun:test";
import { type CsvCell, csvLineOf } from "../../../server/domain/text/csv_line.ts";

describe("a line of a CSV file", () => {
  const rows: [cell: CsvCell, shown: string][] = [
    ["completed", "completed"],
    ["a, b", '"a, b"'],
    ['say "no"', '"say ""no"""'],
    [null, ""],
    [true, "true"],
    [-3, "-3"],
    [1e-9, "1e-9"],
    [-1e-9, "-1e-9"],
    ["-12.3456789", "-12.3456789"],
    ["+5", "+5"],
    ["=1+1", "'=1+1"],
    ["+cmd", "'+cmd"],
    ["-cmd", "'-cmd"],
    ["-1+2", "'-1+2"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["\r=1", '"\'\r=1"'],
    ["\n=1", '"\'\n=1"'],
    [" =1", "' =1"],
    ["\uff1d1", "'\uff1d1"],
    ['=HYPERLINK("http://evil.example")', '"\'=HYPERLINK(""http://evil.example"")"'],
    ["a=1", "a=1"],
  ];
  for (const [cell, shown] of rows)
    test(`has ${JSON.stringify(cell)} as ${JSON.stringify(shown)}`, () => {
      expect(csvLineOf([cell, "x"])).toBe(`${shown},x\r\n`);
    });
});
