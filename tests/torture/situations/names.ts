import { existsSync, readFileSync } from "node:fs";
import { SimulatedCard, syntheticFootage } from "../../../server/dashcam/simulator/simulated_card.ts";
import { type CardFile, fileOf } from "../../../server/dashcam/simulator/simulated_video.ts";
import { MOST_NAMESAKES, parseArtifact, withOrdinal } from "../../../server/domain/recordings/recording_name.ts";
import { look } from "../tree.ts";
import { gives } from "./at_home.ts";
import { keyOf, keysOf, planDrives } from "./drives.ts";
import type { Situation, SituationMaker, Stage } from "./situation.ts";

/**
 * A camera whose clock begins anew with each drive, so that other recordings have the names of those at home. A
 * recording that came home stays as it is, and the camera's last one is beside it.
 */
export const names: SituationMaker = (dice): Situation => {
  const drives = { days: 1, moments: dice.whole(2, 4), directions: ["F", "R"], least: 20_000, most: 200_000 };
  /** The clock had been set once, and went back since: only the list shows it. */
  const wasSet = dice.chance(0.4);
  const unset = (name: string) => (wasSet ? name : `1970${name.slice(4)}`);
  const card = planDrives(dice, drives).map((video) => ({ ...video, name: unset(video.name) }));
  const keys = keysOf(card);
  const bytes = card.reduce((sum, video) => sum + video.bytes, 0);
  /** Files at home after a visit, by path. */
  let home = new Map<string, string>();
  return {
    card,
    validators: true,
    settings: { retention: { keep: "" }, sync: { grouping: "none" } },
    visits: dice.whole(4, 6),
    rate: bytes,
    deletes: () => false,
    before({ scene }, visit) {
      if (visit === 0) return;
      // With each drive the list is another one.
      const firstDay = wasSet ? -10 - visit : 10 + visit;
      const videos = planDrives(dice, { firstDay, days: 1, moments: 1, least: 3000, most: 20_000 });
      scene.change({ does: "record", videos });
      for (const key of dice.some(keys, keys.length)) {
        const other = otherDrive(
          scene.card.videos().filter((name) => keyOf(name) === key),
          visit,
        );
        for (const name of scene.card.names())
          if (keyOf(name) === key) scene.put(name, other(name) ?? fileOf(new Uint8Array(0)));
      }
    },
    after(stage) {
      const now = contentsOf(stage);
      const changed = [...home].filter(([path, content]) => now.get(path) !== content);
      home = now;
      return changed.map(([path]) => `${path} was home, and is gone or another one`);
    },
    async check(stage) {
      const wrong: string[] = [];
      for (const [name, file] of stage.scene.card.files) {
        if (file.size === 0 || !gives(stage.scene, name)) continue;
        const content = Buffer.from(await file.read(0, file.size));
        if (!isHome(stage, name, content)) wrong.push(`${name} did not come home as the camera has it now`);
      }
      return wrong;
    },
  };
};

function isHome({ scene }: Stage, name: string, content: Buffer): boolean {
  for (let ordinal = 1; ordinal <= MOST_NAMESAKES; ordinal++) {
    const path = scene.at(withOrdinal(name, ordinal));
    if (existsSync(path) && readFileSync(path).equals(content)) return true;
  }
  return false;
}

function contentsOf({ scene }: Stage): Map<string, string> {
  const contents = new Map<string, string>();
  for (const path of look(scene.destination).keys())
    if (parseArtifact(path)?.kind === "mp4") contents.set(path, Bun.hash(readFileSync(scene.at(path))).toString());
  return contents;
}

/** Files that the camera has recorded under these names another time. */
function otherDrive(videos: readonly string[], drive: number): (name: string) => CardFile | undefined {
  const later = (name: string) => `${1970 + drive}${name.slice(4)}`;
  const card = new SimulatedCard(syntheticFootage((name) => 20_000 + (Bun.hash.crc32(`${drive} ${name}`) % 100_000)));
  for (const name of videos) card.record(later(name));
  return (name) => card.files.get(later(name));
}
