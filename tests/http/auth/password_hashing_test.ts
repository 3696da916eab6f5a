import { afterEach, describe, expect, test } from "bun:test";
import { AppError } from "../../../server/domain/answers/errors.ts";
import { Passwords } from "../../../server/http/auth/password_hashing.ts";
import { cheapHash, PASSWORD, until, WatchedClock } from "../../support/app/http.ts";

const opened: Passwords[] = [];
afterEach(() => {
  for (const passwords of opened.splice(0)) passwords.close();
});

function open(): { clock: WatchedClock; passwords: Passwords } {
  const clock = new WatchedClock();
  const passwords = new Passwords({ clock });
  opened.push(passwords);
  return { clock, passwords };
}

describe("Passwords", () => {
  test("makes Argon2id hashes of full cost that others can check, each with a salt of its own", async () => {
    const { passwords } = open();
    const [one, other] = await Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
    expect(await Bun.password.verify(PASSWORD, one)).toBe(true);
    expect(await passwords.verify(PASSWORD, one)).toBe(true);
    expect(await passwords.verify(`${PASSWORD} `, one)).toBe(false);
  });

  test("checks hashes that another program made", async () => {
    const { passwords } = open();
    const foreign = await Bun.password.hash("größer als ä 🚗", { algorithm: "argon2id", memoryCost: 64, timeCost: 1 });
    expect(await passwords.verify("größer als ä 🚗", foreign)).toBe(true);
    expect(await passwords.verify("groesser als ae", foreign)).toBe(false);
  });

  const malformed = [
    "",
    "secret",
    "$argon2id$",
    "$2b$10$abcdefghijklmnopqrstuv",
    "$argon2id$v=19$m=19456,t=2,p=1$AA$AA",
    "$argon2id$v=19$m=9999999,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA",
    "$argon2id$v=19$m=19456,t=0,p=0$AAAAAAAAAAAAAAAAAAAAAA$AAAA",
    "$argon2id$v=19$m=19456,t=2,p=1$!$!",
    "$argon2id$v=16$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA",
  ];
  for (const hash of malformed)
    test(`finds no password for ${JSON.stringify(hash)}`, async () => {
      const { passwords } = open();
      expect(await passwords.verify(PASSWORD, hash)).toBe(false);
      // It took as long as with a hash: the worker had something to do.
      expect(passwords.hasWorker).toBe(true);
      expect(await passwords.verify("", hash)).toBe(false);
    });

  test("finds neither an empty nor an endless password right", async () => {
    const { passwords } = open();
    const hash = await cheapHash(PASSWORD);
    expect(await passwords.verify("", hash)).toBe(false);
    expect(await passwords.verify("x".repeat(1_000_000), hash)).toBe(false);
  });

  test("leaves the event loop free while it works", async () => {
    const { passwords } = open();
    let turns = 0;
    let isDone = false;
    const done = passwords.hash(PASSWORD).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      turns++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
    expect(turns).toBeGreaterThan(10);
  });

  test("keeps no worker before the first question and none after thirty idle seconds", async () => {
    const { clock, passwords } = open();
    const hash = await cheapHash(PASSWORD);
    expect(passwords.hasWorker).toBe(false);
    await passwords.verify(PASSWORD, hash);
    expect(passwords.hasWorker).toBe(true);
    await clock.advance(29_000);
    await passwords.verify(PASSWORD, hash);
    await clock.advance(29_000);
    expect(passwords.hasWorker).toBe(true);
    await clock.advance(1000);
    await until(() => !passwords.hasWorker);
    expect(await passwords.verify(PASSWORD, hash)).toBe(true);
  });

  test("lets a bounded number wait and refuses the others at once", async () => {
    const { passwords } = open();
    const hash = await cheapHash(PASSWORD);
    const asked = Array.from({ length: 40 }, () => passwords.verify(PASSWORD, hash));
    const answers = await Promise.allSettled(asked);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(32);
    const refused = answers.find((answer) => answer.status === "rejected");
    expect(refused?.reason).toBeInstanceOf(AppError);
    expect(refused?.reason).toMatchObject({ code: "RATE_LIMITED", details: { retry_after_seconds: 5 } });
    expect(await passwords.verify(PASSWORD, hash)).toBe(true);
  });

  test("asks for browsers that have signed in before first, however many strangers wait", async () => {
    const { passwords } = open();
    const hash = await cheapHash(PASSWORD);
    const order: string[] = [];
    const ask = (who: string, isKnown: boolean) =>
      passwords.verify(PASSWORD, hash, isKnown).then(
        (isRight) => order.push(`${who} ${isRight}`),
        () => order.push(`${who} refused`),
      );
    const strangers = Array.from({ length: 33 }, () => ask("stranger", false));
    const known = Array.from({ length: 33 }, () => ask("known", true));
    await Promise.all([...strangers, ...known]);
    expect(order.slice(0, 2).toSorted()).toEqual(["known refused", "stranger refused"]);
    expect(order.slice(2)).toEqual([
      "stranger true",
      ...Array(32).fill("known true"),
      ...Array(31).fill("stranger true"),
    ]);
  });

  test("gives up on a worker that does not answer, and asks a new one next time", async () => {
    const { clock, passwords } = open();
    const slow = "$argon2id$v=19$m=1048576,t=99,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA";
    const asleep = clock.asleep(30_000);
    const stuck = passwords.verify(PASSWORD, slow).then(
      () => "answered",
      (error) => String(error),
    );
    await asleep;
    await clock.advance(30_000);
    expect(await stuck).toContain("gave no answer");
    expect(await passwords.verify(PASSWORD, await cheapHash(PASSWORD))).toBe(true);
  });

  test("fails what is under way when it is closed, and everything after", async () => {
    const { clock, passwords } = open();
    const asleep = clock.asleep(30_000);
    const stuck = passwords.hash(PASSWORD).then(
      () => "answered",
      (error) => String(error),
    );
    await asleep;
    passwords.close();
    expect(await stuck).toContain("was ended");
    await expect(passwords.hash(PASSWORD)).rejects.toThrow("not checked any more");
    expect(passwords.hasWorker).toBe(false);
  });
});
