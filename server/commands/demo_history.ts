import { link, mkdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "../app.ts";
import { SimulatedCard } from "../dashcam/simulator/simulated_card.ts";
import { demoFootage, demoPaths } from "../dashcam/simulator/simulated_demo.ts";
import { groupFolder } from "../domain/recordings/date_folders.ts";
import { noFailures } from "../domain/runs/failure_reason.ts";
import { nothingLeftOut, type Run } from "../domain/runs/run.ts";
import type { DemoClock } from "./demo_clock.ts";
import { type DemoPast, type PastVideo, type PastVisit, VIDEO_MS } from "./demo_past.ts";

/** One camera of the demo with what it has lived through. */
export interface LivedCamera {
  readonly app: App;
  readonly past: DemoPast;
  /** Number of the car. */
  readonly car: number;
  readonly offsetMinutes: number;
  /** A newer camera keeps its g-sensor data to itself. */
  readonly hasSensor: boolean;
}

/**
 * Lets the service live through the past of its cameras: it gets their lists, brings recordings home, and keeps its
 * ledger, visits and history by the same parts as ever. Only the bytes do not come over the wire: videos of one scene
 * are one file with many names.
 */
export async function livePast(cameras: readonly LivedCamera[], clock: DemoClock): Promise<void> {
  const lived = await Promise.all(cameras.map(async (camera) => ({ camera, files: await PastFiles.of(camera) })));
  const visits = lived
    .flatMap(({ camera, files }) => camera.past.visits.map((visit) => ({ camera, files, visit })))
    .sort((one, other) => one.visit.from - other.visit.from);
  let live = async () => {
    for (const { camera, files, visit } of visits) await liveVisit(camera, files, visit, clock);
  };
  // What is at home afterwards, the service has brought.
  for (const { app } of cameras) {
    const inner = live;
    live = () => app.retention.consent.changing(inner);
  }
  for (const { app } of cameras) {
    await mkdir(app.recordings.root, { recursive: true });
    await app.library.refresh();
    await app.destination.use();
  }
  await live();
  clock.catchUp();
}

async function liveVisit({ app }: LivedCamera, files: PastFiles, visit: PastVisit, clock: DemoClock): Promise<void> {
  const { from, to, listed, brought, ended } = visit;
  clock.goTo(from);
  app.visits.contact();
  const names = listed.map(({ name }) => ({ name, size: null })).sort((one, other) => (one.name < other.name ? -1 : 1));
  const listing = { version: "1.00", files: names, strange: [], strangeCount: 0 };
  const learned = { isAbsent: () => false, isUnsure: () => false };
  app.listed.noteAsked();
  if (await app.listed.takeList(app.dashcam.address, listing, learned)) await app.ledger.takeList(0);
  const came = await files.bring(brought, ended);
  clock.goTo(ended);
  await app.library.refresh();
  const rate = came.videoBytes / ((brought.length * VIDEO_MS) / 1000);
  app.visits.came(came.bytes, brought.length === 0 ? [] : [rate]);
  await app.ledger.settle();
  app.history.append(runOf(visit, came, app.dashcam.address));
  clock.goTo(to);
  app.visits.contact();
  app.visits.gone();
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
  readonly #first = new Map<string, { readonly path: string; readonly size: number }>();

  private constructor(camera: LivedCamera, card: SimulatedCard) {
    this.#camera = camera;
    this.#card = card;
  }

  static async of(camera: LivedCamera): Promise<PastFiles> {
    const { car, offsetMinutes, past } = camera;
    return new PastFiles(camera, new SimulatedCard(await demoFootage(car), offsetMinutes, 0, past.life));
  }

  /** Puts these videos into the recordings folder, with what belongs to them. @param at time that they have */
  async bring(videos: readonly PastVideo[], at: number): Promise<Came> {
    const came = { files: 0, bytes: 0, videoBytes: 0 };
    const shared: PastVideo[] = [];
    for (const video of videos) {
      const folder = join(this.#camera.app.recordings.root, groupFolder(video.moment.base, "daily"));
      await mkdir(folder, { recursive: true });
      const paths = demoPaths(video.moment, video.direction, this.#camera.car);
      const stem = `${video.moment.base}_${video.type}${video.direction}`;
      came.videoBytes += await this.#put(paths.clip, join(folder, video.name));
      came.bytes += await this.#put(paths.image, join(folder, `${stem}.thm`));
      came.files += 2;
      if (video.direction === "F") shared.push(video);
    }
    const written = await this.#putBeside(shared);
    for (const { path } of this.#first.values()) await utimes(path, at / 1000, at / 1000);
    const bytes = came.bytes + came.videoBytes + written.bytes;
    return { files: came.files + written.files, bytes, videoBytes: came.videoBytes };
  }

  /** Writes the telemetry that all directions of a moment share. */
  async #putBeside(videos: readonly PastVideo[]): Promise<{ files: number; bytes: number }> {
    const { app, hasSensor } = this.#camera;
    const sum = { files: 0, bytes: 0 };
    for (const { moment, name } of videos) {
      this.#card.record(name, moment);
      const folder = join(app.recordings.root, groupFolder(moment.base, "daily"));
      for (const ending of hasSensor ? ["gps", "3gf"] : ["gps"]) {
        const beside = `${moment.base}_${moment.type}.${ending}`;
        if (!this.#card.files.has(beside)) continue;
        sum.bytes += await Bun.write(join(folder, beside), await this.#card.bytes(beside));
        sum.files++;
      }
      this.#card.overwrite(name);
    }
    return sum;
  }

  /** Gives a clip or a picture one name more. @returns its bytes */
  async #put(source: string, path: string): Promise<number> {
    const first = this.#first.get(source);
    // Some file systems have no second names.
    if (
      first &&
      (await link(first.path, path)
        .then(() => true)
        .catch(() => false))
    )
      return first.size;
    const size = await Bun.write(path, Bun.file(source));
    if (!first) this.#first.set(source, { path, size });
    return size;
  }
}
