import { join, resolve } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { systemClock } from "../clock.ts";
import { LEVELS } from "../domain/logs/log_line.ts";
import { KEEP_CLASSES, retentionCutoff, sameCutoff } from "../domain/retention/keep_times.ts";
import { addressProblem } from "../domain/settings/address.ts";
import { AGE_UNITS, parseDuration } from "../domain/settings/duration.ts";
import { gatewayProblem } from "../domain/settings/gateway.ts";
import { SECTIONS } from "../domain/settings/settings.ts";
import { tidyAddress } from "../domain/settings/tidy_address.ts";
import { dayIn } from "../engine/retention/retention_rules.ts";
import { StopRequested } from "../engine/transfer/failure_causes.ts";
import { progressTopic } from "../engine/transfer/progress_report.ts";
import { Log, type LogFields, messageOf } from "../log.ts";
import { refuseNewer } from "../newer_files.ts";
import { OutsideFiles } from "../store/config/outside_file.ts";
import type { CommandIO } from "./command_io.ts";
import { Console } from "./console.ts";
import { writeError } from "./error_line.ts";
import { refuseFolder } from "./paths.ts";
import { takeUser } from "./process_user.ts";
import { arePlainLinesShown, plainLines, readCodes, readFormat, readSetting, thresholdOf } from "./run_options.ts";
import { type OnceOptions, syncOnce } from "./sync_once.ts";
import { readArgs, readText, readWhole, UsageProblem } from "./usage.ts";

const { fields: SYNC } = SECTIONS.sync;
const { timeout_seconds: TIMEOUT } = SECTIONS.connection.fields;

const OPTIONS = {
  destination: { type: "string", short: "d" },
  grouping: { type: "string", short: "g", default: SYNC.grouping.initial },
  keep: { type: "string", short: "k" },
  priority: { type: "string", short: "p", default: SYNC.priority.initial },
  include: { type: "string", short: "i", default: "" },
  exclude: { type: "string", short: "e", default: "" },
  "max-used-disk": {
    type: "string",
    short: "u",
    default: String(SECTIONS.retention.fields.max_used_disk_percent.initial),
  },
  timeout: { type: "string", short: "t", default: String(TIMEOUT.initial) },
  "retry-failed-after": { type: "string", default: SYNC.retry_failed_after.initial },
  "skip-metadata": { type: "string", default: "" },
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

/** As the service's own default: the command has no option for it. */
const TRASH_DAYS = SECTIONS.retention.fields.trash_days.initial;

type Values = ReturnType<typeof readArgs<typeof OPTIONS>>["values"];

/** `sync ADDRESS`: one run without the service. It neither reads nor makes a settings file. */
export async function syncCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values, positionals } = readArgs(args, OPTIONS, 1);
  const options = readOptions(positionals[0], values, io);
  const isNamed = values.destination !== undefined || !io.env["SERVICE_DESTINATION"];
  const format = readFormat(values, io);
  await refuseFolder(options.destination, isNamed ? "--destination" : "SERVICE_DESTINATION");
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
  const isLast = ({ event }: LogFields) => event === "sync_finished" || values["dry-run"];
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

function readOptions(typed: string | undefined, values: Values, io: CommandIO): OnceOptions {
  const address = tidyAddress(typed ?? "");
  if (!address) throw new UsageProblem("Say the camera's address: dashdock sync ADDRESS");
  const problem = addressProblem(address);
  if (problem) throw new UsageProblem(problem);
  const given = readText(values.destination, "--destination");
  const destination = resolve(given ?? (io.env["SERVICE_DESTINATION"] || "data/recordings"));
  const timeout = readSetting(TIMEOUT, Number(values.timeout) || values.timeout, "--timeout");
  const keepMs = values.keep === undefined ? null : readDuration(values.keep, "--keep", AGE_UNITS);
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
    affinityKey: readSetting(SYNC.affinity_key, values["affinity-key"] ?? null, "--affinity-key"),
    rules: {
      priority: readSetting(SYNC.priority, values.priority, "--priority"),
      grouping: readSetting(SYNC.grouping, values.grouping, "--grouping"),
      include: readCodes(values.include, "--include"),
      exclude: readCodes(values.exclude, "--exclude"),
      skipMetadata: readSetting(SYNC.skip_metadata, [...new Set(values["skip-metadata"])], "--skip-metadata"),
      metadataFirst: SYNC.metadata_first.initial,
      cutoffs: sameCutoff(retentionCutoff(dayIn(ownZone(), systemClock.now()), keepMs)),
      keep: Object.fromEntries(KEEP_CLASSES.flatMap((kind) => (values.keep ? [[kind, values.keep]] : []))),
      eventContext: 0,
      maxBytes: null,
      maxPercent: null,
      trashMs: TRASH_DAYS * 86_400_000,
      retryFailedAfterMs: readDuration(values["retry-failed-after"], "--retry-failed-after"),
      deletes: keepMs !== null,
      maxUsedDiskPercent: readWhole(values["max-used-disk"], "--max-used-disk", 5, 98),
      maxVideoBytes: SYNC.max_video_gb.initial * 1e9,
      dryRun: values["dry-run"],
    },
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
