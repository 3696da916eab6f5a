import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Traffic } from "../../server/dashcam/simulator/simulator.ts";
import { Counters } from "./counters.ts";
import { planRound } from "./plan.ts";
import { Player } from "./player.ts";
import { Scene } from "./scene.ts";

/** Result of a round. */
export interface RoundResult {
  kills: number;
  /** Number of these in the middle of moving to the trash, back, or out of it. */
  inside: number;
  visits: number;
  /** On the card in the end, all of which are at home. */
  files: number;
  /** Bytes that went over the wire. */
  bytes: number;
  /** Problems, by the visit after which they were seen; empty when everything was right. */
  wrong: string[];
  /** The round's folder, when it is kept because something was wrong. */
  folder: string | null;
}

/** Plays the round of this seed below `parent`, with its camera at `port`, up to the first thing that is wrong. */
export async function playRound(seed: number, parent: string, port: number): Promise<RoundResult> {
  const plan = planRound(seed);
  const counters = new Counters();
  let bytes = 0;
  let requests = 0;
  const onTraffic = (traffic: Traffic) => {
    counters.add("byte", traffic.bytes - bytes);
    counters.add("request", traffic.requests - requests);
    ({ bytes, requests } = traffic);
  };
  await using scene = await Scene.open(plan, parent, { port, onTraffic });
  const player = new Player(scene, counters);
  const result: RoundResult = { kills: 0, inside: 0, visits: 0, files: 0, bytes: 0, wrong: [], folder: null };
  const stories: string[] = [];
  const play = async (title: string, run: () => ReturnType<Player["visit"]>) => {
    if (result.wrong.length > 0) return;
    const { wrong, killed, story } = await run();
    stories.push(`--- ${title}: ${story}`);
    result.visits++;
    if (killed) result.kills++;
    result.wrong.push(...wrong.map((problem) => `${title}: ${problem}`));
  };
  for (const [index, visit] of plan.visits.entries()) await play(`visit ${index + 1}`, () => player.visit(visit));
  await play(`the undisturbed ${plan.last}`, () => player.finish(plan.last));
  result.files = scene.card.files.size;
  result.bytes = bytes;
  if (result.wrong.length === 0) scene.remove();
  else {
    result.folder = scene.folder;
    writeFileSync(join(scene.folder, "plan.json"), `${JSON.stringify(plan, null, 2)}\n`);
    writeFileSync(join(scene.folder, "story.txt"), `${result.wrong.join("\n")}\n\n${stories.join("\n")}\n`);
  }
  return result;
}
