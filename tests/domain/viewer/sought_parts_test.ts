import { describe, expect, test } from "bun:test";
import { soughtTimes } from "../../../server/domain/viewer/sought_parts.ts";

/** A Friday. */
const TODAY = { today: "2026-11-20" };
const told = (text: string) => {
  const { times, weekdays, parts } = soughtTimes(text, TODAY);
  return [
    ...weekdays.map((date) => `${date} and weeks before`),
    ...times.map(({ date, seconds }) => `${date ?? "any"}${seconds === null ? "" : ` ${seconds / 3600}`}`),
    ...parts.map(({ date, name }) => `${date ?? "any"} ${name}`),
  ];
};

describe("a time that is being typed", () => {
  const rows: readonly [text: string, meant: readonly string[]][] = [
    ["Tue 17:45", ["2026-11-17 17.75"]],
    ["16 Nov", ["2026-11-16"]],
    ["2026-11-16 08:30", ["2026-11-16 8.5"]],
    ["8:30", ["any 8.5"]],
    ["mornings", ["any morning"]],
    ["Evening", ["any evening"]],
    ["yesterday evening", ["2026-11-19 evening"]],
    ["yesterday in the even", ["2026-11-19 evening"]],
    ["on monday morning", ["2026-11-16 morning"]],
    ["this afternoon", ["2026-11-20 afternoon"]],
    ["tonight", ["2026-11-20 night"]],
    ["last night", ["2026-11-19 night"]],
    ["16 nov, nights", ["2026-11-16 night"]],
    ["mo", ["2026-11-16 and weeks before", "any morning"]],
    ["monday", ["2026-11-16 and weeks before"]],
    ["last monday", ["2026-11-16"]],
    ["t", []],
    ["to", ["2026-11-20"]],
    ["tu", ["2026-11-17 and weeks before"]],
    ["s", []],
    ["sa", ["2026-11-14 and weeks before"]],
    ["ni", ["any night"]],
    ["", []],
    ["home morning", []],
    ["8:30 morning", []],
    ["deer", []],
    ["a".repeat(200), []],
  ];
  for (const [text, meant] of rows)
    test(`is understood: ${text}`, () => {
      expect(told(text)).toEqual([...meant]);
    });
});
