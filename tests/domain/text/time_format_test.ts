import { describe, expect, test } from "bun:test";
import { cameraClock, cameraDay, clipName } from "../../../server/domain/recordings/camera_clock.ts";
import { spanOfDay } from "../../../server/domain/retention/trash_text.ts";
import { spanOfNames } from "../../../server/domain/runs/run_causes.ts";
import { scheduleInWords } from "../../../server/domain/settings/schedule_preview.ts";
import { driveInWords } from "../../../server/domain/sync/drive_text.ts";
import { daySpan } from "../../../server/domain/text/day_span.ts";
import { type TimeFormat, USUAL_FORMAT } from "../../../server/domain/text/time_format.ts";
import { clockOf, clockSpanOf, wallOf, ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { tripTimes, tripTimesOnDay } from "../../../server/domain/viewer/trip_text.ts";

const US: TimeFormat = { hours: 12, order: "mdy" };
const AU: TimeFormat = { hours: 12, order: "dmy" };
const JP: TimeFormat = { hours: 24, order: "ymd" };
const at = (iso: string) => Date.parse(iso);
/** Saturday 21 November 2026, 14:41:05 in Chicago. */
const MOMENT = at("2026-11-21T20:41:05Z");
const NEW_YEAR = at("2027-01-01T06:00:00Z");
const plain = (text: string) => text.replaceAll("\u00a0", " ");

describe("times in the format of a language", () => {
  const rows: readonly (readonly [hour: number, words: string])[] = [
    [0, "12:05 am"],
    [1, "1:05 am"],
    [11, "11:05 am"],
    [12, "12:05 pm"],
    [13, "1:05 pm"],
    [23, "11:05 pm"],
  ];
  test.each(rows)("with twelve hours: %d:05 is %s", (hour, words) => {
    expect(plain(clockOf({ hour, minute: 5 }, US))).toBe(words);
  });

  test("say once in which half of the day both ends are", () => {
    const span = (from: string, to: string, format: TimeFormat) =>
      plain(clockSpanOf(wallOf(at(`2026-11-21T${from}Z`)), wallOf(at(`2026-11-21T${to}Z`)), format));
    expect(span("08:00", "08:40", US)).toBe("8:00 to 8:40 am");
    expect(span("11:50", "12:10", US)).toBe("11:50 am to 12:10 pm");
    expect(span("08:00", "08:40", USUAL_FORMAT)).toBe("08:00 to 08:40");
  });

  const forms: readonly (readonly [format: TimeFormat, words: readonly string[]])[] = [
    [
      USUAL_FORMAT,
      ["14:41", "21 Nov", "21 Nov 2026", "Sat 21 Nov, 14:41", "Sat 21 Nov 2026", "2026-11-21 14:41:05 CST"],
    ],
    [
      US,
      ["2:41 pm", "Nov 21", "Nov 21, 2026", "Sat Nov 21, 2:41 pm", "Sat Nov 21, 2026", "Nov 21, 2026, 2:41:05 pm CST"],
    ],
    [AU, ["2:41 pm", "21 Nov", "21 Nov 2026", "Sat 21 Nov, 2:41 pm", "Sat 21 Nov 2026", "21 Nov 2026, 2:41:05 pm CST"]],
    [JP, ["14:41", "Nov 21", "2026 Nov 21", "Sat Nov 21, 14:41", "Sat 2026 Nov 21", "2026-11-21 14:41:05 CST"]],
  ];
  for (const [format, words] of forms)
    test(`with ${format.hours} hours and dates as ${format.order}`, () => {
      const zone = new ZoneTime("America/Chicago").as(format);
      expect(
        [
          zone.clock(MOMENT),
          zone.shortDate(MOMENT),
          zone.date(MOMENT),
          zone.moment(MOMENT, MOMENT),
          zone.day(MOMENT, NEW_YEAR),
          zone.whole(MOMENT),
        ].map(plain),
      ).toEqual([...words]);
      expect(zone.dayInWords(MOMENT, MOMENT)).toBe(`Today, ${zone.day(MOMENT, MOMENT)}`);
    });

  test("of a year that begins, to the second, and as a span of one day", () => {
    const zone = new ZoneTime("America/Chicago", US);
    expect(zone.month(NEW_YEAR)).toBe("Jan 2027");
    expect(zone.as(JP).month(NEW_YEAR)).toBe("2027 Jan");
    expect(plain(zone.exactMoment(MOMENT, MOMENT))).toBe("Sat Nov 21, 2:41:05 pm");
    const head = { purge_from: "2026-11-21T14:00:00Z", purge_to: "2026-11-21T20:41:00Z" };
    expect(plain(spanOfDay({ ...head, amount: { recordings: 1, bytes: 1 } } as never, { now: MOMENT, zone }))).toBe(
      "Sat Nov 21, 8:00 am to 2:41 pm",
    );
  });

  test("travel with the zone to a script, and back", () => {
    const zone = new ZoneTime("America/Chicago", US);
    expect(JSON.parse(JSON.stringify({ zone }))).toEqual({ zone: "America/Chicago 12 mdy" });
    const back = ZoneTime.from("America/Chicago 12 mdy");
    expect([back.id, back.format]).toEqual(["America/Chicago", US]);
    expect(JSON.stringify(new ZoneTime("UTC"))).toBe('"UTC"');
    expect(ZoneTime.from("UTC").format).toEqual(USUAL_FORMAT);
    expect(ZoneTime.from(zone)).toBe(zone);
  });

  test("know the zone's clock changes in every format", () => {
    const rome = new ZoneTime("Europe/Rome");
    const american = rome.as(US);
    for (const moment of [MOMENT, at("2026-07-01T12:00:00Z")]) {
      expect(american.offset(moment)).toBe(rome.offset(moment));
      expect(american.name(moment)).toBe(rome.name(moment));
    }
    expect(american.as(USUAL_FORMAT).clock(MOMENT)).toBe(rome.clock(MOMENT));
    expect(rome.as(USUAL_FORMAT)).toBe(rome);
  });
});

describe("the camera's times in the format of a language", () => {
  test("name a clip, a day, a second and a drive", () => {
    const key = "20261121_144105_N";
    expect(plain(clipName(key, 2026, US))).toBe("Sat Nov 21, 2:41 pm");
    expect(plain(cameraDay("2026-11-21", 2027, US))).toBe("Sat Nov 21, 2026");
    expect(plain(cameraClock(key, 12.9, US))).toBe("2:41:17 pm");
    expect(plain(driveInWords({ key, chosen: 3, home: 3 }, US))).toBe("The drive of 2:41 pm is home.");
    expect(driveInWords({ key, chosen: 8, home: 3 })).toBe("The drive of 14:41: 3 of 8 home.");
  });

  test("say once in which half of the day the recordings of a cause are", () => {
    const span = (from: string, to: string) => plain(spanOfNames(from, to, 2026, US));
    expect(span("20261120_201200_NF.mp4", "20261120_205900_NF.mp4")).toBe("Fri Nov 20, 8:12 to 8:59 pm");
    expect(span("20261120_201200_NF.mp4", "20261121_075900_NF.mp4")).toBe("Fri Nov 20, 8:12 pm to Sat Nov 21, 7:59 am");
    expect(plain(spanOfNames("20261120_201200_NF.mp4", "20261120_205900_NF.mp4", 2026))).toBe(
      "Fri 20 Nov, 20:12 to 20:59",
    );
  });

  const spans: readonly (readonly [from: string, to: string, us: string, japan: string])[] = [
    ["2026-11-08", "2026-11-08", "Nov 8", "Nov 8"],
    ["2026-11-06", "2026-11-08", "Nov 6 to 8", "Nov 6 to 8"],
    ["2026-10-28", "2026-11-03", "Oct 28 to Nov 3", "Oct 28 to Nov 3"],
    ["2024-11-06", "2024-11-08", "Nov 6 to 8, 2024", "2024 Nov 6 to 8"],
    ["2024-01-03", "2026-11-08", "Jan 3, 2024 to Nov 8, 2026", "2024 Jan 3 to 2026 Nov 8"],
  ];
  test.each(spans)("from %s to %s is %s", (from, to, us, japan) => {
    expect(plain(daySpan(from, to, MOMENT, US))).toBe(us);
    expect(plain(daySpan(from, to, MOMENT, JP))).toBe(japan);
  });

  const trips: readonly (readonly [start: string, end: string, words: string])[] = [
    ["2026-11-20T08:00:00", "2026-11-20T08:40:30", "Fri Nov 20, 8:00 to 8:40 am"],
    ["2026-11-20T11:50:00", "2026-11-20T12:10:00", "Fri Nov 20, 11:50 am to 12:10 pm"],
    ["2026-11-20T23:50:00", "2026-11-21T00:11:00", "Fri Nov 20, 11:50 pm to Sat 12:11 am"],
    ["2025-12-31T23:50:00", "2026-01-01T00:11:00", "Wed Dec 31, 2025, 11:50 pm to Thu 12:11 am"],
    ["2026-11-20T23:50:00", "2026-11-22T00:11:00", "Fri Nov 20, 11:50 pm to Sun Nov 22, 12:11 am"],
  ];
  test.each(trips)("the trip from %s to %s is %s", (start, end, words) => {
    expect(plain(tripTimes(start, end, 2026, US))).toBe(words);
  });

  test("of a trip over midnight leave out the day they stand under", () => {
    const night = ["2026-11-20T23:50:00", "2026-11-21T00:11:00"] as const;
    expect(plain(tripTimesOnDay(...night, "2026-11-20", 2026, US))).toBe("11:50 pm to Sat 12:11 am");
    expect(plain(tripTimesOnDay(...night, "2026-11-21", 2026, US))).toBe("Fri Nov 20, 11:50 pm to 12:11 am");
  });
});

describe("a schedule in words", () => {
  const rows: readonly (readonly [cron: string, usual: string, us: string])[] = [
    ["*/15 * * * *", "Every 15 minutes", "Every 15 minutes"],
    ["0 3 * * *", "Every day at 03:00", "Every day at 3:00 am"],
    ["0 15 * * sun", "At 15:00, only on Sunday", "At 3:00 pm, only on Sunday"],
    ["30 0,12 * * *", "Every day at 00:30 and 12:30", "Every day at 12:30 am and 12:30 pm"],
  ];
  test.each(rows)("%s is %s, and %s", (cron, usual, us) => {
    expect(scheduleInWords(cron)).toBe(usual);
    expect(plain(scheduleInWords(cron, US))).toBe(us);
  });
});
