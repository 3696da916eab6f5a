import { link, mkdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "../app.ts";
import { SimulatedCard } from "../dashcam/simulator/simulated_card.ts";
import { demoFootage, demoPaths } from "../dashcam/simulator/simulated_demo.ts";
import { timeOf } from "../dashcam/simulator/simulated_moments.ts";
import { groupFolder } from "../domain/recordings/date_folders.ts";
import { noFailures } from "../domain/runs/failure_reason.ts";
import { nothingLeftOut, type Run } from "../domain/runs/run.ts";
import type { DemoClock } from "./demo_clock.ts";
import type { DemoPast, PastVideo, PastVisit } from "./demo_past.ts";

const BETWEEN_TRACKS_MS = 20;
/** A recording that began so long ago has ended. */
const ENDED_MS = 90_000;

/** One camera of the demo with what it has lived through. */
export interface LivedCamera {
  readonly app: App;
  readonly past: DemoPast;
  /** Videos of the oldest moment that the card has now. */
  readonly oldest: readonly string[];
  /** Number of the car. */
  readonly car: number;
  readonly offsetMinutes: number;
  /** A newer camera keeps its g-sensor data to itself. */
  readonly hasSensor: boolean;
}

/**
 * Lets the service live through the past of its cameras: it gets their lists, brings recordings home, and keeps its
 * ledger, visits and history by the same parts as ever. Only the bytes do not come over the wire: videos of one scene
 * are one file with many names, and tracks are drawn afterwards, so that the first page does not wait for them.
 * @returns what writes the tracks, until it is told to end
 */
export async function livePast(
  cameras: readonly LivedCamera[],
  clock: DemoClock,
): Promise<(signal: AbortSignal) => Promise<void>> {
  const lived = await Promise.all(cameras.map(async (camera) => ({ camera, files: await PastFiles.of(camera) })));
  const visits = lived
    .flatMap(({ camera, files }) => camera.past.visits.map((visit) => ({ camera, files, visit })))
    .sort((one, other) => one.visit.from - other.visit.from);
  let live = async () => {
    for (const { camera, files, visit } of visits) await liveVisit(camera, files, visit, clock);
  };
  // The service has brought all that is at home afterwards.
  for (const { app } of cameras) {
    const inner = live;
    live = () => app.retention.consent.changing(inner);
  }
  for (const { app } of cameras) {
    await mkdir(app.recordings.root, { recursive: true });
    await app.library.refresh();
    await app.destination.use();
    // It learns from the lists that come from now on.
    await app.planner();
  }
  await live();
  for (const { camera } of lived) {
    const [first = ""] = camera.oldest;
    clock.goTo(timeOf(first.slice(0, 15)) - camera.offsetMinutes * 60_000 + ENDED_MS);
    await listOldest(camera);
  }
  for (const { camera, files } of lived) await files.setTime(camera.past.visits.at(-1)?.ended ?? clock.now());
  clock.catchUp();
  return async (signal) => {
    for (const { files } of lived) await files.writeTracks(signal);
  };
}

async function liveVisit({ app }: LivedCamera, files: PastFiles, visit: PastVisit, clock: DemoClock): Promise<void> {
  const { from, to, listed, brought, videoMs, ended } = visit;
  clock.goTo(from);
  app.visits.contact();
  await takeList(
    app,
    listed.map(({ name }) => name),
  );
  const came = await files.bring(brought);
  clock.goTo(ended);
  await app.library.refresh();
  const rate = came.videoBytes / ((brought.length * videoMs) / 1000);
  app.visits.came(came.bytes, brought.length === 0 ? [] : [rate]);
  await app.ledger.settle();
  app.history.append(runOf(visit, came, app.dashcam.address));
  clock.goTo(to);
  app.visits.contact();
  app.visits.gone();
}

/**
 * Lets the card's oldest recordings be known with those of the last visit: a list that has none of those of the list
 * before would pass for one that is cut short.
 */
async function listOldest({ app, past, oldest }: LivedCamera): Promise<void> {
  const home = past.visits.at(-1)?.listed.filter(({ isHome }) => isHome) ?? [];
  if (home.length > 0) await takeList(app, [...home.map(({ name }) => name), ...oldest]);
}

async function takeList(app: App, names: readonly string[]): Promise<void> {
  const files = [...names].sort().map((name) => ({ name, size: null }));
  const listing = { version: "1.00", files, strange: [], strangeCount: 0 };
  const learned = { isAbsent: () => false, isUnsure: () => false };
  app.listed.noteAsked();
  if (await app.listed.takeList(app.dashcam.address, listing, learned)) await app.ledger.takeList(0);
}

function runOf({ from, to, ended, listed, waiting, brought }: PastVisit, came: Came, address: string): Run {
  const hasLeft = ended >= to;
  return {
    ts: ended / 1000,
    durationSeconds: (ended - from) / 1000,
    success: !hasLeft,
    exitCode: hasLeft ? 1 : 0,
    files: came.files,
    bytes: came.bytes,
    recordingsSeen: listed.length,
    recordingsSelected: listed.length,
    diskUsedRatio: null,
    failedMarkers: 0,
    failures: hasLeft ? { ...noFailures(), network: 1 } : noFailures(),
    dryRun: false,
    address,
    leftOut: nothingLeftOut(),
    trigger: "arrival",
    ...(hasLeft && { message: "the camera does not answer any more", cause: "unreachable" as const }),
    counts: {
      planned: waiting,
      failed: 0,
      videos: brought.length,
      present: 0,
      blocked: 0,
      absent: 0,
      held: 0,
      empty: 0,
      vanished: 0,
      growing: 0,
    },
  };
}

interface Came {
  readonly files: number;
  readonly bytes: number;
  readonly videoBytes: number;
}

/** Files of a camera's past on their way into the recordings folder. */
class PastFiles {
  readonly #camera: LivedCamera;
  /** Makes what is written beside videos. */
  readonly #card: SimulatedCard;
  /** The first file with the content of a clip or a picture, by that one's path. */
  readonly #first = new Map<string, Promise<{ readonly path: string; readonly size: number }>>();
  readonly #withoutTrack: { readonly video: PastVideo; readonly folder: string }[] = [];

  private constructor(camera: LivedCamera, card: SimulatedCard) {
    this.#camera = camera;
    this.#card = card;
  }

  static async of(camera: LivedCamera): Promise<PastFiles> {
    const { car, offsetMinutes, past } = camera;
    return new PastFiles(camera, new SimulatedCard(await demoFootage(car), offsetMinutes, 0, past.life));
  }

  /** Puts these videos into the recordings folder, with what belongs to them. */
  async bring(videos: readonly PastVideo[]): Promise<Came> {
    const { app, car } = this.#camera;
    const folderOf = ({ moment }: PastVideo) => join(app.recordings.root, groupFolder(moment.base, "daily"));
    await Promise.all([...new Set(videos.map(folderOf))].map((folder) => mkdir(folder, { recursive: true })));
    const put = videos.map(async (video) => {
      const folder = folderOf(video);
      const { moment, type, direction, name } = video;
      const paths = demoPaths(moment, direction, car);
      const [clip, image] = await Promise.all([
        this.#put(paths.clip, join(folder, name)),
        this.#put(paths.image, join(folder, `${moment.base}_${type}${direction}.thm`)),
      ]);
      if (direction === "F") this.#withoutTrack.push({ video, folder });
      return { bytes: clip + image, videoBytes: clip };
    });
    const came = { files: 0, bytes: 0, videoBytes: 0 };
    for (const { bytes, videoBytes } of await Promise.all(put)) {
      came.files += 2;
      came.bytes += bytes;
      came.videoBytes += videoBytes;
    }
    return came;
  }

  /** Gives the files with many names the time at which the last of them came. */
  async setTime(at: number): Promise<void> {
    const files = await Promise.all(this.#first.values());
    await Promise.all(files.map(({ path }) => utimes(path, at / 1000, at / 1000)));
  }

  /**
   * Writes the tracks, and what all directions of a moment share besides; the newest first, which are looked at first.
   */
  async writeTracks(signal: AbortSignal): Promise<void> {
    for (const { video, folder } of this.#withoutTrack.reverse()) {
      const { moment, name } = video;
      // The first page and the first sync are more urgent.
      await this.#camera.app.clock.sleep(BETWEEN_TRACKS_MS, signal).catch(() => {});
      if (signal.aborted) return;
      this.#card.record(name, moment);
      for (const ending of this.#camera.hasSensor ? ["gps", "3gf"] : ["gps"]) {
        const beside = `${moment.base}_${moment.type}.${ending}`;
        if (this.#card.files.has(beside)) await Bun.write(join(folder, beside), await this.#card.bytes(beside));
      }
      this.#card.overwrite(name);
    }
  }

  /** Gives a clip or a picture one name more. @returns its bytes */
  async #put(source: string, path: string): Promise<number> {
    const first = this.#first.get(source);
    if (first === undefined) {
      const written = Bun.write(path, Bun.file(source)).then((size) => ({ path, size }));
      this.#first.set(source, written);
      return (await written).size;
    }
    const { path: known, size } = await first;
    // Some file systems have no second names.
    await link(known, path).catch(() => Bun.write(path, Bun.file(source)));
    return size;
  }
}
