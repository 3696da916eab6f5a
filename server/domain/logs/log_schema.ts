import * as v from "valibot";
import { text, whole } from "../answers/answer_fields.ts";

export const LOG_LINE = v.object({
  seq: v.pipe(
    v.number(),
    v.integer(),
    v.description("Counts from 1 in each process; lines of the process before come before that"),
  ),
  ts: text("ISO 8601 UTC with milliseconds"),
  level: v.picklist(["DEBUG", "INFO", "WARNING", "ERROR"]),
  level_no: v.number(),
  logger: v.string(),
  message: v.string(),
});

/** Event of the log stream: first all lines in memory, later only new ones. */
export const LOG_FRAME = v.object({
  boot_id: text("Names the process that wrote the lines: another one counts from 1 again"),
  lines: v.pipe(v.array(LOG_LINE), v.readonly()),
});

export const RECENT_LOGS = v.object({
  ...LOG_FRAME.entries,
  file_path: text("Empty when no file is written"),
  capacity: whole("Lines that are kept in memory"),
  verbosity: v.picklist(["quiet", "normal", "verbose", "debug"]),
});
