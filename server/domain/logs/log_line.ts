export const LEVELS = { DEBUG: 10, INFO: 20, WARNING: 30, ERROR: 40 } as const;
export type Level = keyof typeof LEVELS;

export interface LogLine {
  /** Counts from 1 in each process. */
  seq: number;
  /** ISO 8601 UTC with milliseconds. */
  ts: string;
  level: Level;
  level_no: number;
  logger: string;
  message: string;
}

/** What one event of the log stream brings: first all lines in memory, later only new ones. */
export interface LogFrame {
  /** Names the process that wrote the lines; another one counts from 1 again. */
  boot_id: string;
  lines: LogLine[];
}

/** How much the service writes, in one word for the two settings. */
export type Verbosity = "quiet" | "normal" | "verbose" | "debug";

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
