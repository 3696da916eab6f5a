import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import type { Surroundings } from "./cli.ts";
import { type Clock, systemClock } from "./clock.ts";
import { Console } from "./console.ts";
import { type SimulatedCard, simulatedCard } from "./dashcam/simulated_card.ts";
import { demoFootage } from "./dashcam/simulated_demo.ts";
import { openSimulator } from "./dashcam/simulator.ts";
import { counted } from "./domain/format.ts";
import { StopRequested } from "./engine/failure.ts";
import { LEVELS, Log } from "./log.ts";
import { Library } from "./store/library.ts";
import { progressTopic, syncOnce } from "./sync_once.ts";
import { readArgs, readText, readWhole } from "./usage.ts";

const OPTIONS = {
  data: { type: "string" },
  recordings: { type: "string", default: "48" },
  rate: { type: "string", default: "3000000" },
} satisfies ParseArgsOptionsConfig;

/** `demo`: a simulated camera and one sync from it, compared byte by byte at the end. */
export async function demoCommand(args: readonly string[], around: Surroundings): Promise<number> {
  const { values } = readArgs(args, OPTIONS, 0);
  readText(values.data, "--data");
  const recordings = readWhole(values.recordings, "--recordings", 1, 10_000);
  const rate = readWhole(values.rate, "--rate", 1, 10_000_000_000);
  const clock = systemClock;
  const folder = values.data === undefined ? await mkdtemp(join(tmpdir(), "dashdock-demo-")) : resolve(values.data);
  const destination = join(folder, "recordings");

  const stopping = new AbortController();
  const offSignal = around.onSignal(() => stopping.abort(new StopRequested()));
  const display = new Console(around.out, around.err, around.out.isTTY === true);
  const log = new Log(clock, [
    display.sink("text", () => LEVELS.WARNING),
    (line) => {
      if (line.level === "INFO") display.say(line.message);
    },
  ]);
  try {
    const card = simulatedCard({ recordings, now: clock.now(), footage: await demoFootage() });
    await using simulator = await openSimulator({ card, rate });
    display.say(`A simulated camera with ${counted(recordings, "recording")} listens on ${simulator.url}`);
    const topic = progressTopic();
    const offDisplay = display.follow(topic);
    const { failure } = await syncOnce(
      { address: simulator.address, destination, timeoutMs: 10_000, rules: DEMO_RULES },
      { clock, log, topic, signal: stopping.signal },
    );
    offDisplay();
    if (failure) return 1;
    return (await compare(card, destination, { clock, log, display })) ? 0 : 1;
  } finally {
    offSignal();
    if (values.data === undefined) await rm(folder, { recursive: true, force: true });
    else display.say(`Everything is in ${destination}`);
  }
}

const DEMO_RULES = {
  priority: "date",
  grouping: "daily",
  include: [],
  exclude: [],
  skipMetadata: [],
  cutoff: null,
  retryFailedAfterMs: 86_400_000,
  deletes: false,
  maxUsedDiskPercent: 98,
  dryRun: false,
} as const;

/** Holds every file of the card beside what lies at home; true when they are the same to the byte. */
async function compare(
  card: SimulatedCard,
  destination: string,
  tools: { clock: Clock; log: Log; display: Console },
): Promise<boolean> {
  const { clock, log, display } = tools;
  const library = new Library({ root: destination, clock, log });
  await library.refresh();
  const different: string[] = [];
  for (const name of card.names()) {
    const folder = library.folderOf(name);
    const same =
      folder !== null && Buffer.compare(await card.bytes(name), await readFile(join(destination, folder, name))) === 0;
    if (!same) different.push(name);
  }
  if (different.length === 0)
    display.say(`Compared ${counted(card.files.size, "file")} byte by byte: all are the same`);
  else
    display.say(`${counted(different.length, "file")} differ from the camera's: ${different.slice(0, 5).join(", ")}`);
  return different.length === 0;
}
