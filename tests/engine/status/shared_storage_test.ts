import { expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { formatBytes } from "../../../server/domain/text/format.ts";
import type { RunningApp } from "../../support/app/app.ts";
import { bothAreHome, carAndVan, json, parkedCameras } from "../../support/app/several_cameras.ts";

setDefaultTimeout(30_000);

const GB = 1e9;
/** A disk in memory, which is another one than that of temporary folders. */
const MEMORY = "/dev/shm";

/** Text of a page, with plain spaces. */
async function read({ client }: Pick<RunningApp, "client">, path: string): Promise<string> {
  const { text } = await client.open(path);
  return text
    .replaceAll(/data-props="[^"]*"/g, "")
    .replaceAll(/<[^>]*>/g, "|")
    .replaceAll(/\|+/g, "|")
    .replaceAll(/[\u00a0\u202f]/g, " ");
}

/** Bytes of the videos in a folder. */
function videosIn(folder: string): number {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((path) => path.endsWith(".mp4") && !path.startsWith("."))
    .reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
}

test("one disk of two cameras: dashboard, statistics and API have the same figures", async () => {
  await using running = await carAndVan();
  await bothAreHome(running);
  const [main, van] = running.app.cameras.all;
  for (const one of [main, van])
    if (one)
      spyOn(one.storage, "read").mockImplementation(async () => ({
        totalBytes: 4000 * GB,
        usedBytes: 2860 * GB,
        usedRatio: 0.715,
        freeBytes: 1140 * GB,
        availableBytes: 1100 * GB,
      }));
  const sizes = [videosIn(running.destination), videosIn(van?.recordings.root ?? "")].map((bytes) =>
    formatBytes(bytes).replaceAll("\u00a0", " "),
  );
  const dashboard = await read(running, "/");
  expect(dashboard).toContain("|1.1 TB |free of 4 TB|");
  expect(dashboard).toContain(`|Camera ${sizes[0]}|`);
  expect(dashboard).toContain(`|Van ${sizes[1]}|`);
  expect(dashboard).toContain("|One disk for both. Syncing stops at 90 %.|");
  const card = await (await running.client.fetch("/hx/storage-card?camera=all")).text();
  expect(card).toContain('id="storage-card"');
  const stats = await read(running, "/stats?camera=all");
  for (const size of sizes) expect(stats).toContain(`|${size}|0|1.1 TB|`);
  const { figures, cameras } = (await json(running, "/api/overview?camera=all")) as {
    figures: unknown;
    cameras: { recordings: number }[];
  };
  // The disk of both counts once.
  expect(figures).toEqual({
    home_today: cameras.reduce((sum, { recordings }) => sum + recordings, 0),
    space: { free_bytes: 1100 * GB, total_bytes: 4000 * GB },
  });
  // Another recording is added to the size at once.
  running.van.card.record("20260608_101500_NF.mp4");
  van?.job.start("manual");
  await van?.job.ended();
  const after = formatBytes(videosIn(van?.recordings.root ?? "")).replaceAll("\u00a0", " ");
  expect(after).not.toBe(sizes[1] ?? "");
  expect(await read(running, "/")).toContain(`|Van ${after}|`);
  renameSync(van?.recordings.root ?? "", `${van?.recordings.root}-away`);
  const away = await read(running, "/hx/storage-card?camera=all");
  expect(away).toContain(`|Camera ${sizes[0]}|`);
  expect(away).toContain("|V|Van|The folder is not available. Is the disk mounted?|");
});

test.skipIf(!existsSync(MEMORY))("two disks are told apart, and each with its limit", async () => {
  await using running = await parkedCameras([]);
  mkdirSync(running.destination);
  const other = mkdtempSync(join(MEMORY, "dashdock-test-disk-"));
  try {
    await running.app.cameras.file.changeCameras((parts) => ({
      ...parts,
      more_cameras: [
        {
          id: "bus",
          name: "Bus",
          destination: other,
          schedule: { paused: true },
          retention: { max_used_disk_percent: 80 },
        },
      ],
    }));
    await running.app.cameras.follow();
    const isOne = statSync(other).dev === statSync(running.folder).dev;
    const page = await read(running, "/");
    expect(page.match(/free of/g)).toHaveLength(isOne ? 1 : 2);
    expect(page).toContain(isOne ? "Syncing of Bus stops at 80 %. Syncing of Camera" : "|Syncing stops at 80 %.|");
    const { figures } = (await json(running, "/api/overview?camera=all")) as {
      figures: { home_today: number; space: { total_bytes: number } };
    };
    const totals = await Promise.all(
      running.app.cameras.all.map(async ({ storage }) => (await storage.read()).totalBytes),
    );
    expect(figures.home_today).toBe(0);
    expect(figures.space.total_bytes).toBe((totals[0] ?? 0) + (isOne ? 0 : (totals.at(-1) ?? 0)));
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});
