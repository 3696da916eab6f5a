import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningApp } from "./app.ts";

/** Names of so many recordings, front and rear, a minute apart from a day on: `20261101` unless told otherwise. */
export function recordingNames(count: number, day = "20261101"): string[] {
  return Array.from({ length: count }, (_, at) => {
    const minute = Math.floor(at / 2);
    const time = `${two(Math.floor(minute / 60) % 24)}${two(minute % 60)}00`;
    return `${Number(day) + Math.floor(minute / 1440)}_${time}_N${at % 2 === 0 ? "F" : "R"}.mp4`;
  });
}

/**
 * Leaves the state after a run that got this list: recordings that are `home` lie in the destination, without
 * companions.
 */
export async function listedBefore(
  { app, destination }: RunningApp,
  names: readonly string[],
  home: readonly string[] = names,
): Promise<void> {
  mkdirSync(destination, { recursive: true });
  for (const name of home) writeFileSync(join(destination, name), "");
  await app.library.refresh();
  const listing = { version: "1.00", files: names.map((name) => ({ name, size: null })), strange: [], strangeCount: 0 };
  // As a run does: it learns from the list.
  await app.planner();
  await app.listed.takeList(app.dashcam.address, listing, { isAbsent: () => true, isUnsure: () => false });
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
