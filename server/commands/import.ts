import type { Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { systemClock } from "../clock.ts";
import { LEVELS } from "../domain/logs/log_line.ts";
import { sameCutoff } from "../domain/retention/keep_times.ts";
import { SECTIONS } from "../domain/settings/settings.ts";
import type { SyncRules } from "../engine/run/sync_rules.ts";
import { exitCodeOf, StopRequested } from "../engine/transfer/failure_causes.ts";
import { progressTopic } from "../engine/transfer/progress_report.ts";
import { Log, type LogFields, messageOf } from "../log.ts";
import { refuseNewer } from "../newer_files.ts";
import { liesIn } from "../store/config/outside_file.ts";
import { errorCode } from "../store/error_code.ts";
import type { CommandIO } from "./command_io.ts";
import { Console } from "./console.ts";
import { writeError } from "./error_line.ts";
import { importOnce } from "./import_once.ts";
import { refuseFolder } from "./paths.ts";
import { takeUser } from "./process_user.ts";
import { arePlainLinesShown, plainLines, readCodes, readFormat, readSetting, thresholdOf } from "./run_options.ts";
import { readArgs, readText, readWhole, UsageProblem } from "./usage.ts";

const { fields: SYNC } = SECTIONS.sync;

const OPTIONS = {
  camera: { type: "string", default: "main" },
  move: { type: "boolean", default: false },
  destination: { type: "string", short: "d" },
  grouping: { type: "string", short: "g", default: SYNC.grouping.initial },
  priority: { type: "string", short: "p", default: SYNC.priority.initial },
  include: { type: "string", short: "i", default: "" },
  exclude: { type: "string", short: "e", default: "" },
  "max-used-disk": {
    type: "string",
    short: "u",
    default: String(SECTIONS.retention.fields.max_used_disk_percent.initial),
  },
  "skip-metadata": { type: "string", default: "" },
  "dry-run": { type: "boolean", default: false },
  verbose: { type: "boolean", short: "v", multiple: true },
  quiet: { type: "boolean", short: "q", default: false },
  "log-format": { type: "string" },
} satisfies ParseArgsOptionsConfig;

type Values = ReturnType<typeof readArgs<typeof OPTIONS>>["values"];

/** `import FOLDER`: recordings of a card or a folder come home, once. It neither reads nor makes a settings file. */
export async function importCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values, positionals } = readArgs(args, OPTIONS, 1);
  requireCamera(values.camera);
  const [typed] = positionals;
  if (!typed) throw new UsageProblem("Say which folder: dashdock import FOLDER");
  const folder = resolve(typed);
  const given = readText(values.destination, "--destination");
  const destination = resolve(given ?? (io.env["SERVICE_DESTINATION"] || "data/recordings"));
  const rules = readRules(values);
  const format = readFormat(values, io);
  await refuseFolder(destination, given === undefined ? "SERVICE_DESTINATION" : "--destination");
  await takeUser(io.env);
  await requireSource(folder, destination);
  try {
    await refuseNewer({ root: destination });
  } catch (error) {
    writeError(io, format, "import", `Dashdock cannot import: ${messageOf(error)}`);
    return 2;
  }

  // A caller that wants lines for a program gets nothing that changes in place.
  const isLive = !values.quiet && format === "text" && io.out.isTTY === true;
  const display = new Console(io.out, io.err, isLive, "Looking through the folder …");
  const threshold = thresholdOf(values);
  const isLast = ({ event }: LogFields) => event === "import_finished" || event === "files_left" || values["dry-run"];
  const log = new Log(systemClock, [
    display.sink(format, threshold),
    plainLines(display, { values, format, isLive, isLast }),
  ]);
  // A line that is shown nowhere is not made: each file that comes has one.
  log.setThreshold(arePlainLinesShown(values) ? () => LEVELS.INFO : threshold);
  const topic = progressTopic();
  const stopping = new AbortController();
  const stop = () => stopping.abort(new StopRequested());
  const offs = [io.onSignal(stop), io.onOutputClosed(stop)];
  const offDisplay = display.follow(topic);
  try {
    const order = { folder, rules, move: values.move, homes: [] };
    const { failure } = await importOnce(order, {
      destination,
      clock: systemClock,
      log,
      topic,
      signal: stopping.signal,
    });
    return exitCodeOf(failure);
  } finally {
    offDisplay();
    for (const off of offs) off();
  }
}

/** Checks whose recordings they are to be: so far there is one camera. @throws UsageProblem for another one */
function requireCamera(id: string): void {
  if (!CAMERAS.includes(id))
    throw new UsageProblem(`There is no camera "${id}". The cameras are: ${CAMERAS.join(", ")}`);
}
const CAMERAS: readonly string[] = ["main"];

function readRules(values: Values): SyncRules {
  return {
    priority: readSetting(SYNC.priority, values.priority, "--priority"),
    grouping: readSetting(SYNC.grouping, values.grouping, "--grouping"),
    include: readCodes(values.include, "--include"),
    exclude: readCodes(values.exclude, "--exclude"),
    skipMetadata: readSetting(SYNC.skip_metadata, [...new Set(values["skip-metadata"])], "--skip-metadata"),
    metadataFirst: false,
    cutoffs: sameCutoff(null),
    keep: {},
    eventContext: 0,
    maxBytes: null,
    maxPercent: null,
    trashMs: 0,
    retryFailedAfterMs: 0,
    deletes: false,
    maxUsedDiskPercent: readWhole(values["max-used-disk"], "--max-used-disk", 5, 98),
    maxVideoBytes: SYNC.max_video_gb.initial * 1e9,
    dryRun: values["dry-run"],
  };
}

/** @throws UsageProblem for what is no folder, a link, or the recordings folder itself */
async function requireSource(folder: string, destination: string): Promise<void> {
  let found: Stats;
  try {
    found = await lstat(folder);
  } catch (error) {
    const why = errorCode(error) === "ENOENT" ? "is not there" : `cannot be read (${errorCode(error)})`;
    throw new UsageProblem(`The folder ${folder} ${why}`);
  }
  if (found.isSymbolicLink()) {
    const real = await realpath(folder).catch(() => null);
    const instead = real === null ? "" : `: name the folder itself, ${real}`;
    throw new UsageProblem(`${folder} is a link, and links are never followed${instead}`);
  }
  if (!found.isDirectory()) throw new UsageProblem(`${folder} is not a folder`);
  if (await liesIn(folder, destination))
    throw new UsageProblem(`${folder} lies in the recordings folder: what is there is at home already`);
}
