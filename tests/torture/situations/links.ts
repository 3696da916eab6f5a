import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { groupFolder } from "../../../server/domain/recordings/date_folders.ts";
import type { ServiceTalk } from "../service_talk.ts";
import { notHome } from "./at_home.ts";
import { planDrives } from "./drives.ts";
import type { Situation, SituationMaker, Stage } from "./situation.ts";

const SECRET = "what is told to no browser ";
const SWAPS = 150;

/**
 * Files and folders of the library change into links to what lies elsewhere and back, while browsers ask for them: none
 * of it is ever told.
 */
export const links: SituationMaker = (dice): Situation => {
  const card = planDrives(dice, { days: 2, moments: 2, least: 3000, most: 100_000 });
  const wrong: string[] = [];
  /** The path that is a link now. */
  let place = "";
  const outside = ({ scene }: Stage) => join(scene.folder, "outside");
  const aside = ({ scene }: Stage) => join(scene.folder, "aside");
  return {
    card,
    settings: { sync: { grouping: "daily" } },
    visits: dice.whole(2, 4),
    rate: null,
    deletes: () => false,
    async furnish(stage) {
      mkdirSync(outside(stage));
      stage.scene.foreign.set("outside/", "folder");
      for (const name of stage.scene.card.names()) {
        writeFileSync(join(outside(stage), name), SECRET.repeat(3000));
        stage.scene.own(`outside/${name}`);
      }
    },
    async act(stage, talk, visit) {
      await talk.sync();
      if (visit === 0) return;
      let isOver = false;
      const reading = Promise.all([1, 2, 3].map(() => read(stage, talk, () => isOver)));
      reading.catch(() => {});
      try {
        for (let swaps = 0; swaps < SWAPS; swaps++) await swap(stage);
      } finally {
        isOver = true;
      }
      await reading;
    },
    after(stage) {
      putBack(stage);
      return wrong.splice(0);
    },
    check: (stage) => notHome(stage),
  };

  async function read({ scene }: Stage, talk: ServiceTalk, isOver: () => boolean): Promise<void> {
    const names = scene.card.names();
    while (!isOver()) {
      const name = dice.pick(names);
      const path = `/media/${groupFolder(name, "daily")}/${name}`;
      const headers: Record<string, string> = dice.chance(0.5) ? { range: "bytes=100-2000" } : {};
      const query = dice.chance(0.3) ? "?view=browser" : "";
      const text = await talk.text(`${path}${query}`, headers);
      if (text.includes(SECRET)) wrong.push(`${path}${query} told what lies elsewhere`);
    }
  }

  /** A file or a folder becomes a link for a moment. */
  async function swap(stage: Stage): Promise<void> {
    const { scene } = stage;
    const name = dice.pick(scene.card.names());
    const isFolder = dice.chance(0.4);
    const path = scene.at(isFolder ? groupFolder(name, "daily") : `${groupFolder(name, "daily")}/${name}`);
    if (!existsSync(path)) return;
    renameSync(path, aside(stage));
    symlinkSync(isFolder ? outside(stage) : join(outside(stage), name), path);
    place = path;
    await Bun.sleep(dice.whole(0, 3));
    putBack(stage);
    await Bun.sleep(0);
  }

  function putBack(stage: Stage): void {
    if (!lstatSync(aside(stage), { throwIfNoEntry: false })) return;
    rmSync(place, { force: true });
    renameSync(aside(stage), place);
  }
};
