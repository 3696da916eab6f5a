import { resolve } from "node:path";
import type { ConfiguredCamera } from "../domain/settings/more_cameras.ts";
import { systemProblem } from "../store/config/outside_file.ts";
import { readText, UsageProblem } from "./usage.ts";

/** In the config folder, while the service runs: where it listens. */
export const LISTENING_FILE = "listening.json";

type Environment = Readonly<Record<string, string | undefined>>;

/** Places of the service's own files. */
export interface AppPaths {
  configDir: string;
  /** Overrides `system.destination` for this process. */
  destination?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the folder of settings, statistics and logs: flag, environment, `./data/config`. @throws UsageProblem for an
 * empty flag
 */
export function configDirOf(flag: string | undefined, env: Environment): string {
  return resolve(readText(flag, "--config") ?? (env["SERVICE_CONFIG_DIR"] || "data/config"));
}

/**
 * The paths of `serve`. The destination is named by flag only: the environment is for the first settings, as is the flag.
 * @throws UsageProblem for an empty flag
 */
export function pathsOf(flags: { config?: string; destination?: string }, env: Environment): AppPaths {
  const destination =
    flags.destination === undefined ? undefined : resolve(readText(flags.destination, "--destination"));
  return { configDir: configDirOf(flags.config, env), destination, env };
}

/**
 * Finds the recordings folder of a command: its option, the settings of the camera that it names, environment,
 * `./data/recordings`; and tells what it comes from.
 */
export function destinationOf(
  given: string | undefined,
  camera: ConfiguredCamera | null,
  env: Environment,
): { destination: string; flag: string } {
  if (given !== undefined) return { destination: resolve(given), flag: "--destination" };
  const set = camera?.settings.system.destination;
  if (set) return { destination: set, flag: "The folder" };
  const named = env["SERVICE_DESTINATION"];
  return { destination: resolve(named || "data/recordings"), flag: named ? "SERVICE_DESTINATION" : "--destination" };
}

/** `1`, `true` or `yes`, in any case. */
export function isTrue(text: string | undefined): boolean {
  return /^(1|true|yes)$/i.test(text ?? "");
}

/** Refuses a folder that a flag names for recordings. @throws UsageProblem when it is the system's */
export async function refuseFolder(destination: string | undefined, flag = "--destination"): Promise<void> {
  const problem = destination === undefined ? null : await systemProblem(destination);
  if (problem !== null) throw new UsageProblem(`${flag} ${destination} ${problem}`);
}
