import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXECUTABLE } from "./executable.ts";

/** Longer than anything here takes on a busy machine, and shorter than a test may take. */
const BOUND_MS = 40_000;

/** Exit code of a command, and all it wrote. */
export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface StartOptions {
  /** A temporary folder when the command may look around or write. */
  cwd: string;
  env?: Readonly<Record<string, string>>;
}

/** A command that runs. When it has not ended in good time it is killed, and waiting for it fails with what it said. */
export interface Running extends AsyncDisposable {
  readonly pid: number;
  readonly out: string;
  readonly err: string;
  /** Resolves when standard output matches, or what was named instead; fails when the command ends without. */
  says(pattern: RegExp, where?: "out" | "err"): Promise<void>;
  type(text: string): void;
  signal(name: "SIGINT" | "SIGTERM"): void;
  readonly ended: Promise<Ended>;
}

/** Starts `dashdock <args>` as a process of its own. */
export function start(args: readonly string[], options: StartOptions): Running {
  return startCommand([EXECUTABLE, ...args], options);
}

/** Runs `dashdock <args>` to its end. */
export async function dashdock(args: readonly string[], options: StartOptions): Promise<Ended> {
  await using running = start(args, options);
  return await running.ended;
}

/** The words of `dashdock <args>` for a shell. */
export function shellWords(args: readonly string[]): string {
  return [EXECUTABLE, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

/** Starts any command, with nothing of this environment but what finds programs. */
export function startCommand(command: readonly string[], { cwd, env = {} }: StartOptions): Running {
  const child = Bun.spawn([...command], {
    cwd,
    // Bun would otherwise keep what it has transpiled below HOME.
    env: {
      PATH: process.env["PATH"],
      HOME: cwd,
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
      TERM: "xterm",
      TZ: "UTC",
      ...env,
    },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const text = { out: "", err: "" };
  const heard = new Set<() => void>();
  const collect = async (stream: ReadableStream<Uint8Array>, into: "out" | "err") => {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      text[into] += decoder.decode(bytes, { stream: true });
      for (const listener of heard) listener();
    }
  };
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, BOUND_MS);
  const finish = async (): Promise<Ended> => {
    await Promise.all([collect(child.stdout, "out"), collect(child.stderr, "err"), child.exited]);
    clearTimeout(timer);
    if (late) throw new Error(`${command.join(" ")} did not end in time; it said:\n${text.out}\n${text.err}`);
    return { code: child.exitCode, ...text };
  };
  const ended = finish();
  // A caller may wait for the end or not: without one the error counts for nothing.
  ended.catch(() => {});
  return {
    pid: child.pid,
    get out() {
      return text.out;
    },
    get err() {
      return text.err;
    },
    says(pattern, where = "out") {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!pattern.test(text[where])) return;
          heard.delete(look);
          resolve();
        };
        heard.add(look);
        look();
        ended.then(() => reject(new Error(`It ended without saying ${pattern}:\n${text.out}\n${text.err}`)), reject);
      });
    },
    type(letters) {
      child.stdin.write(letters);
      child.stdin.flush();
    },
    signal: (name) => child.kill(name),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended.catch(() => {});
    },
  };
}

/** A temporary folder with two of its own: an empty one to be in, and one to put things. */
export interface Place extends AsyncDisposable {
  cwd: string;
  /** A folder outside `cwd`. */
  home: string;
  /** The path of a name in `home`. */
  at(...names: string[]): string;
}

export async function temporaryPlace(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), "dashdock-test-"));
  const cwd = join(root, "cwd");
  const home = join(root, "home");
  await Promise.all([mkdir(cwd), mkdir(home)]);
  return {
    cwd,
    home,
    at: (...names) => join(home, ...names),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

/** Every file and folder below, relative, sorted; null when the folder itself is not there. */
export async function treeOf(folder: string): Promise<string[] | null> {
  try {
    return (await readdir(folder, { recursive: true })).sort();
  } catch {
    return null;
  }
}

/** Resolves when a file has so many bytes. A file does not tell when it grows, so it is looked at; a test's time bounds it. */
export async function untilSize(path: string, bytes: number): Promise<void> {
  while (Bun.file(path).size < bytes) await Bun.sleep(2);
}
