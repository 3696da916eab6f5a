import { chown, readdir, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { makeConfigFolder } from "../store/config/settings_text.ts";
import { UsageProblem } from "./usage.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the service finds and keeps its own files. */
export interface AppPaths {
  configDir: string;
  /** Overrides `system.destination` for this process. */
  destination?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** Where settings, statistics and logs live: flag, environment, `./data/config`. */
export function configDirOf(flag: string | undefined, env: Environment): string {
  return resolve(flag ?? (env["SERVICE_CONFIG_DIR"] || "data/config"));
}

/** The paths of `serve`. The destination is named by flag only: the environment is for the first settings. */
export function pathsOf(flags: { config?: string; destination?: string }, env: Environment): AppPaths {
  const destination = flags.destination === undefined ? undefined : resolve(flags.destination);
  return { configDir: configDirOf(flags.config, env), destination, env };
}

/**
 * Gives up root for the user and group of PUID and PGID, so that recordings belong to the owner of the NAS share; the
 * image names the ones to take when these are not set. Called before anything is opened. Nothing happens without the
 * variables, with `0`, or when root was given up already.
 */
export async function dropPrivileges(configDir: string, env: Environment): Promise<void> {
  const uid = idOf(env["PUID"] ? "PUID" : "SERVICE_IMAGE_UID", env);
  const gid = idOf(env["PGID"] ? "PGID" : "SERVICE_IMAGE_GID", env);
  if (process.getuid?.() !== 0 || (uid === null && gid === null)) return;
  await makeConfigFolder(configDir);
  const owner = await stat(configDir);
  // A fresh volume belongs to root; one that is in use already is not ours to change.
  if (owner.uid === 0 && (await readdir(configDir)).length === 0)
    await chown(configDir, uid ?? owner.uid, gid ?? owner.gid);
  process.setgroups?.([]);
  if (gid !== null) process.setgid?.(gid);
  if (uid !== null) process.setuid?.(uid);
}

function idOf(name: string, env: Environment): number | null {
  const text = env[name];
  if (text === undefined || text === "" || text === "0") return null;
  if (!/^[0-9]{1,9}$/.test(text)) throw new UsageProblem(`${name} must be a number, got "${text}"`);
  return Number(text);
}

/** `1`, `true` or `yes`, in any case. */
export function isTrue(text: string | undefined): boolean {
  return /^(1|true|yes)$/i.test(text ?? "");
}
