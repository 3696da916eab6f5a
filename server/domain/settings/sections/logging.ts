import { field, section } from "../field.ts";
import { choice, flag, whole } from "../field_kinds.ts";

export const LOGGING = section("immediate", "Logging", {
  verbose: field(whole(0), 0, {
    label: "Verbosity",
    help: "0: normal. 1: more. 2 and above: every step.",
    meaning: { of: { 0: "normal", 1: "verbose" }, others: "debug, every step" },
    env: { name: "VERBOSE", read: "number" },
  }),
  quiet: field(flag("On: errors only", "Off: as much as the verbosity says"), false, {
    label: "Quiet",
    help: "Errors only, whatever the verbosity.",
    env: { name: "QUIET", read: "boolean" },
  }),
  format: field(choice(["text", "json"], { text: "Plain lines", json: "JSON, one object per line" }), "text", {
    label: "Format",
    help: "How lines are written to the console and the log file.",
    env: { name: "LOG_FORMAT", read: "text" },
  }),
  file_max_bytes: field(whole(1, 1_073_741_824), 10_485_760, {
    label: "Log file size",
    help: "A log file of this size is set aside, and a new one begins.",
    unit: "bytes",
  }),
  file_backup_count: field(whole(0, 100), 5, {
    label: "Old log files",
    help: "How many old log files are kept.",
    meaning: { of: { 0: "old log files are deleted" } },
  }),
  ring_buffer_capacity: field(whole(10, 10_000), 500, {
    label: "Lines in memory",
    help: "How many lines the log page can show.",
    unit: "lines",
    rare: true,
  }),
});
