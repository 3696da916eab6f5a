import { readFile } from "node:fs/promises";
import type { Log } from "../../log.ts";
import { replaceFile } from "../atomic_file.ts";
import { errorCode } from "../error_code.ts";

/** Values that metrics remember across restarts. Keys of other programs are kept as they are. */
export interface MetricsState {
  /** Epoch seconds of the latest file that came home. */
  last_successful_file_pull_timestamp_seconds?: number;
  [key: string]: unknown;
}

const PULL = "last_successful_file_pull_timestamp_seconds";

/** Reads the state file; null when there is none, or, with a warning, when it is damaged or cannot be read. */
export async function readMetricsState(path: string, log: Log): Promise<MetricsState | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) !== "ENOENT") {
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
  await replaceFile(path, `${JSON.stringify(state)}\n`);
}

/** True when a file was written by this program or a predecessor. */
export function beginsAsMetricsState(text: string): boolean {
  const state = parseState(text);
  if (state === null) return new RegExp(`^\\{\\s*"(${PULL}|totals)"`).test(text);
  return PULL in state || "totals" in state || Object.keys(state).length === 0;
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
