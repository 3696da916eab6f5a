import { expect } from "bun:test";
import type { Coverage, CoverageDay } from "../../../server/domain/coverage/coverage_schema.ts";
import { type AppOptions, type RunningApp, startApp } from "./app.ts";
import { FakeClock } from "./clock.ts";
import { cardOf } from "./sync.ts";

export const COVERED_DAY = "2026-06-07";
const HOUR = 3_600_000;

/** Names of so many recordings of one direction, a minute apart. */
export function drive(from: string, count: number, type = "N", direction = "F"): string[] {
  const start = Date.parse(`${from}Z`);
  return Array.from({ length: count }, (_, at) => {
    const stamp = new Date(start + at * 60_000)
      .toISOString()
      .replaceAll(/[-:]|\..*/g, "")
      .replace("T", "_");
    return `${stamp}_${type}${direction}.mp4`;
  });
}

/** A drive of six minutes. */
export const MORNING: readonly string[] = drive("2026-06-07T08:00:00", 6);

/** A service with a camera that holds a drive, and a clock that stands still. */
export interface CoveredApp extends RunningApp {
  readonly clock: FakeClock;
}

/** @param options without a clock it is a quarter past ten on the day of the drive */
export async function coveredApp({
  videos = MORNING,
  clock = new FakeClock("2026-06-07T10:15:00Z"),
  ...options
}: Omit<AppOptions, "clock"> & { videos?: readonly string[]; clock?: FakeClock } = {}): Promise<CoveredApp> {
  const settings = { ...options.settings, retention: { keep: "", ...options.settings?.retention } };
  const running = await startApp({ clock, card: cardOf(videos, 2000), ...options, settings });
  await running.client.open("/");
  return Object.assign(running, { clock });
}

/** A run, an hour after what was before; returns the state it ended in. */
export async function syncLater(app: CoveredApp): Promise<string> {
  app.clock.pass(HOUR);
  expect((await app.client.send("POST", "/api/sync/now")).status).toBe(202);
  return (await app.synced()).state;
}

export async function coverage({ client }: Pick<RunningApp, "client">, query = ""): Promise<Coverage> {
  const response = await client.fetch(`/api/coverage${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Coverage;
}

export async function dayOfCoverage({ client }: Pick<RunningApp, "client">, date = COVERED_DAY): Promise<CoverageDay> {
  const response = await client.fetch(`/api/coverage/${date}`);
  expect(response.status).toBe(200);
  return (await response.json()) as CoverageDay;
}

/** The counts of a day that are not zero, without minutes. */
export async function countsOfDay(
  app: Pick<RunningApp, "client">,
  date = COVERED_DAY,
): Promise<Record<string, unknown>> {
  const found = (await coverage(app)).days.find((one) => one.date === date);
  const { date: _, minutes, driven_minutes, lost_minutes, ...rest } = found ?? {};
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== 0 && value !== null));
}
