import * as v from "valibot";
import { LEVELS } from "../domain/logs/log_line.ts";
import { codeProblem, splitList } from "../domain/recordings/selection_codes.ts";
import { upperCode } from "../domain/recordings/upper_code.ts";
import type { Field } from "../domain/settings/field.ts";
import { SECTIONS, type Settings } from "../domain/settings/settings.ts";
import { formatJson, type LogFields, type LogSink } from "../log.ts";
import type { LineFormat } from "../start_format.ts";
import type { CommandIO } from "./command_io.ts";
import type { Console } from "./console.ts";
import { readWhole, UsageProblem } from "./usage.ts";

const { format: FORMAT } = SECTIONS.logging.fields;
const { fields: SYNC } = SECTIONS.sync;

/** Options that decide what comes home, and into which folders; without one the settings decide. */
export const CHOOSING_OPTIONS = {
  grouping: { type: "string", short: "g" },
  priority: { type: "string", short: "p" },
  include: { type: "string", short: "i" },
  exclude: { type: "string", short: "e" },
  "max-used-disk": { type: "string", short: "u" },
  "skip-metadata": { type: "string" },
} as const;

type ChoosingValues = { readonly [name in keyof typeof CHOOSING_OPTIONS]?: string | undefined };

/** The rules that such options give, and the settings where they are left out. @throws UsageProblem */
export function readChoices(values: ChoosingValues, { sync, retention }: Settings) {
  const { grouping, priority, include, exclude, "max-used-disk": used, "skip-metadata": skipped } = values;
  return {
    priority: readSetting(SYNC.priority, priority ?? sync.priority, "--priority"),
    grouping: readSetting(SYNC.grouping, grouping ?? sync.grouping, "--grouping"),
    include: include === undefined ? sync.include : readCodes(include, "--include"),
    exclude: exclude === undefined ? sync.exclude : readCodes(exclude, "--exclude"),
    skipMetadata:
      skipped === undefined
        ? sync.skip_metadata
        : readSetting(SYNC.skip_metadata, [...new Set(skipped)], "--skip-metadata"),
    maxUsedDiskPercent:
      used === undefined ? retention.max_used_disk_percent : readWhole(used, "--max-used-disk", 5, 98),
  };
}

/** Amount that a command that brings recordings home says, and in which form. */
export interface SayingValues {
  readonly verbose?: readonly boolean[] | undefined;
  readonly quiet: boolean;
  readonly "log-format"?: string | undefined;
  /** Silent unless something came home or failed. */
  readonly cron?: boolean;
}

/** The form of the lines, as the option says, else the environment. @throws UsageProblem */
export function readFormat(values: SayingValues, { env }: CommandIO): LineFormat {
  const given = values["log-format"];
  if (given !== undefined) return readSetting(FORMAT, given, "--log-format");
  return readSetting(FORMAT, env["LOG_FORMAT"] || FORMAT.initial, "LOG_FORMAT");
}

/** Returns the value as a setting would keep it. @throws UsageProblem naming the option */
export function readSetting<T>({ check }: Field<T>, value: unknown, option: string): T {
  const read = v.safeParse(check, value);
  if (read.success) return read.output;
  throw new UsageProblem(`${option} ${read.issues[0].message}`);
}

/** A list of types and directions. @throws UsageProblem naming the option */
export function readCodes(text: string, option: string): string[] {
  const codes = splitList(text);
  for (const code of codes) {
    const problem = codeProblem(code);
    if (problem) throw new UsageProblem(`${option}: ${problem}`);
  }
  return codes.map(upperCode);
}

/** Returns the lowest level of a logger that goes to standard error. */
export function thresholdOf({ cron, quiet, verbose }: SayingValues): (logger: string) => number {
  if (cron) return (logger) => (logger === "download" ? LEVELS.INFO : LEVELS.ERROR);
  if (quiet) return () => LEVELS.ERROR;
  const level = [LEVELS.WARNING, LEVELS.INFO][verbose?.length ?? 0] ?? LEVELS.DEBUG;
  return () => level;
}

/** True where lines go to standard output that no log has. */
export function arePlainLinesShown({ cron, quiet, verbose }: SayingValues): boolean {
  return !cron && !quiet && (verbose?.length ?? 0) === 0;
}

/**
 * Each recording and the summary on standard output, where no log has them.
 * @param isLast true for a line that a terminal gets, too: its display shows the files themselves
 */
export function plainLines(
  display: Console,
  shown: { values: SayingValues; format: LineFormat; isLive: boolean; isLast: (fields: LogFields) => boolean },
): LogSink {
  const isShown = arePlainLinesShown(shown.values);
  return (line, fields) => {
    if (!isShown || line.level !== "INFO" || (shown.isLive && !shown.isLast(fields))) return;
    display.print(shown.format === "json" ? formatJson(line, fields) : line.message);
  };
}
