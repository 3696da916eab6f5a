import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { openDashboard } from "./dashboard_client.ts";
import { type Figures, measure } from "./measure.ts";
import { openService, syncAndWait } from "./service.ts";
import { emptyFolder, openStage, type Stage } from "./stage.ts";

const MAIN = resolve(import.meta.dir, "../../server/main.ts");
const VIDEO_BYTES = 25_000_000;

export interface WifiFigures {
  gigabytes: number;
  sync: Figures;
  /** Figures of the service while it syncs, with one dashboard open. */
  service: Figures;
  curl: Figures;
}

/**
 * Costs of bringing so many bytes home over Wi-Fi of this rate: by the command, by the service with its dashboard open
 * in one browser, and by `curl`. Each has the same camera, one after the other.
 */
export async function benchWifi(rate: number, bytes: number): Promise<WifiFigures> {
  const videos = Math.max(1, Math.round(bytes / VIDEO_BYTES));
  await using stage = await openStage(
    { moments: videos, directions: ["F"], videoBytes: Math.round(bytes / videos), companionBytes: 20_000 },
    { script: "wifi_camera.ts", manner: { rate } },
  );
  const gigabytes = bytes / 1e9;
  return { gigabytes, curl: await curlAll(stage), sync: await syncAll(stage), service: await serveAll(stage) };
}

async function syncAll(stage: Stage): Promise<Figures> {
  const folder = emptyFolder(stage, "home");
  const figures = await measure([process.execPath, MAIN, "sync", stage.address, "-d", folder, "-q", "-u", "98"]);
  rmSync(folder, { recursive: true });
  return figures;
}

async function curlAll(stage: Stage): Promise<Figures> {
  const folder = emptyFolder(stage, "curl");
  const list = stage.names
    .map((name) => `url = "http://${stage.address}/Record/${name}"\noutput = "${join(folder, name)}"\n`)
    .join("");
  const figures = await measure(["curl", "--silent", "--show-error", "--fail", "-K", "-"], { stdin: list });
  rmSync(folder, { recursive: true });
  return figures;
}

async function serveAll(stage: Stage): Promise<Figures> {
  await using service = await openService(stage, "service", stage.address);
  await using _dashboard = await openDashboard(service.url);
  const before = service.cpuSeconds();
  const began = performance.now();
  await syncAndWait(service);
  const figures = {
    wallSeconds: (performance.now() - began) / 1000,
    cpuSeconds: service.cpuSeconds() - before,
    peakMegabytes: service.peakMegabytes(),
  };
  rmSync(join(stage.folder, "service"), { recursive: true });
  return figures;
}

if (import.meta.main) {
  const [megabytesPerSecond = "10", megabytes = "50"] = process.argv.slice(2);
  console.log(await benchWifi(Number(megabytesPerSecond) * 1e6, Number(megabytes) * 1e6));
}
