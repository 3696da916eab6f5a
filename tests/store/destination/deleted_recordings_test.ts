import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { momentNumber } from "../../../server/domain/recordings/moment_number.ts";
import { DeletedRecordings } from "../../../server/store/destination/deleted_recordings.ts";

test("what is read while a deletion is written down takes nothing back of what is known", async () => {
  const root = mkdtempSync(join(tmpdir(), "deleted-"));
  mkdirSync(join(root, ".dashdock"));
  try {
    const deleted = new DeletedRecordings(root);
    for (let turn = 0; turn < 20; turn++) {
      const moment = momentNumber(`20260607_1015${String(turn).padStart(2, "0")}_N`);
      // A sync that begins reads at any moment of it.
      const before = deleted.all();
      const change = deleted.change({ add: [moment] });
      while (!deleted.latest.has(moment)) await new Promise(setImmediate);
      const during = deleted.all();
      await Promise.all([before, during, change]);
      expect(deleted.latest.has(moment)).toBe(true);
      expect((await deleted.all()).has(moment)).toBe(true);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
