import type { ParseArgsOptionsConfig } from "node:util";
import { systemClock } from "../clock.ts";
import { simulatedCard } from "../dashcam/simulator/simulated_card.ts";
import { demoFootage } from "../dashcam/simulator/simulated_demo.ts";
import { MODEL_NAMES } from "../dashcam/simulator/simulated_models.ts";
import { openSimulator } from "../dashcam/simulator/simulator.ts";
import { FAULT_HELP, type FaultName, isFaultName } from "../dashcam/simulator/simulator_faults.ts";
import { GENERATION_NAMES } from "../dashcam/simulator/simulator_generation.ts";
import { cameraLife, LIFE_OPTIONS, lifeList } from "./camera_life.ts";
import type { CommandIO } from "./command_io.ts";
import { readArgs, readChoice, readText, readWhole, UsageProblem } from "./usage.ts";

const OPTIONS = {
  port: { type: "string", default: "0" },
  host: { type: "string", default: "127.0.0.1" },
  recordings: { type: "string", default: "48" },
  generation: { type: "string", default: "legacy" },
  model: { type: "string", default: "dr900x-plus" },
  name: { type: "string" },
  rate: { type: "string" },
  fault: { type: "string", multiple: true },
  ...LIFE_OPTIONS,
} satisfies ParseArgsOptionsConfig;

const MOST_RECORDINGS = 100_000;
const MOST_RATE = 10_000_000_000;
/** Bytes of the longest name of a Wi-Fi network (IEEE 802.11). */
const LONGEST_NAME = 32;

/** `camera`: the simulated camera alone, until a signal. */
export async function cameraCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values } = readArgs(args, OPTIONS, 0);
  const faults = values.fault ?? [];
  if (faults.includes("help")) {
    io.out.write(`${faultList()}\n`);
    return 0;
  }
  if (values.life === "help") {
    io.out.write(`${lifeList()}\n`);
    return 0;
  }
  const host = readText(values.host, "--host");
  const port = readWhole(values.port, "--port", 0, 65_535);
  const recordings = readWhole(values.recordings, "--recordings", 0, MOST_RECORDINGS);
  const rate = values.rate === undefined ? null : readWhole(values.rate, "--rate", 1, MOST_RATE);
  const footage = await demoFootage();
  const now = systemClock.now();
  const offsetMinutes = -new Date(now).getTimezoneOffset();
  const life = cameraLife({ values, recordings, rate, footage, clock: systemClock, offsetMinutes });
  const simulator = await openSimulator({
    card: life?.card.card ?? simulatedCard({ recordings, now, footage }),
    generation: readChoice(values.generation, "--generation", GENERATION_NAMES),
    model: readChoice(values.model, "--model", MODEL_NAMES),
    name: values.name === undefined ? undefined : readName(values.name),
    host,
    port,
    rate,
    faults: faults.map(readFault),
  }).catch((error: unknown) => {
    throw cannotListen(error, `${host}:${port}`) ?? error;
  });
  io.out.write(`Camera listening on ${simulator.url}\n`);
  const ending = new AbortController();
  const ended = new Promise<void>((resolve) => io.onSignal(() => resolve()));
  const living = life?.lead(simulator, (line) => io.out.write(`${line}\n`), ending.signal);
  await Promise.race([ended, ...(living === undefined ? [] : [living])]);
  ending.abort();
  await living;
  await simulator.close();
  return 0;
}

/** The host and port were asked for and cannot be had: that is for the user to mend. */
function cannotListen(error: unknown, where: string): UsageProblem | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "EADDRINUSE") return new UsageProblem(`Cannot listen on ${where}: something else does already`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new UsageProblem(`Cannot listen on ${where}: this machine has no such address`);
  if (code === "EACCES") return new UsageProblem(`Cannot listen on ${where}: this user may not use that port`);
  return null;
}

/** It is the name of a Wi-Fi network, too, and stands in one line of a file. @throws UsageProblem */
function readName(text: string): string {
  const name = text.trim();
  if (name === "") throw new UsageProblem("--name must not be empty");
  if (Buffer.byteLength(name) > LONGEST_NAME) throw new UsageProblem(`--name must have at most ${LONGEST_NAME} bytes`);
  if (/\p{C}/u.test(name)) throw new UsageProblem("--name must not have control characters");
  return name;
}

function readFault(name: string): FaultName {
  if (!isFaultName(name)) throw new UsageProblem(`There is no fault "${name}"; --fault help lists them`);
  return name;
}

function faultList(): string {
  return FAULT_HELP.map(({ name, help }) => `  ${name.padEnd(24)}${help}`).join("\n");
}
