import { expect, test } from "bun:test";
import { NO_NOTES } from "../../../server/domain/runs/run_detail.ts";
import { fileTimes } from "../../../server/engine/pack/file_times.ts";

const FRONT = "20261120_080000_NF.mp4";
const REAR = "20261120_080000_NR.mp4";

test("a file has the times of the first list that named its video, and of the sync that brought it", () => {
  const timesOf = fileTimes({
    allNotes: () => [
      { endedAt: 10, notes: { ...NO_NOTES, listed_at: 5000, waiting: [FRONT] } },
      { endedAt: 20, notes: { ...NO_NOTES, listed_at: 15_000, brought: [FRONT, REAR] } },
      { endedAt: 30, notes: { ...NO_NOTES, listed_at: 25_000, brought: [FRONT] } },
      { endedAt: 40, notes: { ...NO_NOTES, brought: ["20261120_090000_NF.mp4"] } },
    ],
  });
  for (const [name, firstSeen, cameHome] of [
    [FRONT, 5000, 20_000],
    ["20261120_080000_NF.thm", 5000, 20_000],
    [REAR, 15_000, 20_000],
    ["20261120_080000_N.gps", 5000, 20_000],
    ["20261120_090000_NF.mp4", null, 40_000],
    ["20261120_080000_NF.2.mp4", null, null],
    ["20261120_100000_NF.mp4", null, null],
  ] as const)
    expect([name, timesOf(name)]).toEqual([name, { firstSeen, cameHome }]);
});
