import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { configFiles, encodePassword } from "../../server/dashcam/simulator/simulated_config.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";

setDefaultTimeout(30_000);

const NAMES = ["basic", "sensitivity", "system", "wifi", "cloud"];
const bytes = (text: string) => new TextEncoder().encode(text);

const textOf = async ({ client }: RunningApp, path: string) => await (await client.fetch(path)).text();
const panesOf = async (running: RunningApp) => {
  const html = await textOf(running, "/hx/camera/panes");
  return { html, panes: html.split("<section ").slice(1) };
};
/** Text that people read. */
const words = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&nbsp;", " ")
    .replaceAll(/\s+/g, " ");
const namesOf = (panes: readonly string[]) => panes.map((pane) => /data-pane="camera-(\w+)"/.exec(pane)?.[1]);
/** The camera's usual file with more lines in one of its sections. */
const withLines = (section: string, lines: readonly string[]) => {
  const { version, config } = configFiles();
  const text = new TextDecoder().decode(config).replace(`[${section}]`, [`[${section}]`, ...lines].join("\r\n"));
  return { version, config: bytes(text) };
};
const asked = ({ simulator }: RunningApp) => simulator.requests.filter(({ path }) => path.startsWith("/Config/"));

describe("the panes of the camera's settings", () => {
  test("are five with a button while it was never read", async () => {
    await using running = await startApp();
    await running.simulator.goAway();
    const { html, panes } = await panesOf(running);
    expect(namesOf(panes)).toEqual(NAMES);
    for (const pane of panes) {
      expect(words(pane)).toContain("were not read yet");
    }
    expect(html.match(/data-action="refresh-camera"/g)).toHaveLength(1);
    expect(html).toStartWith('<div id="panes" ');
    expect(html).not.toContain("<dl");
    expect(words(html)).toContain("The camera is away");
    await running.app.settings.patch("connection", { address: "" });
    const none = await panesOf(running);
    expect(namesOf(none.panes)).toEqual(NAMES);
    expect(words(none.html)).not.toContain("The camera is away");
    expect(words(await textOf(running, "/settings/camera"))).not.toContain("The camera is away");
  });

  test("show every setting with its value, its key as the camera stores it, and what a change of it erases", async () => {
    await using running = await startApp();
    running.simulator.settings = withLines("Tab3", ["PipMode=1", "AdminPassword=hunter22"]);
    const { html, panes } = await panesOf(running);
    expect(namesOf(panes)).toEqual(NAMES);
    expect(panes.map((pane) => /<h3>(.*?)<\/h3>/.exec(pane)?.[1])).toEqual(
      ["Basic", "Sensitivity", "System", "Wi-Fi", "Cloud"].map((label) => `Camera › ${label}`),
    );
    for (const pane of panes) expect(words(pane)).toContain("DR900X Plus · fw 1.015 · online");
    expect(html.match(/role="tab"/g)).toHaveLength(5);
    const [basic = "", , system = "", wifi = ""] = panes;
    expect(words(basic)).toContain("Time source Erases the card Sync with GPS Tab1.TimeSet = 0");
    expect(words(basic)).toContain("Manual time Erases the card Not set");
    expect(words(basic)).toContain("Tab1.SetTime empty");
    expect(html.match(/>Erases the card</g)).toHaveLength(7);
    expect(words(system)).toContain("PipMode 1 Tab3.PipMode = 1");
    expect(system).toMatch(/<details class="fold rare" open><summary><h3>Other/);
    expect(system).toMatch(/<details class="fold rare"><summary><h3>Not fitted/);
    expect(words(system).slice(words(system).indexOf("Not fitted"))).toContain("Driver monitoring: volume");
    expect(words(wifi)).toContain("Camera hotspot password •••••••• Wifi.ap_pw ");
    expect(wifi).toMatch(/data-secret="Wifi.ap_pw".*aria-label="Show Camera hotspot password"/);
    // The schedule looks every 15 minutes.
    expect(words(wifi)).toContain("Wi-Fi turns off after 10 idle minutes. Dashdock looks every 15");
    expect(html).not.toContain("style=");
  });

  test("hold no password, whatever it is stored as, and neither do the card, the page and the log", async () => {
    await using running = await startApp();
    const secrets = ["in-the-clear-1", "0".repeat(64), encodePassword("typed-in-4"), encodePassword("a\0b")];
    const [clear = "", noise = "", stored = "", odd = ""] = secrets;
    const { version } = configFiles();
    const lines = ["[Wifi]", `ap_pw=${clear}`, "[Cloud]", `sta_pw=${noise}`, `sta2_pw=${stored}`, `sta9_pw=${odd}`];
    const more = ["[Fancy]", `RootPasswd=${clear}2`, `PWD=${clear}3`, "[Tab3]", `UserPassword=${clear}4`, "sta3_pw="];
    running.simulator.settings = { version, config: bytes([...lines, ...more].join("\n")) };
    const { html, panes } = await panesOf(running);
    expect(html.match(/data-secret=/g)).toHaveLength(7);
    expect(html.match(/••••••••/g)).toHaveLength(7);
    expect(words(panes[2] ?? "")).toContain("sta3_pw Not set");
    for (const key of ["Wifi.ap_pw", "Cloud.sta2_pw", "Fancy.PWD"])
      expect((await running.client.fetch(`/api/camera/secret?key=${key}`)).status).toBe(200);
    expect((await running.client.fetch("/api/camera/secret?key=Cloud.sta_pw")).status).toBe(422);
    running.simulator.settings = { version, config: bytes(lines.join("\n").replaceAll(clear, `${clear}5`)) };
    const shown = [html, (await panesOf(running)).html];
    const paths = [
      "/settings",
      "/settings/camera",
      "/hx/dashcam-info-card",
      "/api/camera/config",
      "/api/camera/changes",
      "/api/settings",
    ];
    for (const path of [...paths, "/api/dashcam/info", "/", "/logs"]) shown.push(await textOf(running, path));
    shown.push(JSON.stringify(running.app.log.lines));
    for (const text of shown)
      expect([clear, noise, stored, odd, "typed-in-4"].filter((secret) => text.includes(secret))).toEqual([]);
    // Each line names the setting, and there is one for each that was asked for.
    const told = running.app.log.lines.filter(({ message }) => message.includes("password"));
    expect(told.map(({ message }) => message)).toEqual(
      ["Wifi.ap_pw", "Cloud.sta2_pw", "Fancy.PWD", "Cloud.sta_pw"].map(
        (key) => `The camera's password ${key} was shown`,
      ),
    );
  });

  test("are as they were read last while the camera is away, and say from when", async () => {
    await using running = await startApp();
    await panesOf(running);
    await running.simulator.goAway();
    const { html, panes } = await panesOf(running);
    expect(namesOf(panes)).toEqual(NAMES);
    for (const pane of panes) expect(words(pane)).toContain("DR900X Plus · fw 1.015 · offline");
    expect(words(html)).toContain("The camera is away These are the settings of");
    expect(html).toMatch(/title="\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \w+"/);
    expect(words(html)).toContain("Tab1.TimeSet = 0");
    // The page shows the probe's result without another request.
    await running.client.fetch("/api/health/dashcam");
    running.simulator.requests.length = 0;
    expect(words(await textOf(running, "/settings/camera"))).toContain("The camera is away");
    expect(running.simulator.requests).toEqual([]);
  });

  test("say that a camera with the newer interface does not tell its settings", async () => {
    await using running = await startApp({ generation: "v1009" });
    const { html, panes } = await panesOf(running);
    expect(words(html)).toContain("This camera does not tell its settings");
    expect(words(html)).not.toContain("The camera is away");
    for (const pane of panes) expect(words(pane)).toContain("This camera does not tell them");
    expect(words(await textOf(running, "/settings/camera"))).toContain("This camera does not tell its settings");
    running.simulator.generation = "legacy";
    expect(words((await panesOf(running)).html)).toContain("online");
  });

  test("are not asked for while a sync runs, and say so", async () => {
    await using running = await startApp({ rate: 50_000, settings: { retention: { keep: "" } } });
    await panesOf(running);
    running.app.job.start("manual");
    await running.simulator.asked(/\.mp4$/);
    running.simulator.requests.length = 0;
    const { html } = await panesOf(running);
    expect(words(html)).toContain("A sync is running");
    expect(words(html)).toContain("busy with a sync");
    expect(words(await textOf(running, "/settings/camera"))).toContain("A sync is running");
    expect(asked(running)).toEqual([]);
  });

  test("stand on a page of their own as they were read last, which asks the camera nothing", async () => {
    await using running = await startApp();
    const before = await textOf(running, "/settings/camera");
    expect(words(before)).toContain("were not read yet");
    expect(running.simulator.requests).toEqual([]);
    await panesOf(running);
    running.simulator.requests.length = 0;
    const page = await textOf(running, "/settings/camera");
    expect(page.match(/data-pane="camera-\w+"/g)).toHaveLength(5);
    expect(page).toMatch(/data-island="camera_settings"[^>]*><div><div id="panes"/);
    expect(await textOf(running, "/settings")).not.toContain("data-pane");
    expect(words(page)).toContain("From the last visit");
    expect(words(page)).toContain("Tab1.TimeSet = 0");
    // Buttons that need a script are drawn only for browsers with one.
    for (const [button] of page.slice(page.indexOf('id="panes"')).matchAll(/<button[^>]*data-reveal[^>]*>/g))
      expect(button).toContain("needs-script");
    expect(running.simulator.requests).toEqual([]);
  });
});

describe("what changed in the camera's settings", () => {
  test("is told in words and by whatever tab reads, until the changes that were shown are dismissed", async () => {
    await using running = await startApp();
    await panesOf(running);
    running.simulator.settings = configFiles({ "Wifi.WifiSleepMode": "0", "Cloud.sta_pw": "hunter22" });
    const first = (await panesOf(running)).html;
    expect(words(first)).toContain("2 settings changed since your last visit");
    expect(words(first)).toContain("Wi-Fi auto turn off: On → Off");
    expect(words(first)).toContain("Home network 1 password: changed");
    expect(first).toContain('data-seen="1"');
    running.simulator.settings = configFiles({ "Tab3.VOLUME": "4", "Cloud.sta_pw": "hunter22" });
    const second = (await panesOf(running)).html;
    expect(words(second)).toContain("Volume: 5 → 4");
    // A value that went back is no longer among the open changes.
    expect(words(second)).toContain("2 settings changed since your last visit");
    expect(second).toContain('data-seen="1 2"');
    // The first tab has seen the first visit only.
    await running.client.open("/");
    await running.client.send("POST", "/api/camera/changes/dismiss", { ids: [1] });
    const third = (await panesOf(running)).html;
    expect(third).toContain('data-seen="2"');
    expect(words(third)).toContain("Volume: 5 → 4");
    expect(words(third)).toContain("All 4 changes so far");
    await running.client.send("POST", "/api/camera/changes/dismiss", { ids: [2] });
    const last = (await panesOf(running)).html;
    expect(last).not.toContain("data-seen");
    expect(words(last)).toContain("All 4 changes so far");
    expect(words(await textOf(running, "/settings/camera"))).toContain("All 4 changes so far");
  });
});

describe("the card of what the camera says", () => {
  const cardOf = async (running: RunningApp) => await textOf(running, "/hx/dashcam-info-card");

  test("has its firmware, the number of its settings and the first eight of them as they are stored", async () => {
    await using running = await startApp();
    const card = await cardOf(running);
    expect(words(card)).toContain("DR900X Plus · fw 1.015 85 settings Tab1.TimeSet 0 Tab1.SetTime Tab1.TimeZone 1000");
    expect(card.match(/<dt /g)).toHaveLength(8);
    expect(card).toContain('href="/settings/camera"');
    expect(card).toContain('data-every="60"');
    running.simulator.settings = { version: bytes(""), config: bytes("Voice=1\n[Wifi]\nap_pw=hunter22") };
    const other = await cardOf(running);
    expect(words(other)).toContain("connected 2 settings General.Voice 1 Wifi.ap_pw ***");
    running.simulator.settings = { version: bytes("DR900X-2.013\0\u0001"), config: bytes("") };
    expect(words(await cardOf(running))).toContain("DR900X-2.013 No readable settings");
  });

  test("says why it has none of that", async () => {
    await using running = await startApp();
    await running.simulator.goAway();
    expect(words(await cardOf(running))).toContain("-- dashcam unreachable");
    await running.app.settings.patch("connection", { address: "" });
    expect(words(await cardOf(running))).toContain("-- no address configured");
  });
});

test("the dashboard tells the camera's model and firmware by what was read last, without asking", async () => {
  await using running = await startApp();
  expect(await textOf(running, "/")).not.toContain("DR900X Plus");
  await panesOf(running);
  running.simulator.requests.length = 0;
  expect(words(await textOf(running, "/"))).toContain("DR900X Plus · fw 1.015. ");
  expect(asked(running)).toEqual([]);
});
