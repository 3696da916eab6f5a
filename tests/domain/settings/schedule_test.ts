import { describe, expect, test } from "bun:test";
import {
  cronProblem,
  FALLBACK_SCHEDULE,
  nextFire,
  scheduleInForce,
  timeZoneProblem,
} from "../../../server/domain/settings/schedule.ts";
import { scheduleInWords } from "../../../server/domain/settings/schedule_preview.ts";

/** The next `count` fires after a moment, as UTC minutes. */
function fires(expression: string, timeZone: string, after: string, count: number): string[] {
  const found: string[] = [];
  let moment = Date.parse(after);
  for (let index = 0; index < count; index++) {
    const next = nextFire(expression, timeZone, moment);
    if (next === null) break;
    found.push(new Date(next).toISOString().slice(0, 16));
    moment = next;
  }
  return found;
}

describe("cronProblem()", () => {
  const accepted = [
    "*/15 * * * *",
    "0,30 8-18/2 1-15 * *",
    "0 3 * * 7",
    "0 3 * * 0-6",
    "0 3 * jan-mar mon-fri",
    "0 3 1 JAN,Jul SUN",
    "5/10 * * * *",
    "0 3 * * 5-7",
    "0 0 29 2 *",
    "0 0 30 2 1",
    "0\t3  * * *",
    " 0 3 * * * ",
  ];
  for (const expression of accepted) {
    test(`accepts ${JSON.stringify(expression)}`, () => expect(cronProblem(expression)).toBeNull());
  }

  const rejected: [expression: string, sentence: string][] = [
    ["61 * * * *", "minute"],
    ["*/0 * * * *", "minute"],
    ["5-1 * * * *", "minute"],
    ["* 24 * * *", "hour"],
    ["* * 0 * *", "day of month"],
    ["* * 32 * *", "day of month"],
    ["* * * 13 *", "month"],
    ["* * * 0 *", "month"],
    ["* * * foo *", "month"],
    ["* * * january *", "month"],
    ["* * * * 8", "day of week"],
    ["* * * * sat-mon", "day of week"],
    ["* * * * fri-sun", "day of week"],
    ["* * * * * *", "6 fields"],
    ["L * * * *", "minute"],
    ["* * L * *", "day of month"],
    ["* * 15W * *", "day of month"],
    ["* * * * 1#2", "day of week"],
    ["* * ? * *", "day of month"],
    ["* * * * +5", "day of week"],
    ["1,,2 * * * *", "minute"],
    ["1, * * * *", "minute"],
    ["*/61 * * * *", "minute"],
    ["-5 * * * *", "minute"],
    ["1.5 * * * *", "minute"],
    ["1-5/ * * * *", "minute"],
    ["0 * * * *\n", "day of week"],
    ["* * *", "3 fields"],
    ["", "0 fields"],
    ["@daily", "1 field"],
    ["2026-05-01T00:00:00", "1 field"],
    ["0 0 30 2 *", "never"],
    ["0 0 31 4,6,9,11 *", "never"],
    ["0 0 30 2 */2", "never"],
  ];
  for (const [expression, sentence] of rejected) {
    test(`rejects ${JSON.stringify(expression)} and says "${sentence}"`, () => {
      expect(cronProblem(expression)).toContain(sentence);
    });
  }
});

describe("timeZoneProblem()", () => {
  test("accepts names of zones", () => {
    for (const zone of ["UTC", "Europe/Rome", "America/New_York", "Etc/GMT+5"])
      expect(timeZoneProblem(zone)).toBeNull();
  });
  test("rejects what is no name of a zone", () => {
    for (const zone of ["Foo/Bar", "../etc/passwd", "Not A Zone", "", "+05:30", " UTC"]) {
      expect(timeZoneProblem(zone)).toContain("zone");
    }
  });
});

describe("nextFire()", () => {
  const rows: [what: string, expression: string, zone: string, after: string, expected: string[]][] = [
    [
      "counts in the zone",
      "0 3 * * *",
      "Europe/Rome",
      "2026-01-10T00:00:00Z",
      ["2026-01-10T02:00", "2026-01-11T02:00"],
    ],
    ["is later than the moment asked about", "0 3 * * *", "UTC", "2026-01-10T03:00:00Z", ["2026-01-11T03:00"]],
    [
      "finds a minute that begins in a millisecond",
      "15 2 * * *",
      "UTC",
      "2026-01-10T02:14:59.999Z",
      ["2026-01-10T02:15"],
    ],
    [
      "runs n/step on to the end of the field",
      "50/5 23 * * *",
      "UTC",
      "2026-01-10T00:00:00Z",
      ["2026-01-10T23:50", "2026-01-10T23:55", "2026-01-11T23:50"],
    ],
    ["takes 0 and 7 as Sunday", "0 0 * * 0,7", "UTC", "2026-01-10T12:00:00Z", ["2026-01-11T00:00", "2026-01-18T00:00"]],
    [
      "takes 5-7 as Friday to Sunday",
      "0 0 * * 5-7",
      "UTC",
      "2026-11-03T12:00:00Z",
      ["2026-11-06T00:00", "2026-11-07T00:00", "2026-11-08T00:00", "2026-11-13T00:00"],
    ],
    ["takes 1 as Monday", "0 0 * * 1", "UTC", "2026-11-03T12:00:00Z", ["2026-11-09T00:00"]],
    [
      "lets either day do when both narrow",
      "0 0 13 * 5",
      "UTC",
      "2026-01-01T00:00:00Z",
      ["2026-01-02T00:00", "2026-01-09T00:00", "2026-01-13T00:00", "2026-01-16T00:00"],
    ],
    [
      "takes 1-31 as narrowing",
      "0 0 1-31 * 5",
      "UTC",
      "2026-01-01T00:00:00Z",
      ["2026-01-02T00:00", "2026-01-03T00:00"],
    ],
    [
      "wants both days when one begins with a star",
      "0 0 */2 * 1",
      "UTC",
      "2026-01-01T00:00:00Z",
      ["2026-01-05T00:00", "2026-01-19T00:00", "2026-02-09T00:00"],
    ],
    [
      "wants both days when the weekday begins with a star",
      "0 0 13 * */2",
      "UTC",
      "2026-01-01T00:00:00Z",
      ["2026-01-13T00:00", "2026-06-13T00:00"],
    ],
    ["waits for a leap year", "0 0 29 2 *", "UTC", "2097-01-01T00:00:00Z", ["2104-02-29T00:00"]],
    [
      "runs a skipped time right after the gap",
      "30 2 * * *",
      "Europe/Berlin",
      "2026-03-28T12:00:00Z",
      ["2026-03-29T01:00", "2026-03-30T00:30"],
    ],
    [
      "runs several skipped times once after the gap",
      "*/15 2 * * *",
      "Europe/Berlin",
      "2026-03-28T12:00:00Z",
      ["2026-03-29T01:00", "2026-03-30T00:00", "2026-03-30T00:15"],
    ],
    [
      "does not run twice at the end of the gap",
      "*/30 * * * *",
      "Europe/Berlin",
      "2026-03-29T00:10:00Z",
      ["2026-03-29T00:30", "2026-03-29T01:00", "2026-03-29T01:30"],
    ],
    [
      "runs a repeated time once",
      "30 2 * * *",
      "Europe/Berlin",
      "2026-10-24T12:00:00Z",
      ["2026-10-25T00:30", "2026-10-26T01:30"],
    ],
    [
      "runs repeated times once each",
      "*/30 2 * * *",
      "Europe/Berlin",
      "2026-10-24T12:00:00Z",
      ["2026-10-25T00:00", "2026-10-25T00:30", "2026-10-26T01:00"],
    ],
    [
      "goes on after the repeated hour",
      "*/30 * * * *",
      "Europe/Berlin",
      "2026-10-25T00:40:00Z",
      ["2026-10-25T02:00", "2026-10-25T02:30"],
    ],
    [
      "knows a gap at midnight",
      "0 0 * * *",
      "America/Sao_Paulo",
      "2018-11-03T12:00:00Z",
      ["2018-11-04T03:00", "2018-11-05T02:00"],
    ],
    [
      "knows a gap of half an hour",
      "15 2 * * *",
      "Australia/Lord_Howe",
      "2026-10-03T12:00:00Z",
      ["2026-10-03T15:30", "2026-10-04T15:15"],
    ],
    [
      "knows a skipped day",
      "0 12 30 12 *",
      "Pacific/Apia",
      "2011-12-01T00:00:00Z",
      ["2011-12-30T10:00", "2012-12-29T22:00"],
    ],
    [
      "knows offsets that are no whole hours",
      "0 0 * * *",
      "Asia/Kathmandu",
      "2026-01-01T00:00:00Z",
      ["2026-01-01T18:15"],
    ],
  ];
  for (const [what, expression, zone, after, expected] of rows) {
    test(`${what}: ${expression} in ${zone}`, () => {
      expect(fires(expression, zone, after, expected.length)).toEqual(expected);
    });
  }

  test("fires at no local time twice and leaves out none, around both changes of the clock", () => {
    const local = new Intl.DateTimeFormat("sv", { timeZone: "Europe/Berlin", dateStyle: "short", timeStyle: "short" });
    const shown = (after: string, count: number) =>
      fires("30 * * * *", "Europe/Berlin", after, count).map((moment) =>
        local.format(Date.parse(`${moment}Z`)).slice(8),
      );
    const hours = (day: number) =>
      Array.from({ length: 24 }, (_, hour) => `${day} ${String(hour).padStart(2, "0")}:30`);
    const spring = hours(29).with(2, "29 03:00");
    expect(shown("2026-03-28T23:00:00Z", 24)).toEqual(spring);
    expect(shown("2026-10-24T22:00:00Z", 24)).toEqual(hours(25));
  });

  test("is null for a schedule that never fires", () => expect(nextFire("0 0 30 2 *", "UTC", 0)).toBeNull());

  test("throws a sentence for what cannot be read", () => {
    expect(() => nextFire("61 * * * *", "UTC", 0)).toThrow(RangeError);
    expect(() => nextFire("* * * * *", "Foo/Bar", 0)).toThrow("Foo/Bar");
  });

  test("runs the fallback every quarter of an hour", () => {
    const { cron_expression, timezone } = FALLBACK_SCHEDULE;
    expect(fires(cron_expression, timezone, "2026-01-01T00:01:00Z", 2)).toEqual([
      "2026-01-01T00:15",
      "2026-01-01T00:30",
    ]);
  });
});

describe("scheduleInWords()", () => {
  const rows: [expression: string, words: string][] = [
    ["*/15 * * * *", "Every 15 minutes"],
    ["0 3 * * sun", "At 03:00, only on Sunday"],
    ["0 3 * jan-mar mon-fri", "At 03:00, Monday through Friday, January through March"],
    ["0 0 13 * 5", "At 00:00, on day 13 of the month, or at 00:00, only on Friday"],
    ["0 0 */2 * 1", "At 00:00, every 2 days in a month, only on Monday"],
  ];
  for (const [expression, words] of rows) {
    test(`says "${words}" for ${expression}`, () => expect(scheduleInWords(expression)).toBe(words));
  }
  test("throws a sentence for what cannot be read", () => expect(() => scheduleInWords("nope")).toThrow("1 field"));
});

describe("scheduleInForce()", () => {
  const usable: [expression: string, timeZone: string][] = [
    ["0 3 * * *", "Europe/Rome"],
    // Never fires, and is what a user wrote.
    ["0 0 30 2 *", "UTC"],
  ];
  test.each(usable)("takes %p in %p as it is", (cron_expression, timezone) =>
    expect(scheduleInForce({ cron_expression, timezone })).toEqual({ cron_expression, timezone }),
  );

  const unusable: [expression: string, timeZone: string][] = [
    ["every day", "UTC"],
    ["0 3 * * *", "Mars/Olympus"],
    ["0 3 * * *", "+05:30"],
    ["", ""],
  ];
  test.each(unusable)("falls back from %p in %p to every quarter of an hour", (cron_expression, timezone) =>
    expect(scheduleInForce({ cron_expression, timezone })).toEqual({
      cron_expression: "*/15 * * * *",
      timezone: "UTC",
    }),
  );
});
