import { describe, expect, test } from "bun:test";
import { timeFormatOf } from "../../../server/domain/text/accepted_language.ts";
import { type DateOrder, formatNamed, nameOfFormat, USUAL_FORMAT } from "../../../server/domain/text/time_format.ts";

describe("the language of a browser", () => {
  const rows: readonly (readonly [header: string | null, hours: 12 | 24, order: DateOrder])[] = [
    ["en-US", 12, "mdy"],
    ["en-US,en;q=0.9", 12, "mdy"],
    ["en-GB,en;q=0.9,en-US;q=0.8", 24, "dmy"],
    ["en-AU", 12, "dmy"],
    ["en-IN", 12, "dmy"],
    ["en-IE", 24, "dmy"],
    ["de", 24, "dmy"],
    ["de-AT,de;q=0.9,en;q=0.8", 24, "dmy"],
    ["fr-FR", 24, "dmy"],
    ["it", 24, "dmy"],
    ["es-ES", 24, "dmy"],
    ["pt-BR", 24, "dmy"],
    ["ru", 24, "dmy"],
    ["hi-IN", 12, "dmy"],
    ["ja", 24, "ymd"],
    ["zh-CN", 24, "ymd"],
    ["zh-TW", 12, "ymd"],
    ["ko-KR", 12, "ymd"],
    ["hu", 24, "ymd"],
    // Written in another calendar, or from right to left.
    ["ar-EG", 12, "dmy"],
    ["he", 24, "dmy"],
    ["th", 24, "dmy"],
    // The most wanted one, of those that are known.
    ["de;q=0.5, en-US;q=0.9", 12, "mdy"],
    ["en-US;q=0.1,de", 24, "dmy"],
    ["en-US;q=0,de;q=0.3", 24, "dmy"],
    ["xx-nothing,en-US;q=0.4", 12, "mdy"],
    ["EN-us", 12, "mdy"],
    ["en-US-u-hc-h23", 24, "mdy"],
    // None, or nothing that could be understood: the usual format.
    [null, 24, "dmy"],
    ["", 24, "dmy"],
    ["*", 24, "dmy"],
    ["xx", 24, "dmy"],
    ["en_US", 24, "dmy"],
    ["-;q=,,;", 24, "dmy"],
    ["en-US;q=many", 24, "dmy"],
    [",".repeat(5000), 24, "dmy"],
  ];
  test.each(rows)("%p has times with %d hours and days as %s", (header, hours, order) => {
    expect(timeFormatOf(header)).toEqual({ hours, order });
  });
});

test("a format reaches the scripts of a page by its name, the usual one without any", () => {
  expect(nameOfFormat(USUAL_FORMAT)).toBeUndefined();
  for (const hours of [12, 24] as const)
    for (const order of ["dmy", "mdy", "ymd"] as const)
      expect(formatNamed(nameOfFormat({ hours, order }))).toEqual({ hours, order });
  for (const name of [undefined, "", "13 dmy", "12", "12 ydm"]) expect(formatNamed(name)).toEqual(USUAL_FORMAT);
});
