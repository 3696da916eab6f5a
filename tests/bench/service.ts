import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { COMPILE_FLAGS } from "../../assets/ship/targets.ts";
import { dateOf } from "../../server/domain/recordings/recording_name.ts";
import { EXECUTABLE } from "../support/app/executable.ts";
import { median } from "./measure.ts";
import { cardNames, emptyFolder, openStage, type Stage } from "./stage.ts";

const MAIN = resolve(import.meta.dir, "../../server/main.ts");
const FROM_SOURCE: readonly string[] = [process.execPath, MAIN];
const BARE_SERVICE = resolve(import.meta.dir, "bare_service.ts");
const BARE: readonly string[] = [process.execPath, BARE_SERVICE];

export interface Service extends AsyncDisposable {
  url: string;
  pid: number;
  /** Milliseconds from the start of the process to the first answer of /healthz, which is asked for again and again. */
  startMs: number;
  /** Until it says that it listens, which is when everything is open. */
  readyMs: number;
  /** Resident memory now, in MB. */
  megabytes(): number;
  /** The most it ever held, in MB. */
  peakMegabytes(): number;
  /** Processor seconds used so far. */
  cpuSeconds(): number;
  descriptors(): number;
}

/** The service as a process of its own, without sign-in, its settings given as environment. */
export async function startService(
  folder: string,
  env: Record<string, string> = {},
  command: readonly string[] = FROM_SOURCE,
): Promise<Service> {
  const config = join(folder, "config");
  mkdirSync(config, { recursive: true });
  const port = freePort();
  const began = performance.now();
  const child = Bun.spawn(
    [
      ...command,
      "serve",
      "--config",
      config,
      "--destination",
      join(folder, "recordings"),
      "--port",
      String(port),
      "--host",
      "127.0.0.1",
    ],
    { stdout: "pipe", stderr: "ignore", env: { ...process.env, ...env } },
  );
  const url = `http://127.0.0.1:${port}`;
  const said = lineOf(child.stdout).then(() => performance.now() - began);
  await firstAnswer(`${url}/healthz`, child);
  const startMs = performance.now() - began;
  const readyMs = await said;
  const status = (key: string) =>
    Number(
      new RegExp(`${key}:\\s+([0-9]+)`).exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? Number.NaN,
    );
  return {
    url,
    pid: child.pid,
    startMs,
    readyMs,
    megabytes: () => (status("VmRSS") * 1024) / 1e6,
    peakMegabytes: () => (status("VmHWM") * 1024) / 1e6,
    cpuSeconds() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    descriptors: () => readdirSync(`/proc/${child.pid}/fd`).length,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = server;
  server.stop(true);
  return port;
}

/** Resolves with the first line. */
async function lineOf(output: ReadableStream<Uint8Array>): Promise<void> {
  const reader = output.getReader();
  let line = "";
  while (!line.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The service ended: ${line}`);
    line += new TextDecoder().decode(value);
  }
}

/** Asks every millisecond until there is an answer. */
async function firstAnswer(url: string, child: Bun.Subprocess): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer) return void (await answer.body?.cancel());
    if (child.exitCode !== null) throw new Error("The service ended before it answered");
    await Bun.sleep(1);
  }
}

/**
 * Start to the first answer, in a folder that is new and in the one that this has made, and memory after a while of
 * nothing; each beside a process that does nothing else than answer, of which one takes its turn in each round.
 */
export async function benchStart(rounds: number, idleSeconds: number) {
  await using stage = await openStage({ moments: 1, directions: ["F"], videoBytes: 1000, companionBytes: 10 });
  const started = async (name: string, command?: readonly string[]) => {
    const folder = join(stage.folder, name);
    mkdirSync(join(folder, "recordings"), { recursive: true });
    await using service = await startService(folder, {}, command);
    return service;
  };
  const turns: { bare: number; fresh: number; again: number; ready: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const bare = await started("bare", BARE);
    const fresh = await started(`start-${round}`);
    const again = await started(`start-${round}`);
    turns.push({ bare: bare.startMs, fresh: fresh.startMs, again: again.startMs, ready: again.readyMs });
  }
  const idle = async (name: string, command: readonly string[]) => {
    await using service = await startService(emptyFolder(stage, name), {}, command);
    await Bun.sleep(idleSeconds * 1000);
    return service.megabytes();
  };
  const [bare, source, built] = await Promise.all([
    idle("idle-bare", BARE),
    idle("idle-source", FROM_SOURCE),
    idle("idle-built", [EXECUTABLE]),
  ]);
  const middle = (of: (turn: (typeof turns)[number]) => number) => median(turns.map(of));
  return {
    bare: { startMs: middle((turn) => turn.bare), megabytes: bare },
    fresh: { startMs: middle((turn) => turn.fresh), ratio: middle((turn) => turn.fresh / turn.bare) },
    again: { startMs: middle((turn) => turn.again), ratio: middle((turn) => turn.again / turn.bare) },
    ready: { startMs: middle((turn) => turn.ready), ratio: middle((turn) => turn.ready / turn.bare) },
    source,
    built,
  };
}

/**
 * The executable beside one that is built in the same way and does nothing else than answer: what of its size and of its
 * memory, after so many seconds of nothing, is Bun's.
 */
export async function benchExecutable(idleSeconds: number) {
  await using stage = await openStage({ moments: 1, directions: ["F"], videoBytes: 1000, companionBytes: 10 });
  const empty = join(stage.folder, "empty");
  const built = Bun.spawnSync([process.execPath, "build", ...COMPILE_FLAGS, BARE_SERVICE, "--outfile", empty]);
  if (!built.success) throw new Error(`An empty executable cannot be built:\n${built.stderr}`);
  const [bare, own] = await Promise.all(
    [empty, EXECUTABLE].map(async (path, index) => {
      await using service = await startService(emptyFolder(stage, `idle-${index}`), {}, [path]);
      await Bun.sleep(idleSeconds * 1000);
      return { megabytes: Bun.file(path).size / 1e6, memory: service.megabytes() };
    }),
  );
  if (!bare || !own) throw new Error("Nothing was measured");
  return { bare, own };
}

/** An open service: the first visitor's sign-in mode is turned off through its settings file. */
export async function openService(
  stage: Pick<Stage, "folder">,
  name: string,
  address = "",
  { settings = {}, fill }: { settings?: Record<string, unknown>; fill?: (folder: string) => Promise<void> } = {},
): Promise<Service> {
  const folder = emptyFolder(stage, name);
  await fill?.(folder);
  mkdirSync(join(folder, "config"), { recursive: true });
  await Bun.write(
    join(folder, "config", "settings.json"),
    JSON.stringify({
      version: 2,
      auth: { mode: "none" },
      connection: { address },
      schedule: { paused: true },
      retention: { keep: "" },
      ...settings,
    }),
  );
  await Bun.spawn(["chmod", "600", join(folder, "config", "settings.json")]).exited;
  return await startService(folder);
}

/** 100,000 recordings in day folders below the service's destination, as empty files. */
export function fillLibrary(stage: Stage, name: string, recordings: number): void {
  const root = join(stage.folder, name, "recordings");
  mkdirSync(root, { recursive: true });
  const made = new Set<string>();
  for (const video of cardNames(recordings / 2, ["F", "R"]).videos) {
    const day = dateOf(video);
    if (!made.has(day)) mkdirSync(join(root, day));
    made.add(day);
    closeSync(openSync(join(root, day, video), "w"));
  }
}

/**
 * Processor seconds in ten seconds of a sync at 20 MB/s, with so many progress streams open. At the full speed of
 * loopback the sync's own work differs by more from one run to the next than all streams together cost.
 */
export async function benchStreams(streams: number): Promise<{ cpuSeconds: number; seventeenth: number }> {
  await using stage = await openStage({ moments: 1, directions: ["F"], videoBytes: 10, companionBytes: 10 });
  await using camera = await startCamera(["--recordings", "1000", "--rate", "20000000"]);
  await using service = await openService(stage, "streams", camera.address);
  const stop = new AbortController();
  const readers = Array.from({ length: streams }, async () => {
    const answer = await fetch(`${service.url}/api/sync/progress/stream`, { signal: stop.signal });
    for await (const _ of answer.body ?? []) if (stop.signal.aborted) break;
  });
  await startSync(service);
  const seventeenth = await fetch(`${service.url}/api/sync/progress/stream`, { signal: stop.signal });
  const before = service.cpuSeconds();
  await Bun.sleep(10_000);
  const cpuSeconds = service.cpuSeconds() - before;
  stop.abort();
  await Promise.allSettled(readers);
  return { cpuSeconds, seventeenth: seventeenth.status };
}

/** Presses Sync now. */
async function startSync(service: Service): Promise<void> {
  const page = await fetch(`${service.url}/`);
  const token = /csrf-token" content="([^"]*)"/.exec(await page.text())?.[1] ?? "";
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const headers = { cookie, "x-csrftoken": token };
  const started = await fetch(`${service.url}/api/sync/now`, { method: "POST", headers });
  if (started.status !== 202) throw new Error(`the sync did not start: ${started.status}`);
}

/** Presses Sync now and waits for the end, of which the stream of progress tells. @throws unless all came home */
export async function syncAndWait(service: Service): Promise<void> {
  await startSync(service);
  const stop = new AbortController();
  const stream = await fetch(`${service.url}/api/sync/progress/stream`, { signal: stop.signal });
  let text = "";
  for await (const bytes of stream.body ?? []) {
    text = (text + new TextDecoder().decode(bytes)).slice(-10_000);
    if (text.includes('"state":"failed"')) throw new Error(`the sync failed: ${text.slice(-500)}`);
    if (text.includes('"state":"completed"')) break;
  }
  stop.abort();
}

/** The simulated camera as a process of its own. */
async function startCamera(args: readonly string[]): Promise<{ address: string } & AsyncDisposable> {
  const child = Bun.spawn([process.execPath, MAIN, "camera", ...args], { stdout: "pipe", stderr: "ignore" });
  const { value } = await child.stdout.getReader().read();
  const address = /http:\/\/(\S+)/.exec(new TextDecoder().decode(value))?.[1] ?? "";
  return {
    address,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}
