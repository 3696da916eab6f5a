import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Browser, HttpStage, PASSWORD } from "../../support/app/http.ts";

setDefaultTimeout(20_000);

const OUTSIDE = "203.0.113.7";

/** A service behind a proxy, and a browser whose address that proxy tells. */
async function from(address: string, trustProxy = true): Promise<{ stage: HttpStage; browser: Browser }> {
  const stage = await HttpStage.open({ password: null, trustProxy });
  return { stage, browser: stage.browser({ "x-forwarded-for": address, "x-forwarded-proto": "https" }) };
}

const FIELDS = { username: "anna", password: PASSWORD, confirm: PASSWORD };

async function send(browser: Browser, fields: Record<string, string>): Promise<Response> {
  const csrf_token = await browser.token("/first-run");
  return browser.ask("/first-run", { form: { csrf_token, ...FIELDS, ...fields } });
}

/** Sends a wrong code and lets the time of a failure pass. */
async function guess(stage: HttpStage, browser: Browser, code: string): Promise<Response> {
  const csrf_token = await browser.token("/first-run");
  const asleep = stage.clock.asleep(1500);
  const answer = browser.ask("/first-run", { form: { csrf_token, ...FIELDS, code } });
  await asleep;
  await stage.clock.advance(1500);
  return answer;
}

const isAsked = async (browser: Browser) => (await (await browser.ask("/first-run")).text()).includes('name="code"');
const isSet = ({ app }: HttpStage) => app.settings.current.auth.password_hash !== "";

describe("the first run asks for the code", () => {
  const rows: [address: string, asks: boolean][] = [
    ["127.0.0.1", false],
    ["::1", false],
    ["10.1.2.3", false],
    ["172.16.0.9", false],
    ["172.32.0.9", true],
    ["192.168.178.20", false],
    ["::ffff:192.168.1.5", false],
    ["169.254.3.4", false],
    ["fd12:3456::1", false],
    ["fe80::1", false],
    // Shared addresses of a provider, which its other customers have as well.
    ["100.64.0.9", true],
    [OUTSIDE, true],
    ["::ffff:203.0.113.7", true],
    ["2001:db8::7", true],
  ];
  for (const [address, asks] of rows)
    test(`${asks ? "from" : "not from"} ${address}`, async () => {
      const { stage, browser } = await from(address);
      await using _ = stage;
      expect(await isAsked(browser)).toBe(asks);
      const answer = await send(browser, {});
      expect([answer.status, isSet(stage)]).toEqual(asks ? [400, false] : [302, true]);
    });

  test("where any address on the way is from outside, in whichever header a proxy tells it", async () => {
    const rows: [header: string, value: string, asks: boolean][] = [
      ["x-forwarded-for", `${OUTSIDE}, 172.18.0.2`, true],
      ["x-forwarded-for", "192.168.1.7, 172.18.0.2", false],
      ["x-real-ip", OUTSIDE, true],
      ["x-real-ip", "192.168.1.7", false],
      ["cf-connecting-ip", OUTSIDE, true],
      ["forwarded", `for=192.168.1.7, for=${OUTSIDE};proto=https`, true],
      ["forwarded", 'for="[2001:db8::7]:4711"', true],
      ["forwarded", "for=_hidden", true],
      ["forwarded", 'for="[fd00::1]";by=10.0.0.1', false],
    ];
    for (const trustProxy of [true, false])
      for (const [header, value, asks] of rows) {
        await using stage = await HttpStage.open({ password: null, trustProxy });
        expect([header, value, await isAsked(stage.browser({ [header]: value }))]).toEqual([header, value, asks]);
      }
  });

  test("where a proxy that is not trusted passes on an address from outside, and not where it is from home", async () => {
    for (const [passedOn, asks] of [
      ["192.168.1.7", false],
      [OUTSIDE, true],
      [`${OUTSIDE}, 10.0.0.2`, true],
      ["192.168.1.7, unknown", true],
    ] as const) {
      const { stage, browser } = await from(passedOn, false);
      await using _ = stage;
      expect([passedOn, await isAsked(browser)]).toEqual([passedOn, asks]);
    }
  });
});

describe("the code", () => {
  test("lets the password be set, in whatever spelling it is typed", async () => {
    for (const spelled of [
      (code: string) => code,
      (code: string) => ` ${code.toLowerCase()} `,
      (code: string) => code.replace("-", " "),
      (code: string) => code.replace("-", ""),
    ]) {
      const { stage, browser } = await from(OUTSIDE);
      await using _ = stage;
      const [code = ""] = stage.codes;
      expect(code).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
      const answer = await send(browser, { code: spelled(code) });
      expect([answer.status, answer.headers.get("location"), isSet(stage)]).toEqual([302, "/login", true]);
    }
  });

  test("is asked for beside the field, and what was typed elsewhere stays", async () => {
    const { stage, browser } = await from(OUTSIDE);
    await using _ = stage;
    const missing = await send(browser, { code: " " });
    const text = await missing.text();
    expect([missing.status, text.includes("Type the code that was printed at the start.")]).toEqual([400, true]);
    expect(text).toMatch(/<input[^>]*name="username"[^>]*value="anna"/);
    const wrong = await guess(stage, browser, "AAAA-AAAA");
    expect([wrong.status, (await wrong.text()).includes("This is not the code.")]).toEqual([400, true]);
    expect(isSet(stage)).toBe(false);
  });

  test("costs a try only when all else is right, is locked after ten wrong ones, and no right one opens it then", async () => {
    const { stage, browser } = await from(OUTSIDE);
    await using _ = stage;
    for (let time = 0; time < 12; time++) await send(browser, { code: "wrong", confirm: "another" });
    expect(stage.app.throttle.standingOf(OUTSIDE)).toMatchObject({ triesLeft: 10, lockedSeconds: 0 });
    for (let time = 0; time < 10; time++) expect((await guess(stage, browser, `AAAA-AAA${time}`)).status).toBe(400);
    const locked = await send(browser, { code: stage.codes[0] ?? "" });
    expect([locked.status, locked.headers.get("retry-after"), isSet(stage)]).toEqual([429, "899", false]);
    expect(await locked.text()).toContain("Too many failed attempts. Try again in 15 minutes.");
    // Nor does it lock those at home.
    const home = stage.browser({ "x-forwarded-for": "192.168.1.7", "x-forwarded-proto": "https" });
    expect((await send(home, {})).status).toBe(302);
  });

  test("is worth nothing once a password is set, is a new one should none be set again, and is in no log", async () => {
    const { stage, browser } = await from(OUTSIDE);
    await using _ = stage;
    await guess(stage, browser, "AAAA-AAAA");
    const [code = ""] = stage.codes;
    expect((await send(browser, { code })).status).toBe(302);
    expect(stage.app.firstRunCode.isRight(code)).toBe(false);
    expect((await browser.ask("/first-run")).headers.get("location")).toBe("/login");
    await stage.changeAuth({ password_hash: "" });
    expect(stage.codes).toHaveLength(2);
    expect([stage.codes[1] === code, stage.app.firstRunCode.isRight(code)]).toEqual([false, false]);
    const said = stage.app.log.lines.map(({ message }) => message);
    expect(said).toContain(`A wrong code for the first run came from ${OUTSIDE}`);
    for (const told of stage.codes) expect(said.join("\n")).not.toContain(told);
  });

  test("there is none with a password, or where nobody has to sign in", async () => {
    await using withPassword = await HttpStage.open();
    await using open = await HttpStage.open({ password: null, auth: { mode: "none" } });
    expect([withPassword.codes, open.codes]).toEqual([[], []]);
    expect(withPassword.app.firstRunCode.isRight("")).toBe(false);
  });
});
