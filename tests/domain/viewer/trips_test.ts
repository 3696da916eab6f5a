import { describe, expect, test } from "bun:test";
import { tripsOf } from "../../../server/domain/viewer/trips.ts";

const DAY = "20261120_";
const read = (clips: string, gapMinutes = 5) =>
  tripsOf(
    clips.split(" ").map((clip) => ({ key: clip.length > 8 ? clip : DAY + clip })),
    gapMinutes,
  ).map(({ kind, clips: of }) => `${kind}: ${of.map(({ key }) => key.replace(DAY, "")).join(" ")}`);

describe("trips", () => {
  const rows: readonly (readonly [what: string, clips: string, trips: string[]])[] = [
    ["minutes in a row are one drive", "080000_N 080100_N 080200_N", ["drive: 080000_N 080100_N 080200_N"]],
    ["a break as long as the gap goes on", "080000_N 080600_N", ["drive: 080000_N 080600_N"]],
    ["a longer one begins a new drive", "080000_N 080601_N", ["drive: 080000_N", "drive: 080601_N"]],
    ["all types are one drive", "080000_N 080100_E 080130_M", ["drive: 080000_N 080100_E 080130_M"]],
    ["a stop on the way belongs to the drive", "080000_N 080300_P 080500_N", ["drive: 080000_N 080300_P 080500_N"]],
    [
      "movements of one stay are one",
      "001200_P 031500_I 064800_P 080000_N",
      ["parked: 001200_P 031500_I 064800_P", "drive: 080000_N"],
    ],
    [
      "a drive is between two stays",
      "001200_P 080000_N 200000_P",
      ["parked: 001200_P", "drive: 080000_N", "parked: 200000_P"],
    ],
    [
      "a stay of another day is one of its own",
      "235000_P 20261121_001000_P",
      ["parked: 235000_P", "parked: 20261121_001000_P"],
    ],
    ["a drive goes over midnight", "235950_N 20261121_000050_N", ["drive: 235950_N 20261121_000050_N"]],
    ["copies count once", "080000_N 080000_N 080100_N", ["drive: 080000_N 080100_N"]],
    [
      "names that were given again are of a drive of their own",
      `080000_N ${DAY}080000_N.2 080100_N ${DAY}080100_N.2`,
      ["drive: 080000_N 080100_N", "drive: 080000_N.2 080100_N.2"],
    ],
    ["a new letter is a drive", "080000_Q", ["drive: 080000_Q"]],
  ];
  for (const [what, clips, expected] of rows) test(what, () => expect(read(clips)).toEqual(expected));

  test("are cut at the gap that is set", () => {
    expect(read("080000_N 080300_N", 1)).toHaveLength(2);
    expect(read("080000_N 095900_N", 120)).toHaveLength(1);
    expect(tripsOf([], 5)).toEqual([]);
  });

  test("of a camera that records round the clock are one a day", () => {
    const clips = "235900_N 20261121_120000_N 20261122_000000_P 20261122_120000_N";
    expect(read(clips, 720)).toEqual([
      "drive: 235900_N",
      "drive: 20261121_120000_N",
      "drive: 20261122_000000_P 20261122_120000_N",
    ]);
  });
});
