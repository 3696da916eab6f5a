import { writeFileSync } from "node:fs";
import { keepDays } from "../keep_days.ts";
import { sizeOf } from "../tree.ts";
import { namesAt } from "../whereabouts.ts";
import { notHome, whereabouts } from "./at_home.ts";
import { keyOf, keysOf, planDrives } from "./drives.ts";
import type { Situation, SituationMaker, Stage } from "./situation.ts";

const AFTER_ALL = 30;

/**
 * Kept recordings of which half came: the front is at home, of the rear there is a beginning, and a rule takes everything
 * of their age. No beginning of theirs is lost, and the rest comes while the camera has it.
 */
export const halves: SituationMaker = (dice): Situation => {
  const card = planDrives(dice, {
    days: dice.whole(2, 3),
    moments: 2,
    directions: ["F", "R"],
    least: 20_000,
    most: 500_000,
  });
  const keys = keysOf(card);
  const kept = dice.some(keys, keys.length - 1);
  if (kept.length === 0) kept.push(keys[0] ?? "");
  const rears = card.filter(({ name }) => name.endsWith("R.mp4"));
  let isMarked = false;
  const least = new Map<string, number>();
  return {
    card,
    validators: true,
    settings: { retention: { keep: "", trash_days: 7, event_context: 0 }, schedule: { paused: true } },
    visits: dice.whole(3, 6),
    rate: dice.spread(200_000, 2_000_000),
    deletes: () => isMarked,
    async furnish({ scene }) {
      for (const name of scene.card.names()) {
        const bytes = await scene.card.bytes(name);
        if (name.endsWith("F.mp4")) writeFileSync(scene.at(name), bytes);
        if (!name.endsWith("R.mp4")) continue;
        const part = bytes.subarray(0, dice.whole(1, bytes.length - 1));
        writeFileSync(scene.at(`.${name}`), part);
      }
    },
    before(stage) {
      if (isMarked) stage.edit("retention", { keep: `${keepDays(AFTER_ALL)}d` });
    },
    async act(_stage, talk) {
      if (isMarked) return void (await talk.sync());
      for (const key of kept) await talk.ask("PUT", `/api/recordings/${key}/keep`, { note: "both sides" });
      isMarked = true;
    },
    after: (stage) => (isMarked ? lostHalves(stage) : []),
    check: (stage) => (isMarked ? notHome(stage, (name) => kept.includes(keyOf(name))) : []),
  };

  /** Beginnings of kept recordings are there, or what they are the beginning of. */
  function lostHalves(stage: Stage): string[] {
    const { home } = whereabouts(stage);
    const wrong: string[] = [];
    for (const { name } of rears) {
      if (!kept.includes(keyOf(name)) || namesAt(home.get(keyOf(name))).has(name)) continue;
      const size = sizeOf(stage.scene.at(`.${name}`)) ?? 0;
      if (size < (least.get(name) ?? 1)) wrong.push(`.${name} has ${size} bytes left of ${least.get(name) ?? "some"}`);
      least.set(name, size);
    }
    return wrong;
  }
};
