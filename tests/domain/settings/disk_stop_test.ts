import { expect, test } from "bun:test";
import { diskStopWarning } from "../../../server/domain/settings/disk_stop.ts";

const rows: [percent: number, used: number, says: string | null][] = [
  [90, 61, null],
  [61, 60.94, null],
  [61, 61, "The disk is 61 % full now: nothing more would come home."],
  [50, 60.94, "The disk is 60.9 % full now: nothing more would come home."],
  [1, 100, "The disk is 100 % full now: nothing more would come home."],
];
for (const [percent, used, says] of rows)
  test(`a stop at ${percent} % with ${used} % used: ${says ?? "nothing to say"}`, () => {
    expect(diskStopWarning(percent, used)?.replaceAll("\u00a0", " ") ?? null).toBe(says);
  });
