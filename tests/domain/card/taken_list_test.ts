import { describe, expect, test } from "bun:test";
import {
  ageOf,
  recordingSecondsOf,
  type TakenList,
  takenList,
  wasRecording,
} from "../../../server/domain/card/taken_list.ts";
import { momentNumber, secondsOfMoment } from "../../../server/domain/recordings/moment_number.ts";

const HOUR = 3600;
const RECORDING_SECONDS = 75;
/** 12:00 of the camera's clock, as it should be. */
const NOON = secondsOfMoment(momentNumber("20261121_120000_N"));

/** A list with these news, so many seconds after noon, at any time of the steady clock. */
function listAt(seconds: number, news: readonly string[], before: TakenList | null = null): TakenList {
  return takenList(before, {
    address: "192.168.1.64",
    asked: { at: 1e12 + seconds * 1000, steady: 5e6 + seconds * 1000 },
    isWhole: true,
    recordingSeconds: RECORDING_SECONDS,
    strangers: 0,
    news: news.map(momentNumber),
    newest: news.map(momentNumber).at(-1) ?? null,
    wallSeconds: NOON + seconds,
    secondsOf: secondsOfMoment,
  });
}

describe("A camera may be recording when it sends a list", () => {
  test.each([
    ["with a recording that has just begun", "20261121_115930_N", true],
    ["with one that is over", "20261121_115845_N", false],
    ["with one of this morning", "20261121_071400_N", false],
    ["with one of last year", "20251121_120000_N", false],
    ["with one that begins in ten minutes, by a clock that is ahead", "20261121_121000_N", true],
    ["with one that began this minute by a clock of another zone", "20261121_225930_N", true],
    ["with one of some minutes ago by a clock of another zone", "20261121_225000_N", false],
    ["with one that began an hour ago to the minute, as by a clock without daylight saving", "20261121_105930_N", true],
    ["with one of a clock half an hour behind", "20261121_112930_N", true],
    ["with one of an unset clock, which may be of any time", "19700101_000000_N", false],
  ] as const)("%s", (_what, name, isRecording) => {
    expect(wasRecording(listAt(0, [name]))).toBe(isRecording);
  });

  test("an hour is told by the newest recording alone: a drive of an hour ago has one of every minute", () => {
    const drive = ["20261121_105900_N", "20261121_110000_N", "20261121_110100_N", "20261121_110200_N"];
    expect(wasRecording(listAt(0, drive))).toBe(false);
    expect(wasRecording(listAt(0, drive.slice(0, 2)))).toBe(true);
  });

  test("also with one that an unset clock names, when it was not there before", () => {
    const before = listAt(-2 * HOUR, []);
    expect(wasRecording(listAt(0, ["19700101_000000_N"], before))).toBe(true);
    expect(wasRecording(listAt(0, [], before))).toBe(false);
  });

  test("a recording that is younger than the list before it proves the clock right", () => {
    const before = listAt(-2 * HOUR, []);
    // Within the hour in between, and to the minute an hour old.
    expect(wasRecording(listAt(0, ["20261121_110000_N"], before))).toBe(false);
    // Older than the list that lacked it: the clock is wrong.
    expect(wasRecording(listAt(0, ["20261121_090000_N"], before))).toBe(true);
    expect(wasRecording(listAt(0, ["20261121_091500_N"], before))).toBe(false);
  });

  test("whatever its clock says, when a list some minutes before lacked it", () => {
    const before = listAt(-RECORDING_SECONDS + 1, []);
    expect(wasRecording(listAt(0, ["20261121_091500_N"], before))).toBe(true);
    expect(wasRecording(listAt(0, [], before))).toBe(false);
  });

  test("until a list that long after has nothing new", () => {
    const first = listAt(0, ["20261121_115930_N"]);
    expect(wasRecording(listAt(RECORDING_SECONDS - 1, [], first))).toBe(true);
    expect(wasRecording(listAt(RECORDING_SECONDS, [], first))).toBe(false);
    const second = listAt(RECORDING_SECONDS - 1, ["20261121_120030_N"], first);
    expect(wasRecording(listAt(RECORDING_SECONDS, [], second))).toBe(true);
  });

  test("and what another camera did before says nothing", () => {
    const other = { ...listAt(-60, ["20261121_115830_N"]), address: "192.168.1.65" };
    expect(wasRecording(listAt(0, ["20261121_071400_N"], other))).toBe(false);
  });
});

test.each([
  ["both clocks agree", 120, 120, 120],
  ["the machine slept", 3600, 60, 3600],
  ["the wall clock was set back by an hour", 60 - 3600, 60, 60 - 3600],
  ["the wall clock was set back a little", 30, 900, 900],
  ["the wall clock was set forward", 7200, 60, 7200],
] as const)("a list is as old as the clock that says more tells: %s", (_what, wall, steady, age) => {
  const { asked } = listAt(0, []);
  expect(ageOf({ asked }, { at: asked.at + wall * 1000, steady: asked.steady + steady * 1000 })).toBe(age);
});

test.each([
  ["a minute, where nothing tells", [], 75],
  ["a minute each, with stops and an event in between", [1000, 960, 940, 880, 820, 100], 75],
  ["three minutes each", [1000, 820, 640, 460, 280], 195],
  ["some seconds each, as when something moves around the car", [1000, 990, 980, 970], 75],
  ["one an hour", [9000, 5400, 1800], 75],
] as const)("recordings take %s", (_what, begins, seconds) => {
  expect(recordingSecondsOf(begins)).toBe(seconds);
});
