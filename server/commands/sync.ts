import { join } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { systemClock } from "../clock.ts";
import { LEVELS } from "../domain/logs/log_line.ts";
import { KEEP_CLASSES, retentionCutoff, sameCutoff } from "../domain/retention/keep_times.ts";
import { addressProblem } from "../domain/settings/address.ts";
import { AGE_UNITS, parseDuration } from "../domain/settings/duration.ts";
import { gatewayProblem } from "../domain/settings/gateway.ts";
import type { ConfiguredCamera } from "../domain/settings/more_cameras.ts";
import { initialSettings, SECTIONS } from "../domain/settings/settings.ts";
import { tidyAddress } from "../domain/settings/tidy_address.ts";
import { dayIn, retentionRulesOf } from "../engine/retention/retention_rules.ts";
import { rulesOf, type SyncRules } from "../engine/run/sync_rules.ts";
import { StopRequested } from "../engine/transfer/failure_of_error.ts";
import { progressTopic } from "../engine/transfer/progress_report.ts";
import { Log, type LogFields, messageOf } from "../log.ts";
import { refuseNewer } from "../newer_files.ts";
import { OutsideFiles } from "../store/config/outside_file.ts";
import { CAMERA_OPTIONS, cameraNamed, camerasBeside, ownFolderOf } from "./camera_option.ts";
import type { CommandIO } from "./command_io.ts";
import { Console } from "./console.ts";
import { writeError } from "./error_line.ts";
import { destinationOf, refuseFolder } from "./paths.ts";
import { takeUser } from "./process_user.ts";
import {
  arePlainLinesShown,
  CHOOSING_OPTIONS,
  plainLines,
  readChoices,
  readFormat,
  readSetting,
  thresholdOf,
} from "./run_options.ts";
import { type OnceOptions, syncOnce } from "./sync_once.ts";
import { readArgs, readText, UsageProblem } from "./usage.ts";

const { fields: SYNC } = SECTIONS.sync;
const { timeout_seconds: TIMEOUT } = SECTIONS.connection.fields;

const OPTIONS = {
  destination: { type: "string", short: "d" },
  ...CAMERA_OPTIONS,
  ...CHOOSING_OPTIONS,
  keep: { type: "string", short: "k" },
  timeout: { type: "string", short: "t" },
  "retry-failed-after": { type: "string" },
  "dry-run": { type: "boolean", default: false },
  cron: { type: "boolean", default: false },
  verbose: { type: "boolean", short: "v", multiple: true },
  quiet: { type: "boolean", short: "q", default: false },
  "log-format": { type: "string" },
  "metrics-file": { type: "string" },
  "metrics-pushgateway-url": { type: "string" },
  "metrics-job": { type: "string", default: SECTIONS.metrics.fields.job.initial },
  "metrics-instance": { type: "string" },
  "metrics-state-file": { type: "string" },
  "affinity-key": { type: "string" },
} satisfies ParseArgsOptionsConfig;

type Values = ReturnType<typeof readArgs<typeof OPTIONS>>["values"];

/** `sync ADDRESS`: one run without the service. It makes no settings file, and reads one only for `--camera`. */
export async function syncCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values, positionals } = readArgs(args, OPTIONS, 1);
  const camera = await cameraNamed(values, io);
  const given = readText(values.destination, "--destination");
  const { destination, flag } = destinationOf(given, camera, io.env);
  const others = await camerasBeside(values, io);
  const homes = others.map(({ settings }) => settings.system.destination);
  const remembered = camera && {
    folder: ownFolderOf(camera, values, io),
    answerMs: camera.settings.camera.read_timeout_seconds * 1000,
  };
  const options = {
    ...readOptions(positionals[0], destination, values, camera),
    homes,
    remembered,
    ...(camera && { cameraId: camera.id }),
  };
  const format = readFormat(values, io);
  await refuseFolder(options.destination, flag);
  await takeUser(io.env);
  await refuseOverwriting(options);
  try {
    await refuseNewer({ root: options.destination });
  } catch (error) {
    writeError(io, format, "sync", `Dashdock cannot sync: ${messageOf(error)}`);
    return 2;
  }

  // A caller that wants lines for a program gets nothing that changes in place.
  const isLive = !values.cron && !values.quiet && format === "text" && io.out.isTTY === true;
  const display = new Console(io.out, io.err, isLive);
  const threshold = thresholdOf(values);
  const isLast = ({ event }: LogFields) => event === "sync_finished" || options.rules.dryRun;
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
    const { run } = await syncOnce(options, { clock: systemClock, log, topic, signal: stopping.signal });
    return run.exitCode;
  } finally {
    offDisplay();
    for (const off of offs) off();
  }
}

function readOptions(
  typed: string | undefined,
  destination: string,
  values: Values,
  camera: ConfiguredCamera | null,
): OnceOptions {
  const { connection, sync } = camera?.settings ?? initialSettings();
  const address = tidyAddress(typed ?? connection.address);
  if (!address) throw new UsageProblem(noAddress(camera));
  const problem = addressProblem(address);
  if (problem) throw new UsageProblem(problem);
  const typedTimeout = values.timeout ?? String(connection.timeout_seconds);
  const timeout = readSetting(TIMEOUT, Number(typedTimeout) || typedTimeout, "--timeout");
  const pushgatewayUrl = values["metrics-pushgateway-url"] ?? null;
  const gateway = pushgatewayUrl === "" ? "the address is empty" : gatewayProblem(pushgatewayUrl ?? "");
  if (gateway !== null) throw new UsageProblem(`--metrics-pushgateway-url cannot be used: ${gateway}`);
  const file = readText(values["metrics-file"], "--metrics-file") ?? null;
  const stateFile = readText(values["metrics-state-file"], "--metrics-state-file");
  const ownState = join(destination, ".dashdock.metrics-state.json");
  const job = readText(values["metrics-job"], "--metrics-job");
  const instance = readText(values["metrics-instance"], "--metrics-instance") ?? address;
  return {
    address,
    destination,
    timeoutMs: timeout * 1000,
    cron: values.cron,
    affinityKey: readSetting(SYNC.affinity_key, values["affinity-key"] ?? sync.affinity_key, "--affinity-key"),
    rules: readRules(values, camera),
    metrics:
      file === null && pushgatewayUrl === null
        ? null
        : {
            targets: {
              file,
              pushgatewayUrl,
              job,
              instance,
              timeoutMs: timeout * 1000,
              outside: new OutsideFiles([destination], [ownState]),
            },
            stateFile: stateFile ?? ownState,
          },
  };
}

/**
 * The rules of the run. It deletes only what `--keep` says: that is the consent, which the settings alone are not here.
 * @throws UsageProblem
 */
function readRules(values: Values, camera: ConfiguredCamera | null): SyncRules {
  const settings = camera?.settings ?? initialSettings();
  const now = systemClock.now();
  const keepMs = values.keep === undefined ? null : readDuration(values.keep, "--keep", AGE_UNITS);
  const retry = values["retry-failed-after"] ?? settings.sync.retry_failed_after;
  const dryRun = values["dry-run"] || (camera !== null && settings.system.dry_run);
  const unusable = camera?.unusable ?? [];
  const rules: SyncRules = {
    ...rulesOf(settings, { trigger: "manual", dryRun, now, unusable }),
    ...readChoices(values, settings),
    retryFailedAfterMs: readDuration(retry, "--retry-failed-after"),
    maxBytes: null,
    maxPercent: null,
  };
  if (camera === null) {
    const cutoffs = sameCutoff(retentionCutoff(dayIn(ownZone(), now), keepMs));
    const keep = Object.fromEntries(KEEP_CLASSES.flatMap((kind) => (values.keep ? [[kind, values.keep]] : [])));
    return { ...rules, cutoffs, keep, eventContext: 0, deletes: keepMs !== null };
  }
  if (values.keep === undefined) return rules;
  // Kinds that the settings keep longer are kept longer here, too.
  const retention = { ...settings.retention, keep: values.keep };
  const others = unusable.filter(({ section, key }) => section !== "retention" || key !== "keep");
  const own = retentionRulesOf({ current: { ...settings, retention }, unusable: others }, now);
  return { ...rules, cutoffs: own.cutoffs, keep: own.keep, deletes: true };
}

function noAddress(camera: ConfiguredCamera | null): string {
  if (camera === null) return "Say the camera's address: dashdock sync ADDRESS";
  return `Camera ${camera.id} has no address in its settings: dashdock sync ADDRESS --camera ${camera.id}`;
}

/** @throws UsageProblem when figures would be written over something else */
async function refuseOverwriting({ metrics }: OnceOptions): Promise<void> {
  const { targets, stateFile } = metrics ?? {};
  const file = targets?.file && (await targets.outside?.problem(targets.file, "metrics"));
  if (file) throw new UsageProblem(`--metrics-file ${file}`);
  const state = stateFile && (await targets?.outside?.problem(stateFile, "state"));
  if (state) throw new UsageProblem(`--metrics-state-file ${state}`);
}

function readDuration(text: string, option: string, units?: string): number {
  try {
    return parseDuration(text, units).ms;
  } catch (error) {
    throw new UsageProblem(`${option}: ${messageOf(error)}`);
  }
}

/** The process's zone: the command has no settings that name another. */
function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
