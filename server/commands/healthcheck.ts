import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import type { CommandIO } from "./command_io.ts";
import { configDirOf, LISTENING_FILE } from "./paths.ts";
import { takeUser } from "./process_user.ts";
import { readArgs, readWhole } from "./usage.ts";

const OPTIONS = {
  config: { type: "string" },
  port: { type: "string" },
} satisfies ParseArgsOptionsConfig;

const LOOPBACK = "127.0.0.1";
const DEFAULT_PORT = 8080;
const ANSWER_MS = 4000;

interface Place {
  readonly host: string;
  readonly port: number;
}

/** `healthcheck`: asks the running service on its configured port; 0 when it is up, 1 when not. */
export async function healthcheckCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values } = readArgs(args, OPTIONS, 0);
  // The place where the service listens is for its user only, even if root may not read everything.
  await takeUser(io.env);
  const { host, port } =
    values.port === undefined
      ? await placeOf(configDirOf(values.config, io.env))
      : { host: LOOPBACK, port: readWhole(values.port, "--port", 1, 65_535) };
  try {
    const answer = await fetch(`http://${host}:${port}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (answer.ok) return 0;
    io.err.write(`The service answered with status ${answer.status}\n`);
  } catch {
    io.err.write(`Nothing answers on port ${port}\n`);
  }
  return 1;
}

/**
 * Finds the place where the running service listens. The service writes a file with it: a flag may differ from the
 * settings, and the settings may have changed since the start.
 */
async function placeOf(configDir: string): Promise<Place> {
  return (await listeningPlace(configDir)) ?? { host: LOOPBACK, port: await configuredPort(configDir) };
}

/** Null when no service runs that has written it. */
async function listeningPlace(configDir: string): Promise<Place | null> {
  try {
    const { host, port } = JSON.parse(await readFile(join(configDir, LISTENING_FILE), "utf8"));
    return typeof host === "string" && typeof port === "number" ? { host: reachable(host), port } : null;
  } catch {
    // not running, or of an earlier version
    return null;
  }
}

/** True while a service answers where the one of this folder has said that it listens. */
export async function isRunning(configDir: string): Promise<boolean> {
  const place = await listeningPlace(configDir);
  if (place === null) return false;
  try {
    const { ok } = await fetch(`http://${place.host}:${place.port}/healthz`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return ok;
  } catch (error) {
    // A service that is busy has the folder all the same.
    return error instanceof Error && error.name === "TimeoutError";
  }
}

/** A listener on every address is reached on loopback. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return LOOPBACK;
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** The port in the settings file, read without checking the rest of it, which the service does. */
async function configuredPort(configDir: string): Promise<number> {
  try {
    const port: unknown = JSON.parse(await readFile(join(configDir, "settings.json"), "utf8"))?.web?.port;
    return typeof port === "number" ? port : DEFAULT_PORT;
  } catch {
    return DEFAULT_PORT;
  }
}
