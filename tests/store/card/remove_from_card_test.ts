import { expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFromCard } from "../../../server/store/card/remove_from_card.ts";
import { asPlainUser } from "../../support/disk/disks.ts";

const BYTES = "a recording";

test("a file stays on the card while a folder on the way to the one at home cannot be flushed", async () => {
  const place = mkdtempSync(join(tmpdir(), "card-"));
  try {
    const root = join(place, "home");
    const card = join(place, "20260607_101500_NF.mp4");
    mkdirSync(join(root, "2026-06", "2026-06-07"), { recursive: true });
    const home = "2026-06/2026-06-07/20260607_101500_NF.mp4";
    writeFileSync(join(root, home), BYTES);
    writeFileSync(card, BYTES);
    const sha256 = new Bun.CryptoHasher("sha256").update(BYTES).digest("hex");
    await asPlainUser(place, async () => {
      const file = { path: "20260607_101500_NF.mp4", place: card, stats: lstatSync(card), root, home, sha256 };
      for (const folder of ["2026-06/2026-06-07", "2026-06", ""].map((path) => join(root, path))) {
        // It lets its files be found, but cannot be opened itself.
        chmodSync(folder, 0o311);
        expect([await removeFromCard(file), existsSync(card)]).toEqual([false, true]);
        chmodSync(folder, 0o755);
      }
      expect([await removeFromCard(file), existsSync(card)]).toEqual([true, false]);
    });
    expect(existsSync(join(root, home))).toBe(true);
  } finally {
    rmSync(place, { recursive: true });
  }
});
