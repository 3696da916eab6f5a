import { open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Log } from "../log.ts";

/** What metrics remember across restarts. Keys of other programs are kept as they are. */
export interface MetricsState {
  /** Epoch seconds of the latest file that came home. */
  last_successful_file_pull_timestamp_seconds?: number;
  [key: string]: unknown;
}

const PULL = "last_successful_file_pull_timestamp_seconds";

/** Reads the state file; null when there is none, or with a warning when it is no such thing. */
export async function readMetricsState(path: string, log: Log): Promise<MetricsState | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      log.warning("metrics", `cannot read the metrics state ${path}: ${String(error)}`);
    }
    return null;
  }
  const state = parseState(text);
  if (state === null) log.warning("metrics", `the metrics state ${path} is damaged; it is begun anew`);
  return state;
}

/** Replaces the state file in one step: a reader sees the old or the new one. Rejects when the disk refuses. */
export async function writeMetricsState(path: string, state: MetricsState): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.tmp`);
  try {
    const file = await open(draft, "w");
    try {
      await file.writeFile(`${JSON.stringify(state)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

function parseState(text: string): MetricsState | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    const { [PULL]: pull, ...rest } = value as Record<string, unknown>;
    if (pull === undefined || pull === null) return rest;
    return typeof pull === "number" ? { ...rest, [PULL]: pull } : null;
  } catch {
    return null;
  }
}
