import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../server/clock.ts";
import { SETTINGS_VERSION } from "../../server/domain/settings/settings_migrations.ts";
import { Log } from "../../server/log.ts";
import { RunHistory } from "../../server/store/config/run_history.ts";
import { runsOfACar } from "../support/app/history.ts";
import { median } from "./measure.ts";
import type { Part } from "./part.ts";
import { type Service, startService } from "./service.ts";
import { MEMORY, openStage, type Stage } from "./stage.ts";

const VIDEO_BYTES = 52_000_000;
const VIDEOS = 30;
/** Bytes a second of each camera behind Wi-Fi. */
const WIFI = 5_000_000;
const WIFI_VIDEOS = 10;
const WIFI_BYTES = 5_000_000;
const CAMERAS = 10;
const RECORDINGS = 10_000;
const IDLE_SECONDS = 60;
/** Time in which a service reads the details of that many recordings in the background. */
const FILL_SECONDS = 150;
const CLIPS_A_DAY = 50;
const DAY_MS = 86_400_000;
/** Runs of ten days. */
const RUNS = 960;
/** The service is at rest after so many seconds in a row with less than this of the processor. */
const STILL_SECONDS = 5;
const STILL_CPU_SECONDS = 0.03;
const WARM_ROUNDS = 50;
const PAGE_ROUNDS = 200;
/** Interval between questions for the state of a sync. */
const LOOK_MS = 10;

/** One round of two syncs: each alone, then both at once; seconds on the clock, and of the service's processor. */
interface Round {
  readonly car: Cost;
  readonly van: Cost;
  readonly both: Cost;
}

interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

/**
 * Two syncs, each alone and both at once, with a camera each, in turns. Each round is compared with itself: what else the
 * machine does then is much the same for its three parts.
 */
export async function benchSideBySide(rounds: number, stages: () => Promise<[Stage, Stage]>) {
  const [car, van] = await stages();
  await using _car = car;
  await using _van = van;
  const measured = async (which: keyof Round): Promise<Cost> => {
    const folder = mkdtempSync(join(MEMORY, "dashdock-bench-two-"));
    try {
      await using service = await serviceOf(folder, [car.address, van.address]);
      const cpu = service.cpuSeconds();
      const began = performance.now();
      await synced(service, which);
      return { wall: (performance.now() - began) / 1000, cpu: service.cpuSeconds() - cpu };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  const all: Round[] = [];
  for (let round = 0; round < rounds; round++)
    all.push({ car: await measured("car"), van: await measured("van"), both: await measured("both") });
  const ratios = (of: keyof Cost) => all.map(({ car, van, both }) => both[of] / (car[of] + van[of]));
  const wall = (which: keyof Round) => median(all.map((round) => round[which].wall));
  return {
    car: wall("car"),
    van: wall("van"),
    both: wall("both"),
    ratio: median(ratios("wall")),
    best: Math.min(...ratios("wall")),
    cpuRatio: median(ratios("cpu")),
  };
}

/** Memory after a minute of nothing, with so many cameras of so many recordings each. */
export async function benchIdleMemory(cameras: number, recordings: number): Promise<number> {
  return await withRecordings(cameras, recordings, (folder) => idleMegabytes(folder, cameras));
}

/** Milliseconds of pages and answers over all cameras: on the clock, and of the service's processor. */
export async function benchPagesOfCameras(cameras: number, recordings: number, rounds: number) {
  return await withRecordings(cameras, recordings, async (folder) => {
    for (let at = 0; at < cameras; at++) fillHistory(join(folder, "config", at === 0 ? "" : `cameras/${idOf(at)}`), at);
    await using service = await serviceOf(
      folder,
      Array.from({ length: cameras }, (_, at) => addressOf(at)),
    );
    await settled(service);
    const timed = async (path: string) => {
      const took: number[] = [];
      const ask = async () => {
        const began = performance.now();
        const answer = await fetch(service.url + path);
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
        return performance.now() - began;
      };
      // The first ones read what the others find, and the code becomes fast.
      for (let round = 0; round < WARM_ROUNDS; round++) await ask();
      const cpu = service.cpuSeconds();
      for (let round = 0; round < rounds; round++) took.push(await ask());
      const cpuMs = ((service.cpuSeconds() - cpu) * 1000) / rounds;
      return { median: median(took), best: Math.min(...took), cpuMs };
    };
    const of = cameras > 1 ? "?camera=all" : "";
    return { dashboard: await timed("/"), days: await timed(`/api/viewer/days${of}`) };
  });
}

/** Does something with a folder in which each camera has recordings: fifty drives of a minute a day, front and rear. */
async function withRecordings<T>(
  cameras: number,
  recordings: number,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(MEMORY, "dashdock-bench-ten-"));
  try {
    const videos = Array.from({ length: recordings / 2 }, (_, at) => {
      const day = Date.UTC(2026, 0, 1, 7) + Math.floor(at / CLIPS_A_DAY) * DAY_MS;
      const stamp = new Date(day + (at % CLIPS_A_DAY) * 60_000).toISOString();
      const base = `${stamp.slice(0, 10).replaceAll("-", "")}_${stamp.slice(11, 19).replaceAll(":", "")}_N`;
      return [`${base}F.mp4`, `${base}R.mp4`];
    }).flat();
    for (let at = 0; at < cameras; at++) {
      const place = join(folder, at === 0 ? "recordings" : idOf(at));
      mkdirSync(place, { recursive: true });
      for (const name of videos) writeFileSync(join(place, name), "");
    }
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes ten days of runs into a camera's own files. */
function fillHistory(config: string, at: number): void {
  mkdirSync(config, { recursive: true });
  const history = new RunHistory({ path: join(config, "stats.db"), clock: systemClock, log: new Log(systemClock) });
  for (const run of runsOfACar(Date.now() / 1000, RUNS)) history.append({ ...run, address: addressOf(at) });
  history.close();
}

/** Resolves when the service has done nothing for some seconds: then all recordings are read. */
async function settled(service: Service): Promise<void> {
  await (await fetch(`${service.url}/`)).arrayBuffer();
  for (let still = 0; still < STILL_SECONDS; ) {
    const before = service.cpuSeconds();
    await Bun.sleep(1000);
    still = service.cpuSeconds() - before < STILL_CPU_SECONDS ? still + 1 : 0;
  }
}

/** Memory at rest, once the details of all recordings have been read by an earlier start. */
async function idleMegabytes(folder: string, cameras: number): Promise<number> {
  const addresses = Array.from({ length: cameras }, () => "");
  await using first = await serviceOf(folder, addresses);
  await Bun.sleep(FILL_SECONDS * 1000);
  await first[Symbol.asyncDispose]();
  await using service = await serviceOf(folder, addresses);
  await Bun.sleep(IDLE_SECONDS * 1000);
  return service.megabytes();
}

/** The service with a camera at each of these addresses, none of which it looks for by itself. */
async function serviceOf(folder: string, addresses: readonly string[]): Promise<Service> {
  const config = join(folder, "config");
  mkdirSync(config, { recursive: true });
  const of = (address: string) => ({
    connection: { address },
    schedule: { paused: true },
    retention: { keep: "", max_used_disk_percent: 98 },
  });
  const [first = "", ...others] = addresses;
  const more_cameras = others.map((address, at) => {
    return { id: idOf(at + 1), name: `Van ${at + 1}`, destination: join(folder, idOf(at + 1)), ...of(address) };
  });
  const path = join(config, "settings.json");
  const settings = { version: SETTINGS_VERSION, auth: { mode: "none" }, ...of(first), more_cameras };
  writeFileSync(path, JSON.stringify(settings));
  chmodSync(path, 0o600);
  mkdirSync(join(folder, "recordings"), { recursive: true });
  return await startService(folder);
}

const idOf = (at: number) => `van-${at}`;
/** An address where nobody answers. */
const addressOf = (at: number) => `192.0.2.${at + 1}`;

async function synced({ url }: Service, which: "car" | "van" | "both"): Promise<void> {
  const page = await fetch(`${url}/`);
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const [, token = ""] = /name="csrf-token" content="([^"]+)"/.exec(await page.text()) ?? [];
  const cameras = { car: ["main"], van: ["van-1"], both: ["main", "van-1"] }[which];
  const of = which === "both" ? "all" : cameras[0];
  const begun = await fetch(`${url}/api/sync/now?camera=${of}`, {
    method: "POST",
    headers: { cookie, "x-csrftoken": token },
  });
  if (begun.status !== 202) throw new Error(`The sync did not begin: ${await begun.text()}`);
  for (const camera of cameras)
    for (;;) {
      const progress = (await (await fetch(`${url}/api/sync/progress?camera=${camera}`)).json()) as { state: string };
      if (progress.state === "completed") break;
      if (progress.state === "failed") throw new Error(`The sync of ${camera} failed`);
      await Bun.sleep(LOOK_MS);
    }
}

const two = (value: number) => value.toFixed(2);
const one = (value: number) => value.toFixed(1);

export const CAMERA_PARTS: readonly Part[] = [
  {
    name: "cameras",
    async measure(add, rounds) {
      const fast = await benchSideBySide(rounds, async () => {
        const options = { moments: VIDEOS, directions: ["F"], videoBytes: VIDEO_BYTES, companionBytes: 20_000 };
        return [await openStage(options), await openStage(options)];
      });
      add(
        "two cameras at full speed side by side: against one after the other (best round, processor time)",
        `${two(fast.ratio)} × (${two(fast.best)} ×, ${two(fast.cpuRatio)} ×; ${two(fast.both)} s; ${two(fast.car)} s and ${two(fast.van)} s)`,
        "≤ 1.0 ×",
      );
      const slow = await benchSideBySide(1, async () => {
        const options = { moments: WIFI_VIDEOS, directions: ["F"], videoBytes: WIFI_BYTES, companionBytes: 20_000 };
        const choice = { script: "wifi_camera.ts", manner: { rate: WIFI } };
        return [await openStage(options, choice), await openStage(options, choice)];
      });
      const slower = Math.max(slow.car, slow.van);
      add(
        "two cameras behind Wi-Fi at 5 MB/s each: against the slower alone",
        `${(slow.both / slower).toFixed(3)} × (${two(slow.both)} s; ${two(slower)} s)`,
        "≤ 1.05 ×",
      );
    },
  },
  {
    name: "cameras-pages",
    async measure(add) {
      const single = await benchPagesOfCameras(1, RECORDINGS, PAGE_ROUNDS);
      const ten = await benchPagesOfCameras(CAMERAS, RECORDINGS, PAGE_ROUNDS);
      for (const [name, page] of [
        ["dashboard", "dashboard"],
        ["days", "days of all"],
      ] as const) {
        const { median: middle, best, cpuMs } = ten[name];
        add(
          `ten cameras of 10,000 recordings and 960 runs: ${page} (best, processor time)`,
          `${one(middle)} ms (${one(best)}, ${one(cpuMs)} ms; one: ${one(single[name].median)} ms)`,
          "≤ 10 ms",
        );
      }
    },
  },
  {
    name: "cameras-memory",
    async measure(add) {
      const single = await benchIdleMemory(1, RECORDINGS);
      const ten = await benchIdleMemory(CAMERAS, RECORDINGS);
      add(
        "ten cameras of 10,000 recordings: idle memory of each further one",
        `${one((ten - single) / (CAMERAS - 1))} MB (${one(single)} → ${one(ten)} MB)`,
        "≤ 3 MB",
      );
    },
  },
];
