import type { Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { systemClock } from "../clock.ts";
import { LEVELS } from "../domain/logs/log_line.ts";
import { sameCutoff } from "../domain/retention/keep_times.ts";
import type { ConfiguredCamera } from "../domain/settings/more_cameras.ts";
import { initialSettings, type Settings } from "../domain/settings/settings.ts";
import type { SyncRules } from "../engine/run/sync_rules.ts";
import { exitCodeOf, StopRequested } from "../engine/transfer/failure_of_error.ts";
import { progressTopic } from "../engine/transfer/progress_report.ts";
import { Log, type LogFields, messageOf } from "../log.ts";
import { refuseNewer } from "../newer_files.ts";
import { recordingsFolderAround } from "../store/card/recordings_folder.ts";
import { liesIn } from "../store/config/outside_file.ts";
import { errorCode } from "../store/error_code.ts";
import { CAMERA_OPTIONS, cameraNamed, camerasBeside } from "./camera_option.ts";
import type { CommandIO } from "./command_io.ts";
import { Console } from "./console.ts";
import { writeError } from "./error_line.ts";
import { importOnce } from "./import_once.ts";
import { destinationOf, refuseFolder } from "./paths.ts";
import { takeUser } from "./process_user.ts";
import {
  arePlainLinesShown,
  CHOOSING_OPTIONS,
  plainLines,
  readChoices,
  readFormat,
  thresholdOf,
} from "./run_options.ts";
import { readArgs, readText, UsageProblem } from "./usage.ts";

const OPTIONS = {
  ...CAMERA_OPTIONS,
  ...CHOOSING_OPTIONS,
  move: { type: "boolean", default: false },
  destination: { type: "string", short: "d" },
  "dry-run": { type: "boolean", default: false },
  verbose: { type: "boolean", short: "v", multiple: true },
  quiet: { type: "boolean", short: "q", default: false },
  "log-format": { type: "string" },
} satisfies ParseArgsOptionsConfig;

type Values = ReturnType<typeof readArgs<typeof OPTIONS>>["values"];

/**
 * `import FOLDER`: recordings of a card or a folder come home, once. It makes no settings file, and reads one only for
 * `--camera`.
 */
export async function importCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values, positionals } = readArgs(args, OPTIONS, 1);
  const [typed] = positionals;
  if (!typed) throw new UsageProblem("Say which folder: dashdock import FOLDER");
  const folder = resolve(typed);
  const given = readText(values.destination, "--destination");
  const camera = await cameraNamed(values, io);
  const { destination, flag } = destinationOf(given, camera, io.env);
  const rules = readRules(values, camera?.settings ?? initialSettings());
  const format = readFormat(values, io);
  await refuseFolder(destination, flag);
  await takeUser(io.env);
  await requireSource(folder, destination);
  const others = await camerasBeside(values, io);
  if (values.move) await requireCard(folder, others);
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
    const homes = others.map(({ settings }) => settings.system.destination);
    const order = { folder, rules, move: values.move, homes };
    const { failure } = await importOnce(order, {
      destination,
      ...(camera && { cameraId: camera.id }),
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

function readRules(values: Values, settings: Settings): SyncRules {
  return {
    ...readChoices(values, settings),
    metadataFirst: false,
    cutoffs: sameCutoff(null),
    keep: {},
    eventContext: 0,
    maxBytes: null,
    maxPercent: null,
    trashMs: 0,
    retryFailedAfterMs: 0,
    deletes: false,
    maxVideoBytes: settings.sync.max_video_gb * 1e9,
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

/** Recordings at home are not moved away from there. @throws UsageProblem for a folder of recordings at home */
async function requireCard(folder: string, others: readonly ConfiguredCamera[]): Promise<void> {
  for (const { name, settings } of others)
    if (await liesIn(folder, settings.system.destination))
      throw new UsageProblem(`${folder} holds the recordings of ${name}: import it without --move`);
  const around = await recordingsFolderAround(folder);
  if (around !== null) throw new UsageProblem(`${around} is a folder of recordings at home: import it without --move`);
}
