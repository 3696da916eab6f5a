import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import type { Surroundings } from "./cli.ts";
import { configDirOf } from "./place.ts";
import { readArgs, readWhole } from "./usage.ts";

const OPTIONS = {
  config: { type: "string" },
  port: { type: "string" },
} satisfies ParseArgsOptionsConfig;

const DEFAULT_PORT = 8080;
const ANSWER_MS = 4000;

/** `healthcheck`: asks the running service on its configured port; 0 when it is up, 1 when not. */
export async function healthcheckCommand(args: readonly string[], around: Surroundings): Promise<number> {
  const { values } = readArgs(args, OPTIONS, 0);
  const port =
    values.port === undefined
      ? await configuredPort(configDirOf(values.config, around.env))
      : readWhole(values.port, "--port", 1, 65_535);
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (answer.ok) return 0;
    around.err.write(`The service answered with status ${answer.status}\n`);
  } catch {
    around.err.write(`Nothing answers on port ${port}\n`);
  }
  return 1;
}

/** The port in the settings file, read without judging the rest of it: the file is the service's business. */
async function configuredPort(configDir: string): Promise<number> {
  try {
    const port: unknown = JSON.parse(await readFile(join(configDir, "settings.json"), "utf8"))?.web?.port;
    return typeof port === "number" ? port : DEFAULT_PORT;
  } catch {
    return DEFAULT_PORT;
  }
}
