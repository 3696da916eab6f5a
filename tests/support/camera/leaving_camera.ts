import { expect } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { requestFor } from "../app/interfaces.ts";
import { untilSize } from "../app/process.ts";
import { cardOf, type SyncBench, type SyncOverrides, VIDEOS } from "../app/sync.ts";

export const [VICTIM] = VIDEOS;

/** A camera that leaves is not waited for. */
const HASTY: SyncOverrides = { waitLimits: { retryMs: [], silentCameraMs: 0, probeEveryMs: 0 } };

/** A card whose first video, the one that breaks off, is of so many bytes. */
export const victimOf = (size: number) => cardOf(VIDEOS, (name) => (name === VICTIM ? size : 20_000));

/**
 * Runs until the camera leaves in the middle of a file, of which exactly so many bytes are here then.
 * @param passes how many answers about that file go through before, and `from` where the broken one begins
 */
export async function leaveAt(
  bench: SyncBench,
  name: string,
  bytes: number,
  { passes = 0, from = 0 }: { passes?: number; from?: number } = {},
): Promise<void> {
  const match = requestFor(name);
  const lifts = [
    bench.simulator.fault({ name: "silence", match, after: 0, value: 0, times: passes }),
    bench.simulator.fault({ name: "stall", match, after: bytes - from }),
  ];
  // It leaves when all it sent has been taken: what a reset catches on its way is lost.
  const path = join(bench.destination, `.${name}`);
  const isHere =
    (statSync(path, { throwIfNoEntry: false })?.size ?? 0) < bytes
      ? untilSize(path, bytes)
      : bench.until(({ current_file: file }) => file?.filename === name && file.downloaded_bytes === bytes);
  const run = bench.sync(HASTY);
  await isHere;
  await bench.simulator.goAway();
  expect((await run).failure?.kind).toBe("away");
  expect((await bench.home()).partials).toEqual({ [name]: bytes });
  for (const lift of lifts) lift();
  await bench.simulator.comeBack();
}
