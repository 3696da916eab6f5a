import { expect, test } from "bun:test";
import { JourneyClock } from "../../../server/domain/viewer/journey_clock.ts";
import { clockErrorInWords, TrueClock, toldError } from "../../../server/domain/viewer/true_clock.ts";

const CLIPS = ["20261120_080000_N", "20261120_080100_N", "20261120_081000_N"].map((key) => ({
  key,
  duration_seconds: 60,
}));

test("times by the satellites are moved by the error, and places on the trip are not", () => {
  const camera = new JourneyClock(CLIPS);
  const gps = new TrueClock(CLIPS, 9000);
  expect(gps.length).toBe(camera.length);
  for (const time of [0, 59, 61, 119, 600, 659]) {
    expect(gps.at(time)).toEqual(camera.at(time));
    expect(camera.wallAt(time) - gps.wallAt(time)).toBe(9000);
    expect(gps.timeAtWall(gps.wallAt(time))).toBe(time);
  }
});

test.each<[number | null | undefined, number | null]>([
  [null, null],
  [undefined, null],
  [0, null],
  [119, null],
  [-119, null],
  [120, 120],
  [-120, -120],
])("an error of %p seconds is told as %p", (ahead, told) => {
  expect(toldError(ahead)).toBe(told);
});

test.each<[number, string]>([
  [9000, "was 2\u00a0h 30\u00a0min ahead of GPS. Set its clock or time zone in the camera’s app, or"],
  [-3600, "was 1\u00a0h 00\u00a0min behind GPS. Set its clock or time zone in the camera’s app, or"],
  [-3691, "was 1\u00a0h 02\u00a0min behind GPS. Set its clock in the camera’s app, or"],
  [811, "was 14\u00a0min ahead of GPS. Set its clock or time zone in the camera’s app, or"],
  [420, "was 7\u00a0min ahead of GPS. Set its clock in the camera’s app, or"],
])("%p seconds in words", (ahead, words) => {
  expect(clockErrorInWords(ahead)).toBe(`The camera’s clock ${words}`);
});
