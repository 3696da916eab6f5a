import { describe, expect, test } from "bun:test";
import { markup } from "../../../server/domain/pack/markup.ts";
import { pathProblem } from "../../../server/domain/pack/pack_path.ts";
import { gapsIn, isTooLong, lastDay, packSpan, type TimedVideo } from "../../../server/domain/pack/pack_span.ts";
import { passedBy, type SatelliteTime, satelliteSpan } from "../../../server/domain/pack/satellite_time.ts";
import { daySpanText, exactSeconds, spanText } from "../../../server/domain/pack/wall_text.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

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
    expect<unknown>([
      videos,
      gapsIn({ from: 0, to: 100 }, videos, (from, to) => to - from).map(({ from, to }) => [from, to] as const),
    ]).toEqual([videos, gaps]);
});

describe("an hour that clocks change by", () => {
  const berlin = new ZoneTime("Europe/Berlin");
  const clock = (text: string) => Date.parse(`2026-${text}Z`) / 1000;
  const told = (wall: string, utc: string): SatelliteTime => ({
    wall: clock(wall),
    utc: Date.parse(`2026-${utc}Z`),
  });
  const SPRING = ["03-29T01:58:30", "03-29T01:59:30", "03-29T03:00:30"] as const;
  const AUTUMN = ["10-25T02:58:00", "10-25T02:59:00", "10-25T03:00:00"] as const;
  type Row = readonly [string, readonly string[], SatelliteTime[], string[]];
  const rows: readonly Row[] = [
    ["is not missing when it is left out", SPRING, [], []],
    [
      "is not missing where the satellites say the same",
      SPRING,
      [told(SPRING[1], "03-29T00:59:30"), told(SPRING[2], "03-29T01:00:30")],
      [],
    ],
    [
      "is missing when the camera does not follow it, as the satellites say",
      SPRING,
      [told(SPRING[1], "03-29T00:59:30"), told(SPRING[2], "03-29T02:00:30")],
      ["02:00:30 to 03:00:30, 3600 s"],
    ],
    [
      "does not hide a gap behind it",
      ["03-29T01:58:30", "03-29T01:59:30", "03-29T03:05:30"],
      [],
      ["03:00:30 to 03:05:30, 300 s"],
    ],
    [
      "is no part of a gap around it",
      ["03-29T01:49:00", "03-29T01:50:00", "03-29T03:10:00"],
      [],
      ["01:51:00 to 03:10:00, 1140 s"],
    ],
    ["that comes twice may have passed in between, which the satellites alone can tell", AUTUMN, [], []],
    [
      "that comes twice is missing where they tell that nothing of the second was recorded",
      AUTUMN,
      [told(AUTUMN[1], "10-25T00:59:00"), told(AUTUMN[2], "10-25T02:00:00")],
      ["03:00:00 to 03:00:00, 3600 s"],
    ],
  ];
  for (const [what, starts, times, gaps] of rows)
    test(what, () => {
      const videos = starts.map((start) => ({ start: clock(start), seconds: 60 }));
      const span = { from: videos[0]?.start ?? 0, to: (videos.at(-1)?.start ?? 0) + 60 };
      const time = (wall: number) => new Date(wall * 1000).toISOString().slice(11, 19);
      const found = gapsIn(span, videos, passedBy(times, berlin));
      expect(found.map(({ from, to, seconds }) => `${time(from)} to ${time(to)}, ${seconds} s`)).toEqual(gaps);
    });

  test("is told from a clock that was set meanwhile", () => {
    const passed = passedBy(
      [told("06-01T08:00:00", "06-01T06:00:00"), told("06-01T08:02:35", "06-01T06:01:00")],
      berlin,
    );
    expect(passed(clock("06-01T08:00:00"), clock("06-01T08:02:35"))).toBe(60);
    expect(passed(clock("06-01T08:00:00"), clock("06-01T08:02:34"))).toBe(154);
    // Names have whole seconds, and a clock that was set back tells no length.
    const near = passedBy(
      [told("06-01T08:00:00", "06-01T06:00:00"), told("06-01T08:01:00", "06-01T06:01:01.4")],
      berlin,
    );
    expect(near(clock("06-01T08:00:00"), clock("06-01T08:01:00"))).toBe(60);
    const back = passedBy([told("06-01T08:00:00", "06-01T07:00:00"), told("06-01T08:01:00", "06-01T06:01:00")], berlin);
    expect(back(clock("06-01T08:00:00"), clock("06-01T08:01:00"))).toBe(60);
  });
});

test("the satellites tell both ends of a span, also of a clock that is days wrong or was set meanwhile", () => {
  const zone = new ZoneTime("Europe/Rome");
  const wall = (text: string) => Date.parse(`${text}Z`) / 1000;
  const span = { from: wall("2026-11-21T10:00:00"), to: wall("2026-11-21T10:05:00") };
  const at = (error: number, year = 2026) => ({
    wall: span.from,
    utc: Date.parse(`${year}-11-21T09:00:00Z`) - error * 1000,
  });
  const told = (times: SatelliteTime[]) => {
    const real = satelliteSpan(times, span, zone);
    return real && [real.firstError, real.lastError, new Date(real.from).toISOString().slice(0, 19)];
  };
  expect(told([])).toBeNull();
  expect(told([at(0.4), at(-1)])).toEqual([0, 0, "2026-11-21T09:00:00"]);
  expect(told([at(95), at(900), at(0)])).toEqual([95, 0, "2026-11-21T08:58:25"]);
  expect(told([at(-3 * 86_400)])).toEqual([-3 * 86_400, -3 * 86_400, "2026-11-24T09:00:00"]);
  // A receiver that counts the weeks anew does not know the year.
  expect(told([at(0, 2007)])).toBeNull();
  expect(told([at(0, 2007), at(95)])).toEqual([95, 95, "2026-11-21T08:58:25"]);
});

test("spans over a clock change end when the satellites say", () => {
  const zone = new ZoneTime("Europe/Rome");
  const spring = { from: Date.UTC(2026, 2, 29, 1, 59) / 1000, to: Date.UTC(2026, 2, 29, 3, 1) / 1000 };
  const [before, after] = [Date.UTC(2026, 2, 29, 0, 59), Date.UTC(2026, 2, 29, 1, 0)];
  const times = [
    { wall: spring.from, utc: before },
    { wall: spring.to - 60, utc: after },
  ];
  expect(satelliteSpan(times, spring, zone)).toEqual({
    ...{ from: before, to: after + 60_000 },
    ...{ firstError: 0, lastError: 0 },
  });
  // The hour comes twice: these are pictures of the first time.
  const autumn = { from: Date.UTC(2026, 9, 25, 2, 58) / 1000, to: Date.UTC(2026, 9, 25, 3) / 1000 };
  const twice = Date.UTC(2026, 9, 25, 0, 58);
  expect(satelliteSpan([{ wall: autumn.from, utc: twice }], autumn, zone)).toMatchObject({
    ...{ from: twice, to: twice + 120_000 },
  });
});

test("errors of a clock are told to the second", () => {
  expect([2, 60, 95, 3600, 190_805].map(exactSeconds).map((text) => text.replaceAll("\u00a0", " "))).toEqual([
    ...["2 s", "1 min", "1 min 35 s", "1 h", "2 d 5 h 5 s"],
  ]);
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
