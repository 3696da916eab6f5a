import { expect, test } from "bun:test";
import { damageParsers } from "./parser_rounds.ts";

/** The short form of `bun run torture --parsers`: always the same files. */
const SEED = 12;
const INPUTS = 1500;

test("whatever a file of a camera holds, it is read without an error and without what is no number", async () => {
  const rounds = await damageParsers(SEED, { inputs: INPUTS, first: 1, measures: false });
  expect(rounds.map(({ kind, wrong }) => [kind, wrong])).toEqual(rounds.map(({ kind }) => [kind, []]));
});
