import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { planDeleting } from "./deleting_plan.ts";
import { DeletingPlayer } from "./deleting_player.ts";
import type { Played } from "./player.ts";
import type { RoundResult } from "./round.ts";
import { Scene } from "./scene.ts";

/** Plays the round of this seed in which recordings are deleted, up to the first thing that is wrong. */
export async function playDeletingRound(seed: number, parent: string, port: number): Promise<RoundResult> {
  const plan = planDeleting(seed);
  let bytes = 0;
  const onTraffic = (traffic: { bytes: number }) => {
    ({ bytes } = traffic);
  };
  await using scene = await Scene.open(plan, parent, { port, onTraffic });
  const player = new DeletingPlayer(scene, plan);
  await player.furnish();
  const result: RoundResult = { kills: 0, inside: 0, visits: 0, files: 0, bytes: 0, wrong: [], folder: null };
  const stories: string[] = [];
  const play = async (title: string, run: () => Promise<Played>) => {
    if (result.wrong.length > 0) return;
    const { wrong, killed, isInside, story } = await run();
    stories.push(`--- ${title}: ${story}`);
    result.visits++;
    if (killed) result.kills++;
    if (isInside) result.inside++;
    result.wrong.push(...wrong.map((problem) => `${title}: ${problem}`));
  };
  for (const [index, visit] of plan.visits.entries()) await play(`visit ${index + 1}`, () => player.visit(visit));
  await play("the undisturbed service", () => player.finish());
  result.files = scene.had.size;
  result.bytes = bytes;
  if (result.wrong.length === 0) scene.remove();
  else {
    result.folder = scene.folder;
    writeFileSync(join(scene.folder, "plan.json"), `${JSON.stringify(plan, null, 2)}\n`);
    writeFileSync(join(scene.folder, "story.txt"), `${result.wrong.join("\n")}\n\n${stories.join("\n")}\n`);
  }
  return result;
}
