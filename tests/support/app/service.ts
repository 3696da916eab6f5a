import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "./client.ts";
import { EXECUTABLE } from "./executable.ts";
import { type Ended, type Place, type Running, startCommand } from "./process.ts";

const ROOT = join(import.meta.dir, "../../..");
export const LISTENING = /^Dashdock \S+ listening on (http:\/\/\S+)\n/m;

/** The words that start the program, and the folder it is started in. */
export interface Program {
  command: readonly string[];
  cwd: string;
}

/** The executable, started where the package lies. */
export const PROGRAM: Program = { command: [EXECUTABLE], cwd: ROOT };

export interface Call {
  program?: Program;
  env?: Readonly<Record<string, string>>;
}

/** Starts a command of the program with its temporary files and its home in the place. */
export function call(place: Place, args: readonly string[], { program = PROGRAM, env = {} }: Call = {}): Running {
  return startCommand([...program.command, ...args], {
    cwd: program.cwd,
    env: { HOME: place.home, TMPDIR: place.home, ...env },
  });
}

/** The service as a process of its own, listening. */
export interface Service extends AsyncDisposable {
  running: Running;
  url: string;
  client: Client;
}

/** Starts `serve` on a free port with its folders in the place; resolves when it is ready. */
export async function serve(place: Place, args: readonly string[] = [], options: Call = {}): Promise<Service> {
  return await serving(call(place, [...serveArgs(place), ...args], options));
}

/** Starts the service as `serve` does, without a folder for recordings. */
export async function serveUntold(place: Place, options: Call = {}): Promise<Service> {
  return await serving(call(place, untoldArgs(place), options));
}

async function serving(running: Running): Promise<Service> {
  await running.says(LISTENING);
  const url = LISTENING.exec(running.out)?.[1] ?? "";
  // It listens before its stores are open; each question takes a while, and the process may not live for ever.
  while (!(await fetch(`${url}/readyz`)).ok);
  return { running, url, client: new Client(url), [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

export function serveArgs(place: Place): string[] {
  return [...untoldArgs(place), "--destination", place.at("recordings")];
}

export function untoldArgs(place: Place): string[] {
  return ["serve", "--config", place.at("config"), "--port", "0", "--host", "127.0.0.1"];
}

export function settingsPath(place: Place): string {
  return place.at("config", "settings.json");
}

/** Writes a settings file as an earlier start would have left it. */
export function putSettings(place: Place, settings: unknown, mode = 0o600): void {
  const text = typeof settings === "string" ? settings : JSON.stringify(settings);
  mkdirSync(place.at("config"), { recursive: true });
  writeFileSync(settingsPath(place), text, { mode });
}

type Stored = Record<string, Record<string, unknown>>;

/** The settings file as it is now. */
export async function storedSettings(place: Place): Promise<Stored> {
  return JSON.parse(await readFile(settingsPath(place), "utf8"));
}

/**
 * Settings for a service without sign-in, with this camera; recordings of any age are welcome. The schedule is paused,
 * so that no run begins with the start.
 */
export function openSettings(address: string, more: Stored = {}): Stored {
  const paused = { schedule: { paused: true } };
  return { auth: { mode: "none" }, connection: { address }, retention: { keep: "" }, ...paused, ...more };
}

/** Runs a command of the program to its end with this as its standard input. */
export async function feed(place: Place, args: readonly string[], input: string): Promise<Ended> {
  const child = Bun.spawn([...PROGRAM.command, ...args], {
    cwd: PROGRAM.cwd,
    env: { PATH: process.env["PATH"], HOME: place.home, TMPDIR: place.home, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
    stdin: new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 15_000,
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}
