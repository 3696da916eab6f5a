import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { keepDays } from "../keep_days.ts";
import { notHome, whereabouts } from "./at_home.ts";
import { keyOf, keysOf, planDrives } from "./drives.ts";
import type { Situation, SituationMaker, Stage } from "./situation.ts";

/** The day of the round after all of its recordings: a rule that keeps from there on takes everything. */
const AFTER_ALL = 30;

/**
 * Marks of kept recordings that get lost with their file or its folder, while a rule takes everything that is not kept.
 * A marked recording never leaves home, and has its mark again when that is asked for.
 */
export const marks: SituationMaker = (dice): Situation => {
  const card = planDrives(dice, { days: dice.whole(2, 4), moments: 2, least: 3000, most: 60_000 });
  const keys = keysOf(card);
  const marked = dice.some(keys, keys.length - 1);
  if (marked.length === 0) marked.push(keys[0] ?? "");
  let isMarked = false;
  /** A rule takes all the others from now on. */
  let isRuled = false;
  const spared = (stage: Stage) => {
    const { home } = whereabouts(stage);
    return isMarked ? marked.filter((key) => !home.has(key)).map((key) => `${key} was kept and left home`) : [];
  };
  return {
    card,
    settings: { retention: { keep: "", trash_days: 7, event_context: 0 } },
    visits: dice.whole(4, 7),
    rate: null,
    deletes: () => isMarked,
    before(stage) {
      if (!isMarked) return;
      isRuled = true;
      stage.edit("retention", { keep: `${keepDays(AFTER_ALL)}d` });
      lose(stage);
    },
    async act(stage, talk) {
      if (!isMarked) {
        await talk.sync();
        const answers = [];
        for (const key of marked)
          answers.push(await talk.ask("PUT", `/api/recordings/${key}/keep`, { note: "the bend" }));
        isMarked = answers.every(({ status }) => status === 200);
        return;
      }
      if (stage.dice.chance(0.5)) await talk.sync();
      // A folder that lost all of ours is none of ours any more until that is said.
      await talk.ask("POST", "/api/destination/accept");
      await talk.sync();
      if (stage.dice.chance(0.4)) await talk.ask("POST", "/api/retention/marks/restore");
      await talk.sync();
    },
    after: spared,
    async finish(_stage, talk) {
      if (!isMarked) return void (await talk.sync());
      await talk.ask("POST", "/api/destination/accept");
      await talk.sync();
      await talk.ask("POST", "/api/retention/marks/restore");
      await talk.sync();
      // A folder that was none of ours for a while holds recordings that others may have brought.
      await talk.ask("POST", "/api/retention/confirm");
      await talk.sync();
    },
    check(stage) {
      if (!isMarked) return notHome(stage);
      const text = readFileSync(stage.scene.at(".dashdock/kept.json"), "utf8");
      const without = marked.filter((key) => !text.includes(key));
      const left = keys.filter((key) => isRuled && !marked.includes(key) && whereabouts(stage).home.has(key));
      return [
        ...spared(stage),
        ...notHome(stage, (name) => marked.includes(keyOf(name))),
        ...without.map((key) => `${key} has its mark no more`),
        ...left.map((key) => `${key} is not kept and stayed, though its marks were put back`),
      ];
    },
  };
};

/** One way in which marks get lost; now and then none of them. */
function lose({ scene, dice, note }: Stage): void {
  const path = scene.at(".dashdock/kept.json");
  const ways: Record<string, () => void> = {
    nothing: () => {},
    removed: () => rmSync(path, { force: true }),
    emptied: () => truncateSync(path, 0),
    "cut off": () => writeFileSync(path, readFileSync(path).subarray(0, 20)),
    garbled: () => writeFileSync(path, "not what it was"),
    "without its folder": () => rmSync(scene.at(".dashdock"), { recursive: true, force: true }),
  };
  const way = dice.pick(Object.keys(ways));
  note(`kept.json: ${way}`);
  try {
    ways[way]?.();
  } catch {
    // It is not there: it was lost before.
  }
}
