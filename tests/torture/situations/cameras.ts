import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mayMount, SmallDisk } from "../../support/disk/disks.ts";
import { checkFiles } from "../check_files.ts";
import type { PlannedVideo } from "../plan_card.ts";
import { Scene } from "../scene.ts";
import type { ServiceTalk } from "../service_talk.ts";
import { notHome } from "./at_home.ts";
import { planDrives } from "./drives.ts";
import type { Situation, SituationMaker, Stage } from "./situation.ts";

const LOOK_MS = 10;
/** Markers of failed files hold for a second. */
const MARKED_MS = 1100;

/**
 * Two cameras, whose recordings have the same names, bring them home side by side to one disk, on which there is not
 * always room for both. Each gets its own, and all of it once there is room.
 */
export const cameras: SituationMaker = (dice): Situation => {
  const drives = (firstDay: number) =>
    planDrives(dice, { firstDay, days: 1, moments: 3, least: 50_000, most: 400_000 });
  const card = drives(1);
  const wrong: string[] = [];
  let disk: SmallDisk | null = null;
  let megabytes = dice.whole(2, 4);
  const vanOf = ({ scene }: Stage): Scene => {
    const [van] = scene.further;
    if (!van) throw new Error("the van is not there");
    return van;
  };
  return {
    card,
    settings: { retention: { keep: "", max_used_disk_percent: 90 } },
    visits: dice.whole(4, 6),
    rate: dice.spread(500_000, 3_000_000),
    deletes: () => false,
    async furnish(stage) {
      const { scene } = stage;
      if (mayMount()) disk = new SmallDisk(scene.destination, `${megabytes}m`);
      const plan = { ...scene.plan, card: ofVan(card) };
      const van = await Scene.open(plan, scene.destination, { port: 0, onTraffic() {} });
      van.simulator.rate = dice.chance(0.3) ? null : dice.spread(500_000, 3_000_000);
      scene.further.push(van);
      addCamera(stage, van);
    },
    before(stage, visit) {
      const videos = drives(10 + visit);
      stage.scene.change({ does: "record", videos });
      vanOf(stage).change({ does: "record", videos: ofVan(videos) });
      if (!dice.chance(0.3)) return;
      megabytes += dice.whole(1, 2);
      disk?.remount(`size=${megabytes}m`);
    },
    async act(stage, talk) {
      const work = syncBoth(talk);
      if (!dice.chance(0.3)) return await work;
      // One is stopped, the other goes on.
      work.catch(() => {});
      await Promise.race([stage.sent(dice.spread(1000, 500_000)), work.catch(() => {})]);
      stage.note("the van is stopped");
      await talk.ask("POST", "/api/sync/stop?camera=van");
      await work;
    },
    async after(stage) {
      const van = vanOf(stage);
      await van.simulator.quiet();
      for (const problem of await checkFiles(van, false)) wrong.push(`the van's ${problem}`);
      if (!readSettings(stage).more_cameras?.some(({ id }) => id === "van")) wrong.push("the van is not configured");
      return wrong.splice(0);
    },
    async finish(stage, talk) {
      const van = vanOf(stage);
      van.simulator.rate = null;
      disk?.remount("size=40m");
      // The disk's own figures are a second old at most.
      await Bun.sleep(MARKED_MS);
      await syncBoth(talk);
    },
    check: (stage) => [...notHome(stage), ...notHome({ scene: vanOf(stage) }).map((problem) => `the van's ${problem}`)],
    end(stage, isKept) {
      if (disk === null) return;
      const { destination } = stage.scene;
      if (isKept) cpSync(destination, `${destination}-kept`, { recursive: true });
      disk[Symbol.dispose]();
    },
  };
};

/** The same moments, of which the van has other bytes. */
function ofVan(videos: readonly PlannedVideo[]): PlannedVideo[] {
  return videos.map((video) => ({ ...video, bytes: video.bytes + 3333 }));
}

type WithCameras = Record<string, unknown> & { more_cameras?: { id: string }[] };

const readSettings = ({ scene }: Stage): WithCameras =>
  JSON.parse(readFileSync(join(scene.config, "settings.json"), "utf8"));

function addCamera(stage: Stage, { destination, simulator }: Scene): void {
  const settings = readSettings(stage);
  const { connection, schedule, sync, retention } = settings;
  const van = {
    id: "van",
    name: "Van",
    destination,
    connection: { ...(connection as object), address: simulator.address },
    ...{ schedule, sync, retention },
  };
  const text = JSON.stringify({ ...settings, more_cameras: [van] });
  writeFileSync(join(stage.scene.config, "settings.json"), text, { mode: 0o600 });
}

/** Starts a run of each camera, and waits for the end of both. */
async function syncBoth(talk: ServiceTalk): Promise<void> {
  const started = await talk.ask("POST", "/api/sync/now?camera=all");
  if (started.status !== 202) throw new Error(`the service answered Sync now for all with ${started.status}`);
  for (const camera of ["main", "van"])
    while ((await talk.ask("GET", `/api/sync/progress?camera=${camera}`)).body["state"] === "running")
      await Bun.sleep(LOOK_MS);
}
