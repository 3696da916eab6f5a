import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf, SECTION_NAMES } from "../../server/domain/settings/settings.ts";
import { startApp } from "../support/app/app.ts";

setDefaultTimeout(30_000);

const PASSWORD = "correct horse battery staple";
const TOKEN = "a-token-of-sixteen-letters";

interface Drawn {
  /** Section → names of the controls in it, in order. */
  readonly sections: ReadonlyMap<string, readonly string[]>;
  readonly ids: readonly string[];
  readonly labelled: readonly string[];
  readonly links: readonly string[];
  /** Name → value, of text fields. */
  readonly values: ReadonlyMap<string, string>;
}

/** Reads the parts of a page that matter here. */
async function drawn(page: string): Promise<Drawn> {
  const sections = new Map<string, string[]>();
  const [ids, labelled, links]: string[][] = [[], [], []];
  const values = new Map<string, string>();
  let names: string[] = [];
  await new HTMLRewriter()
    .on("[id]", { element: (element) => void ids?.push(element.getAttribute("id") ?? "") })
    .on("[data-section]", {
      element(element) {
        const section = element.getAttribute("data-section") ?? "";
        if (sections.has(section)) throw new Error(`${section} is there twice`);
        names = [];
        sections.set(section, names);
        element.onEndTag(() => {
          names = [];
        });
      },
    })
    .on("[name]", {
      element(element) {
        const name = element.getAttribute("name") ?? "";
        names.push(name);
        values.set(name, element.getAttribute("value") ?? "");
      },
    })
    .on("label[for]", { element: (element) => void labelled?.push(element.getAttribute("for") ?? "") })
    .on("nav[aria-label=Settings] a", { element: (element) => void links?.push(element.getAttribute("href") ?? "") })
    .transform(new Response(page))
    .text();
  return { sections, ids: ids ?? [], labelled: labelled ?? [], links: links ?? [], values };
}

describe("the settings page, without script", () => {
  test("has every section once, and in it every field that something reads, by its name", async () => {
    await using app = await startApp();
    const { sections } = await drawn((await app.client.open("/settings")).text);
    expect([...sections.keys()].sort()).toEqual([...SECTION_NAMES].sort());
    for (const name of SECTION_NAMES)
      expect([name, ...new Set(sections.get(name))].sort()).toEqual(
        [name, ...fieldsOf(name).flatMap(([key, { unread }]) => (unread ? [] : [key]))].sort(),
      );
  });

  test("has an anchor for every section, each id once, and a link to every group", async () => {
    await using app = await startApp();
    const { ids, links } = await drawn((await app.client.open("/settings")).text);
    expect(SECTION_NAMES.filter((name) => !ids.includes(name))).toEqual([]);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(links).toEqual([
      "#schedule",
      "#sync",
      "#retention",
      "#system",
      "#connection",
      "/settings/camera",
      "#notify",
      "#mqtt",
      "#offsite",
      "#auth",
      "#logging",
      "#metrics",
      "#viewer",
      "#places",
      "#moments",
      "#share",
      "#export",
      "#web",
      "#about",
    ]);
  });

  test("shows what is set, in words where the schema has codes", async () => {
    await using app = await startApp({
      settings: {
        schedule: { cron_expression: "0 3 * * sun", timezone: "Europe/Rome" },
        sync: { priority: "type", include: ["P", "NF"], skip_metadata: ["3"] },
        retention: { keep: "6w" },
        logging: { file_max_bytes: 5_000_000 },
      },
    });
    const { text } = await app.client.open("/settings");
    const { values } = await drawn(text);
    expect(values.get("cron_expression")).toBe("0 3 * * sun");
    expect(values.get("keep")).toBe("6");
    expect(text).toContain("At 03:00, only on Sunday.");
    expect(text).toMatch(/<code>NF<\/code> <span class="type ty-n">.*?Normal<\/span> Front/);
    expect(text).toContain('<option value="type" selected>By kind: manual, event, then the rest</option>');
    expect(text.match(/<input[^>]*name="skip_metadata"[^>]*>/g)?.map((box) => box.includes(" checked"))).toEqual([
      false,
      true,
      false,
    ]);
    expect(text).toContain("6 weeks");
    expect(text).toContain("bytes, 5\u00a0MB");
  });

  test("shows what the next run would delete, what is kept, and what lies in the trash", async () => {
    await using app = await startApp({ settings: { retention: { keep: "2w", keep_event: "always", max_gb: 500 } } });
    mkdirSync(app.destination, { recursive: true });
    for (const name of ["20200101_080000_NF", "20200101_080000_NR", "20200102_080000_EF", "20200103_080000_PF"])
      writeFileSync(join(app.destination, `${name}.mp4`), "x".repeat(1000));
    await app.app.library.refresh();
    await app.client.open("/settings");
    expect((await app.client.send("PUT", "/api/recordings/20200103_080000_P/keep", { note: "A <tram>" })).status).toBe(
      200,
    );
    const { text } = await app.client.open("/settings");
    const { values } = await drawn(text);
    expect([values.get("keep_event"), values.get("max_gb"), values.get("max_percent")]).toEqual(["", "500", ""]);
    const [, html = ""] = text.split('id="retention"');
    const words = html.replace(/<[^>]*>/g, " ").replace(/[\s\u00a0]+/g, " ");
    expect(words).toContain("2 recordings, 2 kB are due. Deletion is on hold");
    expect(html).toContain('<svg class="pv" role="img" aria-label="Normal: 2\u00a0recordings, 2\u00a0kB go,');
    expect(html).toMatch(/aria-label="Event: unit".*?<option(?=[^>]* selected)[^>]*>Keep forever</);
    expect(words).toContain("A &lt;tram> 1 camera, 1 kB");
    expect(words).toContain("Nothing is in the trash.");
    for (const link of ["/viewer?only=due", "/viewer?only=kept", "/trash", "/viewer?key=20200103_080000_P"])
      expect(html).toContain(`href="${link}"`);
  });

  test("says that saving needs a script", async () => {
    await using app = await startApp();
    const { text } = await app.client.open("/settings");
    expect(/<noscript>(.*?)<\/noscript>/s.exec(text)?.[1]).toContain("Changing them needs JavaScript");
  });

  test("never has a secret in it", async () => {
    await using app = await startApp({
      mode: "login",
      password: PASSWORD,
      settings: { metrics: { scrape_token: TOKEN } },
    });
    await app.client.signIn("admin", PASSWORD);
    const { text } = await app.client.open("/settings");
    const { password_hash, session_secret } = app.app.settings.current.auth;
    for (const secret of [password_hash, session_secret, TOKEN]) {
      expect(secret.length).toBeGreaterThan(15);
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Bun.escapeHTML(secret));
    }
    const { values } = await drawn(text);
    for (const name of ["password_hash", "session_secret", "scrape_token"]) expect(values.get(name)).toBe("***");
  });

  test("offers to end sessions only where there are any, and to change a password only when one is set", async () => {
    await using open = await startApp();
    const without = (await open.client.open("/settings")).text;
    expect(without).not.toContain('data-action="rotate-sessions"');
    expect(without).not.toContain('data-action="change-password"');
    await using closed = await startApp({ mode: "login", password: PASSWORD });
    await closed.client.signIn("admin", PASSWORD);
    const { text } = await closed.client.open("/settings");
    expect(text).toContain('data-action="rotate-sessions"');
    expect(text).toContain('data-action="change-password"');
  });

  test("says what waits for a restart", async () => {
    await using app = await startApp();
    expect((await app.client.open("/settings")).text).not.toContain("Restart needed");
    await app.client.send("PATCH", "/api/settings/web", { session_lifetime_hours: 48 });
    const { text } = await app.client.open("/settings");
    expect(text).toContain("Restart needed");
    expect(text).toContain("Saved, applies after a restart");
  });

  test("says what is in use where the start was given something else than the settings have", async () => {
    await using first = await startApp();
    await first.stop();
    await using app = await startApp({ folder: first.folder, destination: join(first.folder, "other") });
    const fieldOf = async (label: string) => {
      const { text } = await app.client.open("/settings");
      return text.split('<div class="field"').find((field) => field.includes(`>${label}</label>`)) ?? "";
    };
    const folder = `In use now: <code>${Bun.escapeHTML(app.destination)}</code>, given at this start.`;
    expect(await fieldOf("Recordings folder")).toContain(folder);
    const port = `In use now: <code>${app.listening.port}</code>, given at this start.`;
    expect(await fieldOf("Port")).toContain(port);
    expect(await fieldOf("Port")).toContain('aria-describedby="web-port-help web-port-says"');
    // A restart may be given the same again: nothing is promised.
    await app.client.send("PATCH", "/api/settings/web", { port: 9000 });
    const changed = await fieldOf("Port");
    expect(changed).toContain(port);
    expect(changed).not.toContain("restart");
    expect(await fieldOf("Stay signed in for")).toContain("Applies after a restart");
    // The saved value is the one in use.
    await app.client.send("PATCH", "/api/settings/web", { port: app.listening.port });
    expect(await fieldOf("Port")).not.toContain("In use now");
  });
});

describe("the settings pages of several cameras, without script", () => {
  const withVan = async () => {
    const app = await startApp({ settings: { retention: { keep: "" } } });
    await app.client.open("/");
    const added = await app.client.send("POST", "/api/cameras", { name: "Van <1>", address: "192.0.2.7" });
    expect(added.status).toBe(201);
    return app;
  };

  test("share out all sections: each camera's own, and those of all beside the list of cameras", async () => {
    await using app = await withVan();
    const shared = await drawn((await app.client.open("/settings")).text);
    const own = await drawn((await app.client.open("/settings?camera=van-1")).text);
    expect([...own.sections.keys()].sort()).toEqual(["connection", "retention", "schedule", "sync"]);
    expect([...shared.sections.keys(), ...own.sections.keys()].sort()).toEqual([...SECTION_NAMES].sort());
    expect(own.ids).not.toContain("cameras");
    expect(shared.links).toEqual([
      "#cameras",
      "#system",
      "#camera",
      "#notify",
      "#mqtt",
      "#offsite",
      "#auth",
      "#logging",
      "#metrics",
      "#viewer",
      "#places",
      "#moments",
      "#share",
      "#export",
      "#web",
      "#about",
    ]);
    for (const { ids } of [shared, own]) expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test("list the cameras with plate, address, folder and state, and lead to the page of each", async () => {
    await using app = await withVan();
    const { text } = await app.client.open("/settings");
    const [, list = ""] = /<ul class="cams">(.*?)<\/ul>/s.exec(text) ?? [];
    const words = list.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    expect(words).toContain(" V Van &lt;1> ");
    expect(words).toContain(`192.0.2.7 · goes to ${join(app.folder, "van-1")}`);
    expect(list).toContain('href="/settings?camera=main"');
    expect(list).toContain('href="/settings?camera=van-1"');
    expect(list.match(/<button[^>]*data-action="away"[^>]*>/g)?.map((one) => one.includes(" disabled"))).toEqual([
      true,
      false,
    ]);
  });

  test("show the values of their own camera, and say whose they are", async () => {
    await using app = await withVan();
    const change = await app.client.send("PATCH", "/api/cameras/van-1/settings/connection", { timeout_seconds: 25 });
    expect(change.status).toBe(200);
    const { text } = await app.client.open("/settings?camera=van-1");
    const { values } = await drawn(text);
    expect([values.get("address"), values.get("timeout_seconds")]).toEqual(["192.0.2.7", "25"]);
    expect(text).toContain("Settings of <b>Van &lt;1></b>");
    // Links lead to what belongs to this camera.
    expect(text).toContain('href="/settings/camera?camera=van-1"');
    const main = await drawn((await app.client.open("/settings?camera=main")).text);
    expect(main.values.get("timeout_seconds")).toBe("10");
    expect((await app.client.open("/settings?camera=bus")).response.status).toBe(404);
  });

  test("are one page of all settings where there is one camera, whatever is asked for", async () => {
    await using app = await startApp();
    const plain = await drawn((await app.client.open("/settings")).text);
    for (const query of ["?camera=main", "?camera=all"]) {
      const { sections, ids } = await drawn((await app.client.open(`/settings${query}`)).text);
      expect([...sections.keys()]).toEqual([...plain.sections.keys()]);
      expect(ids).toEqual([...plain.ids]);
    }
    expect(plain.ids).not.toContain("cameras");
    expect(plain.ids).toContain("add-camera");
  });
});
