import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { systemClock } from "../clock.ts";
import { returningKeysText } from "../domain/backup/returning_keys_text.ts";
import { counted } from "../domain/text/format.ts";
import { isDiskFull, stageBackup, UnusableBackup, type WouldReplace } from "../engine/backup/read_backup.ts";
import { oneLine } from "../log.ts";
import { finishRestore, RestoreHeld, restore, sweepStages } from "../store/config/restore_journal.ts";
import { errorCode } from "../store/error_code.ts";
import type { CommandIO } from "./command_io.ts";
import { isRunning } from "./healthcheck.ts";
import { configDirOf } from "./paths.ts";
import { takeUser } from "./process_user.ts";
import { readArgs, UsageProblem } from "./usage.ts";

const OPTIONS = {
  config: { type: "string" },
  "dry-run": { type: "boolean", default: false },
} satisfies ParseArgsOptionsConfig;

/** `restore FILE`: 0 when all of it is in place, 1 with one line when nothing was changed. */
export async function restoreCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values, positionals } = readArgs(args, OPTIONS, 1);
  const [typed] = positionals;
  if (!typed) throw new UsageProblem("Say which backup: dashdock restore FILE");
  const configDir = configDirOf(values.config, io.env);
  await takeUser(io.env, configDir);
  const path = resolve(typed);
  const fail = (sentence: string) => {
    io.err.write(`${oneLine(sentence)}\n`);
    return 1;
  };
  if (!(await stat(configDir).catch(() => null))?.isDirectory())
    return fail(`There is no folder ${configDir}. Make it first, or name another one with --config.`);
  if (await isRunning(configDir)) return fail("The service is running. Stop it first.");
  if (!(await stat(path).catch(() => null))?.isFile()) return fail(`There is no file ${path}.`);
  try {
    if (!(await finishRestore(configDir))) await sweepStages(configDir);
    const staged = await stageBackup(path, configDir, systemClock.now());
    const { version, madeAt, wouldReplace, returningKeys, journal } = staged;
    io.out.write(`Backup of ${madeAt}, made by Dashdock ${version}\n`);
    if (values["dry-run"]) {
      await staged.discard();
      io.out.write(`It would replace ${inWords(wouldReplace)}. Nothing was changed.\n`);
      if (returningKeys.length > 0) io.out.write(`${oneLine(returningKeysText(returningKeys))}\n`);
      return 0;
    }
    try {
      // It may have been started while the file was checked.
      if (await isRunning(configDir)) throw new RestoreHeld("The service is running. Stop it first.");
      await restore(configDir, journal);
    } catch (error) {
      await staged.discard();
      throw error;
    }
    io.out.write(`Replaced ${inWords(wouldReplace)}.\n`);
    if (returningKeys.length > 0) io.out.write(`${oneLine(returningKeysText(returningKeys))}\n`);
    io.out.write(`What was there is kept in ${journal.before} in the config folder. Everyone signs in again.\n`);
    return 0;
  } catch (error) {
    if (error instanceof UnusableBackup || error instanceof RestoreHeld) return fail(error.message);
    if (isDiskFull(error)) return fail("The disk of the config folder is full. Nothing was changed.");
    const code = errorCode(error);
    if (code === "") throw error;
    return fail(`The backup could not be restored (${code}). Nothing was changed.`);
  }
}

function inWords({ runs, recordings_in_ledger, kept, keys, settings }: WouldReplace): string {
  const sections = settings.length === 0 ? "no settings" : `the settings ${settings.join(", ")}`;
  return [
    counted(runs, "run"),
    `what became of ${counted(recordings_in_ledger, "recording")}`,
    counted(keys, "key"),
    `${sections}; it adds to ${counted(kept, "kept recording")}`,
  ].join(", ");
}
