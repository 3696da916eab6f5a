import { describe, expect, test } from "bun:test";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { drivingSeconds } from "../../../server/domain/viewer/driving_time.ts";

/** Clips as `080000_N`, or `080000_N=90` where the length is known. */
function read(clips: string): number {
  const all = clips.split(" ").map((clip) => {
    const [key = "", length] = clip.split("=");
    return { moment: momentNumber(`20261120_${key}`), length: length === undefined ? null : Number(length) };
  });
  const lengths = new Map(all.map(({ moment, length }) => [moment, length]));
  return drivingSeconds(
    all.map(({ moment }) => moment),
    (moment) => lengths.get(moment) ?? null,
  );
}

describe("driving time", () => {
  const rows: readonly (readonly [what: string, clips: string, seconds: number])[] = [
    ["a clip of unknown length is a minute", "080000_N", 60],
    ["clips in a row are as long as they are apart", "080000_N 080100_N 080200_N", 180],
    ["an event cuts a clip of unknown length short", "080000_N 080005_E", 65],
    ["a break is no driving", "080000_N 090000_N", 120],
    ["lengths that are known count", "080000_N=180 080300_N=20", 200],
    ["time that two clips share counts once", "080000_N=60 080030_E=60", 90],
    ["a clip within another one adds nothing", "080000_N=180 080030_E=60", 180],
    ["what was recorded while parked is no driving", "001200_P 031500_I 080000_N", 60],
    ["two types at one second are one time", "080000_E 080000_N", 60],
    ["copies count once", "080000_N 080000_N", 60],
  ];
  for (const [what, clips, seconds] of rows) test(what, () => expect(read(clips)).toBe(seconds));

  test("there is none without clips", () => expect(drivingSeconds([], () => null)).toBe(0));
});
