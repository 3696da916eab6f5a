import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { systemClock } from "../clock.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { counted, formatBytes } from "../domain/text/format.ts";
import { type FetchedFile, FolderRefused, fetchOffsite } from "../engine/offsite/fetch_offsite.ts";
import { IncompleteBucket, openBucket } from "../engine/offsite/open_bucket.ts";
import { messageOf, oneLine } from "../log.ts";
import { BucketError } from "../remote/s3/bucket_error.ts";
import { offsiteFrom } from "../seed.ts";
import { parseSettings, readSettings } from "../store/config/settings_text.ts";
import { errorCode } from "../store/error_code.ts";
import type { CommandIO } from "./command_io.ts";
import { takeUser } from "./process_user.ts";
import { readArgs, readText, UsageProblem } from "./usage.ts";

const OPTIONS = {
  since: { type: "string" },
  config: { type: "string" },
  "passphrase-file": { type: "string" },
  "into-existing": { type: "boolean", default: false },
} satisfies ParseArgsOptionsConfig;

type Values = ReturnType<typeof readArgs<typeof OPTIONS>>["values"];

const WORDS: Readonly<Record<FetchedFile["outcome"], string>> = {
  fetched: "",
  here: "",
  taken: "another file of this name is here, and stays",
  broken: "its bytes are not those that were sent",
  locked: "the passphrase does not open it",
  foreign: "it was not sent by Dashdock",
  gone: "it is no longer in the bucket",
};

/** `fetch-offsite DIR`: 0 when all is here, 1 when something is not or it was stopped, 2 for what cannot begin. */
export async function fetchOffsiteCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values, positionals } = readArgs(args, OPTIONS, 1);
  const [typed] = positionals;
  if (!typed) throw new UsageProblem("Say where to bring it: dashdock fetch-offsite DIR");
  const folder = resolve(typed);
  const since = dayOf(values.since);
  const settings = await settingsOf(values, io);
  await takeUser(io.env);
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error("stopped"));
  const offs = [io.onSignal(stop), io.onOutputClosed(stop)];
  let fetched = 0;
  let here = 0;
  let bytes = 0;
  let missing = 0;
  const onFile = (file: FetchedFile) => {
    if (file.outcome === "fetched") {
      fetched += 1;
      bytes += file.bytes;
    } else if (file.outcome === "here") here += 1;
    else {
      // Files of other programs are none of ours, and may lie in the same bucket.
      if (file.outcome !== "foreign") missing += 1;
      io.err.write(`${oneLine(file.path)}: ${WORDS[file.outcome]}.\n`);
    }
  };
  const fail = (code: number, sentence: string) => {
    io.err.write(`${oneLine(sentence)}\n`);
    return code;
  };
  try {
    const bucket = await openBucket(settings, systemClock);
    await fetchOffsite({
      bucket,
      settings,
      folder,
      since,
      isIntoExisting: values["into-existing"],
      clock: systemClock,
      signal: stopping.signal,
      onFile,
    });
    const before = here === 0 ? "" : ` ${counted(here, "file")} were here already.`;
    io.out.write(`Fetched ${counted(fetched, "file")}, ${formatBytes(bytes)}, each as it was sent.${before}\n`);
    return missing === 0 ? 0 : fail(1, `${counted(missing, "file")} could not be brought back.`);
  } catch (error) {
    if (stopping.signal.aborted) return fail(1, "Stopped. The same command goes on.");
    if (error instanceof FolderRefused) return fail(2, `${error.message}.`);
    if (error instanceof IncompleteBucket) return fail(2, error.message);
    if (error instanceof BucketError) return fail(1, `${error.message} (${error.detail})`);
    const code = errorCode(error);
    if (code === "") throw error;
    return fail(1, `${folder} cannot be written (${code}). The same command goes on.`);
  } finally {
    for (const off of offs) off();
  }
}

/** The section of the config folder where that is named, else of the environment. @throws UsageProblem */
async function settingsOf(values: Values, { env }: CommandIO): Promise<Settings["offsite"]> {
  const settings = values.config === undefined ? fromEnvironment(env) : await fromFolder(values.config);
  const file = readText(values["passphrase-file"], "--passphrase-file");
  if (file === undefined) return settings;
  const text = await readFile(file, "utf8").catch(() => {
    throw new UsageProblem("--passphrase-file names a file that cannot be read");
  });
  return { ...settings, passphrase: text.replace(/\r?\n$/, "") };
}

function fromEnvironment(env: CommandIO["env"]): Settings["offsite"] {
  try {
    return offsiteFrom(env);
  } catch (error) {
    throw new UsageProblem(messageOf(error));
  }
}

async function fromFolder(config: string): Promise<Settings["offsite"]> {
  const path = join(resolve(readText(config, "--config")), "settings.json");
  try {
    const found = await readSettings(path);
    if (found === null) throw new Error(`There is no settings file at ${path}`);
    return (await parseSettings({ path }, found.text)).settings.offsite;
  } catch (error) {
    throw new UsageProblem(messageOf(error));
  }
}

function dayOf(text: string | undefined): string {
  const day = readText(text, "--since");
  if (day === undefined) return "";
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day)))
    throw new UsageProblem(`--since must be a day such as 2026-06-01, got "${day}"`);
  return day.replaceAll("-", "");
}
