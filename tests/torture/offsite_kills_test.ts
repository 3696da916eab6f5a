import { expect, test } from "bun:test";
import { playKillRound } from "./offsite_kills.ts";

/** The short form of `bun tests/torture/offsite_kills.ts`: a round with a passphrase, and a fetch that is killed. */
const SEED = 6;

test("copies of a service that is killed again and again are whole, once each, and come back as they were", async () => {
  const { wrong, kills } = await playKillRound(SEED, 2);
  expect(wrong).toEqual([]);
  expect(kills).toBeGreaterThan(0);
}, 60_000);
