import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { type OpenApp, openApp, type StartingApp } from "../app.ts";
import { type Listening, listen } from "../http/listen/server.ts";
import { messageOf } from "../log.ts";
import { errorPage, ROUTES } from "../routes.ts";
import { dropSecrets, oldVariablesLine, seedDifferenceLine } from "../seed.ts";
import { formatAtStart } from "../start_format.ts";
import { replaceFile } from "../store/atomic_file.ts";
import { openFolderProblem } from "../store/config/folder_access.ts";
import { errorCode } from "../store/error_code.ts";
import { VERSION } from "../version.ts";
import type { CommandIO } from "./command_io.ts";
import { writeError } from "./error_line.ts";
import { type AppPaths, LISTENING_FILE, pathsOf, refuseFolder } from "./paths.ts";
import { folderProblem, takeUser } from "./process_user.ts";
import { readArgs, readText, readWhole } from "./usage.ts";

const OPTIONS = {
  config: { type: "string" },
  destination: { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
} satisfies ParseArgsOptionsConfig;

/** After a signal the process ends within this time, whatever hangs. */
const LAST_MS = 4500;
/** As long as the stores may take to close before a restore. */
const LONGEST_RESTART_MS = 30_000;

/** `serve`: the web service, until a signal. */
export async function serveCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values } = readArgs(args, OPTIONS, 0);
  const { env } = io;
  const flagPort = values.port === undefined ? null : readWhole(values.port, "--port", 0, 65_535);
  const flagHost = readText(values.host, "--host");
  const paths = pathsOf(values, env);
  const { configDir } = paths;
  await refuseFolder(paths.destination);
  const user = await takeUser(env, configDir);
  // The first process of a container gets no default action for a signal.
  const stopped = signalled(io);

  const host = flagHost ?? (env["SERVICE_HOST"] || "0.0.0.0");
  const format = formatAtStart(configDir, env);
  const fail = (message: string) => writeError(io, format, "serve", message);
  const closed = await folderProblem(configDir, env);
  if (closed !== null) {
    fail(`Dashdock cannot start: ${closed}`);
    return 2;
  }
  const given: Given = { io, paths, user, host, stopped, fail };
  // Again after a restore, which is put in place before any store is open.
  for (let place: Place = { port: flagPort, isFirst: true }; ; ) {
    const end = await serveOnce(given, place);
    if ("code" in end) return end.code;
    place = { ...end, isFirst: false };
  }
}

interface Given {
  readonly io: CommandIO;
  readonly paths: AppPaths;
  /** The user it runs as, where it was root that has started it. */
  readonly user: string | null;
  readonly host: string;
  readonly stopped: Promise<void>;
  readonly fail: (message: string) => void;
}

interface Place {
  /** Null for that of the settings. */
  readonly port: number | null;
  readonly isFirst: boolean;
}

/** Opens the app, serves it, and closes it. @returns the exit code, or the port to go on with */
async function serveOnce(
  { io, paths, user, host, stopped, fail }: Given,
  { port, isFirst }: Place,
): Promise<{ readonly code: number } | { readonly port: number }> {
  const { configDir, env } = paths;
  const restarting = Promise.withResolvers<true>();
  const failed = { code: 2 } as const;
  let app: StartingApp;
  try {
    app = await openApp(paths, {
      print: (text) => io.err.write(`${text}\n`),
      restart: () => restarting.resolve(true),
    });
  } catch (error) {
    fail(`Dashdock cannot start: ${messageOf(error)}`);
    return failed;
  }
  const difference = seedDifferenceLine(env, app.settings.current);
  if (difference) app.log.info("settings", difference);
  const old = oldVariablesLine(env);
  if (old) app.log.warning("settings", old);
  dropSecrets(process.env);
  if (user !== null) app.log.info("serve", `Running as ${user}`);
  const open = openFolderProblem(configDir);
  if (open !== null) app.log.warning("serve", open);
  // The pages work all the same, and the disk may come later.
  const unwritable = await folderProblem(paths.destination ?? app.boot.system.destination, env);
  if (unwritable !== null) app.log.warning("serve", `No recording can be saved: ${unwritable}`);
  let listening: Listening;
  try {
    listening = listen(app, ROUTES, errorPage, { port: port ?? app.boot.web.port, host });
  } catch (error) {
    const remedy =
      errorCode(error) === "EADDRINUSE"
        ? " Choose another one with --port, or with SERVICE_PORT at the first start."
        : "";
    fail(`Dashdock cannot listen: ${messageOf(error)}${remedy}`);
    await app.close();
    return failed;
  }
  const place = join(configDir, LISTENING_FILE);
  // While the stores are opened: all of it waits for the disk.
  const placed = replaceFile(place, `${JSON.stringify({ host, port: listening.port })}\n`).catch(() => {});
  const told = import("./recordings_folder.ts").then(({ tellFolder }) => tellFolder(app, paths));
  const opening = Promise.all([app.openStores(), placed, told]);
  const end = (ending: Ending) =>
    closeAll(app, listening, { before: () => placed.then(() => rm(place, { force: true })), ...ending });
  let opened: OpenApp | null;
  try {
    // A disk that hangs must not keep the process from its end.
    opened = await Promise.race([opening.then(([whole]) => whole), stopped.then(() => null)]);
  } catch (error) {
    fail(`Dashdock cannot start: ${messageOf(error)}`);
    await Promise.allSettled([told]);
    await end({ code: 2 });
    return failed;
  }
  let isAgain = false;
  if (opened !== null) {
    // A script that waits for this line will ask at once.
    const base = opened.boot.web.base_path;
    if (isFirst) io.out.write(`Dashdock ${VERSION} listening on ${listening.url}${base && `${base}/`}\n`);
    opened.start();
    isAgain = await Promise.race([stopped.then(() => false), restarting.promise]);
  }
  // Should anything hang, the next start of the process carries the restore out.
  await end(isAgain ? { code: 1, lastMs: LONGEST_RESTART_MS } : {});
  return isAgain ? { port: listening.port } : { code: 0 };
}

/** Resolves at the first signal. */
export function signalled(io: CommandIO): Promise<void> {
  return new Promise((resolve) => {
    io.onSignal(() => resolve());
  });
}

interface Ending {
  /** Exit code of the process where something takes too long. */
  readonly code?: number;
  /** Time after which the process ends, whatever hangs. */
  readonly lastMs?: number;
  /** Takes away the file that says where the service listens. */
  readonly before?: () => Promise<unknown>;
}

/** Stops accepting, ends the streams, stops the job and closes the stores; gives up on whatever takes too long. */
export async function closeAll(
  app: Pick<StartingApp, "log" | "close">,
  listening: Listening,
  { code = 0, lastMs = LAST_MS, before = async () => {} }: Ending = {},
): Promise<void> {
  app.log.info("serve", "Stopping");
  const timer = setTimeout(() => process.exit(code), lastMs);
  await before().catch(() => {});
  const closed = app.close();
  await listening.stop();
  await closed;
  clearTimeout(timer);
}
