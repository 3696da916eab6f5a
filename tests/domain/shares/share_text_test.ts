import { expect, test } from "bun:test";
import { leftOut, sharedCameras, sharedLength, sharedTimes } from "../../../server/domain/shares/share_text.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const at = (text: string) => Date.parse(`${text}Z`) / 1000;
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test("the times of a link are those of the camera’s clock", () => {
  const span = { starts: at("2026-11-20T08:22:30"), ends: at("2026-11-20T08:26:29.6") };
  expect(plain(sharedTimes(span, null))).toBe("Fri 20 Nov 2026, 08:22:30 to 08:26:30");
  expect(plain(sharedTimes(span, 2026))).toBe("Fri 20 Nov, 08:22:30 to 08:26:30");
  expect(plain(sharedTimes(span, 2027))).toBe("Fri 20 Nov 2026, 08:22:30 to 08:26:30");
  const night = { starts: at("2026-11-20T23:50:00"), ends: at("2026-11-21T00:10:00") };
  expect(plain(sharedTimes(night, 2026))).toBe("Fri 20 Nov, 23:50:00 to Sat 21 Nov, 00:10:00");
  expect(plain(sharedTimes(span, null, { hours: 12, order: "mdy" }))).toBe(
    "Fri Nov 20, 2026, 8:22:30 am to 8:26:30 am",
  );
  expect(plain(sharedLength(span, null))).toBe("4 min");
});

for (const [zone, starts, ends, length] of [
  // Clocks go from 2:00 to 3:00.
  ["Europe/Berlin", "2026-03-29T01:50:00", "2026-03-29T03:10:00", "20 min"],
  ["Europe/Berlin", "2026-03-29T03:10:00", "2026-03-29T04:40:00", "1 h 30 min"],
  ["Europe/Berlin", "2026-03-28T01:50:00", "2026-03-28T03:10:00", "1 h 20 min"],
  // Its camera goes on through the hour that clocks leave out: it does not change its clock.
  ["Europe/Berlin", "2026-03-29T01:50:00", "2026-03-29T02:40:00", "50 min"],
  ["America/New_York", "2026-03-08T01:00:00", "2026-03-08T04:00:00", "2 h 00 min"],
  ["Australia/Lord_Howe", "2026-10-04T01:50:00", "2026-10-04T02:50:00", "30 min"],
  ["UTC", "2026-03-29T01:50:00", "2026-03-29T03:10:00", "1 h 20 min"],
  // In autumn an hour comes twice, and the clock does not say which one it was.
  ["Europe/Berlin", "2026-10-25T01:50:00", "2026-10-25T03:10:00", "1 h 20 min"],
] as const)
  test(`a link from ${starts} to ${ends} in ${zone} is ${length} long`, () => {
    expect(plain(sharedLength({ starts: at(starts), ends: at(ends) }, ZoneTime.from(zone)))).toBe(length);
  });

test("cameras are named in their order", () => {
  expect(["F", "RF", "IRF"].map(sharedCameras)).toEqual(["Front", "Front and Rear", "Front, Rear and Interior"]);
});

for (const [place, sound, words] of [
  [false, false, "shared without place and sound"],
  [true, false, "shared without sound"],
  [false, true, "shared without place"],
  [true, true, null],
] as const)
  test(`place ${place} and sound ${sound} are told`, () => {
    expect(leftOut({ place, sound })).toBe(words);
  });
