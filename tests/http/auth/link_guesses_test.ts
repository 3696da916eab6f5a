import { describe, expect, test } from "bun:test";
import { LinkGuesses } from "../../../server/http/auth/link_guesses.ts";
import type { Passwords } from "../../../server/http/auth/password_hashing.ts";
import { FakeClock } from "../../support/app/clock.ts";

const RIGHT = "open sesame";

function start(verify: (password: string) => Promise<boolean> = async (password) => password === RIGHT) {
  const clock = new FakeClock();
  const guesses = new LinkGuesses({ clock, passwords: { verify } as unknown as Passwords });
  const guess = async (password: string, { link = "one", address = "203.0.113.7" } = {}) => {
    const asked = guesses.isRight({ link, address, password, hash: "" }).catch((error: { code: string }) => error.code);
    await clock.advance(1500);
    return await asked;
  };
  return { clock, guesses, guess };
}

describe("guesses at the password of a link", () => {
  test("are answered late when wrong, and at once when right", async () => {
    const { clock, guesses } = start();
    const order = { link: "one", address: "203.0.113.7", hash: "" };
    expect(await guesses.isRight({ ...order, password: RIGHT })).toBe(true);
    let isOver = false;
    const wrong = guesses.isRight({ ...order, password: "x" }).finally(() => {
      isOver = true;
    });
    await clock.advance(1499);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await wrong).toBe(false);
  });

  test("are ten for an address and a link, then none for fifteen minutes", async () => {
    const { clock, guess, guesses } = start();
    for (let at = 0; at < 10; at++) expect(await guess("wrong")).toBe(false);
    expect(await guess(RIGHT)).toBe("RATE_LIMITED");
    expect(guesses.lockedSeconds({ link: "one", address: "203.0.113.7" })).toBeGreaterThan(880);
    expect(await guess(RIGHT, { link: "other" })).toBe(true);
    expect(await guess(RIGHT, { address: "203.0.113.8" })).toBe(true);
    expect(await guess(RIGHT)).toBe("RATE_LIMITED");
    await clock.advance(15 * 60_000);
    expect(await guess(RIGHT)).toBe(true);
  });

  test("of addresses of one household count together", async () => {
    const { guess } = start();
    for (let at = 0; at < 10; at++) await guess("wrong", { address: `2001:db8:1:2::${at + 1}` });
    expect(await guess(RIGHT, { address: "2001:db8:1:2::ffff" })).toBe("RATE_LIMITED");
    expect(await guess(RIGHT, { address: "2001:db8:1:3::1" })).toBe(true);
  });

  test("from many addresses lock the link, whoever asks", async () => {
    const { guess } = start();
    for (let at = 0; at < 100; at++) await guess("wrong", { address: `198.51.100.${at}` });
    expect(await guess(RIGHT, { address: "203.0.113.7" })).toBe("RATE_LIMITED");
    expect(await guess(RIGHT, { link: "other" })).toBe(true);
  });

  test("that are right, or could not be looked at, count nothing", async () => {
    let isBroken = true;
    const { guess } = start(async (password) => {
      if (isBroken) throw new Error("no worker");
      return password === RIGHT;
    });
    for (let at = 0; at < 11; at++) expect(await guess("wrong")).toBeUndefined();
    isBroken = false;
    for (let at = 0; at < 9; at++) expect(await guess("wrong")).toBe(false);
    for (let at = 0; at < 12; at++) expect(await guess(RIGHT)).toBe(true);
  });
});
