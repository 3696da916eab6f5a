import { causeOf } from "../log.ts";
import { VERSION } from "../version.ts";
import type { CommandIO } from "./command_io.ts";
import { ABOUT, COMMAND_NAMES, type CommandName } from "./command_list.ts";
import { formatAsked, writeError } from "./error_line.ts";
import { UserProblem } from "./process_user.ts";
import { readArgs, UsageProblem } from "./usage.ts";

/** Resolves with the exit code. */
type Command = (args: readonly string[], io: CommandIO) => Promise<number>;

/** Each command's own modules are loaded when it runs: `version` should not wait for the rest of the product. */
const COMMANDS: Readonly<Record<CommandName, Command>> = {
  serve: async (...call) => (await import("./serve.ts")).serveCommand(...call),
  sync: async (...call) => (await import("./sync.ts")).syncCommand(...call),
  import: async (...call) => (await import("./import.ts")).importCommand(...call),
  doctor: async (...call) => (await import("./doctor.ts")).doctorCommand(...call),
  verify: async (...call) => (await import("./verify.ts")).verifyCommand(...call),
  "verify-pack": async (...call) => (await import("./verify_pack.ts")).verifyPackCommand(...call),
  "fetch-offsite": async (...call) => (await import("./fetch_offsite.ts")).fetchOffsiteCommand(...call),
  backup: async (...call) => (await import("./backup.ts")).backupCommand(...call),
  restore: async (...call) => (await import("./restore.ts")).restoreCommand(...call),
  demo: async (...call) => (await import("./demo.ts")).demoCommand(...call),
  camera: async (...call) => (await import("./camera.ts")).cameraCommand(...call),
  password: async (...call) => (await import("./password.ts")).passwordCommand(...call),
  healthcheck: async (...call) => (await import("./healthcheck.ts")).healthcheckCommand(...call),
  completion: async (...call) => (await import("./completion.ts")).completionCommand(...call),
  licenses: async (...call) => (await import("./licenses.ts")).licensesCommand(...call),
  version: async (args, { out }) => {
    readArgs(args, {}, 0);
    out.write(`dashdock ${VERSION}\n`);
    return 0;
  },
  help: async (args, io) => {
    const [topic, chapter] = readArgs(args, {}, args[0] === "guide" ? 2 : 1).positionals;
    if (topic === "guide") return await (await import("./guide.ts")).printGuide(chapter, io);
    const { out } = io;
    if (topic === "man") {
      out.write((await import("./man_page.ts")).manPage());
      return 0;
    }
    if (topic !== undefined && !isCommand(topic)) throw new UsageProblem(noCommand(topic));
    out.write(`${await helpOf(topic ?? "help")}\n`);
    return 0;
  },
};

const SPELLINGS: Readonly<Record<string, string>> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-V": "version",
};

/** Proxies in the environment are for the internet. The camera is in the same network, and `fetch` would use them. */
const PROXY_VARIABLES = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

/** Runs one command line and resolves with its exit code. */
export async function run(args: readonly string[]): Promise<number> {
  for (const name of PROXY_VARIABLES) delete process.env[name];
  // To the end of the process: a command that does not care goes on in silence.
  onOutputClosed(() => {});
  const io: CommandIO = { env: process.env, out: process.stdout, err: process.stderr, onSignal, onOutputClosed };
  const [first = "", ...rest] = withCommand(args, io);
  const name = SPELLINGS[first] ?? first;
  if (!isCommand(name)) {
    io.err.write(`${noCommand(first)}\n`);
    return 2;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    io.out.write(`${await helpOf(name)}\n`);
    return 0;
  }
  const fail = (message: string) => writeError(io, formatAsked(name, rest, io.env), name, message);
  try {
    return await COMMANDS[name](rest, io);
  } catch (error) {
    if (error instanceof UsageProblem) {
      const topic = name !== "help" ? ` ${name}` : "";
      fail(`${error.message}\nSee "dashdock help${topic}".`);
      return 2;
    }
    if (error instanceof UserProblem) {
      fail(error.message);
      return 2;
    }
    fail(`Something unexpected went wrong: ${causeOf(error)}`);
    return 3;
  }
}

/**
 * Returns the command line with its command. Alone on a terminal, it was typed by a person who wants to see the
 * commands. A container, whose image names the folders, and every start without a terminal get the service.
 */
function withCommand(args: readonly string[], { env, out }: CommandIO): readonly string[] {
  const [first] = args;
  if (first === undefined) return [out.isTTY === true && !env["SERVICE_CONFIG_DIR"] ? "help" : "serve"];
  return first.startsWith("-") && !Object.hasOwn(SPELLINGS, first) ? ["serve", ...args] : args;
}

function onSignal(listener: (signal: "SIGINT" | "SIGTERM") => void): () => void {
  const interrupted = () => listener("SIGINT");
  const terminated = () => listener("SIGTERM");
  process.on("SIGINT", interrupted).on("SIGTERM", terminated);
  return () => process.off("SIGINT", interrupted).off("SIGTERM", terminated);
}

/** Without a listener the end of a pipe would be an error that is printed with its stack. */
function onOutputClosed(listener: () => void): () => void {
  const streams = [process.stdout, process.stderr];
  const failed = (error: Error & { code?: string }) => {
    if (error.code !== "EPIPE") throw error;
    listener();
  };
  for (const stream of streams) stream.on("error", failed);
  return () => {
    for (const stream of streams) stream.off("error", failed);
  };
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

function noCommand(name: string): string {
  return `There is no command "${name}". The commands are: ${COMMAND_NAMES.join(", ")}.`;
}

async function helpOf(name: CommandName): Promise<string> {
  if (name === "help") return help();
  const { OPTIONS_OF } = await import("./option_texts.ts");
  return OPTIONS_OF[name] ?? help();
}

function help(): string {
  const rows = Object.entries(ABOUT).map(([name, about]) => `  ${name.padEnd(15)}${about}`);
  return [
    `Dashdock ${VERSION}: brings a dashcam's recordings home.`,
    "",
    "Usage: dashdock <command> [options]",
    "",
    ...rows,
    "",
    'See "dashdock help <command>" for a command\'s options.',
  ].join("\n");
}
