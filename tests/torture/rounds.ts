import { existsSync, mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { playDeletingRound } from "./deleting_round.ts";
import { seedOfRound } from "./plan.ts";
import { playRound, type RoundResult } from "./round.ts";
import { playSituation } from "./situation_round.ts";
import { SITUATIONS } from "./situations/situations.ts";

export interface RoundsOptions {
  /** The first round, counted from 1. */
  first: number;
  /** Rounds at a time: most of a round is waiting, for a pace, for a limit, for a process to start. */
  jobs: number;
  /** Goes on after something was wrong. */
  goesOn: boolean;
  /** Only rounds in which recordings are deleted; otherwise each third one is. */
  deleting?: boolean;
  /** Only rounds in the situation of this name; otherwise each fourth one or so is in one of them. */
  situation?: string | undefined;
  limits: { seconds: number; kills: number; rounds: number };
}

/** Plays rounds of a seed until a limit is reached or something is wrong, and says what it came to. */
export async function playRounds(seed: number, options: RoundsOptions, say: (line: string) => void) {
  const { first, jobs, limits } = options;
  // Kills lose nothing that a disk would have kept: memory does as well, and is not shared with others.
  const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const parent = mkdtempSync(join(process.env["TMPDIR"] ?? memory, "torture-"));
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const total = { rounds: 0, kills: 0, inside: 0, visits: 0, files: 0, bytes: 0, violations: 0 };
  let next = first;
  let isOver = false;
  const isEnough = () => seconds() >= limits.seconds || total.kills >= limits.kills || next - first >= limits.rounds;
  const work = async (port: number) => {
    while (!isOver && !isEnough()) {
      const round = next++;
      const result = await playOne(seedOfRound(seed, round), round, options, { parent, port });
      total.rounds++;
      total.kills += result.kills;
      total.inside += result.inside;
      total.visits += result.visits;
      total.files += result.files;
      total.bytes += result.bytes;
      total.violations += result.wrong.length;
      if (result.folder === null) continue;
      const named = options.situation === undefined ? "" : ` --situation ${options.situation}`;
      const only = options.deleting ? " --deleting" : named;
      say(`\nRound ${round}: bun run torture --seed ${seed} --first ${round} --rounds 1${only}`);
      for (const problem of result.wrong) say(`  ${problem}`);
      say(`  plan.json and story.txt are in ${result.folder}`);
      if (!options.goesOn) isOver = true;
    }
  };
  await Promise.all(freePorts(jobs).map(work));
  if (total.violations === 0) rmdirSync(parent);
  say(
    `${total.rounds} rounds, ${total.kills} kills (${total.inside} in the middle of deleting) in ${total.visits} visits, ${total.files} files, ` +
      `${(total.bytes / 1e6).toFixed(0)} MB, ${total.violations} violations, ${seconds().toFixed(0)} s (seed ${seed})`,
  );
  return total;
}

/** Situation that has its turn in this round, counted from 0; null for none. Two of five rounds are for situations. */
function turnOf(round: number): number | null {
  const fives = Math.floor(round / 5);
  if (round % 5 === 0) return 2 * fives;
  return round % 5 === 2 ? 2 * fives + 1 : null;
}

/** Plays one round. The kind of round at a number never changes, so that a known seed stays known. */
function playOne(
  seed: number,
  round: number,
  options: RoundsOptions,
  { parent, port }: { parent: string; port: number },
): Promise<RoundResult> {
  const { deleting, situation } = options;
  if (situation !== undefined) return playSituation(situation, seed, parent, port);
  if (deleting || round % 3 === 0) return playDeletingRound(seed, parent, port);
  const turn = turnOf(round);
  if (turn === null) return playRound(seed, parent, port);
  const names = Object.keys(SITUATIONS);
  return playSituation(names[turn % names.length] ?? "", seed, parent, port);
}

/**
 * Ports for cameras, outside the range from which the system takes them for others: a camera that comes back must find
 * its own still free.
 */
function freePorts(count: number): number[] {
  const ports: number[] = [];
  for (let port = 20_000 + (process.pid % 9000); ports.length < count; port++) {
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
      ports.push(port);
    } catch {
      // Another program has it.
    }
  }
  return ports;
}
