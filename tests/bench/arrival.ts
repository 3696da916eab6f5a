import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Days, DayTrips, Telemetry } from "../../server/domain/viewer/viewer_schema.ts";
import { Client } from "../support/app/client.ts";
import { median } from "./measure.ts";
import { openService } from "./service.ts";
import { openStage } from "./stage.ts";

const MAIN = resolve(import.meta.dir, "../../server/main.ts");
const POLL_MS = 10;
const LONGEST_MS = 60_000;

/**
 * Seconds from the start of a sync to the moment at which all drives of sixty moments with two cameras are on the map,
 * thumbnails beside them, while the camera sends 5 MB/s: what comes ahead of the videos is at home when a video begins.
 */
export async function benchArrival(generation: "legacy" | "v1009", rounds: number): Promise<number> {
  const camera = Bun.spawn(
    [process.execPath, MAIN, "camera", "--recordings", "120", "--rate", "5000000", "--generation", generation],
    { stdout: "pipe", stderr: "inherit" },
  );
  try {
    const { value } = await camera.stdout.getReader().read();
    const address = /http:\/\/(\S+)/.exec(new TextDecoder().decode(value))?.[1] ?? "";
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await arrive(address, `${generation}-${round}`));
    return median(times);
  } finally {
    camera.kill();
    await camera.exited;
  }
}

async function arrive(address: string, name: string): Promise<number> {
  await using stage = await openStage({ moments: 1, directions: ["F"], videoBytes: 1000, companionBytes: 10 });
  await using service = await openService(stage, name, address);
  const home = join(stage.folder, name, "recordings");
  const client = new Client(service.url);
  await client.open("/");
  const began = performance.now();
  const answer = await client.send("POST", "/api/sync/now");
  if (answer.status !== 202) throw new Error(`The sync did not begin: ${answer.status} ${await answer.text()}`);
  while (!(await isOnMap(client, home))) {
    if (performance.now() - began > LONGEST_MS) throw new Error("The drives did not come to be on the map");
    await Bun.sleep(POLL_MS);
  }
  const seconds = (performance.now() - began) / 1000;
  await client.send("POST", "/api/sync/stop");
  return seconds;
}

/** True when every drive of every day has its track; asked once a first video has begun to come. */
async function isOnMap(client: Client, home: string): Promise<boolean> {
  if (!namesIn(home).some((name) => /^\.[0-9].*\.mp4$/.test(name) || name.endsWith(".mp4"))) return false;
  const json = async <T>(path: string) => (await (await client.fetch(path)).json()) as T;
  const { days } = await json<Days>("/api/viewer/days");
  for (const { date } of days) {
    const found = await json<DayTrips>(`/api/viewer/trips?date=${date}`);
    const drives = found.days.flatMap(({ trips }) => trips.filter(({ kind }) => kind === "drive"));
    for (const { clips } of drives) {
      // Cameras have no satellites in the first minute.
      const { box } = await json<Telemetry>(`/api/viewer/trips/${clips[0]}/telemetry`);
      if (box === null) return false;
    }
  }
  return days.length > 0;
}

/** Also of what is not finished, whose names begin with a dot. */
function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
