import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError, type ErrorCode } from "../../server/domain/answers/errors.ts";
import type { Route } from "../../server/http/request/route.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { Client } from "../support/app/client.ts";
import { FakeClock } from "../support/app/clock.ts";
import { type Browser, cheapHash, HttpStage, PASSWORD, SAMPLES, type StageApp } from "../support/app/http.ts";

const INLINE = /<script(?![^>]* src=)|<style|style=/;

/** Signs in wrongly and lets the time of a failure pass. */
async function failIn(stage: HttpStage, browser: Browser, username = "admin"): Promise<Response> {
  const asleep = stage.clock.asleep(1500);
  const answer = browser.signIn(username, "my secret guess");
  await asleep;
  await stage.clock.advance(1500);
  return answer;
}

async function textOf(browser: Browser, path: string): Promise<string> {
  return (await browser.ask(path)).text();
}

describe("the sign-in page", () => {
  test("is one card that stands without a script, its first field focused", async () => {
    await using stage = await HttpStage.open();
    const text = await textOf(stage.browser(), "/login");
    for (const part of [
      '<body class="gate">',
      "<h1>Sign in</h1>",
      '<form method="post" action="/login">',
      "Your recordings stay on this machine.",
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/<input[^>]*name="username"[^>]*autofocus/);
    expect(text).not.toMatch(/<input[^>]*name="password"[^>]*autofocus/);
    expect(text).not.toMatch(INLINE);
  });

  test("tells nobody which cameras there are", async () => {
    await using running = await startApp({ mode: "login", password: PASSWORD });
    const stranger = new Client(running.url);
    for (const path of ["/login", "/help/sign-in", "/help/first-steps"])
      for (const camera of ["main", "truck", "all"])
        expect([path, camera, (await stranger.fetch(`${path}?camera=${camera}`)).status]).toEqual([path, camera, 200]);
  });

  test("says that the visitor was signed out only when there is a page to go back to", async () => {
    await using stage = await HttpStage.open();
    const line = "Sign in to go on.";
    expect(await textOf(stage.browser(), "/login?next=/logs")).toContain(line);
    for (const path of ["/login", "/login?next=/", "/login?next=//evil.example"])
      expect(await textOf(stage.browser(), path)).not.toContain(line);
  });

  test("counts the tries that are left, whatever the name is, and moves the focus to the password", async () => {
    await using stage = await HttpStage.open();
    for (const [username, tries] of [
      ["admin", "9 tries left"],
      ["nobody", "8 tries left"],
    ] as const) {
      const text = await (await failIn(stage, stage.browser(), username)).text();
      expect(text).toContain(`<p>${tries}. After that, signing in from this address is locked for 15\u00a0min.</p>`);
      expect(text).toMatch(/<input[^>]*name="password"[^>]*autofocus/);
      expect(text).toContain(`value="${username}"`);
    }
    for (let time = 0; time < 6; time++) await failIn(stage, stage.browser());
    expect(await (await failIn(stage, stage.browser())).text()).toContain("<p>1 try left. After that");
    const last = await failIn(stage, stage.browser());
    expect(last.status).toBe(401);
    const text = await last.text();
    expect(text).toContain("That was the last try");
    expect(text).toContain("Try again in 15 minutes.");
  });

  test("tells of a lock as soon as it is opened, and works again when it is over", async () => {
    await using stage = await HttpStage.open();
    for (let time = 0; time < 10; time++) stage.app.throttle.begin("127.0.0.1");
    const browser = stage.browser();
    const answer = await browser.ask("/login");
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain("Too many failed attempts");
    expect(text).toContain("Try again in 15 minutes.");
    await stage.clock.advance(900_000);
    expect(await textOf(browser, "/login")).not.toContain("Too many failed attempts");
    expect((await browser.signIn("admin", PASSWORD)).status).toBe(302);
  });

  test("keeps what was typed out of its markup, whatever it is", async () => {
    await using stage = await HttpStage.open();
    const text = await (await failIn(stage, stage.browser(), `'"><img src=x>&`)).text();
    expect(text).not.toContain("<img");
    const [, props = ""] = /data-island="sign_in" data-props="([^"]*)"/.exec(text) ?? [];
    const read = props.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");
    expect(JSON.parse(read).username).toBe(`'"><img src=x>&`);
    expect(text).not.toContain("my secret guess");
  });

  test("has the theme of the browser's choice from the first paint on", async () => {
    await using stage = await HttpStage.open();
    for (const [cookie, html] of [
      ["dark", '<html lang="en" data-theme="dark">'],
      ["light", '<html lang="en" data-theme="light">'],
      ['"><script>', '<html lang="en">'],
    ] as const) {
      const browser = stage.browser();
      browser.cookies.set("dashdock_theme", cookie);
      for (const path of ["/login", "/nothing"]) expect(await textOf(browser, path)).toContain(html);
    }
  });

  test("colors what is around it as the theme says, by the device where none is chosen", async () => {
    await using stage = await HttpStage.open();
    const dark = { content: "#10161b", media: "(prefers-color-scheme: dark)" };
    const light = { content: "#f4f6f8", media: "(prefers-color-scheme: light)" };
    for (const [cookie, colors] of [
      ["dark", [{ ...dark, media: undefined }]],
      ["light", [{ ...light, media: undefined }]],
      ["system", [dark, light]],
    ] as const) {
      const browser = stage.browser();
      browser.cookies.set("dashdock_theme", cookie);
      for (const path of ["/login", "/nothing"]) {
        const text = await textOf(browser, path);
        const metas = text.matchAll(/<meta name="theme-color" content="([^"]*)"(?: media="([^"]*)")?\/?>/g);
        const found = [...metas].map(([, content, media]) => ({ content, media }));
        expect([cookie, path, found as unknown]).toEqual([cookie, path, colors]);
      }
    }
  });
});

describe("the first run", () => {
  test("is the first of two steps, with the strength of a password in words", async () => {
    await using stage = await HttpStage.open({ password: null });
    const text = await textOf(stage.browser(), "/first-run");
    expect(text).toContain('<li aria-current="step">1. Your password</li>');
    expect(text).toContain("<h1>Make it yours</h1>");
    expect(text).toMatch(/<p class="says" id="password-hint">\s*At least 12 characters\.<\/p>/);
    expect(text).toMatch(/<input[^>]*name="password"[^>]*autofocus/);
    expect(text).not.toMatch(INLINE);
  });

  test("focuses the first field that must be put right", async () => {
    await using stage = await HttpStage.open({ password: null });
    const rows: [form: Record<string, string>, field: string][] = [
      [{ password: "short", confirm: "short" }, "password"],
      [{ password: PASSWORD, confirm: `${PASSWORD}!` }, "confirm"],
      [{ username: "a\nb", password: "short" }, "username"],
    ];
    for (const [form, field] of rows) {
      const browser = stage.browser();
      const csrf_token = await browser.token("/first-run");
      const text = await (await browser.ask("/first-run", { form: { csrf_token, ...form } })).text();
      const focused = [...text.matchAll(/<input[^>]*name="(\w+)"[^>]*autofocus/g)].map(([, name]) => name);
      expect(focused).toEqual([field]);
    }
  });
});

describe("the first run where recordings are here already", () => {
  /** A service without a password yet, with videos of so many days ago. */
  async function withVideos(daysAgo: readonly number[]): Promise<RunningApp> {
    const clock = new FakeClock();
    const app = await startApp({ mode: "login", clock });
    mkdirSync(app.destination);
    for (const days of daysAgo) {
      const day = new Date(clock.now() - days * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
      writeFileSync(join(app.destination, `${day}_101500_NF.mp4`), "");
    }
    return app;
  }

  /** Sends the form as a browser does. */
  async function choose({ url }: RunningApp, more: Record<string, string>): Promise<Response> {
    const browser = new Client(url);
    await browser.open("/first-run");
    return browser.submit("/first-run", { username: "anna", password: PASSWORD, confirm: PASSWORD, ...more });
  }

  /** Reason why the next pass would be held. */
  const heldFor = async ({ app }: RunningApp): Promise<string | null> => (await app.deletions.held())?.reason ?? null;

  const options = (text: string) =>
    [...text.matchAll(/<label class="opt">(.*?)<\/label>/g)].map(([, label = ""]) => ({
      value: /value="([^"]*)"/.exec(label)?.[1] ?? "",
      isChosen: / checked/.test(label),
      words: label
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/[\s\u00a0]+/g, " ")
        .trim(),
    }));

  test("is asked how long to keep them, and what each answer does to them; nothing is decided unasked", async () => {
    await using stage = await withVideos([1, 20, 40, 50]);
    const text = (await stage.client.open("/first-run")).text;
    expect(text.replaceAll("\u00a0", " ")).toContain(
      "4 recordings are here already. How long should recordings be kept?",
    );
    const goes = "moved to the trash for 7 days by the next scheduled run.";
    expect(options(text)).toEqual([
      { value: "later", isChosen: true, words: "Decide later Nothing is deleted until you have." },
      { value: "", isChosen: false, words: "Keep all of them Nothing is deleted by itself." },
      { value: "2w", isChosen: false, words: `2 weeks 3 older ones are ${goes}` },
      { value: "30d", isChosen: false, words: `1 month 2 older ones are ${goes}` },
      { value: "1y", isChosen: false, words: "1 year None of those here is older." },
    ]);
    expect(text).not.toMatch(INLINE);
  });

  test("asks nothing of the kind where there are none", async () => {
    await using stage = await withVideos([]);
    expect((await stage.client.open("/first-run")).text).not.toContain('name="keep"');
  });

  const rows: [sent: Record<string, string>, keep: string, held: string | null][] = [
    [{}, "2w", "adopted"],
    [{ keep: "later" }, "2w", "adopted"],
    [{ keep: "" }, "", null],
    [{ keep: "2w" }, "2w", null],
    [{ keep: "30d" }, "30d", null],
    [{ keep: "1y" }, "1y", null],
  ];
  for (const [sent, keep, held] of rows)
    test(`is kept for ${keep || "ever"} after ${JSON.stringify(sent)}, which is ${held ? "no choice" : "a choice"}`, async () => {
      await using stage = await withVideos([20, 50]);
      expect(await heldFor(stage)).toBe("adopted");
      expect((await choose(stage, sent)).headers.get("location")).toBe("/login");
      const { retention, auth } = stage.app.settings.current;
      expect([retention.keep, auth.username]).toEqual([keep, "anna"]);
      expect(await heldFor(stage)).toBe(held);
    });

  test("takes nothing that is no time to keep, and goes on with what was chosen when something else is wrong", async () => {
    await using stage = await withVideos([20]);
    const bad = await choose(stage, { keep: "<b>soon" });
    expect(bad.status).toBe(400);
    const text = await bad.text();
    expect(text).toContain("Choose one of these.");
    expect(text).not.toContain("soon");
    expect(options(text).find(({ isChosen }) => isChosen)?.value).toBe("later");
    const again = await choose(stage, { keep: "1y", confirm: "another" });
    expect(again.status).toBe(400);
    expect(options(await again.text()).find(({ isChosen }) => isChosen)?.value).toBe("1y");
    expect(stage.app.settings.current.auth.password_hash).toBe("");
    expect(stage.app.settings.current.retention.keep).toBe("2w");
  });

  test("lets only the one decide who sets the password", async () => {
    await using stage = await withVideos([20]);
    await stage.client.open("/first-run");
    await choose(stage, { keep: "later" });
    await stage.client.submit("/first-run", { password: PASSWORD, confirm: PASSWORD, keep: "" });
    expect(stage.app.settings.current.retention.keep).toBe("2w");
    expect(await heldFor(stage)).toBe("adopted");
  });
});

describe("the sign-in page after the first run", () => {
  const WORDS = "<p>Password set. Sign in with it; the camera’s address comes next.</p>";

  /** A browser in which a user called Änna has just set the password. */
  async function fresh(stage: HttpStage): Promise<Browser> {
    const browser = stage.browser();
    const csrf_token = await browser.token("/first-run");
    const form = { csrf_token, username: "Änna", password: PASSWORD, confirm: PASSWORD };
    const answer = await browser.ask("/first-run", { form });
    const cookies = answer.headers.getSetCookie();
    expect(answer.headers.get("location")).toBe("/login");
    expect(cookies).toEqual([
      expect.stringMatching(/^dashdock_welcome=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
    return browser;
  }

  test("goes on from there: says so, has the name filled in and the password focused", async () => {
    await using stage = await HttpStage.open({ password: null });
    const text = await textOf(await fresh(stage), "/login");
    expect(text).toContain(WORDS);
    expect(text).toMatch(/<input[^>]*name="username"[^>]*value="Änna"/);
    expect(text).toMatch(/<input[^>]*name="password"[^>]*autofocus/);
    expect(text).not.toMatch(/<input[^>]*name="username"[^>]*autofocus/);
  });

  test("speaks of the camera only while its address is missing", async () => {
    await using stage = await HttpStage.open({ password: null });
    const browser = await fresh(stage);
    await stage.app.settings.update((latest) => ({
      ...latest,
      connection: { ...latest.connection, address: "192.0.2.1" },
    }));
    expect(await textOf(browser, "/login")).toContain("<p>Password set. Sign in with it.</p>");
  });

  test("tells the name to no other browser, whatever cookie it makes up, and not after another password", async () => {
    await using stage = await HttpStage.open({ password: null });
    const browser = await fresh(stage);
    for (const cookie of ["1", ""]) {
      const stranger = stage.browser();
      stranger.cookies.set("dashdock_welcome", cookie);
      const text = await textOf(stranger, "/login");
      expect(text).toContain("To see this machine’s recordings.");
      expect(text).not.toContain("Änna");
    }
    await stage.changeAuth({ password_hash: await cheapHash("another password") });
    expect(await textOf(browser, "/login")).not.toContain("Änna");
  });

  test("is as ever once a user has signed in", async () => {
    await using stage = await HttpStage.open({ password: null });
    const browser = await fresh(stage);
    expect((await browser.signIn("Änna", PASSWORD)).status).toBe(302);
    expect(browser.cookies.has("dashdock_welcome")).toBe(false);
  });
});

describe("a page that refuses", () => {
  const refusing = (code: ErrorCode, message: string): Route<StageApp>["handle"] => {
    return () => {
      throw new AppError(code, message);
    };
  };
  const route = (code: ErrorCode, message: string): Route<StageApp> => ({
    method: "GET",
    path: `/${code}`,
    access: "open",
    handle: refusing(code, message),
  });
  const rows: [code: ErrorCode, status: number, title: string, shape: string][] = [
    ["AUTH_REQUIRED", 401, "Not signed in", "s-attention"],
    ["CSRF_FAILED", 403, "Not accepted", "s-attention"],
    ["NOT_FOUND", 404, "Not found", "s-attention"],
    ["METHOD_NOT_ALLOWED", 405, "Not possible here", "s-attention"],
    ["BODY_TOO_LARGE", 413, "Too large", "s-attention"],
    ["RATE_LIMITED", 429, "Too many attempts", "s-waiting"],
    ["SYNC_ALREADY_RUNNING", 409, "Not possible", "s-attention"],
    ["INTERNAL", 500, "Something went wrong", "s-failed"],
    ["TOO_MANY_STREAMS", 503, "Not right now", "s-waiting"],
    ["STARTING", 503, "Dashdock is starting", "s-busy"],
  ];
  for (const [code, status, title, shape] of rows)
    test(`${status} ${code} has its title, its shape, a sentence and a way back, and needs no script`, async () => {
      await using stage = await HttpStage.open({ routes: [route(code, 'Because of <b>"&')] });
      const answer = await stage.browser().ask(`/${code}`);
      expect(answer.status).toBe(status);
      const text = await answer.text();
      expect(text).toContain(`<h1>${title}</h1>`);
      expect(text).toContain(`<use href="#${shape}">`);
      expect(text).toContain(`<symbol id="${shape}"`);
      if (code !== "STARTING") expect(text).toContain("<p>Because of &lt;b>&quot;&amp;.</p>");
      expect(text).toMatch(/<a class="b" href="\/[^"]*">/);
      expect(text).toMatch(/<link rel="stylesheet" href="\/assets\/app-\w+\.css"\/>/);
      expect(text).not.toMatch(/<script|<style|style=/);
    });

  test("tries again by itself while the service starts, but never repeats a change", async () => {
    const routes: Route<StageApp>[] = [
      route("STARTING", "Not yet."),
      { method: "POST", path: "/STARTING", access: "open", handle: refusing("STARTING", "Not yet.") },
    ];
    await using stage = await HttpStage.open({ routes });
    const read = await stage.browser().ask("/STARTING?x=1&y=%3Cb%3E");
    const { headers } = read;
    expect([read.status, headers.get("retry-after"), headers.get("refresh")]).toEqual([503, "1", "5"]);
    const text = await read.text();
    expect(text).toContain('<a class="b" href="/STARTING?x=1&amp;y=%3Cb%3E">');
    const changed = await stage.browser().ask("/STARTING", { form: {} });
    expect(changed.headers.get("refresh")).toBeNull();
    expect(await changed.text()).toContain('<a class="b" href="/">');
  });

  test("names the line of the log for an unexpected error", async () => {
    const broken: Route<StageApp> = {
      method: "GET",
      path: "/broken",
      access: "open",
      handle: () => {
        throw new Error("the cause");
      },
    };
    await using stage = await HttpStage.open({ routes: [broken] });
    const text = await textOf(stage.browser(), "/broken");
    const [, id = ""] = /Reference in the log: <code>([0-9a-f-]{36})<\/code>/.exec(text) ?? [];
    expect(stage.warnings.some((line) => line.includes(id))).toBe(true);
    expect(text).not.toContain("the cause");
  });

  test("at the proxy offers to try again instead of a dashboard that cannot be reached", async () => {
    await using stage = await HttpStage.open({ auth: { mode: "proxy" }, routes: SAMPLES });
    const text = await textOf(stage.browser(), "/");
    expect(text).toContain("Sign-in happens at the proxy");
    // The guide is behind the proxy, too.
    expect(text).not.toContain('href="/help');
    expect(text).toContain('<a class="b" href="/">Try again</a>');
  });
});
