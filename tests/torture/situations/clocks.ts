import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ageTrash } from "../aged_trash.ts";
import type { Dice } from "../dice.ts";
import { keepDays } from "../keep_days.ts";
import { whereabouts } from "./at_home.ts";
import { keysOf, planDrives } from "./drives.ts";
import type { Situation, SituationMaker, Stage } from "./situation.ts";

const DAY_SECONDS = 86_400;
const AFTER_ALL = 30;
const TRASH_DAYS = 7;

/**
 * A clock that jumped between two starts, as the history tells it: the last run is in the future, or long ago while the
 * camera's newest recording does not agree. Nothing leaves home by a rule, nothing leaves the trash, and no run leaves
 * the history, until that is agreed to.
 */
export const clocks: SituationMaker = (dice): Situation => {
  const card = planDrives(dice, { days: dice.whole(2, 4), moments: 2, least: 3000, most: 60_000 });
  const keys = keysOf(card);
  const [deleted = ""] = keys;
  /** Keys that were seen at home and in the trash. */
  let home = new Set<string>();
  let trash = new Set<string>();
  let isAgreed = false;
  /** A rule that takes all of them is set: not in a round of which the last visit was the first that brought all. */
  let isDue = false;
  const stayed = (stage: Stage) => {
    if (isAgreed) return [];
    const now = whereabouts(stage);
    return [
      ...[...home].filter((key) => !now.home.has(key)).map((key) => `${key} left home by a clock in doubt`),
      ...[...trash].filter((key) => !now.trash.has(key)).map((key) => `${key} left the trash by a clock in doubt`),
    ];
  };
  const isAllHome = (stage: Stage) => keys.every((key) => whereabouts(stage).home.has(key));
  return {
    card,
    settings: { retention: { keep: "", trash_days: TRASH_DAYS, event_context: 0 } },
    visits: dice.whole(4, 7),
    rate: null,
    deletes: () => home.size > 0,
    before(stage) {
      if (home.size === 0) return;
      stage.edit("retention", { keep: `${keepDays(AFTER_ALL)}d` });
      ageTrash(stage.scene.destination, 1);
      jump(stage);
      isDue = true;
    },
    async act(stage, talk) {
      if (home.size > 0) {
        await talk.sync();
        return void (await talk.sync());
      }
      await talk.sync();
      if (isAllHome(stage)) await talk.ask("DELETE", `/api/recordings/${deleted}`);
    },
    after(stage) {
      const wrong = stayed(stage);
      const now = whereabouts(stage);
      if (home.size === 0 && now.trash.has(deleted) && !now.home.has(deleted)) {
        home = new Set(now.home.keys());
        trash = new Set(now.trash.keys());
        // Now it is over what the trash keeps.
        ageTrash(stage.scene.destination, TRASH_DAYS + 3);
      }
      return wrong;
    },
    async finish(_stage, talk) {
      await talk.sync();
      if (home.size === 0) return;
      await talk.ask("POST", "/api/retention/confirm");
      isAgreed = true;
      await talk.sync();
    },
    check(stage) {
      if (!isDue) return [];
      const now = whereabouts(stage);
      return [...home]
        .filter((key) => now.home.has(key))
        .map((key) => `${key} is still at home though its deletion was agreed to`);
    },
  };
};

/** Moves all runs of the history, so that the clock of today seems wrong. */
function jump({ scene, dice, note }: Stage): void {
  const path = join(scene.config, "stats.db");
  if (!existsSync(path)) return;
  const days = jumpOf(dice);
  note(`the last run is ${days} days from now`);
  using db = new Database(path);
  const newest = db.query<{ ts: number | null }, []>("select max(ts_seconds) as ts from runs").get()?.ts;
  if (typeof newest !== "number") return;
  const by = Date.now() / 1000 + days * DAY_SECONDS - newest;
  db.run("update runs set ts_seconds = ts_seconds + ?", [by]);
}

/** Into the future, where no run can have been; or so far back that one would have been since. */
function jumpOf(dice: Dice): number {
  if (dice.chance(0.4)) return dice.whole(2, 400);
  return dice.chance(0.5) ? -dice.whole(31, 400) : -dice.whole(9, 29);
}
