import { describe, expect, test } from "bun:test";
import {
  clockOf,
  dateOf,
  dayOf,
  isoDay,
  shortDateOf,
  wallOf,
  ZoneTime,
} from "../../../server/domain/text/zone_time.ts";

const SYDNEY = new ZoneTime("Australia/Sydney");
const at = (iso: string) => Date.parse(iso);
/** Saturday 21 November 2026, 07:45:02 in Sydney. */
const MOMENT = at("2026-11-20T20:45:02Z");
/** No-break spaces as plain ones, to be read here. */
const plain = (text: string) => text.replaceAll("\u00a0", " ");

describe("ZoneTime", () => {
  test("shows what the calendar of the zone says, in every kind of zone, also when it is asked again", () => {
    for (const id of ["UTC", "Australia/Sydney", "America/St_Johns", "Asia/Kathmandu", "Pacific/Chatham"]) {
      const zone = new ZoneTime(id);
      const format = new Intl.DateTimeFormat("sv", { timeZone: id, dateStyle: "short", timeStyle: "medium" });
      for (let ms = at("2025-12-28T00:00:00.900Z"); ms < at("2027-01-02T00:00:00Z"); ms += 3_599_000 * 7)
        for (const moment of [ms, ms + 1000]) {
          expect(zone.whole(moment)).toBe(`${format.format(moment)} ${zone.name(moment)}`);
          expect(zone.isoDay(moment)).toBe(isoDay(zone.dayNumber(moment) * 86_400_000));
        }
    }
  });

  test("forgets what it has reckoned before it grows large, and says the same", () => {
    const zone = new ZoneTime("Europe/Rome");
    const clocks = Array.from({ length: 3000 }, (_, hour) => zone.clock(MOMENT + hour * 3_600_000));
    expect(clocks.map((_, hour) => zone.clock(MOMENT + hour * 3_600_000))).toEqual(clocks);
  });

  test("has days, clocks and months for axes and tables", () => {
    expect(SYDNEY.clock(MOMENT)).toBe("07:45");
    expect(SYDNEY.shortDate(MOMENT)).toBe("21\u00a0Nov");
    expect(SYDNEY.date(MOMENT)).toBe("21\u00a0Nov 2026");
    expect(SYDNEY.moment(MOMENT, MOMENT)).toBe("Sat 21\u00a0Nov, 07:45");
    expect(SYDNEY.exactMoment(MOMENT, MOMENT)).toBe("Sat 21\u00a0Nov, 07:45:02");
    expect(SYDNEY.month(MOMENT)).toBe("Nov");
    expect(SYDNEY.month(at("2027-01-10T00:00:00Z"))).toBe("Jan 2027");
    expect(SYDNEY.clock(at("2026-11-20T13:00:00Z"))).toBe("00:00");
  });

  test("knows how far the wall is from UTC, and what the zone is called, on both sides of a clock change", () => {
    // The clocks of Sydney went back on 5 April 2026 at 16:00 UTC of the day before.
    const before = at("2026-04-04T15:59:59.5Z");
    const after = at("2026-04-04T16:00:00Z");
    expect([SYDNEY.offset(before), SYDNEY.name(before)]).toEqual([39_600_000, "AEDT"]);
    expect([SYDNEY.offset(after), SYDNEY.name(after)]).toEqual([36_000_000, "AEST"]);
    expect(new ZoneTime("Asia/Kathmandu").offset(MOMENT)).toBe(20_700_000);
  });

  test("is its name as JSON, and is made of that again", () => {
    const [there] = JSON.parse(JSON.stringify([SYDNEY]));
    expect([there, ZoneTime.from(there).clock(MOMENT), ZoneTime.from(SYDNEY) === SYDNEY]).toEqual([
      "Australia/Sydney",
      "07:45",
      true,
    ]);
  });

  test("that does not exist throws when it is asked", () => {
    expect(() => new ZoneTime("Mars/Olympus").clock(MOMENT)).toThrow(RangeError);
  });
});

test("a wall in UTC, which is also the camera's, is read and told", () => {
  const wall = wallOf(at("2026-11-01T02:51:17Z"));
  expect(wall).toEqual({ year: 2026, month: 11, day: 1, weekday: 0, hour: 2, minute: 51, second: 17 });
  expect([clockOf(wall), shortDateOf(wall), dateOf(wall)].map(plain)).toEqual(["02:51", "1 Nov", "1 Nov 2026"]);
  expect([dayOf(wall, 2026), dayOf(wall, 2027)].map(plain)).toEqual(["Sun 1 Nov", "Sun 1 Nov 2026"]);
});

describe("times in a zone", () => {
  test("the clock shows the zone's time, midnight as 00", () => {
    expect(new ZoneTime("UTC").clock(at("2026-06-07T10:15:59Z"))).toBe("10:15");
    expect(new ZoneTime("Europe/Rome").clock(at("2026-06-07T10:15:00Z"))).toBe("12:15");
    expect(new ZoneTime("Europe/Rome").clock(at("2026-06-07T22:00:00Z"))).toBe("00:00");
    expect(new ZoneTime("Asia/Kathmandu").clock(at("2026-06-07T10:15:00Z"))).toBe("16:00");
  });

  test("the day is the zone's, the year is told when it is another", () => {
    const now = at("2026-06-07T10:00:00Z");
    expect(plain(new ZoneTime("UTC").day(at("2026-06-07T23:30:00Z"), now))).toBe("Sun 7 Jun");
    expect(plain(new ZoneTime("Asia/Tokyo").day(at("2026-06-07T23:30:00Z"), now))).toBe("Mon 8 Jun");
    expect(plain(new ZoneTime("UTC").day(at("2025-12-31T12:00:00Z"), now))).toBe("Wed 31 Dec 2025");
  });

  const days: [at: string, now: string, zone: string, text: string][] = [
    ["2026-06-07T23:59:00Z", "2026-06-07T00:00:00Z", "UTC", "Today, Sun 7 Jun"],
    ["2026-06-08T00:00:00Z", "2026-06-07T23:59:00Z", "UTC", "Tomorrow, Mon 8 Jun"],
    ["2026-06-06T00:00:00Z", "2026-06-07T23:59:00Z", "UTC", "Yesterday, Sat 6 Jun"],
    ["2026-06-09T00:00:00Z", "2026-06-07T23:59:00Z", "UTC", "Tue 9 Jun"],
    ["2026-06-07T23:00:00Z", "2026-06-07T10:00:00Z", "Europe/Rome", "Tomorrow, Mon 8 Jun"],
    // 25 hours long
    ["2026-10-25T22:59:00Z", "2026-10-24T22:00:00Z", "Europe/Rome", "Today, Sun 25 Oct"],
    // 23 hours long
    ["2026-03-29T22:00:00Z", "2026-03-28T23:00:00Z", "Europe/Rome", "Tomorrow, Mon 30 Mar"],
    ["2027-01-01T00:00:00Z", "2026-12-31T23:00:00Z", "UTC", "Tomorrow, Fri 1 Jan 2027"],
  ];
  for (const [moment, now, zone, text] of days)
    test(`${moment} seen from ${now} in ${zone} is ${text}`, () =>
      expect(plain(new ZoneTime(zone).dayInWords(at(moment), at(now)))).toBe(text));

  const zones: [moment: string, zone: string, name: string][] = [
    ["2026-06-07T10:00:00Z", "UTC", "UTC"],
    ["2026-06-07T10:00:00Z", "Europe/Rome", "CEST"],
    ["2026-01-07T10:00:00Z", "Europe/Rome", "CET"],
    ["2026-06-07T10:00:00Z", "Europe/London", "BST"],
    ["2026-01-07T10:00:00Z", "Europe/London", "GMT"],
    ["2026-06-07T10:00:00Z", "America/New_York", "EDT"],
    ["2026-01-07T10:00:00Z", "Australia/Sydney", "AEDT"],
    ["2026-06-07T10:00:00Z", "Asia/Tokyo", "Asia/Tokyo"],
    ["2026-06-07T10:00:00Z", "America/Sao_Paulo", "America/Sao_Paulo"],
  ];
  for (const [moment, zone, name] of zones)
    test(`${zone} is called ${name} on ${moment.slice(0, 10)}`, () =>
      expect(new ZoneTime(zone).name(at(moment))).toBe(name));

  test("in full, with seconds and the zone", () => {
    expect(new ZoneTime("Australia/Sydney").whole(at("2026-11-20T20:45:02Z"))).toBe("2026-11-21 07:45:02 AEDT");
    expect(new ZoneTime("UTC").whole(at("2026-06-07T00:00:00Z"))).toBe("2026-06-07 00:00:00 UTC");
  });
});
