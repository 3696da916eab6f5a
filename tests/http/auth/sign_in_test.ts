import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkPassword } from "../../../server/http/auth/sign_in.ts";
import { type Browser, cheapHash, HttpStage, PASSWORD, SAMPLES } from "../../support/app/http.ts";

const WRONG = "User name or password is wrong";
/** Inline parts, which the content policy forbids. */
const INLINE = /<script(?![^>]* src=)|<style|style=/;

/** Signs in wrongly and lets the time of a failure pass. */
async function failIn(stage: HttpStage, browser: Browser, username = "admin", password = "wrong"): Promise<Response> {
  const asleep = stage.clock.asleep(1500);
  const answer = browser.signIn(username, password);
  await asleep;
  await stage.clock.advance(1500);
  return answer;
}

describe("the sign-in page", () => {
  test("has labels, names for password managers, the token twice and the page to go to", async () => {
    await using stage = await HttpStage.open();
    const answer = await stage.browser().ask("/login?next=/settings%3Ftab%3Dauth");
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const text = await answer.text();
    for (const part of [
      '<!doctype html><html lang="en">',
      '<label for="username">',
      '<label for="password">',
      'autocomplete="username"',
      'autocomplete="current-password"',
      'name="next" value="/settings?tab=auth"',
      'type="submit"',
    ])
      expect(text).toContain(part);
    const [, meta] = /<meta name="csrf-token" content="([\w-]+)"\/>/.exec(text) ?? [];
    expect(text).toContain(`name="csrf_token" value="${meta}"`);
    expect(text).not.toMatch(INLINE);
    expect(text).not.toMatch(/role="alert"|0\.1\.0/);
  });

  test("never repeats a foreign address to go to", async () => {
    await using stage = await HttpStage.open();
    for (const next of ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"]) {
      const text = await (await stage.browser().ask(`/login?next=${encodeURIComponent(next)}`)).text();
      expect(text).toContain('name="next" value="/"');
    }
  });

  test("leads on who has nothing to do there: who is signed in, and everybody in the modes without", async () => {
    const rows: [path: string, location: string][] = [
      ["/login", "/"],
      ["/login?next=/viewer%3Fkey%3Da%23t%3D3", "/viewer?key=a#t=3"],
      ["/login?next=//evil.example", "/"],
      ["/login?next=/login", "/"],
    ];
    const check = async (browser: Browser) => {
      for (const [path, location] of rows) {
        const answer = await browser.ask(path);
        expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 302, location]);
      }
    };
    await using stage = await HttpStage.open({ routes: SAMPLES });
    const browser = await stage.signedIn();
    await check(browser);
    await browser.ask("/api/auth/sessions", { method: "DELETE", headers: { "x-csrftoken": await browser.token() } });
    expect((await browser.ask("/login")).status).toBe(200);
    browser.cookies.set("dashdock_session", "made.up");
    expect((await browser.ask("/login")).status).toBe(200);
    await stage.changeAuth({ mode: "none" });
    await check(stage.browser());
    await stage.changeAuth({ mode: "proxy", trusted_proxies: ["127.0.0.0/8"] });
    await check(stage.browser({ "x-remote-user": "anna" }));
    expect((await stage.browser().ask("/login")).status).toBe(401);
  });
});

describe("signing in", () => {
  test("leads to where the person wanted to go, if that is ours", async () => {
    await using stage = await HttpStage.open({ routes: SAMPLES });
    const rows: [next: string | undefined, location: string][] = [
      [undefined, "/"],
      ["", "/"],
      ["/settings", "/settings"],
      ["//evil.example", "/"],
      ["https://evil.example/", "/"],
      ["/logout", "/"],
    ];
    for (const [next, location] of rows) {
      const browser = stage.browser();
      const answer = await browser.signIn("admin", PASSWORD, next === undefined ? {} : { next });
      expect([next, answer.status, answer.headers.get("location")]).toEqual([next, 302, location]);
      expect(await (await browser.ask("/")).text()).toBe("page for admin");
    }
  });

  test("takes a name without the blanks around it, which phone keyboards add", async () => {
    await using stage = await HttpStage.open({ auth: { username: "anna b " } });
    for (const name of ["anna b", "anna b ", " anna b\t"])
      expect((await stage.browser().signIn(name, PASSWORD)).status).toBe(302);
    expect((await failIn(stage, stage.browser(), "annab", PASSWORD)).status).toBe(401);
  });

  test("takes the letters of a name as they are, and a password with blanks around it", async () => {
    const password = "  größer als 🚗  ";
    await using stage = await HttpStage.open({ password, auth: { username: "Änna" } });
    expect((await stage.browser().signIn("Änna", password)).status).toBe(302);
    expect((await failIn(stage, stage.browser(), "änna", password)).status).toBe(401);
    expect((await failIn(stage, stage.browser(), "Änna", password.trim())).status).toBe(401);
  });

  test("fails with one message, after a second and a half, whatever was wrong", async () => {
    await using stage = await HttpStage.open();
    const rows: [username: string, password: string][] = [
      ["admin", "wrong"],
      ["nobody", PASSWORD],
      ["nobody", "wrong"],
      ["", ""],
      ["admin", "x".repeat(5000)],
    ];
    for (const [index, [username, password]] of rows.entries()) {
      const answer = await failIn(stage, stage.browser(), username, password);
      expect(answer.status).toBe(401);
      const text = await answer.text();
      expect(text).toMatch(/<div class="note is-attention" id="login-error" role="alert">/);
      expect(text).toContain(`<b class="strong">${WRONG}</b><p>${9 - index} tries left.`);
      expect(text.match(/aria-describedby="login-error"/g)).toHaveLength(2);
      expect(text).toMatch(/<input(?=[^>]* name="username")(?=[^>]* autocomplete="username")[^>]* type="text"/);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(stage.clock.napsOf(1500)).toBe(rows.length);
  });

  test("treats missing fields as empty", async () => {
    await using stage = await HttpStage.open();
    const browser = stage.browser();
    const csrf_token = await browser.token("/login");
    const asleep = stage.clock.asleep(1500);
    const answer = browser.ask("/login", { form: { csrf_token } });
    await asleep;
    await stage.clock.advance(1500);
    expect((await answer).status).toBe(401);
  });

  test("keeps the typed name, escaped, and never the password", async () => {
    await using stage = await HttpStage.open();
    const text = await (await failIn(stage, stage.browser(), '"><script>', "my secret")).text();
    expect(text).toContain('value="&quot;><script>"'.replaceAll("<", "&lt;"));
    expect(text).not.toContain("my secret");
    const log = stage.app.log.lines.map(({ message }) => message).join("\n");
    expect(log).toContain("A sign-in from 127.0.0.1 failed");
    expect(log).not.toMatch(/script|secret/);
  });

  test("is locked after ten failures, with the minutes left and Retry-After, for one address only", async () => {
    await using stage = await HttpStage.open({ trustProxy: true });
    const from = (address: string) => stage.browser({ "x-forwarded-for": address });
    for (let time = 0; time < 10; time++) expect((await failIn(stage, from("10.0.0.1"))).status).toBe(401);
    const locked = await from("10.0.0.1").signIn("admin", PASSWORD);
    expect([locked.status, locked.headers.get("retry-after")]).toEqual([429, "899"]);
    const text = await locked.text();
    expect(text).toContain("Try again in 15 minutes.");
    expect(text).toContain('name="password"');
    expect((await from("10.0.0.2").signIn("admin", PASSWORD)).status).toBe(302);
    await stage.clock.advance(899_000);
    expect((await from("10.0.0.1").signIn("admin", PASSWORD)).status).toBe(302);
  });

  test("cannot be locked for others, nor unlocked, by a forwarded address nobody trusts", async () => {
    await using stage = await HttpStage.open();
    for (let time = 0; time < 10; time++) await failIn(stage, stage.browser({ "x-forwarded-for": `10.0.0.${time}` }));
    const answer = await stage.browser({ "x-forwarded-for": "10.0.0.99" }).signIn("admin", PASSWORD);
    expect(answer.status).toBe(429);
  });

  test("lets exactly ten of fifty parallel guesses through", async () => {
    await using stage = await HttpStage.open();
    const browser = stage.browser();
    const csrf_token = await browser.token("/login");
    const asked = Array.from({ length: 50 }, (_, index) =>
      browser.ask("/login", { form: { csrf_token, username: "admin", password: `guess ${index}` } }),
    );
    while (stage.clock.napsOf(1500) < 10) await stage.clock.asleep(1500);
    await stage.clock.advance(1500);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    expect(stage.clock.napsOf(1500)).toBe(10);
  });

  test("starts the count afresh", async () => {
    await using stage = await HttpStage.open();
    for (let time = 0; time < 9; time++) await failIn(stage, stage.browser());
    await stage.signedIn();
    for (let time = 0; time < 9; time++) expect((await failIn(stage, stage.browser())).status).toBe(401);
    await stage.signedIn();
  });

  test("has nothing to do in the modes that do not ask", async () => {
    await using stage = await HttpStage.open();
    const browser = stage.browser();
    const csrf_token = await browser.token("/login");
    await stage.changeAuth({ mode: "none" });
    const form = { csrf_token, username: "admin", password: "wrong", next: "/settings" };
    const answer = await browser.ask("/login", { form });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/settings"]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe("checkPassword()", () => {
  test("does not count a guess that could not be checked", async () => {
    await using stage = await HttpStage.open();
    stage.app.passwords.close();
    for (let time = 0; time < 20; time++)
      await expect(checkPassword(stage.app, { address: "10.0.0.1", device: null }, PASSWORD)).rejects.toThrow(
        "the service stops",
      );
  });

  test("finds a password wrong that was replaced while it was being checked", async () => {
    await using stage = await HttpStage.open();
    const busy = [1, 2, 3].map(() => stage.app.passwords.hash(PASSWORD));
    const checked = checkPassword(stage.app, { address: "10.0.0.1", device: null }, PASSWORD);
    await stage.changeAuth({ password_hash: await cheapHash("another password") });
    await Promise.all(busy);
    expect(await checked).toBe(false);
  });
});

describe("the first run", () => {
  const choose = async (browser: Browser, form: Record<string, string>) =>
    browser.ask("/first-run", { form: { csrf_token: await browser.token("/first-run"), ...form } });

  test("asks for a name and twice for a password", async () => {
    await using stage = await HttpStage.open({ password: null });
    const text = await (await stage.browser().ask("/first-run")).text();
    for (const part of [
      '<label for="username">',
      'value="admin"',
      '<label for="password">',
      '<label for="confirm">',
      'aria-describedby="password-hint"',
      'minLength="12"',
    ])
      expect(text.toLowerCase()).toContain(part.toLowerCase());
    expect(text.match(/autocomplete="new-password"/g)).toHaveLength(2);
    expect(text).not.toMatch(INLINE);
    expect(text).not.toContain('role="alert"');
  });

  test("stores the hash, and leads to the sign-in from then on", async () => {
    await using stage = await HttpStage.open({ password: null });
    const browser = stage.browser();
    const answer = await choose(browser, { username: " anna ", password: PASSWORD, confirm: PASSWORD });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/login"]);
    const stored = readFileSync(join(stage.folder, "settings.json"), "utf8");
    expect(stored).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(stored).not.toContain(PASSWORD);
    expect((await browser.ask("/first-run")).headers.get("location")).toBe("/login");
    expect((await browser.signIn("anna", PASSWORD)).status).toBe(302);
    const late = await browser.ask("/first-run", { form: { password: PASSWORD, confirm: PASSWORD } });
    expect([late.status, late.headers.get("location")]).toEqual([302, "/login"]);
  });

  const rows: [name: string, form: Record<string, string>, error: string, id: string][] = [
    ["eleven characters", { password: "a".repeat(11), confirm: "a".repeat(11) }, "at least 12", "password-error"],
    ["nothing", {}, "at least 12", "password-error"],
    [
      "too many characters",
      { password: "a".repeat(1025), confirm: "a".repeat(1025) },
      "at most 1024",
      "password-error",
    ],
    ["two passwords", { password: PASSWORD, confirm: `${PASSWORD}!` }, "not the same", "confirm-error"],
    ["no second password", { password: PASSWORD }, "not the same", "confirm-error"],
    [
      "a name with a line break",
      { username: "a\nb", password: PASSWORD, confirm: PASSWORD },
      "control character",
      "username-error",
    ],
  ];
  for (const [name, form, error, id] of rows)
    test(`shows the form again for ${name}, with the problem tied to the field`, async () => {
      await using stage = await HttpStage.open({ password: null });
      const answer = await choose(stage.browser(), form);
      expect(answer.status).toBe(400);
      const text = await answer.text();
      expect(text).toMatch(new RegExp(`<p class="error" id="${id}" role="alert"><svg.*?</svg>[^<]*${error}`));
      expect(text).toMatch(new RegExp(`aria-describedby="${id}[ "]`));
      expect(text).not.toContain(PASSWORD);
      expect(stage.app.settings.current.auth.password_hash).toBe("");
    });

  test("is refused without a token, with the form", async () => {
    await using stage = await HttpStage.open({ password: null });
    const answer = await stage.browser().ask("/first-run", { form: { password: PASSWORD, confirm: PASSWORD } });
    expect([answer.status, (await answer.text()).includes('name="confirm"')]).toEqual([403, true]);
    expect(stage.app.settings.current.auth.password_hash).toBe("");
  });

  test("has one winner when two come at the same moment", async () => {
    await using stage = await HttpStage.open({ password: null });
    const passwords = ["the first of two", "the second of two"];
    let times = 0;
    stage.app.settings.onChange((now, before) => {
      if (now.auth.password_hash !== before.auth.password_hash) times++;
    });
    const answers = await Promise.all(
      passwords.map((password) => choose(stage.browser(), { password, confirm: password })),
    );
    for (const answer of answers) expect(answer.headers.get("location")).toBe("/login");
    const winners = [];
    for (const password of passwords) {
      const { password_hash } = stage.app.settings.current.auth;
      if (await stage.app.passwords.verify(password, password_hash)) winners.push(password);
    }
    expect(winners).toHaveLength(1);
    expect(times).toBe(1);
  });
});
