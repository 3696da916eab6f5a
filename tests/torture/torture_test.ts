import { expect, test } from "bun:test";
import { playRounds } from "./rounds.ts";
import { SITUATIONS } from "./situations/situations.ts";

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

/** Those whose bytes would not fit everywhere are played by `bun run torture` alone. */
const SHORT = Object.keys(SITUATIONS).filter((name) => name !== "endless");

test.each(SHORT)(
  "the situation %s loses and spoils nothing",
  async (situation) => {
    const said: string[] = [];
    const limits = { seconds: Number.POSITIVE_INFINITY, kills: Number.POSITIVE_INFINITY, rounds: 1 };
    const options = { first: 1, jobs: 1, goesOn: true, situation, limits };
    const total = await playRounds(SEED, options, (line) => said.push(line));
    expect(said.slice(0, -1)).toEqual([]);
    expect(total.kills).toBeGreaterThan(0);
  },
  60_000,
);
