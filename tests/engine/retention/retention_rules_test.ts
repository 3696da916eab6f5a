import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { retentionCutoff, sameCutoff } from "../../../server/domain/retention/keep_times.ts";
import { pastKeepTime } from "../../../server/domain/retention/past_keep_time.ts";
import { AGE_UNITS, parseDuration } from "../../../server/domain/settings/duration.ts";
import { dayIn } from "../../../server/engine/retention/retention_rules.ts";
import { startApp } from "../../support/app/app.ts";
import { FakeClock } from "../../support/app/clock.ts";

setDefaultTimeout(20_000);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Every whole hour from 12 behind UTC to 14 ahead, whose names count the other way, and zones with odd steps. */
const ZONES = [
  ...Array.from({ length: 27 }, (_, at) => at - 14).map((hours) => `Etc/GMT${hours < 0 ? hours : `+${hours}`}`),
  "America/Los_Angeles",
  "America/St_Johns",
  "Europe/Rome",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
];

/** An ordinary day, the days on which clocks change in those zones, and a turn of the year. */
const DAYS = ["2026-06-07", "2026-03-08", "2026-11-01", "2026-03-29", "2026-10-25", "2026-04-05", "2026-10-04"];
const HOURS = [...DAYS, "2026-09-27", "2027-01-01"].flatMap((day) =>
  Array.from({ length: 48 }, (_, hours) => Date.parse(`${day}T00:00:00Z`) - 12 * HOUR + hours * HOUR),
);

/** The hours around midnight and those in which clocks change, and a moment before and after each. */
function momentsOf(wallAt: (now: number) => number): number[] {
  const near = HOURS.filter((now) => [0, 2, 3, 23].includes(new Date(wallAt(now)).getUTCHours()));
  return near.flatMap((now) => [now - 1000, now, now + 1_799_000]);
}

/** Time of a wall clock in the zone, as if it were UTC, in epoch milliseconds. */
function wallIn(zone: string): (now: number) => number {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  return (now) => Date.parse(`${format.format(now).replace(" ", "T")}Z`);
}

function cutoffOf(keep: string, now: number, zone: string): string | null {
  return retentionCutoff(dayIn(zone, now), keep === "" ? null : parseDuration(keep, AGE_UNITS).ms);
}

/** A recording that began when the wall showed that. */
function nameAt(wall: number): string {
  const digits = new Date(wall).toISOString().replace(/\D/g, "");
  return `${digits.slice(0, 8)}_${digits.slice(8, 14)}_NF.mp4`;
}

describe("the cutoff in each zone", () => {
  for (const zone of ZONES)
    test(`${zone}: what is younger than the keep period stays, what is a day older goes`, () => {
      const wallAt = wallIn(zone);
      const wrong: string[] = [];
      for (const now of momentsOf(wallAt)) {
        const wall = wallAt(now);
        for (const [keep, days] of [
          ["1d", 1],
          ["2w", 14],
        ] as const) {
          const cutoff = cutoffOf(keep, now, zone);
          const isOld = pastKeepTime(sameCutoff(cutoff));
          for (const [age, isPast] of [
            [0, false],
            [days * DAY - 1000, false],
            [days * DAY, false],
            [(days + 1) * DAY, true],
          ] as const)
            if (isOld(momentNumber(nameAt(wall - age))) !== isPast)
              wrong.push(`${new Date(now).toISOString()} ${keep} ${nameAt(wall - age)} ${cutoff}`);
        }
      }
      expect(wrong).toEqual([]);
    });

  const rows: [zone: string, now: string, keep: string, cutoff: string | null][] = [
    ["America/Los_Angeles", "2026-06-07T17:00:00Z", "1d", "2026-06-06"],
    ["America/Los_Angeles", "2026-06-08T06:59:59Z", "1d", "2026-06-06"],
    ["America/Los_Angeles", "2026-06-08T07:00:00Z", "1d", "2026-06-07"],
    ["Pacific/Kiritimati", "2026-06-07T10:00:00Z", "1d", "2026-06-07"],
    ["Etc/GMT+12", "2026-06-07T11:59:59Z", "1d", "2026-06-05"],
    ["UTC", "2026-06-07T23:59:59Z", "1d", "2026-06-06"],
    ["Europe/Rome", "2026-03-29T00:30:00Z", "1w", "2026-03-22"],
    ["Mars/Olympus", "2026-06-07T23:59:59Z", "1d", "2026-06-06"],
    ["", "2026-06-07T23:59:59Z", "1d", "2026-06-06"],
    ["UTC", "2026-06-07T12:00:00Z", "1y", "2025-06-07"],
    ["UTC", "2026-06-07T12:00:00Z", "", null],
  ];
  test.each(rows)("in %j at %s with keep %j is %j", (zone, now, keep, cutoff) => {
    expect(cutoffOf(keep, Date.parse(now), zone)).toBe(cutoff);
  });

  test("is reckoned from the day there", () => {
    const now = Date.parse("2026-12-31T23:30:00Z");
    expect([dayIn("America/New_York", now), dayIn("Asia/Tokyo", now)]).toEqual(["2026-12-31", "2027-01-01"]);
  });
});

test("a scheduled sync keeps what is younger than a day by the camera's wall, wherever the service runs", async () => {
  // Seven in the evening in Los Angeles, two at night on the next day in UTC.
  const clock = new FakeClock("2026-06-08T02:00:00Z");
  const settings = { schedule: { timezone: "America/Los_Angeles" }, retention: { keep: "1d" } };
  await using app = await startApp({ clock, settings });
  const [young, old] = ["20260606_193000_NF.mp4", "20260605_235959_NF.mp4"].map((name) => join(app.destination, name));
  mkdirSync(app.destination, { recursive: true });
  for (const path of [young, old]) writeFileSync(path ?? "", "x");
  const preview = await (await app.client.fetch("/api/retention/preview?keep=1d")).json();
  expect(preview).toMatchObject({ cutoff: "2026-06-06", recordings: 1 });
  app.app.job.start("schedule");
  await app.synced();
  expect([young, old].map((path) => existsSync(path ?? ""))).toEqual([true, false]);
});
