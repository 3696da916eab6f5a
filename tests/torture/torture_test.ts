import { expect, test } from "bun:test";
import { playRounds } from "./rounds.ts";

/** The short form of `bun run torture`: always the same rounds, the last of them one in which recordings are deleted. */
const SEED = 8;
const ROUNDS = 3;

test("a sync that is killed again and again, by a camera that shows every fault, loses and spoils nothing", async () => {
  const said: string[] = [];
  const limits = { seconds: Number.POSITIVE_INFINITY, kills: Number.POSITIVE_INFINITY, rounds: ROUNDS };
  const total = await playRounds(SEED, { first: 1, jobs: ROUNDS, goesOn: true, limits }, (line) => said.push(line));
  expect(said.slice(0, -1)).toEqual([]);
  expect(total.rounds).toBe(ROUNDS);
  expect(total.kills).toBeGreaterThan(ROUNDS);
}, 60_000);
