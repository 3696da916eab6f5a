import type { Run } from "./run.ts";

/** A run in an address: the end of it in milliseconds. No two runs of a history end in the same one. */
export function runId({ ts }: Pick<Run, "ts">): string {
  return String(Math.round(ts * 1000));
}

/** Null for a text that is the id of no run; an id is short enough to be exact as a number. */
export function readRunId(text: string): number | null {
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}

/** The page of a run. */
export function runPath(run: Pick<Run, "ts">): string {
  return `/stats/runs/${runId(run)}`;
}
