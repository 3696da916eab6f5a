import { describe, expect, test } from "bun:test";
import { formatDay, formatMoment } from "../../../server/domain/text/format.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const SYDNEY = new ZoneTime("Australia/Sydney");
const at = (iso: string) => Date.parse(iso) / 1000;
/** Saturday 21 November 2026, 07:45:02 in Sydney. */
const MOMENT = at("2026-11-20T20:45:02Z");

describe("ZoneTime", () => {
  test("says the same as the slower words of single times, in every kind of zone", () => {
    for (const zone of ["UTC", "Australia/Sydney", "America/St_Johns", "Asia/Kathmandu", "Pacific/Chatham"]) {
      const time = new ZoneTime(zone);
      for (const iso of [
        "2026-11-20T20:45:02.9Z",
        "2026-04-04T15:30:00Z",
        "2027-01-01T00:00:00Z",
        "1999-12-31T23:59:59Z",
      ]) {
        const ts = at(iso);
        expect(time.whole(ts)).toBe(formatMoment(ts * 1000, zone));
        expect(time.day(ts, MOMENT)).toBe(formatDay(ts * 1000, zone, MOMENT * 1000));
      }
    }
  });

  test("has days, clocks and months for axes and tables", () => {
    expect(SYDNEY.clock(MOMENT)).toBe("07:45");
    expect(SYDNEY.date(MOMENT)).toBe("21\u00a0Nov");
    expect(SYDNEY.fullDate(MOMENT)).toBe("21\u00a0Nov 2026");
    expect(SYDNEY.moment(MOMENT, MOMENT)).toBe("Sat 21\u00a0Nov, 07:45");
    expect(SYDNEY.month(MOMENT)).toBe("Nov");
    expect(SYDNEY.month(at("2027-01-10T00:00:00Z"))).toBe("Jan 2027");
    expect(SYDNEY.clock(at("2026-11-20T13:00:00Z"))).toBe("00:00");
  });

  test("knows how far the wall is from UTC, and what the zone is called, on both sides of a clock change", () => {
    // The clocks of Sydney went back on 5 April 2026 at 16:00 UTC of the day before.
    const [before, after] = [at("2026-04-04T15:59:59.5Z"), at("2026-04-04T16:00:00Z")];
    expect([SYDNEY.offset(before), SYDNEY.name(before)]).toEqual([39_600, "AEDT"]);
    expect([SYDNEY.offset(after), SYDNEY.name(after)]).toEqual([36_000, "AEST"]);
    expect(new ZoneTime("Asia/Kathmandu").offset(MOMENT)).toBe(20_700);
  });
});
