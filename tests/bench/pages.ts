import { type LoadFigures, load } from "./load.ts";
import { fillLibrary, openService } from "./service.ts";
import { openStage } from "./stage.ts";

export interface PageFigures extends LoadFigures {
  readonly kilobytes: number;
}

/** The dashboard of a service with so many recordings, asked for over two connections once the folders are settled. */
export async function benchDashboard(recordings: number): Promise<PageFigures> {
  await using stage = await openStage({ moments: 1, directions: ["F"], videoBytes: 1000, companionBytes: 10 });
  await using service = await openService(stage, "dashboard");
  fillLibrary(stage, "dashboard", recordings);
  const look = async () => (await fetch(`${service.url}/`)).text();
  await look();
  // The folders were just written: they are looked at once more when their times can be trusted.
  await Bun.sleep(3000);
  const html = await look();
  await load(`${service.url}/`, { connections: 2, requests: 1000 });
  const figures = await load(`${service.url}/`, { connections: 2, requests: 5000 });
  return { ...figures, kilobytes: Buffer.byteLength(html) / 1000 };
}
