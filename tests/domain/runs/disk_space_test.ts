import { describe, expect, test } from "bun:test";
import {
  type DiskSpace,
  diskStopWarning,
  endOfSpace,
  freeOfInWords,
  isSpaceUsedUp,
  roomBelow,
  tooMuchInWords,
  usedAndFreeInWords,
  withheldInWords,
} from "../../../server/domain/runs/disk_space.ts";

const GB = 1e9;
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
const space = (free: number, available: number | null, total = 350): DiskSpace => ({
  total_bytes: total * GB,
  free_bytes: free * GB,
  available_bytes: available === null ? null : available * GB,
});
/** Some network mounts tell nothing. */
const UNTOLD = space(0, null, 0);

describe("what is free", () => {
  const cases: [what: string, space: DiskSpace, used: number, words: string, inSettings: string][] = [
    ["all that is not used", space(245, 245), 30, "245 GB free of 350 GB", "30 %, 245 GB free"],
    ["less than that where root has its part", space(245, 84), 30, "84 GB free of 350 GB", "30 %, 84 GB free"],
    ["nothing beyond a quota", space(245, 0), 30, "0 B free of 350 GB", "30 %, 0 B free"],
    ["not known where the disk does not tell", UNTOLD, 0, "The disk does not tell how much is free", "0 %"],
  ];
  for (const [what, disk, used, words, inSettings] of cases)
    test(`is ${what}`, () => {
      expect(plain(freeOfInWords(disk))).toBe(words);
      expect(plain(usedAndFreeInWords(used, disk))).toBe(inSettings);
    });
});

describe("why less is free than the disk's use lets one expect", () => {
  const cases: [space: DiskSpace, words: string][] = [
    [space(245, 245), ""],
    // Five percent is what most file systems reserve for root.
    [space(245, 227.5), ""],
    [space(245, 227), "18 GB is reserved by the system and cannot be used."],
    [space(245, 84), "161 GB is reserved by the system and cannot be used."],
    [UNTOLD, ""],
  ];
  for (const [disk, words] of cases)
    test(`${disk.available_bytes} of ${disk.free_bytes}: "${words}"`, () =>
      expect(plain(withheldInWords(disk))).toBe(words));
});

describe("nothing more can come", () => {
  const cases: [what: string, space: DiskSpace, limit: number, end: number, isUsedUp: boolean][] = [
    ["at the limit", space(245, 245), 0.9, 0.9, false],
    ["before it where less can be written", space(245, 70), 0.9, 0.5, false],
    ["now where nothing can be", space(245, 0), 0.9, 0.3, true],
    ["at the limit where the disk does not tell", UNTOLD, 0.9, 0.9, false],
  ];
  for (const [what, disk, limit, end, isUsedUp] of cases)
    test(what, () => {
      expect(endOfSpace(disk, limit)).toBeCloseTo(end, 9);
      expect(isSpaceUsedUp(disk)).toBe(isUsedUp);
    });
});

const STOPS: [percent: number, used: number, says: string | null][] = [
  [90, 61, null],
  [61, 60.94, null],
  [61, 61, "The disk is 61 % full now: nothing more would come home."],
  [50, 60.94, "The disk is 60.9 % full now: nothing more would come home."],
  [1, 100, "The disk is 100 % full now: nothing more would come home."],
];
for (const [percent, used, says] of STOPS)
  test(`a stop at ${percent} % with ${used} % used: ${says ?? "nothing to say"}`, () => {
    expect(plain(diskStopWarning(percent, used) ?? "") || null).toBe(says);
  });

describe("what waits on the camera", () => {
  // 100 GB, of which 40 are used and root may use 10 more than others.
  const disk = { total_bytes: 100 * GB, free_bytes: 60 * GB, available_bytes: 50 * GB };

  test.each<[name: string, disk: Parameters<typeof roomBelow>[0], limit: number, trash: number, room: number | null]>([
    ["below the limit", disk, 80, 0, 40 * GB],
    ["as far as it can be written", disk, 95, 0, 50 * GB],
    ["with the trash, which is emptied for it", disk, 80, 5 * GB, 45 * GB],
    ["at the limit", disk, 40, 0, 0],
    ["beyond the limit, by less than the trash holds", disk, 38, 5 * GB, 3 * GB],
    ["beyond the limit", disk, 10, 5 * GB, 0],
    ["on a disk that does not tell its size", { total_bytes: 0, free_bytes: 0, available_bytes: null }, 80, 0, null],
  ])("has room %s", (_name, space, limit, trash, room) => {
    expect(roomBelow(space, limit, trash)).toBe(room);
  });

  test.each([
    [
      12 * GB,
      3.4 * GB,
      /^About 12\u00a0GB wait on the camera, and there is room for 3.4\u00a0GB below the limit\. Free/,
    ],
    [12 * GB, 0, /^About 12\u00a0GB wait on the camera, and no room is left below the limit\. Free space/],
    [12 * GB, 12 * GB, /^$/],
    [0, 0, /^$/],
    [null, 0, /^$/],
    [12 * GB, null, /^$/],
  ])("of %p bytes where %p fit is told as %p", (waiting_bytes, room_bytes, told) => {
    expect(tooMuchInWords({ waiting_bytes, room_bytes })).toMatch(told);
  });
});
