import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SETTINGS_VERSION } from "../../server/domain/settings/settings_migrations.ts";
import { median } from "./measure.ts";
import type { Part } from "./part.ts";
import { type Service, startService } from "./service.ts";
import { cardNames, MEMORY, openStage, type Stage } from "./stage.ts";

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
const SETTLED_MS = 5000;
/** Interval between questions for the state of a sync. */
const LOOK_MS = 10;

/** Seconds of two syncs, each alone and both at once, with a camera each; medians of the rounds. */
export async function benchSideBySide(rounds: number, stages: () => Promise<[Stage, Stage]>) {
  const [car, van] = await stages();
  await using _car = car;
  await using _van = van;
  const seconds = { car: [] as number[], van: [] as number[], both: [] as number[] };
  for (let round = 0; round < rounds; round++)
    for (const which of ["car", "van", "both"] as const) {
      const folder = mkdtempSync(join(MEMORY, "dashdock-bench-two-"));
      try {
        await using service = await serviceOf(folder, [car.address, van.address]);
        const began = performance.now();
        await synced(service, which);
        seconds[which].push((performance.now() - began) / 1000);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
  return { car: median(seconds.car), van: median(seconds.van), both: median(seconds.both) };
}

/** Memory after a minute of nothing, and milliseconds of pages, with so many cameras of so many recordings each. */
export async function benchCameras(cameras: number, recordings: number) {
  const folder = mkdtempSync(join(MEMORY, "dashdock-bench-ten-"));
  try {
    const { videos } = cardNames(recordings / 2, ["F", "R"]);
    for (let at = 0; at < cameras; at++) {
      const place = join(folder, at === 0 ? "recordings" : idOf(at));
      mkdirSync(place, { recursive: true });
      for (const name of videos) writeFileSync(join(place, name), "");
    }
    const addresses = Array.from({ length: cameras }, () => "");
    const megabytes = await idleMegabytes(folder, addresses);
    await using service = await serviceOf(folder, addresses);
    // What was written a moment ago is listed again by each page.
    await Bun.sleep(SETTLED_MS);
    const timed = async (path: string) => {
      const took: number[] = [];
      for (let round = 0; round < 21; round++) {
        const began = performance.now();
        const answer = await fetch(service.url + path);
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
        // The first one reads what the others find.
        if (round > 0) took.push(performance.now() - began);
      }
      return median(took);
    };
    const dashboard = await timed("/");
    const days = await timed(cameras > 1 ? "/api/viewer/days?camera=all" : "/api/viewer/days");
    return { megabytes, dashboard, days };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Memory at rest, once the details of all recordings have been read by an earlier start. */
async function idleMegabytes(folder: string, addresses: readonly string[]): Promise<number> {
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

export const CAMERA_PARTS: readonly Part[] = [
  {
    name: "cameras",
    async measure(add, rounds) {
      const fast = await benchSideBySide(rounds, async () => {
        const options = { moments: VIDEOS, directions: ["F"], videoBytes: VIDEO_BYTES, companionBytes: 20_000 };
        return [await openStage(options), await openStage(options)];
      });
      const ratio = fast.both / (fast.car + fast.van);
      add(
        "two cameras at full speed side by side: against one after the other",
        `${ratio.toFixed(2)} × (${fast.both.toFixed(2)} s; ${fast.car.toFixed(2)} s and ${fast.van.toFixed(2)} s)`,
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
        `${(slow.both / slower).toFixed(3)} × (${slow.both.toFixed(2)} s; ${slower.toFixed(2)} s)`,
        "≤ 1.05 ×",
      );
      const one = await benchCameras(1, RECORDINGS);
      const ten = await benchCameras(CAMERAS, RECORDINGS);
      const each = (ten.megabytes - one.megabytes) / (CAMERAS - 1);
      add(
        "ten cameras of 10,000 recordings: idle memory of each further one",
        `${each.toFixed(1)} MB (${one.megabytes.toFixed(1)} → ${ten.megabytes.toFixed(1)} MB)`,
        "≤ 3 MB",
      );
      add(
        "the same: dashboard / days of all",
        `${ten.dashboard.toFixed(1)} / ${ten.days.toFixed(1)} ms (one: ${one.dashboard.toFixed(1)} / ${one.days.toFixed(1)} ms)`,
        "≤ 10 / ≤ 10 ms",
      );
    },
  },
];
