import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../server/clock.ts";
import { syncOnce } from "../../server/commands/sync_once.ts";
import { simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { openSimulator } from "../../server/dashcam/simulator/simulator.ts";
import type { SyncRules } from "../../server/engine/run/sync_rules.ts";
import { StopRequested } from "../../server/engine/transfer/failure_of_error.ts";
import { progressTopic } from "../../server/engine/transfer/progress_report.ts";
import { Log } from "../../server/log.ts";
import { KEEP_ALL } from "../support/app/keep_all.ts";
import { median } from "./measure.ts";
import { openStage } from "./stage.ts";

export const PLAIN_RULES: SyncRules = {
  priority: "date",
  grouping: "none",
  include: [],
  exclude: [],
  skipMetadata: [],
  metadataFirst: true,
  ...KEEP_ALL,
  retryFailedAfterMs: 86_400_000,
  deletes: false,
  maxUsedDiskPercent: 98,
  maxVideoBytes: 32e9,
  dryRun: false,
};

/** Seconds from a stop in the middle of a video to the state `failed`, with a camera of this rate (null: at full speed). */
export async function benchStop(rate: number | null, rounds: number): Promise<number> {
  const taken = [];
  for (let round = 0; round < rounds; round++) {
    const folder = mkdtempSync(join(tmpdir(), "dashdock-bench-"));
    const card = simulatedCard({ recordings: 4, now: systemClock.now(), footage: syntheticFootage(2_000_000_000) });
    const simulator = rate === null ? null : await openSimulator({ card, rate });
    const stage =
      rate === null ? await openStage({ moments: 40, directions: ["F"], videoBytes: 500e6, companionBytes: 10 }) : null;
    const topic = progressTopic();
    const stopping = new AbortController();
    let stoppedAt = 0;
    const off = topic.subscribe((snapshot) => {
      if (stoppedAt > 0 || (snapshot.current_file?.downloaded_bytes ?? 0) < 20_000) return;
      stoppedAt = performance.now();
      stopping.abort(new StopRequested());
    });
    await syncOnce(
      {
        address: simulator?.address ?? stage?.address ?? "",
        destination: stage ? join(stage.folder, "home") : folder,
        timeoutMs: 10_000,
        rules: PLAIN_RULES,
      },
      { clock: systemClock, log: new Log(systemClock), topic, signal: stopping.signal },
    );
    if (topic.value.state !== "failed") throw new Error(`the run ended as ${topic.value.state}`);
    taken.push((performance.now() - stoppedAt) / 1000);
    off();
    await simulator?.close();
    await stage?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
  return median(taken);
}

/**
 * Delay of the event loop while a sync wrote to a slow disk: a small ext4 image mounted with `sync`, so that every
 * write waits for the disk. Milliseconds, or null when nothing may be mounted.
 */
export async function benchLoopDelay(): Promise<{
  p50: number;
  p99: number;
  max: number;
  megabytesPerSecond: number;
} | null> {
  const folder = mkdtempSync(join(tmpdir(), "dashdock-bench-"));
  const image = join(folder, "disk.img");
  const disk = join(folder, "disk");
  try {
    if (
      !(await shell(
        `truncate -s 1500M ${image} && mkfs.ext4 -q -F ${image} && mkdir ${disk} && mount -o loop,sync ${image} ${disk}`,
      ))
    )
      return null;
    await using stage = await openStage({ moments: 20, directions: ["F"], videoBytes: 50e6, companionBytes: 20_000 });
    const delays: number[] = [];
    let expected = performance.now() + 1;
    const ticking = setInterval(() => {
      delays.push(Math.max(0, performance.now() - expected));
      expected = performance.now() + 1;
    }, 1);
    const began = performance.now();
    const { run } = await syncOnce(
      {
        address: stage.address,
        destination: join(disk, randomBytes(4).toString("hex")),
        timeoutMs: 10_000,
        rules: PLAIN_RULES,
      },
      { clock: systemClock, log: new Log(systemClock), topic: progressTopic(), signal: new AbortController().signal },
    );
    clearInterval(ticking);
    delays.sort((a, b) => a - b);
    const at = (share: number) => delays[Math.floor(delays.length * share)] ?? Number.NaN;
    return {
      p50: at(0.5),
      p99: at(0.99),
      max: delays.at(-1) ?? Number.NaN,
      megabytesPerSecond: run.bytes / 1e3 / (performance.now() - began),
    };
  } finally {
    await shell(`mountpoint -q ${disk} && umount ${disk}`);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function shell(command: string): Promise<boolean> {
  return (await Bun.spawn(["sh", "-c", command], { stdout: "ignore", stderr: "ignore" }).exited) === 0;
}
