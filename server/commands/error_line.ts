import { systemClock } from "../clock.ts";
import { LEVELS } from "../domain/logs/log_line.ts";
import { formatJson, oneLine } from "../log.ts";
import { formatOf, type LineFormat } from "../start_format.ts";
import type { CommandIO } from "./command_io.ts";

/** Commands whose lines a program may read: their last words have the form of their log. */
const LOGGING: readonly string[] = ["serve", "sync", "import"];

/** The form that a command line asks for, also one that cannot be understood otherwise. */
export function formatAsked(command: string, args: readonly string[], env: CommandIO["env"]): LineFormat {
  if (!LOGGING.includes(command)) return "text";
  const option = "--log-format";
  const at = args.findLastIndex((word) => word === option || word.startsWith(`${option}=`));
  if (command === "serve" || at < 0) return formatOf(env);
  const given = args[at] === option ? args[at + 1] : args[at]?.slice(option.length + 1);
  return given === "json" ? "json" : "text";
}

/** Says why a command ends, past a log that does not exist or was closed. */
export function writeError({ err }: Pick<CommandIO, "err">, format: LineFormat, logger: string, message: string): void {
  if (format === "text") {
    err.write(`${message}\n`);
    return;
  }
  const ts = new Date(systemClock.now()).toISOString();
  const line = { seq: 0, ts, level: "ERROR", level_no: LEVELS.ERROR, logger, message: oneLine(message) } as const;
  err.write(`${formatJson(line, {})}\n`);
}
