import { expect, test } from "bun:test";
import { lineTimes } from "../../../server/domain/logs/log_time.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const rows: [zone: string, ts: string, day: string, clock: string, name: string][] = [
  ["UTC", "2026-11-20T20:15:00.003Z", "2026-11-20", "20:15:00.003", "UTC"],
  ["Australia/Sydney", "2026-11-20T20:15:00.003Z", "2026-11-21", "07:15:00.003", "AEDT"],
  ["Australia/Sydney", "2026-06-07T13:59:59.999Z", "2026-06-07", "23:59:59.999", "AEST"],
  // Quarters of an hour: Nepal.
  ["Asia/Kathmandu", "2026-06-07T10:14:59.000Z", "2026-06-07", "15:59:59.000", "Asia/Kathmandu"],
  ["Asia/Kathmandu", "2026-06-07T10:15:00.000Z", "2026-06-07", "16:00:00.000", "Asia/Kathmandu"],
  // Clocks that change, by half an hour and by one.
  ["Australia/Lord_Howe", "2026-04-04T14:59:59.000Z", "2026-04-05", "01:59:59.000", "LHDT"],
  ["Australia/Lord_Howe", "2026-04-04T15:00:00.000Z", "2026-04-05", "01:30:00.000", "LHST"],
  ["Europe/Berlin", "2026-10-25T00:59:59.999Z", "2026-10-25", "02:59:59.999", "CEST"],
  ["Europe/Berlin", "2026-10-25T01:00:00.000Z", "2026-10-25", "02:00:00.000", "CET"],
];
for (const [zone, ts, day, clock, name] of rows)
  test(`lineTimes() reads ${ts} in ${zone} as ${day} ${clock}`, () => {
    const read = lineTimes(new ZoneTime(zone));
    expect(read(ts)).toEqual({ day, clock, zone: name });
    // And the same again, from what it remembers.
    expect(read(ts)).toEqual({ day, clock, zone: name });
  });

test("lineTimes() keeps neighbouring quarters apart", () => {
  const read = lineTimes(new ZoneTime("Europe/Berlin"));
  const clocks = ["00:14:59.000", "00:15:00.000", "00:29:30.500", "00:30:00.000", "23:45:01.000"].map(
    (clock) => read(`2026-01-05T${clock}Z`).clock,
  );
  expect(clocks).toEqual(["01:14:59.000", "01:15:00.000", "01:29:30.500", "01:30:00.000", "00:45:01.000"]);
});
