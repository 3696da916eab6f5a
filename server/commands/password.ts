import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { ParseArgsOptionsConfig } from "node:util";
import { systemClock } from "../clock.ts";
import { passwordProblem } from "../domain/settings/password_length.ts";
import { initialSettings, type Settings } from "../domain/settings/settings.ts";
import { Passwords } from "../http/auth/password_hashing.ts";
import { Log } from "../log.ts";
import { SettingsFile } from "../store/config/settings_file.ts";
import type { CommandIO } from "./command_io.ts";
import { configDirOf } from "./paths.ts";
import { takePendingRestore } from "./pending_restore.ts";
import { takeUser } from "./process_user.ts";
import { readArgs } from "./usage.ts";

/** Name of the account to watch only where none was chosen. */
const VIEWER = "viewer";

const OPTIONS = {
  config: { type: "string" },
  viewer: { type: "boolean", default: false },
  stdin: { type: "boolean", default: false },
} satisfies ParseArgsOptionsConfig;

/**
 * `password`: sets the admin password, or with `--viewer` that of the account to watch only. A running service takes it
 * over from the file within two seconds, which ends the sessions of both, or of that account.
 */
export async function passwordCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values } = readArgs(args, OPTIONS, 0);
  const configDir = configDirOf(values.config, io.env);
  await takeUser(io.env);
  // A password set before the files of a restore are in place would be lost with them.
  await takePendingRestore(configDir);
  const path = join(configDir, "settings.json");
  if (!existsSync(path)) {
    io.err.write(`There is no settings file at ${path}; start the service once, or name its folder with --config\n`);
    return 2;
  }
  const password = values.stdin ? await readAll() : await askTwice(io);
  if (password === null) {
    io.err.write("The two passwords differ; nothing was changed\n");
    return 2;
  }
  // Nothing removes the account to watch only.
  const isRemoved = values.viewer && password === "";
  const problem = isRemoved ? null : passwordProblem(password);
  if (problem) {
    io.err.write(`${problem}\n`);
    return 2;
  }
  using passwords = new Passwords({ clock: systemClock });
  const hash = isRemoved ? "" : await passwords.hash(password);
  const settings = await SettingsFile.open({ path, log: new Log(systemClock), seed: initialSettings });
  let viewer = "";
  try {
    const { auth } = await settings.update((latest) => ({
      ...latest,
      auth: { ...latest.auth, ...(values.viewer ? viewerAccount(latest.auth, hash) : { password_hash: hash }) },
    }));
    viewer = auth.viewer_username;
  } finally {
    await settings.close();
  }
  if (values.viewer) {
    const set = `The account “${viewer}” may look and save; its browsers have to sign in again\n`;
    io.out.write(isRemoved ? "The account that may only look is removed\n" : set);
    return 0;
  }
  io.out.write("The password is set; everyone has to sign in again\n");
  return 0;
}

/** The account with a password; with none it is removed. */
function viewerAccount(auth: Settings["auth"], hash: string) {
  if (hash === "") return { viewer_username: "", viewer_password_hash: "" };
  const usual = auth.username.trim() === VIEWER ? `${VIEWER}2` : VIEWER;
  return { viewer_username: auth.viewer_username || usual, viewer_password_hash: hash };
}

/** Standard input, without the line end that `echo` and editors add. */
async function readAll(): Promise<string> {
  return (await Bun.stdin.text()).replace(/\r?\n$/, "");
}

/** Asks twice without showing what is typed; null when the two differ. */
async function askTwice({ err }: CommandIO): Promise<string | null> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    err.write("New password: ");
    const first = await lines.question("");
    err.write("\nOnce more: ");
    const second = await lines.question("");
    err.write("\n");
    return first === second ? first : null;
  } finally {
    lines.close();
  }
}
