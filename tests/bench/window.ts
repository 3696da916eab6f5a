import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { emptyFolder, openStage } from "./stage.ts";

const MAIN = resolve(import.meta.dir, "../../server/main.ts");
const RATE = 10_000_000;
const VIDEO_BYTES = 45_000_000;
/** Bytes on their way when the camera drives off arrive within this time. */
const SETTLE_MS = 500;

export interface WindowFigures {
  seconds: number;
  /** Bytes at home after a visit in which nothing went wrong. */
  quiet: number;
  /** The same with two cuts and one silence. */
  disturbed: number;
}

/** Bytes that a visit of so many seconds at 10 MB/s brings home, over good Wi-Fi and over bad Wi-Fi. */
export async function benchWindow(seconds = 60): Promise<WindowFigures> {
  const trouble = { cuts: [seconds * 0.25, seconds * 0.75], silence: { at: seconds * 0.5, for: seconds / 20 } };
  return { seconds, quiet: await visit(seconds, {}), disturbed: await visit(seconds, trouble) };
}

async function visit(seconds: number, trouble: object): Promise<number> {
  // More than can come: what is left for later after a cut must not be missing at the end.
  const moments = Math.ceil((seconds * RATE) / VIDEO_BYTES) + 4;
  await using stage = await openStage(
    { moments, directions: ["F"], videoBytes: VIDEO_BYTES, companionBytes: 20_000 },
    { script: "wifi_camera.ts", manner: { rate: RATE, leaves: seconds, ...trouble } },
  );
  const folder = emptyFolder(stage, "home");
  const child = Bun.spawn([process.execPath, MAIN, "sync", stage.address, "-d", folder, "-q", "-u", "98"], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await Promise.race([stage.gone, child.exited]);
  await Bun.sleep(SETTLE_MS);
  // It would look for the camera for a while before it ends by itself.
  child.kill("SIGTERM");
  await child.exited;
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

if (import.meta.main) console.log(await benchWindow(Number(process.argv[2] ?? 60)));
