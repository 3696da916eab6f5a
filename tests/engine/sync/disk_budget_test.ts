import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { DiskBudget } from "../../../server/engine/sync/disk_budget.ts";
import { readDisk } from "../../../server/store/destination/disk_usage.ts";
import { FakeClock } from "../../support/clock.ts";

test.each([
  [0.98765, 98, "98.8 % full and the limit is 98 %"],
  [0.98749, 98, "98.7 % full and the limit is 98 %"],
  [0.9, 90, "90 % full and the limit is 90 %"],
])("a disk that is used to %d is told as the storage card tells it", async (ratio, limit, says) => {
  let written = 0;
  const budget = new DiskBudget({ root: tmpdir(), clock: new FakeClock(), written: () => written });
  await budget.read();
  // What the run has written since is reckoned, whatever is on the disk that the test runs on.
  written = (ratio - (budget.lastUsedRatio ?? 0)) * (await readDisk(tmpdir())).totalBytes;
  expect(budget.full(limit).message.replaceAll("\u00a0", " ")).toContain(`the disk is ${says}`);
});
