import { expect } from "bun:test";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { PartialRecords } from "../../../server/store/destination/partial_records.ts";
import type { SyncBench, SyncOverrides } from "../app/sync.ts";

/** Downloads the videos alone. */
export const VIDEOS_ONLY: SyncOverrides = { skipMetadata: ["t", "3", "g"] };

/** Videos of one day, a minute each. */
export function minutes(count: number): string[] {
  return Array.from({ length: count }, (_, minute) => `20260607_10${String(minute + 10)}00_NF.mp4`);
}

/** Everything on the card is at home, byte by byte, and nothing else is: nothing is noted of a partial any more. */
export async function expectAllHome(bench: SyncBench): Promise<void> {
  expect(await bench.home()).toEqual({ whole: bench.offered(), wrong: [], partials: {}, markers: [] });
  expect(new PartialRecords(bench.destination).names()).toEqual([]);
}

/** The card's videos are at home, and nothing wrong is. */
export async function expectVideosHome(bench: SyncBench): Promise<void> {
  const { whole, wrong, partials, markers } = await bench.home();
  expect({ wrong, partials, markers }).toEqual({ wrong: [], partials: {}, markers: [] });
  expect(whole.filter((name) => name.endsWith(".mp4"))).toEqual(bench.card.videos());
  expect(new PartialRecords(bench.destination).names()).toEqual([]);
}

/** Every file that failed before is tried again at once. */
const AGAIN: SyncOverrides = { retryFailedAfterMs: 0 };

/** One run that brings all that is missing. */
export async function expectNextBringsAll(bench: SyncBench, overrides: SyncOverrides = {}): Promise<void> {
  const { failure, fileFailures } = await bench.sync({ ...AGAIN, ...overrides });
  expect(failure).toBeNull();
  expect(fileFailures).toEqual(noFailures());
  await expectAllHome(bench);
}
