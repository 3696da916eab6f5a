import { chmod, lstat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { systemClock } from "../clock.ts";
import { formatBytes } from "../domain/text/format.ts";
import { BackupProblem, makeBackup } from "../engine/backup/make_backup.ts";
import { oneLine } from "../log.ts";
import { putWhereNothingIs, syncFolder } from "../store/atomic_file.ts";
import { finishRestore, RestoreHeld } from "../store/config/restore_journal.ts";
import { errorCode } from "../store/error_code.ts";
import { camerasOf } from "./camera_option.ts";
import type { CommandIO } from "./command_io.ts";
import { isRunning } from "./healthcheck.ts";
import { configDirOf } from "./paths.ts";
import { takeUser } from "./process_user.ts";
import { readArgs, UsageProblem } from "./usage.ts";

const OPTIONS = { config: { type: "string" } } satisfies ParseArgsOptionsConfig;

/** `backup FILE`: 0 when it is made, 1 with one line when not. */
export async function backupCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values, positionals } = readArgs(args, OPTIONS, 1);
  const [typed] = positionals;
  if (!typed) throw new UsageProblem("Say where to save it: dashdock backup FILE");
  const configDir = configDirOf(values.config, io.env);
  await takeUser(io.env, configDir);
  const path = resolve(typed);
  const fail = (sentence: string) => {
    io.err.write(`${oneLine(sentence)}\n`);
    return 1;
  };
  const settings = join(configDir, "settings.json");
  if ((await lstat(settings).catch(() => null)) === null)
    return fail(`There is no settings file at ${settings}. Name its folder with --config.`);
  if (await isRunning(configDir))
    return fail(
      "The service is running. Stop it first, or open /api/backup in the browser that you are signed in with.",
    );
  try {
    await finishRestore(configDir);
    if ((await lstat(path).catch(() => null)) !== null) return fail(taken(path));
    const { cameras } = await camerasOf(settings);
    const now = systemClock.now();
    const source = {
      configDir,
      cameras: cameras.map(({ id, settings: { system } }) => ({ id, root: system.destination })),
      now,
      wall: Math.floor(now / 1000),
    };
    await using made = await makeBackup(source, dirname(path));
    await chmod(made.path, 0o600);
    if (!(await putWhereNothingIs(made.path, path))) return fail(taken(path));
    await syncFolder(dirname(path));
    io.out.write(`Saved ${oneLine(path)}, ${formatBytes(made.bytes)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof BackupProblem || error instanceof UsageProblem || error instanceof RestoreHeld)
      return fail(error.message);
    const code = errorCode(error);
    if (code === "") throw error;
    return fail(`${path} could not be written (${code}).`);
  }
}

function taken(path: string): string {
  return `${path} is there already, and is never written over. Choose another name.`;
}
