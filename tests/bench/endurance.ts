import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openApp } from "../../server/app.ts";
import { formatListing } from "../../server/domain/recordings/camera_listing.ts";
import { FakeClock } from "../support/app/clock.ts";

/**
 * Runs so many scheduled syncs of nothing, one every 15 minutes of a clock that is told the time: memory and
 * descriptors
 * after the first tenth, when everything is warm, and at the end.
 */
export async function benchEndurance(runs: number) {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-bench-"));
  const camera = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(formatListing([])) });
  const clock = new FakeClock();
  const starting = await openApp(
    { configDir: join(folder, "config"), destination: join(folder, "recordings"), env: {} },
    { clock },
  );
  await starting.settings.update((latest) => ({
    ...latest,
    connection: { ...latest.connection, address: `127.0.0.1:${camera.port}` },
    stats: { ...latest.stats, retention_days: 30 },
  }));
  const app = await starting.openStores();
  const look = () => {
    Bun.gc(true);
    return { megabytes: process.memoryUsage.rss() / 1e6, descriptors: readdirSync("/proc/self/fd").length };
  };
  let warm = look();
  for (let run = 1; run <= runs; run++) {
    app.job.start("schedule");
    await app.job.ended();
    // Not long enough to be idle: giving memory back, and compiling all anew, would take most of the time.
    await clock.advance(5_000);
    clock.pass(15 * 60_000);
    if (run === Math.ceil(runs / 10)) warm = look();
  }
  const end = look();
  const { state } = app.job.snapshot;
  await app.close();
  await camera.stop(true);
  rmSync(folder, { recursive: true, force: true });
  return { state, warm, end };
}

if (import.meta.main) console.log(await benchEndurance(Number(process.argv[2] ?? 30_000)));
