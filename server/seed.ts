import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { passwordProblem } from "./domain/settings/password_length.ts";
import { timeZoneProblem } from "./domain/settings/schedule.ts";
import { allFields, pathOf, type Settings } from "./domain/settings/settings.ts";
import { seedDifferences, seedSettings } from "./domain/settings/settings_seed.ts";
import type { Passwords } from "./http/auth/password_hashing.ts";
import { messageOf } from "./log.ts";
import { systemProblem } from "./store/config/outside_file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const PASSWORD = "SERVICE_ADMIN_PASSWORD";
const DESTINATION = "SERVICE_DESTINATION";
const MODE = "SERVICE_AUTH_MODE";
const PROXIES = "SERVICE_TRUSTED_PROXIES";
/** Recordings of a checkout go beside the configuration; the image sets `/recordings`. */
const BESIDE = "data/recordings";
const ZONE = "SERVICE_TIMEZONE";

/** A value from the environment that the first start cannot use; the sentence names variable and rule. */
export class SeedProblem extends Error {
  override name = "SeedProblem";
}

/**
 * The first settings, from the environment. Every bad value stops the start before anything is written.
 * @param given the folder that this start was told for recordings; it is the one of later starts, too
 * @throws SeedProblem with one line
 */
export async function seedFrom(env: Environment, passwords: Passwords, given?: string): Promise<Settings> {
  const resolved = withZone(withWholePaths(withFiles(env)));
  let settings: Settings;
  try {
    settings = seedSettings(resolved);
  } catch (error) {
    throw new SeedProblem(messageOf(error));
  }
  if (settings.auth.mode === "proxy" && settings.auth.trusted_proxies.length === 0)
    throw new SeedProblem(`${MODE}=proxy lets nobody in while no proxy is trusted; name its address with ${PROXIES}`);
  const destination = given ?? resolve(resolved[DESTINATION] || BESIDE);
  const wrong = await systemProblem(destination);
  if (wrong !== null) {
    const named = resolved[DESTINATION] ? `${DESTINATION}=${destination}` : `${BESIDE}, here ${destination},`;
    throw new SeedProblem(`${named} cannot be used: ${pathOf("system", "destination")} ${wrong} with ${DESTINATION}`);
  }
  settings = { ...settings, system: { ...settings.system, destination } };
  const password = resolved[PASSWORD];
  if (!password) return settings;
  const problem = passwordProblem(password);
  if (problem) throw new SeedProblem(`${PASSWORD}: ${problem}`);
  return { ...settings, auth: { ...settings.auth, password_hash: await passwords.hash(password) } };
}

/** The section `offsite` of the environment, for a machine that has no settings. @throws Error with one line */
export function offsiteFrom(env: Environment): Settings["offsite"] {
  return seedSettings(withWholePaths(withFiles(env))).offsite;
}

/** Names of a zone that images and compose files have while none was chosen. */
const NO_ZONE = /^:?((etc\/)?(utc|uct|gmt|zulu|universal))?$/i;

/** The zone of the machine is that of the schedule where none is given for it, and where it is one that we know. */
function withZone(env: Environment): Environment {
  const { [ZONE]: given, TZ: machine = "" } = env;
  if (given || NO_ZONE.test(machine) || timeZoneProblem(machine) !== null) return env;
  return { ...env, [ZONE]: machine };
}

/** The variables that name a folder or file, made whole from the folder the service is started in. */
function withWholePaths(env: Environment): Environment {
  const whole: Record<string, string | undefined> = { ...env };
  for (const { env: variable, widget } of allFields()) {
    const path = variable && env[variable.name];
    if (path && widget.kind === "text" && widget.reading === "path") whole[variable.name] = resolve(path);
  }
  return whole;
}

/** Names the seeding variables that differ from the settings in force, as one line; null when none does. */
export function seedDifferenceLine(env: Environment, settings: Settings): string | null {
  let differences: ReturnType<typeof seedDifferences>;
  try {
    differences = seedDifferences(withWholePaths(withFiles(env)), settings);
  } catch {
    return null;
  }
  if (differences.length === 0) return null;
  const names = differences.map(({ variable, path }) => `${variable} (${path})`).join(", ");
  return `The settings file is what counts; these environment variables differ from it and are ignored: ${names}`;
}

/** Successors of the variables that only the program before this one read. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  CRON: "SERVICE_SCHEDULE sets when it runs",
  RUN_ONCE: '"dashdock sync" runs once',
  DRY_RUN: "system.dry_run in the settings",
};
const OLD_PREFIX = "BLACKVUESYNC_";

/** Names every variable of the program before this one that is set and not read, as one line; null when none is. */
export function oldVariablesLine(env: Environment): string | null {
  const names = Object.keys(env).filter((name) => env[name] && (name.startsWith(OLD_PREFIX) || name in SUCCESSORS));
  if (names.length === 0) return null;
  const told = names.map((name) => {
    const successor = SUCCESSORS[name] ?? `now SERVICE_${name.slice(OLD_PREFIX.length)}`;
    return `${name} (${successor})`;
  });
  return `These environment variables are of an earlier program and are not read: ${told.sort().join(", ")}`;
}

/**
 * Takes the secrets out of the environment, which crash reports print: the settings have them. Called by `serve` once
 * they are read.
 */
export function dropSecrets(env: Record<string, string | undefined>): void {
  for (const name of secretVariables()) delete env[name];
}

/** Each secret variable may come from a file: `NAME_FILE` holds its path. */
function withFiles(env: Environment): Environment {
  const resolved: Record<string, string | undefined> = { ...env };
  for (const name of secretVariables()) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    if (env[name]) throw new SeedProblem(`${name} and ${name}_FILE are both set; keep one of them`);
    try {
      resolved[name] = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    } catch {
      throw new SeedProblem(`${name}_FILE names a file that cannot be read`);
    }
  }
  return resolved;
}

/** The variables that hold something secret, or carry it among other things. */
function secretVariables(): string[] {
  const carrying = allFields().flatMap(({ env, secret, shownAs }) => (env && (secret || shownAs) ? [env.name] : []));
  return [PASSWORD, ...carrying];
}
