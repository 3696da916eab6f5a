import { describe, expect, test } from "bun:test";
import { splitKey } from "../../../server/domain/settings/camera_key.ts";
import { openingOfDay, startOfDay } from "../../../server/domain/viewer/day_opening.ts";
import { keyOf } from "../../../server/domain/viewer/viewer_address.ts";
import { recording } from "../../support/app/recording_list.ts";

const NOTHING = { videos: {}, thumb: null };
const night = { kind: "parked", clips: ["20261119_235000_P", "20261120_003000_P"] } as const;
const morning = { kind: "drive", clips: ["20261120_080000_N", "20261120_080100_N"] } as const;
const late = { kind: "drive", clips: ["20261119_235930_N", "20261120_000030_N"] } as const;
const noon = { kind: "parked", clips: ["20261120_120000_P"] } as const;
const evening = { kind: "drive", clips: ["20261120_170000_N"] } as const;

type Trip = typeof night | typeof morning | typeof late | typeof noon | typeof evening;

/** The clips of these trips on the day, newest first; nothing is here of those that are named. */
function clipsOf(trips: readonly { readonly clips: readonly string[] }[], bare: readonly string[] = []) {
  const keys = trips.flatMap(({ clips }) => clips).filter((key) => key.startsWith("20261120"));
  return keys
    .sort((one, other) => (one < other ? 1 : -1))
    .map((key) => recording(key, bare.includes(key) ? NOTHING : {}));
}

describe("openingOfDay()", () => {
  const rows: readonly (readonly [what: string, trips: Trip[], bare: string[], opens: string])[] = [
    ["the start of the first drive, not the newest clip", [evening, noon, morning, night], [], morning.clips[0]],
    [
      "of a drive that begins with nothing to see, what follows",
      [evening, morning],
      [morning.clips[0]],
      morning.clips[1],
    ],
    ["the next drive where nothing of the first is here", [evening, morning], [...morning.clips], evening.clips[0]],
    ["a drive that begins on the day, not one through midnight", [evening, late], [], evening.clips[0]],
    ["a drive through midnight from there on, where it is the only one", [noon, late], [], late.clips[1]],
    ["the parked car where nothing was driven", [noon], [], noon.clips[0]],
    ["the parked car from where the day begins, where nothing else moved", [night], [], night.clips[1]],
  ];
  for (const [what, trips, bare, opens] of rows)
    test(what, () => {
      const found = openingOfDay(clipsOf(trips, bare), trips);
      expect(found && keyOf(found)).toBe(opens);
    });

  test("the newest clip in a list without trips, and nothing of none", () => {
    const [newest] = clipsOf([morning, evening]);
    expect(openingOfDay(clipsOf([morning, evening]), null)).toEqual(newest);
    expect(openingOfDay([], [])).toBeUndefined();
  });
});

describe("startOfDay()", () => {
  const CAR = ["20261120_080000_N", "20261120_173000_N"];
  const VAN = ["van~20261120_063000_P", "van~20261120_120000_E"];
  const AT_ONE_TIME = ["20261120_080000_N", "1~20261120_080000_N", "van~20261120_080000_N"];
  const rows: readonly (readonly [what: string, keys: string[], shown: string | null, opens: string | undefined])[] = [
    ["of the car on show, not of one that filmed earlier", [...CAR, ...VAN], "20261001_120000_E", CAR[0]],
    ["of the van, when that is on show", [...CAR, ...VAN], "van~20261001_120000_E", VAN[0]],
    ["of all where the one on show did not film", [...CAR, ...VAN], "bus~20261001_120000_E", VAN[0]],
    ["of all where nothing is on show", [...CAR, ...VAN], null, VAN[0]],
    ["of the first camera among those of one time, whatever the ids", AT_ONE_TIME, null, AT_ONE_TIME[0]],
    ["of one camera, its first", CAR, CAR[1] ?? null, CAR[0]],
    ["of no clips, nothing", [], CAR[0] ?? null, undefined],
  ];
  for (const [what, keys, shown, opens] of rows)
    test(what, () => {
      for (const order of [keys, keys.toReversed()]) {
        const found = startOfDay(order.map(clipOf), shown);
        expect(found && keyOf(found)).toBe(opens);
      }
    });

  function clipOf(key: string) {
    const { camera, bare } = splitKey(key);
    return { ...recording(bare), ...(camera !== null && { camera }) };
  }
});
