import type * as v from "valibot";
import type { LOG_FRAME, LOG_LINE, RECENT_LOGS } from "./log_schema.ts";

export const LEVELS = { DEBUG: 10, INFO: 20, WARNING: 30, ERROR: 40 } as const satisfies Readonly<
  Record<Level, number>
>;
export type Level = LogLine["level"];

export type LogLine = v.InferOutput<typeof LOG_LINE>;

export type LogFrame = v.InferOutput<typeof LOG_FRAME>;

/** Amount that the service writes to the log, in one word for the two settings. */
export type Verbosity = v.InferOutput<typeof RECENT_LOGS>["verbosity"];

/** The word for the settings; quiet wins over any verbosity. */
export function verbosityOf({ quiet, verbose }: { readonly quiet: boolean; readonly verbose: number }): Verbosity {
  if (quiet) return "quiet";
  return verbose === 0 ? "normal" : verbose === 1 ? "verbose" : "debug";
}

/** The settings for the word. Quiet leaves the verbosity alone, so that ending it brings the old one back. */
export function settingsOfVerbosity(verbosity: Verbosity): { quiet: boolean; verbose?: number } {
  if (verbosity === "quiet") return { quiet: true };
  return { quiet: false, verbose: { normal: 0, verbose: 1, debug: 2 }[verbosity] };
}
