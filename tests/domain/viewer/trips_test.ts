import { describe, expect, test } from "bun:test";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { tripsOf } from "../../../server/domain/viewer/trips.ts";

const DAY = "20261120_";
const read = (clips: string, gapMinutes = 5, zone: ZoneTime | null = null) =>
  tripsOf(
    clips.split(" ").map((clip) => ({ key: clip.length > 8 ? clip : DAY + clip })),
    gapMinutes,
    zone,
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
    expect(tripsOf([], 5, null)).toEqual([]);
  });

  test("of a camera that records round the clock are one a day", () => {
    const clips = "235900_N 20261121_120000_N 20261122_000000_P 20261122_120000_N";
    expect(read(clips, 720)).toEqual([
      "drive: 235900_N",
      "drive: 20261121_120000_N",
      "drive: 20261122_000000_P 20261122_120000_N",
    ]);
  });

  describe("when clocks change", () => {
    const [BERLIN, LORD_HOWE] = [new ZoneTime("Europe/Berlin"), new ZoneTime("Australia/Lord_Howe")];
    const SPRING = "20260329_";
    const AUTUMN = "20261025_";
    const rows: readonly (readonly [
      what: string,
      day: string,
      clips: string,
      zone: ZoneTime | null,
      trips: string[],
    ])[] = [
      ["an hour that is left out is no break", SPRING, "015930 030000 030100", BERLIN, ["015930 030000 030100"]],
      ["as long a break as ever ends a trip", SPRING, "015930 030531", BERLIN, ["015930", "030531"]],
      ["one that is as long as the gap does not", SPRING, "015930 030530", BERLIN, ["015930 030530"]],
      ["a camera without summer time goes through the hour", SPRING, "015900 020000", BERLIN, ["015900 020000"]],
      ["and has breaks of its own in it", SPRING, "015900 020700", BERLIN, ["015900", "020700"]],
      ["half an hour may be left out as well", "20261004_", "015930 023000", LORD_HOWE, ["015930 023000"]],
      ["without a zone it is a break", SPRING, "015930 030000", null, ["015930", "030000"]],
      ["on another day it is one", "20260328_", "015930 030000", BERLIN, ["015930", "030000"]],
      [
        "names of both hours are in the order of the clock",
        AUTUMN,
        "015900 020000 020030 020100 020130 020200 020600",
        BERLIN,
        ["015900 020000 020030 020100 020130 020200 020600"],
      ],
      ["a break in autumn is as long as the names say", AUTUMN, "015900 030000", BERLIN, ["015900", "030000"]],
    ];
    for (const [what, day, clips, zone, expected] of rows)
      test(what, () => {
        const keys = clips.split(" ").map((time) => `${day}${time}_N`);
        const trips = read(keys.join(" "), 5, zone);
        expect(trips).toEqual(expected.map((times) => `drive: ${times.replace(/\d+/g, (time) => `${day}${time}_N`)}`));
      });
  });
});
