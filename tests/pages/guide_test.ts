import { describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { join } from "node:path";
import { CHAPTER_NAMES, OPEN_CHAPTERS } from "../../server/domain/guide/chapters.ts";
import { ACTION_PLACES, GUIDE_PLACES, HINT_PLACES, settingPlace } from "../../server/domain/guide/places.ts";
import { fieldsOf, SECTION_NAMES } from "../../server/domain/settings/settings.ts";
import { ROUTES } from "../../server/routes.ts";
import { startApp } from "../support/app/app.ts";
import { Client } from "../support/app/client.ts";

setDefaultTimeout(60_000);

const idsOf = (text: string) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));
const leadsOf = (text: string) => [...text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = ""]) => href);

describe("the guide's pages", () => {
  test("lead only to what is there: chapters, headings and pages of the service", async () => {
    await using app = await startApp();
    const texts = new Map<string, string>();
    const textOf = async (path: string) => {
      const known = texts.get(path);
      if (known !== undefined) return known;
      const response = await app.client.fetch(path);
      const text = response.status === 200 ? await response.text() : "";
      texts.set(path, text);
      return text;
    };
    for (const name of CHAPTER_NAMES)
      for (const href of leadsOf(await textOf(`/help/${name}`))) {
        if (href.startsWith("https://")) continue;
        const [path, anchor = ""] = href.split("#");
        const there = await textOf(path || `/help/${name}`);
        // Some parts of the settings are drawn by the page when they are opened.
        const isThere = there !== "" && (anchor === "" || path === "/settings" || idsOf(there).has(anchor));
        expect([name, href, href === "/help" || isThere]).toEqual([name, href, true]);
      }
  });

  test("are put together once, however often they are read without sign-in", async () => {
    await using app = await startApp();
    await app.client.open("/help/sign-in");
    const [route] = ROUTES;
    if (!route) throw new Error("There is no route");
    using asked = spyOn(route, "about");
    for (const name of OPEN_CHAPTERS) await app.client.open(`/help/${name}`);
    expect(asked).not.toHaveBeenCalled();
  });

  test("have a paragraph for every setting, which leads back to it", async () => {
    await using app = await startApp();
    const { text } = await app.client.open("/help/settings");
    const ids = idsOf(text);
    for (const section of SECTION_NAMES)
      for (const [name] of fieldsOf(section))
        expect([section, name, ids.has(`${section}-${name}`)]).toEqual([section, name, true]);
    const sent = (await app.client.open("/help/settings?from=connection.address")).text;
    expect(sent).toContain('<a class="back" href="/settings#connection-address">');
    const nonsense = (await app.client.open("/help/settings?from=connection.%3Cb%3E")).text;
    expect(nonsense).not.toContain('class="back"');
  });

  test("have every paragraph that messages, hints, rows of errors and settings of the product lead to", async () => {
    await using app = await startApp();
    const fields = SECTION_NAMES.flatMap((section) =>
      fieldsOf(section).map(([name]) => settingPlace(`${section}.${name}`)),
    );
    for (const place of [
      ...Object.values(GUIDE_PLACES),
      ...Object.values(HINT_PLACES),
      ...Object.values(ACTION_PLACES),
      ...fields,
    ]) {
      const [path = "", anchor = ""] = place.split("#");
      const { text } = await app.client.open(path);
      expect([place, anchor === "" || idsOf(text).has(anchor)]).toEqual([place, true]);
    }
    const { text } = await app.client.open("/settings");
    expect(text.match(/href="\/help\/settings\?from=/g)?.length).toBeGreaterThan(20);
  });

  test("have what every address of the guide in the code leads to", async () => {
    await using app = await startApp();
    const root = join(import.meta.dir, "../..");
    const found = new Set<string>();
    for (const path of new Bun.Glob("{server,islands}/**/*.{ts,tsx}").scanSync(root))
      for (const [, to = ""] of (await Bun.file(join(root, path)).text()).matchAll(/"(\/help(?:[/?#][^"$:]*)?)"/g))
        found.add(to);
    expect(found.size).toBeGreaterThan(15);
    for (const to of found) {
      const [path = "", anchor = ""] = to.split("#");
      const response = await app.client.fetch(path);
      const ids = idsOf(response.status === 200 ? await response.text() : "");
      expect([to, path === "/help" ? response.status : anchor === "" ? response.status : ids.has(anchor)]).toEqual([
        to,
        path === "/help" ? 302 : anchor === "" ? 200 : true,
      ]);
    }
  });

  test.each([
    ["I forgot my password", "/help/sign-in#the-password-is-forgotten"],
    ["where is the address of the camera", "/help/first-steps#find-the-address-of-the-camera"],
    ["how long are recordings kept", "/help/first-steps#how-long-recordings-are-kept"],
    ["video does not play", "/help/messages#a-video-does-not-play"],
    ["daylight saving", "/help/messages#times-are-an-hour-off"],
    ["restore a deleted recording", "/help/deleting#the-trash"],
  ])("answer “%s” among the first three of their search", async (question, href) => {
    await using app = await startApp();
    const { text } = await app.client.open(`/help?q=${encodeURIComponent(question)}`);
    const hits = leadsOf(text.slice(text.indexOf('class="hits"')));
    expect(hits.slice(0, 3)).toContain(href);
  });

  test("say that nothing was found, and show what was typed as text", async () => {
    await using app = await startApp();
    const { text } = await app.client.open(`/help?q=${encodeURIComponent("<xyzzy>")}`);
    expect(text).toContain("No paragraph about “&lt;xyzzy>”");
    expect((await app.client.fetch("/help/nothing")).status).toBe(404);
  });

  test("are read before signing in only as far as the first steps and the sign-in, and lead nowhere else", async () => {
    for (const password of [undefined, "a long enough password"]) {
      await using app = await startApp({ mode: "login", ...(password === undefined ? {} : { password }) });
      const stranger = new Client(app.url);
      for (const name of CHAPTER_NAMES) {
        const response = await stranger.fetch(`/help/${name}`);
        const isOpen = OPEN_CHAPTERS.includes(name);
        expect([name, response.status]).toEqual([name, isOpen ? 200 : 302]);
        if (!isOpen) continue;
        const text = await response.text();
        const allowed = OPEN_CHAPTERS.map((one) => `/help/${one}`);
        const others = leadsOf(text).filter(
          (href) => !/^(#|\/$)/.test(href) && !allowed.includes(href.split("#")[0] ?? ""),
        );
        expect([name, others]).toEqual([name, []]);
        expect(text).not.toContain('class="nav"');
      }
      expect((await stranger.fetch("/help?q=password")).status).toBe(302);
    }
  });
});
