import { mkdirSync, writeFileSync } from "node:fs";
import { findOut } from "../whereabouts.ts";
import { notHome } from "./at_home.ts";
import { keysOf, planDrives } from "./drives.ts";
import type { Situation, SituationMaker } from "./situation.ts";

/** A folder of the user's own, with recordings that this camera never had. */
const OWN_FOLDER = "Keep";

/**
 * A limit below what no rule may take: a folder of one's own, or kept recordings, are larger than it. Nothing may go for
 * it, least of all what has just come home.
 */
export const limits: SituationMaker = (dice): Situation => {
  const card = planDrives(dice, { days: dice.whole(2, 4), moments: 2, least: 30_000, most: 150_000 });
  const own = planDrives(dice, { firstDay: 60, days: 1, moments: dice.whole(2, 4), least: 80_000, most: 120_000 });
  const limit = 60_000;
  const keeps = dice.chance(0.4) ? keysOf(card).slice(0, 1) : [];
  return {
    card,
    settings: { retention: { keep: "", trash_days: 7, max_gb: limit / 1e9, event_context: 0 } },
    visits: dice.whole(3, 5),
    rate: dice.spread(300_000, 5_000_000),
    deletes: () => true,
    async furnish({ scene }) {
      mkdirSync(scene.at(OWN_FOLDER));
      for (const { name, bytes } of own) {
        writeFileSync(scene.at(`${OWN_FOLDER}/${name}`), Buffer.alloc(bytes, name));
        scene.own(`recordings/${OWN_FOLDER}/${name}`);
      }
      writeFileSync(scene.at("plans.zip"), Buffer.alloc(1_000_000, "own"));
      scene.own("recordings/plans.zip");
    },
    async act(_stage, talk) {
      await talk.sync();
      for (const key of keeps) await talk.ask("PUT", `/api/recordings/${key}/keep`, { note: "kept" });
      await talk.sync();
    },
    after: ({ scene }) => inTrash(scene.destination),
    check: (stage) => [...inTrash(stage.scene.destination), ...notHome(stage)],
  };
};

function inTrash(destination: string): string[] {
  const { trash } = findOut(destination, () => false);
  return [...trash.keys()].map((key) => `${key} went to the trash for a limit that cannot be reached`);
}
