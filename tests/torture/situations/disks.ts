import { existsSync, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArtifact } from "../../../server/domain/recordings/recording_name.ts";
import { look } from "../tree.ts";
import { notHome } from "./at_home.ts";
import { planDrives } from "./drives.ts";
import type { Situation, SituationMaker, Stage } from "./situation.ts";

/** Notes that say whose folder this is, and what has become of recordings: none may be written to another disk. */
const NOTES = /^(\.dashdock\/(id|kept\.json|deleted|format|trash\/)|.*\.failed$)/;

/**
 * A disk that leaves while a run goes on, so that an empty folder lies where it was mounted, and is there again later.
 * Nothing gets its name in the empty folder, and nothing of ours is noted there.
 */
export const disks: SituationMaker = (dice): Situation => {
  const away = ({ scene }: Stage) => join(scene.folder, "away");
  const wrong: string[] = [];
  const leave = (stage: Stage) => {
    stage.note("the disk leaves");
    renameSync(stage.scene.destination, away(stage));
    mkdirSync(stage.scene.destination);
  };
  /** Says what came to the empty folder, and takes it away. */
  const comeBack = (stage: Stage) => {
    if (!existsSync(away(stage))) return;
    stage.note("the disk is back");
    const { destination } = stage.scene;
    for (const path of lstatSync(destination, { throwIfNoEntry: false }) ? look(destination).keys() : []) {
      stage.note(`in the empty folder: ${path}`);
      if (parseArtifact(basename(path)) && !basename(path).startsWith("."))
        wrong.push(`${path} got its name in the empty folder`);
      else if (NOTES.test(path)) wrong.push(`${path} was written into the empty folder`);
    }
    rmSync(destination, { recursive: true, force: true });
    renameSync(away(stage), destination);
  };
  const card = planDrives(dice, { days: 2, moments: dice.whole(2, 4), least: 50_000, most: 400_000 });
  /** About as much as a visit brings. */
  const bytes = 600_000;
  return {
    card,
    settings: { retention: { keep: "", trash_days: 7 } },
    visits: dice.whole(3, 5),
    rate: dice.spread(500_000, 3_000_000),
    deletes: () => false,
    before({ scene }, visit) {
      // Each visit has something to bring.
      const videos = planDrives(dice, { firstDay: 10 + visit, days: 1, moments: 3, least: 50_000, most: 400_000 });
      scene.change({ does: "record", videos });
    },
    async act(stage, talk, visit) {
      // The first visit has to bring something home, so that the folder is known as ours.
      if (visit === 0) return void (await talk.sync());
      const run = talk.sync();
      run.catch(() => {});
      await Promise.race([stage.sent(stage.dice.spread(1000, bytes)), run.catch(() => {})]);
      leave(stage);
      if (stage.dice.chance(0.4)) {
        await Bun.sleep(stage.dice.spread(5, 300));
        comeBack(stage);
      }
      await run;
    },
    after(stage) {
      comeBack(stage);
      return wrong.splice(0);
    },
    check: (stage) => notHome(stage),
  };
};
