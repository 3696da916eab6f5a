import { describe, expect, test } from "bun:test";
import { markup } from "../../../server/domain/pack/markup.ts";
import { pathProblem } from "../../../server/domain/pack/pack_path.ts";
import { gapsIn, isTooLong, lastDay, packSpan, type TimedVideo } from "../../../server/domain/pack/pack_span.ts";
import { clockError } from "../../../server/domain/pack/satellite_time.ts";
import { daySpanText, spanText } from "../../../server/domain/pack/wall_text.ts";

const at = (text: string) => Date.parse(`${text}Z`) / 1000;
const SPAN = { from: at("2026-11-20T23:50:00"), to: at("2026-11-20T23:58:00") };

describe("the time of a pack", () => {
  test("is a minute longer at both ends for the police, who take ten minutes", () => {
    expect(packSpan(SPAN, "police")).toEqual({ from: SPAN.from - 60, to: SPAN.to + 60 });
    expect(packSpan(SPAN, "insurer")).toEqual(SPAN);
    expect(isTooLong({ from: 0, to: 600 }, "police")).toBe(false);
    expect(isTooLong({ from: 0, to: 601 }, "police")).toBe(true);
    expect(isTooLong({ from: 0, to: 601 }, "all")).toBe(false);
  });

  test("is counted in days of the calendar from that of the moment on", () => {
    expect(lastDay(SPAN, 7)).toBe(at("2026-11-27T00:00:00"));
    expect(lastDay({ ...SPAN, from: at("2026-12-31T00:00:00") }, 1)).toBe(at("2027-01-01T00:00:00"));
  });

  test("is told with both days where it has two", () => {
    expect(spanText(SPAN)).toBe("23:50:00 to 23:58:00");
    expect(daySpanText(SPAN)).toBe("Friday 20\u00a0Nov 2026, 23:50:00 to 23:58:00");
    expect(daySpanText({ ...SPAN, to: SPAN.to + 120 })).toBe(
      "Friday 20\u00a0Nov 2026, 23:50:00 to Saturday 21\u00a0Nov 2026, 00:00:00",
    );
  });
});

test("what no video covers is missing", () => {
  type Row = readonly [videos: readonly TimedVideo[], gaps: readonly (readonly [from: number, to: number])[]];
  const video = (start: number, seconds: number | null) => ({ start, seconds });
  const rows: readonly Row[] = [
    [[], [[0, 100]]],
    [[video(0, 100)], []],
    [[video(-50, 200)], []],
    [[video(0, 59.5), video(60, 60)], []],
    [[video(60, 60), video(0, 50)], [[50, 60]]],
    [[video(0, 20), video(10, 5), video(30, 70)], [[20, 30]]],
    [
      [video(10, null), video(20, 30)],
      [
        [0, 20],
        [50, 100],
      ],
    ],
    [[video(150, 10)], [[0, 100]]],
  ];
  for (const [videos, gaps] of rows)
    expect<unknown>([videos, gapsIn({ from: 0, to: 100 }, videos).map(({ from, to }) => [from, to] as const)]).toEqual([
      videos,
      gaps,
    ]);
});

test("the error of the camera's clock is the median of what is believed", () => {
  const zone = () => 3_600_000;
  const time = (error: number) => ({ wall: 1_000_000 + 3600 + error, utc: 1_000_000_000 });
  expect(clockError([], zone)).toBeNull();
  expect(clockError([time(4), time(3), time(900)], zone)).toBe(4);
  expect(clockError([time(-200_000), time(2)], zone)).toBe(2);
  expect(clockError([time(200_000)], zone)).toBeNull();
});

test("what is put into HTML is escaped, and never twice", () => {
  const inner = markup`<b title="${'"'}">${"<script>&'"}</b>`;
  expect(markup`<p>${inner}${[inner, 5]}${null}</p>`.text).toBe(
    '<p><b title="&quot;">&lt;script&gt;&amp;&#39;</b><b title="&quot;">&lt;script&gt;&amp;&#39;</b>5</p>',
  );
});

test("names that lead out of a pack, or that no file has, are told", () => {
  for (const name of ["a", "originals/20261120_080000_NF.mp4", "a b/ü.jpg", "..a/b..", "a/...b"])
    expect([name, pathProblem(name)]).toEqual([name, null]);
  for (const name of [
    "",
    "/a",
    "..",
    "a/../b",
    "../a",
    "a/..",
    "a//b",
    "a/",
    "./a",
    "C:a",
    "c:/a",
    "a\\b",
    "a\nb",
    "a\u0000",
  ])
    expect([name, typeof pathProblem(name)]).toEqual([name, "string"]);
});
