import { describe, expect, test } from "bun:test";
import {
  type CameraOnDisk,
  levelOfDisk,
  partsOfDisk,
  type SharedDisk,
  stopsInWords,
  tooMuchTogether,
} from "../../../server/domain/status/shared_storage.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const GB = 1e9;
const ZONE = new ZoneTime("Australia/Sydney");
const MARCH_3 = Date.parse("2027-03-03T02:00:00Z");

function camera(name: string, changes: Partial<CameraOnDisk> = {}): CameraOnDisk {
  return {
    camera: { id: name.toLowerCase(), name, letter: name.charAt(0), place: name === "Car" ? 0 : 1 },
    bytes: 0,
    trash_bytes: 0,
    waiting_bytes: null,
    room_bytes: null,
    stops_at_percent: 90,
    full_at: null,
    ...changes,
  };
}

function disk(cameras: readonly CameraOnDisk[], used = 2860, available = 4000 - used): SharedDisk {
  const space = { total_bytes: 4000 * GB, free_bytes: (4000 - used) * GB, available_bytes: available * GB };
  return { space, used_percent: used / 40, cameras };
}

describe("partsOfDisk()", () => {
  const nameOf = (part: NonNullable<ReturnType<typeof partsOfDisk>>[number]) =>
    typeof part.of === "string" ? part.of : part.of.name;
  const rows: readonly (readonly [what: string, of: SharedDisk, parts: readonly string[] | null])[] = [
    [
      "the recordings of each camera, the trash of all, and what is left of the used part",
      disk([
        camera("Car", { bytes: 1400 * GB, trash_bytes: 20 * GB }),
        camera("Van", { bytes: 216 * GB, trash_bytes: 20 * GB }),
      ]),
      ["Car 0+35", "Van 35+5.4", "trash 40.4+1", "others 41.4+30.1"],
    ],
    [
      "no other files where the recordings are longer than what they take of the disk, and nothing beyond its end",
      disk([camera("Car", { bytes: 3000 * GB }), camera("Van", { bytes: 3000 * GB })]),
      ["Car 0+75", "Van 75+25", "trash 100+0", "others 100+0"],
    ],
    ["nothing while those of one camera are not measured", disk([camera("Car"), camera("Van", { bytes: null })]), null],
  ];
  for (const [what, of, parts] of rows)
    test(what, () => {
      expect(partsOfDisk(of)?.map((part) => `${nameOf(part)} ${part.from}+${part.width}`) ?? null).toEqual(
        parts && [...parts],
      );
    });
  test("nothing of a disk that does not tell its size", () => {
    const space = { total_bytes: 0, free_bytes: 0, available_bytes: null };
    expect(partsOfDisk({ space, used_percent: 0, cameras: [camera("Car")] })).toBeNull();
  });
});

describe("stopsInWords()", () => {
  const rows: readonly (readonly [what: string, cameras: readonly CameraOnDisk[], says: string])[] = [
    ["one limit of all", [camera("Car"), camera("Van")], "Syncing stops at 90 %."],
    [
      "the earliest day of all with one limit",
      [camera("Car", { full_at: MARCH_3 + 1e10 }), camera("Van", { full_at: MARCH_3 })],
      "Syncing stops at 90 %, about 3 Mar 2027.",
    ],
    [
      "each limit with whose it is, the lowest first",
      [camera("Car"), camera("Van", { stops_at_percent: 80, full_at: MARCH_3 }), camera("Bus")],
      "Syncing of Van stops at 80 %, about 3 Mar 2027. Syncing of Car and Bus stops at 90 %.",
    ],
  ];
  for (const [what, cameras, says] of rows)
    test(`tells ${what}`, () => expect(stopsInWords(cameras, ZONE).replaceAll("\u00a0", " ")).toBe(says));
});

describe("levelOfDisk()", () => {
  const rows: readonly (readonly [what: string, of: SharedDisk, level: string])[] = [
    ["well below the limit", disk([camera("Car"), camera("Van")]), "fine"],
    ["near the lowest limit", disk([camera("Car"), camera("Van", { stops_at_percent: 75 })]), "attention"],
    ["above the limit of one", disk([camera("Car"), camera("Van", { stops_at_percent: 70 })]), "failed"],
    ["where nothing more can be written", disk([camera("Car")], 2860, 0), "failed"],
  ];
  for (const [what, of, level] of rows) test(`is ${level} ${what}`, () => expect(levelOfDisk(of)).toBe(level as never));
});

test("tooMuchTogether() adds up what waits on all cameras that share the disk", () => {
  const of = (name: string, waiting: number | null) =>
    camera(name, { waiting_bytes: waiting && waiting * GB, room_bytes: 30 * GB });
  expect(tooMuchTogether(disk([of("Car", 20), of("Van", null)]))).toBe("");
  expect(tooMuchTogether(disk([of("Car", 20), of("Van", 20)])).replaceAll("\u00a0", " ")).toBe(
    "About 40 GB wait on the cameras, and there is room for 30 GB below the limit.",
  );
  expect(tooMuchTogether(disk([camera("Car", { waiting_bytes: 20 * GB })]))).toBe("");
});
