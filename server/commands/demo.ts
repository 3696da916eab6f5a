import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { type App, openApp } from "../app.ts";
import { systemClock } from "../clock.ts";
import type { GenerationName } from "../dashcam/generation.ts";
import type { SimulatedCard } from "../dashcam/simulator/simulated_card.ts";
import { simulatedPlaces } from "../dashcam/simulator/simulated_places.ts";
import { configFiles, named } from "../dashcam/simulator/simulated_config.ts";
import { timeOf } from "../dashcam/simulator/simulated_moments.ts";
import { GENERATION_NAMES } from "../dashcam/simulator/simulator_generation.ts";
import { LEVELS } from "../domain/logs/log_line.ts";
import { parseArtifact } from "../domain/recordings/recording_name.ts";
import { counted } from "../domain/text/format.ts";
import { listen } from "../http/listen/server.ts";
import { errorPage, ROUTES } from "../routes.ts";
import { VERSION } from "../version.ts";
import type { CommandIO } from "./command_io.ts";
import { Console } from "./console.ts";
import { type DemoCamera, MOST_DEMO_CAMERAS, openDemoCameras, withDemoCameras } from "./demo_cameras.ts";
import { DemoClock } from "./demo_clock.ts";
import { type LivedCamera, livePast } from "./demo_history.ts";
import { demoPast } from "./demo_past.ts";
import { refuseFolder } from "./paths.ts";
import { closeAll, signalled } from "./serve.ts";
import { readArgs, readChoice, readText, readWhole } from "./usage.ts";

const OPTIONS = {
  data: { type: "string" },
  port: { type: "string", default: "8080" },
  host: { type: "string", default: "127.0.0.1" },
  cameras: { type: "string", default: "1" },
  recordings: { type: "string", default: "48" },
  generation: { type: "string", default: "legacy" },
  rate: { type: "string", default: "1500000" },
  history: { type: "string", default: "14" },
} satisfies ParseArgsOptionsConfig;

const DAY_MS = 86_400_000;
const MOST_DAYS = 60;
/** A card of fewer holds less than a day. */
const LEAST_WITH_PAST = 24;
/** Time between the past and the first recording on the card. */
const PAUSE_MS = 30 * 60_000;

/** `demo`: simulated cameras and the service together, on loopback; the first syncs start at once. */
export async function demoCommand(args: readonly string[], io: CommandIO): Promise<number> {
  const { values } = readArgs(args, OPTIONS, 0);
  const count = readWhole(values.cameras, "--cameras", 1, MOST_DEMO_CAMERAS);
  const recordings = readWhole(values.recordings, "--recordings", 1, 10_000);
  const generation = readChoice(values.generation, "--generation", GENERATION_NAMES);
  const rate = readWhole(values.rate, "--rate", 1, 10_000_000_000);
  const days = readWhole(values.history, "--history", 0, MOST_DAYS);
  const port = readWhole(values.port, "--port", 0, 65_535);
  const host = readText(values.host, "--host");
  const data = values.data === undefined ? null : resolve(readText(values.data, "--data"));
  await refuseFolder(data ?? undefined, "--data");
  const folder = data ?? (await mkdtemp(join(tmpdir(), "dashdock-demo-")));
  // One that was kept goes on with what it has.
  const hasPast = recordings >= LEAST_WITH_PAST && !existsSync(join(folder, "config", "settings.json"));
  const past = hasPast ? days : 0;
  const now = systemClock.now();
  const clock = new DemoClock(systemClock, now - past * DAY_MS);
  const offsetMinutes = -new Date(now).getTimezoneOffset();
  try {
    await using closing = new AsyncDisposableStack();
    const cameras = await openDemoCameras({ count, recordings, now, offsetMinutes, generation, rate }, closing);
    const isAlone = cameras.length === 1;
    const display = new Console(io.out, io.err, io.out.isTTY === true);
    const destination = join(folder, "recordings");
    const starting = await openApp(
      { configDir: join(folder, "config"), destination, env: {} },
      // The log is on its page and in its file; here it would scroll the address away.
      { clock, sink: display.sink("text", () => LEVELS.WARNING) },
    );
    await starting.settings.update((latest) => ({
      ...latest,
      connection: { ...latest.connection, address: cameras[0]?.simulator.address ?? "" },
      auth: { ...latest.auth, mode: "none" },
      sync: { ...latest.sync, grouping: "daily" },
      // Those of a demo that was kept may be others by now.
      ...(latest.places.list.length === 0 && { places: { ...latest.places, list: simulatedPlaces() } }),
    }));
    let listening: ReturnType<typeof listen>;
    try {
      listening = listen(starting, ROUTES, errorPage, { port, host });
    } catch {
      // The usual port is taken on many machines; any free one shows as much.
      listening = listen(starting, ROUTES, errorPage, { port: 0, host });
    }
    const stopped = signalled(io);
    const app = await starting.openStores();
    if (!isAlone) {
      await app.cameras.file.changeCameras((parts) => withDemoCameras(parts, cameras, folder));
      await app.cameras.follow();
    }
    const offDisplay = display.follow(app.job.topic);
    const shown = cameras.flatMap((camera) => {
      const one = app.cameras.of(camera.id);
      return one === null ? [] : [{ camera, app: one }];
    });
    const pastOf = ({ card, directions }: DemoCamera, car: number) =>
      demoPast({
        ...{ now, offsetMinutes, days: past, recordings, directions, car },
        until: beginOf(card, offsetMinutes) - PAUSE_MS,
      });
    const lived = shown.map(({ camera, app: one }, car): LivedCamera => {
      const oldest = oldestOf(camera.card);
      return { app: one, past: pastOf(camera, car), oldest, car, offsetMinutes, hasSensor: generation === "legacy" };
    });
    const writeTracks = await livePast(lived, clock);
    app.start();
    // With a new folder the first run has begun.
    for (const { app: one } of shown) if (!one.job.isRunning) one.job.start("manual");
    // The cameras' own addresses are not printed: one would be taken for the one to open.
    const what = counted(recordings, "recording");
    const begun = isAlone
      ? `A simulated camera with ${what} is part of it, and the first sync has begun`
      : `${cameras.length} simulated cameras with ${what} each are part of it, and their first syncs have begun`;
    display.print(`Dashdock ${VERSION} listening on ${listening.url}`);
    display.print(`${begun}. Ctrl-C ends it.`);
    display.print("Open this address in a browser:");
    display.keepLast(listening.url);
    const ending = new AbortController();
    const tracks = writeTracks(ending.signal);
    closing.defer(async () => {
      ending.abort();
      await tracks;
    });
    const brought = shown.map(async ({ camera, app: one }) => {
      await one.job.ended();
      changeSetting(camera, isAlone);
      await compare(camera.card, isAlone ? "" : ` of ${camera.name}`, generation, one, display);
      if (camera.drivesOff && one.job.snapshot.state === "failed")
        display.print(`${camera.name} has driven off, as it should here: the rest of its recordings is waiting`);
    });
    await Promise.race([stopped, Promise.all(brought)]);
    await stopped;
    offDisplay();
    await closeAll(app, listening);
  } finally {
    if (data === null) await rm(folder, { recursive: true, force: true });
  }
  return 0;
}

/** Videos of the oldest moment on a card. */
function oldestOf(card: SimulatedCard): readonly string[] {
  const videos = card.videos();
  return videos.filter((name) => name.slice(0, 15) === videos[0]?.slice(0, 15));
}

/** The time of the oldest recording on a card. */
function beginOf(card: SimulatedCard, offsetMinutes: number): number {
  const [oldest = ""] = card.videos();
  return timeOf(oldest.slice(0, 15)) - offsetMinutes * 60_000;
}

/** The next visit finds a setting that was changed meanwhile, as with the camera's own app. */
function changeSetting({ name, model, simulator }: DemoCamera, isAlone: boolean): void {
  simulator.settings = configFiles({ ...(isAlone ? {} : named(name)), "Tab3.VOLUME": "3" }, model);
}

/**
 * Compares every file that the camera gives with what lies in the destination, and prints the result. Not after a sync
 * that was stopped.
 */
async function compare(
  card: SimulatedCard,
  whose: string,
  generation: GenerationName,
  { job, library, recordings }: App,
  display: Console,
): Promise<void> {
  if (job.snapshot.state !== "completed") return;
  await library.refresh();
  // A newer camera keeps its g-sensor data to itself.
  const given = card.names().filter((name) => generation === "legacy" || !name.endsWith(".3gf"));
  const different: string[] = [];
  for (const name of given) {
    // A newer camera names only the video: its companions come home under their likeliest names.
    const artifact = parseArtifact(name);
    const home = artifact?.namesOf(artifact.kind).find((each) => library.has(each)) ?? name;
    const folder = library.folderOf(home);
    const same =
      folder !== null &&
      Buffer.compare(await card.bytes(name), await readFile(join(recordings.root, folder, home))) === 0;
    if (!same) different.push(name);
  }
  display.print(
    different.length === 0
      ? `Compared ${counted(given.length, "file")}${whose} with the camera byte by byte: all are the same`
      : `${counted(different.length, "file")}${whose} are not as on the camera, such as ${different.slice(0, 3).join(", ")}`,
  );
}
