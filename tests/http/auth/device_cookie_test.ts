import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { DEVICE_COOKIE } from "../../../server/http/auth/device_cookie.ts";
import { type Browser, cheapHash, HttpStage, PASSWORD, SAMPLES } from "../../support/app/http.ts";

setDefaultTimeout(30_000);

const DAY = 86_400_000;
const YEAR = 365 * DAY;

/** Signs in wrongly and lets the time of a failure pass. */
async function failIn(stage: HttpStage, browser: Browser): Promise<Response> {
  const asleep = stage.clock.asleep(1500);
  const answer = browser.signIn("admin", "wrong");
  await asleep;
  await stage.clock.advance(1500);
  return answer;
}

/** Locks the address that all clients in these tests share, as behind a proxy that names no client. */
async function lock(stage: HttpStage): Promise<void> {
  for (let time = 0; time < 10; time++) expect((await failIn(stage, stage.browser())).status).toBe(401);
  expect((await stage.browser().signIn("admin", PASSWORD)).status).toBe(429);
}

/** A browser with nothing but this device cookie. */
function withDevice(stage: HttpStage, cookie: string | undefined): Browser {
  const browser = stage.browser();
  if (cookie !== undefined) browser.cookies.set(DEVICE_COOKIE, cookie);
  return browser;
}

/** A browser that has signed in before, and whose session is over. */
async function known(stage: HttpStage): Promise<Browser> {
  const browser = await stage.signedIn();
  browser.cookies.delete("dashdock_session");
  return browser;
}

const deviceOf = (browser: Browser) => browser.cookies.get(DEVICE_COOKIE) ?? "";

describe("a browser that has signed in before", () => {
  test("is let in from an address that strangers have locked, also after it has signed out", async () => {
    await using stage = await HttpStage.open({ routes: SAMPLES });
    const browser = await stage.signedIn();
    await browser.ask("/logout", { method: "POST", headers: { "x-csrftoken": await browser.token() } });
    expect((await browser.ask("/api/auth/me")).status).toBe(401);
    await lock(stage);
    expect(await (await stage.browser().ask("/login")).text()).toContain("Too many failed attempts");
    expect(await (await browser.ask("/login")).text()).not.toContain("Too many failed attempts");
    expect((await browser.signIn("admin", PASSWORD)).status).toBe(302);
    // The other browsers stay locked out.
    expect((await stage.browser().signIn("admin", PASSWORD)).status).toBe(429);
  });

  test("has ten guesses, and is then locked as its address is; another that is known is not", async () => {
    await using stage = await HttpStage.open();
    const browser = await known(stage);
    const other = deviceOf(await known(stage));
    for (let left = 9; left > 0; left--) {
      const text = await (await failIn(stage, browser)).text();
      expect(text).toContain(`${left} ${left === 1 ? "try" : "tries"} left. After that, signing in from this browser`);
    }
    expect(await (await failIn(stage, browser)).text()).toContain("That was the last try");
    const locked = await browser.signIn("admin", PASSWORD);
    expect([locked.status, Number(locked.headers.get("retry-after")) > 800]).toEqual([429, true]);
    expect((await stage.browser().signIn("admin", PASSWORD)).status).toBe(429);
    expect((await withDevice(stage, other).signIn("admin", PASSWORD)).status).toBe(302);
  });

  test("is worth ten guesses to a thief, and no more when the lock is over", async () => {
    await using stage = await HttpStage.open();
    const stolen = deviceOf(await stage.signedIn());
    for (let time = 0; time < 10; time++) await failIn(stage, withDevice(stage, stolen));
    await stage.clock.advance(DAY);
    await lock(stage);
    expect((await withDevice(stage, stolen).signIn("admin", PASSWORD)).status).toBe(429);
    // Two of them, one with guesses left: that one counts, in whatever order they come.
    await stage.clock.advance(DAY);
    const fresh = deviceOf(await stage.signedIn());
    await lock(stage);
    for (const cookie of [`${stolen}; ${DEVICE_COOKIE}=${fresh}`, `${fresh}; ${DEVICE_COOKIE}=${stolen}`])
      expect((await withDevice(stage, cookie).signIn("admin", PASSWORD)).status).toBe(302);
  });

  test("starts afresh when it signs in, and stays the same one", async () => {
    await using stage = await HttpStage.open();
    const browser = await known(stage);
    const [id] = deviceOf(browser).split(".");
    for (let time = 0; time < 9; time++) await failIn(stage, browser);
    expect((await browser.signIn("admin", PASSWORD)).status).toBe(302);
    expect(deviceOf(browser).split(".")[0]).toBe(id ?? "");
    browser.cookies.delete("dashdock_session");
    for (let time = 0; time < 9; time++) expect((await failIn(stage, browser)).status).toBe(401);
  });

  test("is one like any other after a new password, a new session key, or a year", async () => {
    const rows: [name: string, change: (stage: HttpStage) => Promise<void>, isKnown: boolean][] = [
      ["nothing", async () => {}, true],
      ["almost a year", async ({ clock }) => clock.jump(YEAR - DAY), true],
      ["a year", async ({ clock }) => clock.jump(YEAR), false],
      ["a clock far back", async ({ clock }) => clock.jump(-DAY), false],
      ["a new password", async (stage) => stage.changeAuth({ password_hash: await cheapHash(PASSWORD) }), false],
      ["a new session key", async (stage) => stage.changeAuth({ session_secret: "s".repeat(40) }), false],
    ];
    for (const [name, change, isKnown] of rows) {
      await using stage = await HttpStage.open();
      const cookie = deviceOf(await stage.signedIn());
      await change(stage);
      await lock(stage);
      const answer = await withDevice(stage, cookie).signIn("admin", PASSWORD);
      expect([name, answer.status]).toEqual([name, isKnown ? 302 : 429]);
    }
  });

  test("is nobody's invention: no other cookie and nothing that was changed counts", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    const [id = "", issued = "", signature = ""] = deviceOf(browser).split(".");
    await lock(stage);
    for (const cookie of [
      "",
      "..",
      id,
      `${id}.${issued}`,
      `${id}.${issued}.`,
      `${id}.${Number(issued) + 1}.${signature}`,
      `x${id}.${issued}.${signature}`,
      `${id}.${issued}.${signature}.`,
      `${id}.NaN.${signature}`,
      browser.cookies.get("dashdock_session") ?? "",
      browser.cookies.get("dashdock_visitor") ?? "",
    ])
      expect([cookie, (await withDevice(stage, cookie).signIn("admin", PASSWORD)).status]).toEqual([cookie, 429]);
    // And it opens nothing by itself.
    expect((await withDevice(stage, deviceOf(browser)).ask("/api/auth/me")).status).toBe(401);
  });

  test("changes its password from a locked address, and is known by the new one", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    const other = await stage.signedIn();
    await lock(stage);
    const changed = await browser.act("/api/auth/password", {
      current_password: PASSWORD,
      new_password: "another long password",
    });
    expect(changed.status).toBe(200);
    for (const [device, status] of [
      [deviceOf(browser), 302],
      [deviceOf(other), 429],
    ] as const)
      expect((await withDevice(stage, device).signIn("admin", "another long password")).status).toBe(status);
  });

  test("signs in and changes its password while strangers take all places where passwords are checked", async () => {
    await using stage = await HttpStage.open({ trustProxy: true });
    const browser = await known(stage);
    const { passwords } = stage.app;
    // The hash has its full cost, so that all of them are still waiting when the browser comes.
    const hash = await passwords.hash(PASSWORD);
    // A place that becomes free is taken at once, however long the browser's requests are on their way.
    let isGuessing = true;
    const guess = (): Promise<unknown> =>
      passwords.verify("wrong", hash).then(
        () => (isGuessing ? guess() : null),
        () => {},
      );
    const guesses = Array.from({ length: 32 }, guess);
    const refused = await stage.browser({ "x-forwarded-for": "10.8.0.1" }).signIn("admin", PASSWORD);
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining("Too many people")]);
    expect((await browser.signIn("admin", PASSWORD)).status).toBe(302);
    const changed = await browser.act("/api/auth/password", {
      current_password: PASSWORD,
      new_password: "another long password",
    });
    expect(changed.status).toBe(200);
    isGuessing = false;
    await Promise.all(guesses);
  });

  test("counts wrong current passwords with its wrong sign-ins", async () => {
    await using stage = await HttpStage.open();
    const browser = await stage.signedIn();
    const passwords = { current_password: "wrong", new_password: "another long password" };
    for (let time = 0; time < 10; time++) expect((await browser.act("/api/auth/password", passwords)).status).toBe(401);
    expect((await browser.act("/api/auth/password", passwords)).status).toBe(429);
    for (const known of [deviceOf(browser), undefined])
      expect((await withDevice(stage, known).signIn("admin", PASSWORD)).status).toBe(429);
  });
});

describe("after two hundred wrong passwords from anywhere", () => {
  /** Fails sign-ins as if they had come in from two hundred addresses. */
  const flood = ({ app }: HttpStage) => {
    for (let index = 0; index < 200; index++) app.throttle.begin(`10.9.${index}.1`);
  };

  test("each answer takes five seconds, the right one as well", async () => {
    await using stage = await HttpStage.open();
    flood(stage);
    for (const [password, status] of [
      ["wrong", 401],
      [PASSWORD, 302],
    ] as const) {
      const asleep = stage.clock.asleep(5000);
      const answer = stage.browser().signIn("admin", password);
      await asleep;
      await stage.clock.advance(5000);
      expect((await answer).status).toBe(status);
    }
    expect(stage.clock.napsOf(1500)).toBe(0);
  });

  test("thirty-two wait at most; the others are refused at once, and a browser that is known waits for nobody", async () => {
    await using stage = await HttpStage.open({ trustProxy: true });
    const browser = await known(stage);
    flood(stage);
    const guess = (index: number) =>
      stage.browser({ "x-forwarded-for": `10.8.0.${index}` }).signIn("admin", `guess ${index}`);
    const asked = Array.from({ length: 48 }, (_, index) => guess(index));
    while (stage.clock.napsOf(5000) < 32) await stage.clock.asleep(5000);
    expect((await browser.signIn("admin", PASSWORD)).status).toBe(302);
    const refused = await stage.browser({ "x-forwarded-for": "10.8.1.1" }).signIn("admin", PASSWORD);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await refused.text()).toContain("Too many wrong passwords come in at this moment");
    await stage.clock.advance(5000);
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(32).fill(401), ...Array(16).fill(429)]);
    // The places are free again.
    const asleep = stage.clock.asleep(5000);
    const next = guess(99);
    await asleep;
    await stage.clock.advance(5000);
    expect((await next).status).toBe(401);
  });

  test("a password that is replaced while its answer waits lets nobody in", async () => {
    await using stage = await HttpStage.open();
    flood(stage);
    const asleep = stage.clock.asleep(5000);
    const browser = stage.browser();
    const answer = browser.signIn("admin", PASSWORD);
    await asleep;
    await stage.changeAuth({ password_hash: await cheapHash("another long password") });
    await stage.clock.advance(5000);
    expect((await answer).status).toBe(401);
    expect([...browser.cookies.keys()]).not.toContain("dashdock_session");
  });

  test("a locked address is told so without waiting", async () => {
    await using stage = await HttpStage.open();
    await lock(stage);
    flood(stage);
    expect((await stage.browser().signIn("admin", PASSWORD)).status).toBe(429);
    expect(stage.clock.napsOf(5000)).toBe(0);
  });
});
