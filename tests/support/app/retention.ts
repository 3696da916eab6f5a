import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TrashDay } from "../../../server/domain/retention/deletion.ts";
import { type AppOptions, type RunningApp, startApp } from "./app.ts";
import { FakeClock } from "./clock.ts";
import { namesFrom } from "./held.ts";
import { cardOf } from "./sync.ts";

export const NOW = "2026-06-07T10:30:00Z";
/** Videos that are past their keep time. */
export const OLD = namesFrom("20260401", 3);
/** Key of the first of them. */
export const KEY = "20260401_000000_N";
/** Videos on the camera. */
export const VIDEOS = ["20260607_101500_NF.mp4", "20260607_101500_NR.mp4", "20260607_101600_EF.mp4"];

type Options = AppOptions & { clock?: FakeClock };

/** A service with a keep time that the user has chosen. */
export function start({ settings, ...options }: Options = {}): Promise<RunningApp> {
  const clock = options.clock ?? new FakeClock(NOW);
  const retention = { keep: "4w", ...settings?.retention };
  return startApp({ card: cardOf(VIDEOS, 1000), ...options, clock, settings: { ...settings, retention } });
}

/** Answer of `GET /api/trash`. */
export async function days({ client }: RunningApp, query = ""): Promise<TrashDay[]> {
  return ((await (await client.fetch(`/api/trash${query}`)).json()) as { days: TrashDay[] }).days;
}

/** The card's videos at home. */
export function fromCard({ destination }: RunningApp): string[] {
  return readdirSync(destination)
    .filter((name) => name.endsWith(".mp4") && VIDEOS.includes(name))
    .sort();
}

/** A file of our own in the destination, as text. */
export function own({ destination }: RunningApp, name: string): string {
  return readFileSync(join(destination, ".dashdock", name), "utf8");
}
