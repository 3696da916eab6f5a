import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../../server/clock.ts";
import { Checksums } from "../../server/engine/checksums/checksums.ts";
import { Scrub } from "../../server/engine/checksums/scrub.ts";
import { Log } from "../../server/log.ts";
import { ANY_FOLDER } from "../../server/store/destination/destination_place.ts";
import { SumsFile } from "../../server/store/destination/sums.ts";
import { Library } from "../../server/store/library/library.ts";
import { inTurn, measure } from "./measure.ts";
import type { Part } from "./part.ts";
import { emptyFolder, MEMORY, openStage, type StageOptions } from "./stage.ts";

const MAIN = resolve(import.meta.dir, "../../server/main.ts");
const WITHOUT = join(import.meta.dir, "sync_without_sums.ts");

const LONG: StageOptions = { moments: 40, directions: ["F"], videoBytes: 52_400_000, companionBytes: 20_000 };
const SHORT: StageOptions = { moments: 1500, directions: ["F"], videoBytes: 100_000, companionBytes: 8_000 };
/** Bytes of the one file that is hashed. */
const HASHED = 1_000_000_000;
/** Bytes that the scrub reads, for six seconds and more. */
const SCRUBBED = 125_000_000;

/** One whole `sync` with checksums against one without, in turn. */
async function benchSync(options: StageOptions, rounds: number) {
  await using stage = await openStage(options);
  const sync = (main: string) => async () => {
    const folder = emptyFolder(stage, "home");
    const figures = await measure([process.execPath, main, "sync", stage.address, "-d", folder, "-q", "-u", "98"]);
    rmSync(folder, { recursive: true });
    return figures;
  };
  return await inTurn(rounds, sync(MAIN), sync(WITHOUT));
}

/** `verify` of one file against `sha256sum` of it, both whole processes that find it in the system's memory, in turn. */
async function benchHash(rounds: number) {
  const folder = mkdtempSync(join(MEMORY, "dashdock-bench-"));
  try {
    const path = join(folder, "20260607_101500_NF.mp4");
    const bytes = new Uint8Array(HASHED);
    for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 4096));
    await Bun.write(path, bytes);
    const verify = () => measure([process.execPath, MAIN, "verify", "-d", folder]);
    await verify();
    return await inTurn(rounds, verify, () => measure(["sha256sum", path]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The share of one core, and the bytes a second, that the reading in the background takes. */
async function benchScrub(): Promise<{ share: number; bytesPerSecond: number }> {
  const folder = mkdtempSync(join(MEMORY, "dashdock-bench-"));
  try {
    for (let number = 0; number < 5; number++) {
      mkdirSync(join(folder, "2026-06"), { recursive: true });
      await Bun.write(join(folder, "2026-06", `2026060${number + 1}_101500_NF.mp4`), new Uint8Array(SCRUBBED / 5));
    }
    const clock = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms >= 60_000 ? 1 : ms, signal),
    };
    const log = new Log(clock);
    const library = new Library({ root: folder, clock, log });
    await library.refresh();
    const file = new SumsFile({ root: folder, clock, log, place: ANY_FOLDER });
    const checksums = new Checksums({
      clock,
      log,
      root: folder,
      library,
      file,
      isHere: () => true,
      isBusy: () => false,
    });
    const done = Promise.withResolvers<{ share: number; bytesPerSecond: number }>();
    const scrub = new Scrub({
      ...{ clock, log, checksums, library, days: () => 90, isHere: () => true, isBusy: () => false },
      isOnCamera: () => null,
      trash: { entries: async () => [], problem: null },
      refusal: async () => null,
      async during(work) {
        const [began, cpu] = [performance.now(), process.cpuUsage()];
        await work();
        const ms = performance.now() - began;
        const { user, system } = process.cpuUsage(cpu);
        done.resolve({ share: (user + system) / 1000 / ms, bytesPerSecond: (SCRUBBED / ms) * 1000 });
      },
    });
    scrub.start();
    const figures = await done.promise;
    await scrub.close();
    await checksums.close();
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const two = (value: number) => value.toFixed(2);

/** Costs of checksums. */
export const CHECKSUM_PARTS: readonly Part[] = [
  {
    name: "checksums",
    async measure(add, rounds) {
      for (const [what, options] of [
        ["2.1 GB in 52 MB files", LONG],
        ["6000 small files", SHORT],
      ] as const) {
        const { a, b, wall } = await benchSync(options, rounds);
        const figure = `${two(wall)} × (${two(a.wallSeconds)} s, without ${two(b.wallSeconds)} s)`;
        add(`${what} with their checksums: wall against a sync that takes none`, figure, "≤ 1.05 ×");
      }
      const { a, b, wall } = await benchHash(rounds);
      const speed = `${two(1 / wall)} × (${two(a.wallSeconds)} s, sha256sum ${two(b.wallSeconds)} s)`;
      add("verify of 1 GB in one file, start included: speed against sha256sum", speed, "≥ 0.8 ×");
      const { share, bytesPerSecond } = await benchScrub();
      const scrub = `${(share * 100).toFixed(0)} % of one core, ${(bytesPerSecond / 1e6).toFixed(1)} MB/s`;
      add("reading recordings again in the background", scrub, "≤ 25 %, ≤ 20 MB/s");
    },
  },
];
