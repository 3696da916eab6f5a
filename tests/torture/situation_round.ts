import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Counters } from "./counters.ts";
import { Dice } from "./dice.ts";
import type { Played } from "./player.ts";
import type { RoundResult } from "./round.ts";
import { Scene } from "./scene.ts";
import { SituationPlayer } from "./situation_player.ts";
import { SITUATIONS } from "./situations/situations.ts";

/** Plays the round of this seed in the situation of this name, up to the first thing that is wrong. */
export async function playSituation(name: string, seed: number, parent: string, port: number): Promise<RoundResult> {
  const make = SITUATIONS[name];
  if (!make) throw new Error(`There is no situation ${name}, only ${Object.keys(SITUATIONS).join(", ")}`);
  const dice = new Dice(seed);
  const situation = make(dice.fork(1));
  const counters = new Counters();
  let bytes = 0;
  let requests = 0;
  const onTraffic = (traffic: { bytes: number; requests: number }) => {
    counters.add("byte", traffic.bytes - bytes);
    counters.add("request", traffic.requests - requests);
    ({ bytes, requests } = traffic);
  };
  const camera = {
    generation: dice.chance(0.75) ? ("legacy" as const) : ("v1009" as const),
    v1009: {},
    listCompanions: false,
    listSizes: false,
    keepAlive: true,
    validators: situation.validators ?? dice.chance(0.5),
  };
  const plan = { camera, card: situation.card, foreign: situation.foreign ?? [] };
  await using scene = await Scene.open(plan, parent, { port, onTraffic });
  scene.simulator.rate = situation.rate;
  const player = new SituationPlayer(scene, situation, { counters, dice: dice.fork(2) });
  const result: RoundResult = { kills: 0, inside: 0, visits: 0, files: 0, bytes: 0, wrong: [], folder: null };
  const stories: string[] = [];
  const play = async (title: string, run: () => Promise<Played>) => {
    if (result.wrong.length > 0) return;
    const { wrong, killed, story } = await run();
    stories.push(`--- ${title}: ${story}`);
    result.visits++;
    if (killed) result.kills++;
    result.wrong.push(...wrong.map((problem) => `${name}, ${title}: ${problem}`));
  };
  try {
    await player.furnish();
    for (let visit = 0; visit < situation.visits; visit++) await play(`visit ${visit + 1}`, () => player.visit(visit));
    await play("the undisturbed service", () => player.finish());
  } finally {
    player.end(result.wrong.length > 0);
  }
  result.files = scene.card.files.size;
  result.bytes = bytes;
  if (result.wrong.length === 0) scene.remove();
  else {
    result.folder = scene.folder;
    writeFileSync(join(scene.folder, "plan.json"), `${JSON.stringify({ name, seed, ...plan }, null, 2)}\n`);
    writeFileSync(join(scene.folder, "story.txt"), `${result.wrong.join("\n")}\n\n${stories.join("\n")}\n`);
  }
  return result;
}
