import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { simulatedCard, syntheticFootage } from "../../server/dashcam/simulator/simulated_card.ts";
import { configFiles, named } from "../../server/dashcam/simulator/simulated_config.ts";
import { openSimulator, type Simulator } from "../../server/dashcam/simulator/simulator.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { bothAreHome, carAndVan } from "../support/app/several_cameras.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { bar, field, said, toast, wakeAll } from "../support/browser/settings_page.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const KEEP = { settings: { retention: { keep: "" } } } as const;

describeInBrowser("the settings of several cameras", (browser) => {
  const ending: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const one of ending.splice(0).reverse()) await one[Symbol.asyncDispose]();
  });

  const kept = <T extends AsyncDisposable>(one: T): T => {
    ending.push(one);
    return one;
  };
  const opened = async (app: RunningApp, path = "/settings") => {
    const watched = kept(await WatchedPage.open(browser(), { url: app.url }));
    await watched.open(path);
    await watched.page.waitForFunction(() => document.querySelector("[data-island=settings_form][data-ready]"));
    return { watched, page: watched.page };
  };
  const oneMore = async (): Promise<Simulator> => {
    const card = simulatedCard({ recordings: 3, now: Date.now(), footage: syntheticFootage(150_000) });
    const camera = await openSimulator({ card, rate: null, generation: "legacy" });
    ending.push({ [Symbol.asyncDispose]: () => camera.close() });
    return camera;
  };
  const row = (page: Page, id: string) => page.locator(`[data-camera="${id}"]`);
  /** Resolves on the page of the one camera that is left. */
  const alone = async (page: Page) => {
    await page.locator(".cams").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.querySelector("[data-island=settings_form][data-ready]"));
  };
  const namesIn = async (page: Page) => await page.locator(".cams b").allTextContents();

  test("begin with a second one, when both get a name", async () => {
    const app = kept(await startApp(KEEP));
    const van = await oneMore();
    app.app.start();
    // The link to where one is added marks the section that it stands in.
    const { watched, page } = await opened(app, "/settings#add-camera");
    const current = page.locator("nav[aria-label=Settings] [aria-current]");
    await current.getByText("Camera", { exact: true }).waitFor();
    // It stays marked while the page is where the link has put it.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await current.allTextContents()).toEqual(["Camera"]);
    expect(new URL(page.url()).hash).toBe("#add-camera");
    await watched.open("/settings");

    // Nothing else is told of cameras while there is one.
    expect(await page.locator(".cams, .cam-nav, .cam-head, nav[aria-label=Settings] [href='#cameras']").count()).toBe(
      0,
    );
    expect(await page.locator("#add-name").isVisible()).toBe(false);
    await page.locator("#add-camera summary").click();

    // A missing value is told at its field, the first of them with the focus.
    await page.locator("[data-action=add-camera]").click();
    expect(await page.locator("#add-name-error").textContent()).toBe("Type a name for the camera.");
    expect(await page.locator("#add-address-error").textContent()).toBe("Type the address of the camera.");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("add-name");
    expect(await accessibilityProblems(page, "#add-camera")).toEqual([]);

    await page.locator("#add-main").fill("Car");
    await page.locator("#add-name").fill("Caravan");
    expect(await said(page.locator("#add-name-says"))).toBe("C is taken by Car, so A");
    await page.locator("#add-name").fill("Van");
    expect(await said(page.locator("#add-name-says"))).toBe("Its plate is V");
    expect(await page.locator("#add-destination").inputValue()).toBe(join(app.folder, "van"));
    await page.locator("#add-destination-says").getByText("New: it is made when the camera is added").waitFor();

    await page.locator("#add-address").fill(`http://${van.address}/`);
    await page.locator("[data-action=check-new]").click();
    await page.getByText("Found: DR").waitFor();
    expect(await page.locator("#add-address").inputValue()).toBe(van.address);
    expect(await accessibilityProblems(page, "#add-camera")).toEqual([]);

    // Enter adds it; nothing of the form around is saved.
    await page.locator("#add-destination").press("Enter");
    await page.waitForURL(/camera=all#cameras$/);
    await page.locator(".cams").waitFor();
    expect(await namesIn(page)).toEqual(["Car", "Van"]);
    expect(await row(page, "main").locator(".who").textContent()).toBe("C");
    expect(await row(page, "van").locator(".who").getAttribute("class")).toContain("w2");
    const added = app.app.cameras.of("van");
    await added?.job.ended();
    expect(readdirSync(join(app.folder, "van")).filter((name) => name.endsWith(".mp4"))).toHaveLength(3);
    expect(await watched.problems()).toEqual([]);
  });

  test("tell at its field what another camera has already; one more is in the list at once while something is not saved", async () => {
    const app = kept(await carAndVan());
    const { watched, page } = await opened(app);
    await page.locator("#add-camera summary").click();
    await page.locator("#add-name").fill("Bus");
    await page.locator("#add-address").fill(app.van.address);
    await page.locator("[data-action=add-camera]").click();
    expect(await said(page.locator("#add-address-error"))).toBe("Its address is that of Van.");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("add-address");
    await page.locator("#add-address").fill("192.0.2.9");
    expect(await page.locator("#add-address-error").count()).toBe(0);
    await page.locator("#add-destination").fill(join(app.folder, "van"));
    expect(await said(page.locator("#add-destination-says"))).toBe("The folder of Van");
    await page.locator("[data-action=add-camera]").click();
    expect(await said(page.locator("#add-destination-error"))).toBe("Its folder is that of Van.");
    await page.locator("#add-destination").fill("recordings");
    await page.locator("[data-action=add-camera]").click();
    expect(await said(page.locator("#add-destination-error"))).toStartWith("The folder");
    expect(await namesIn(page)).toEqual(["Camera", "Van"]);

    // Corrected, it is in the list at once, and the page stays as it is while something on it is not saved.
    await page.locator("#add-destination").fill(join(app.folder, "bus"));
    await field(page, "viewer.trip_gap_minutes").fill("9");
    await bar(page).waitFor();
    await page.locator("#add-address").fill("192.0.2.9");
    await page.locator("[data-action=add-camera]").click();
    await toast(page).getByText("Bus was added, and its first run has begun.").waitFor();
    expect(await namesIn(page)).toEqual(["Camera", "Van", "Bus"]);
    expect(await page.locator(".cam-nav").textContent()).toContain("Bus");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("SUMMARY");
    expect(await field(page, "viewer.trip_gap_minutes").inputValue()).toBe("9");
    expect((await watched.problems()).filter((problem) => !problem.includes("422"))).toEqual([]);
  });

  test("rename a camera and give it another letter", async () => {
    const app = kept(await carAndVan());
    const { watched, page } = await opened(app);
    await row(page, "van").locator("[data-action=rename]").click();
    const dialog = page.locator("dialog[data-modal=rename]");
    await dialog.getByLabel("Name").fill("  ");
    await dialog.getByRole("button", { name: "Rename" }).click();
    expect(await said(dialog.locator("#rename-name-error"))).toBe("The name must not be empty.");
    await dialog.getByLabel("Name").fill("Bus");
    // Its letter follows the name, unless one is chosen.
    expect(await dialog.locator(".who").textContent()).toBe("B");
    await dialog.getByLabel("Letter on the plate").fill("?");
    await dialog.getByLabel("Letter on the plate").press("Enter");
    expect(await said(dialog.locator("#rename-letter-error"))).toBe("Type one or two letters or digits.");
    await dialog.getByLabel("Letter on the plate").fill("C");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await dialog.locator("#rename-letter-error").getByText("The letter is that of Camera.").waitFor();
    await dialog.getByLabel("Letter on the plate").fill("7");
    expect(await accessibilityProblems(page, "dialog[data-modal=rename]")).toEqual([]);
    await dialog.getByRole("button", { name: "Rename" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await namesIn(page)).toEqual(["Camera", "Bus"]);
    expect(await row(page, "van").locator(".who").textContent()).toBe("7");
    expect(await page.locator(".cam-nav").textContent()).toContain("7Bus");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-action"))).toBe("rename");
    // Empty again, it is made from the name.
    await page.keyboard.press("Enter");
    expect(await dialog.getByLabel("Letter on the plate").inputValue()).toBe("7");
    await dialog.getByLabel("Letter on the plate").fill("");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await row(page, "van").locator(".who").textContent()).toBe("B");
    expect((await watched.problems()).filter((problem) => !problem.includes("422"))).toEqual([]);
  });

  test("take a camera away with true figures, and have it back by its folder", async () => {
    const app = kept(await carAndVan());
    await bothAreHome(app);
    const { watched, page } = await opened(app);
    const first = row(page, "main").locator("[data-action=away]");
    expect(await first.isDisabled()).toBe(true);
    expect(await first.getAttribute("aria-label")).toContain("cannot be taken away");

    await row(page, "van").locator("[data-action=away]").click();
    const dialog = page.locator("dialog[data-modal=away]");
    await dialog.getByText("6\u00a0recordings, 900\u00a0kB, in").waitFor();
    expect(await dialog.textContent()).toContain(join(app.folder, "van"));
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Keep Van");
    expect(await accessibilityProblems(page, "dialog[data-modal=away]")).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await namesIn(page)).toEqual(["Camera", "Van"]);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Take Van away…");

    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Take Van away" }).click();
    // One camera is left: its settings are one page again.
    await alone(page);
    await page.locator("#add-camera summary").click();
    expect(app.app.cameras.all).toHaveLength(1);
    expect(readdirSync(join(app.folder, "van")).filter((name) => name.endsWith(".mp4"))).toHaveLength(6);

    // The folder that the form shows for the name is the one that it had.
    await page.locator("#add-name").fill("Van");
    expect(await page.locator("#add-destination").inputValue()).toBe(join(app.folder, "van"));
    await page.locator("#add-address").fill(app.van.address);
    await page.locator("#add-destination-says").getByText("Writable, holds files").waitFor();
    await page.locator("[data-action=add-camera]").click();
    await page.locator(".cams").waitFor();
    expect(await namesIn(page)).toEqual(["Camera", "Van"]);
    expect(app.app.cameras.of("van")?.recordings.root).toBe(join(app.folder, "van"));
    expect(await watched.problems()).toEqual([]);
    const days = await (await app.client.fetch("/api/viewer/days?camera=van")).json();
    expect(days).toEqual({ days: [{ date: "2026-06-07", camera: "van", count: 3 }] });
  });

  test("save what one camera has for itself to that camera alone, and are led to from every link to a setting", async () => {
    const app = kept(await carAndVan());
    const { watched, page } = await opened(app, "/settings?camera=van");
    expect(await said(page.locator(".cam-head-name"))).toStartWith("Settings of Van");
    expect(await page.locator(".cam-nav [aria-current=page]").textContent()).toBe("VVan");
    const sections = await page.locator("[data-section]").evaluateAll((all) => all.map(({ id }) => id));
    expect(sections).toEqual(["schedule", "sync", "retention", "connection"]);
    await field(page, "connection.timeout_seconds").fill("25");
    await bar(page).getByRole("button", { name: "Save" }).click();
    await toast(page).getByText("Saved").waitFor();
    expect(app.app.cameras.of("van")?.settings.current.connection.timeout_seconds).toBe(25);
    expect(app.app.settings.current.connection.timeout_seconds).toBe(10);
    // The check asks this camera, and its own settings are a page of its own.
    await page.locator("[data-later=address] [data-action=check-camera]").click();
    await page.locator("dialog[data-modal=check-camera] .mono").getByText(app.van.address).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("nav[aria-label=Settings]").getByText("On the camera").click();
    await page.waitForURL("**/settings/camera?camera=van");
    expect(await page.locator(".cam-nav [aria-current=page]").textContent()).toBe("VVan");
    expect(await watched.problems()).toEqual([]);

    // Every link to a setting leads to the page that has it.
    await page.goto(`${app.url}/settings#retention-max_gb`);
    await page.waitForURL("**/settings?camera=main#retention-max_gb");
    await page.locator("#retention-max_gb:focus").waitFor();
    await page.goto(`${app.url}/settings?camera=van`);
    await page.waitForFunction(() => document.querySelector("[data-island=settings_form][data-ready]"));
    await page.locator("#find").fill("password");
    await page.getByText("No setting on this page matches.").getByRole("link").click();
    await page.waitForURL("**/settings?camera=all");
    await page.goto(`${app.url}/settings?camera=van#viewer`);
    await page.waitForURL("**/settings?camera=all#viewer");
    await page.locator("#viewer").waitFor();
  });

  test("are checked by their own addresses; ask what to do when another camera answers at one", async () => {
    const app = kept(await carAndVan());
    const { watched, page } = await opened(app);
    await row(page, "van").getByRole("button", { name: "Check Van" }).click();
    const dialog = page.locator("dialog[data-modal=check-camera]");
    await dialog.getByText("finished").waitFor();
    expect(await dialog.textContent()).toContain(app.van.address);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Check Van");

    const states = { van: "other_camera" };
    await page.route("**/api/cameras", async (route) => {
      const { cameras } = (await (await route.fetch()).json()) as { cameras: { id: string }[] };
      const told = { state: states.van, sentence: "The camera at its address is a DR770X." };
      await route.fulfill({ json: { cameras: cameras.map((one) => (one.id === "van" ? { ...one, ...told } : one)) } });
    });
    const accepted: string[] = [];
    await page.route("**/api/cameras/van/accept", async (route) => {
      accepted.push(route.request().method());
      states.van = "safe";
      await route.fulfill({ status: accepted.length === 1 ? 500 : 200, json: { error: "Not now.", code: "INTERNAL" } });
    });
    await row(page, "van").hover();
    await page.locator("#cameras[data-awake]").waitFor();
    // The note makes room for itself, which is no jump after a press.
    await page.keyboard.press("Shift");
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    const note = row(page, "van").locator(".note");
    await note.getByText(`Another camera answers at ${app.van.address}.`).waitFor();
    expect(await note.getByText("Change the address").getAttribute("href")).toBe(
      "/settings?camera=van#connection-address",
    );
    expect(await accessibilityProblems(page, "#cameras")).toEqual([]);
    await note.getByRole("button", { name: "It is the new camera" }).click();
    await note.getByText("Not now.").waitFor();
    await note.getByRole("button", { name: "It is the new camera" }).click();
    await note.waitFor({ state: "detached" });
    expect(accepted).toEqual(["POST", "POST"]);
    expect((await watched.problems()).filter((problem) => !problem.includes("500"))).toEqual([]);
  });

  test("ask that on the page of the camera's own settings, too", async () => {
    const app = kept(await carAndVan());
    await bothAreHome(app);
    const van = app.app.cameras.of("van");
    app.van.settings = configFiles(named("Truck-5F"), "dr970x");
    van?.job.start("manual");
    await van?.job.ended();
    const { watched, page } = await opened(app, "/settings?camera=main");
    expect(await page.locator("[data-action=accept]").count()).toBe(0);
    await watched.open("/settings?camera=van#connection-address");
    const note = page.locator("[data-later=other] .note");
    expect(await said(note)).toContain(`Another camera answers at ${app.van.address}.`);
    expect(await said(note)).toContain("It is a DR970X-2CH with the Wi-Fi name “Truck-5F”.");
    expect(await note.getByText("Change the address").getAttribute("href")).toBe("#connection-address");
    expect(await accessibilityProblems(page, "[data-later=other]")).toEqual([]);
    await note.getByRole("button", { name: "It is the new camera" }).click();
    await note.waitFor({ state: "detached" });
    expect(await page.locator(".cam-head").textContent()).toContain("DR970X-2CH");
    expect(van?.cameraSettings.otherAt(app.van.address)).toBeNull();
    // With one camera, what it leads to is on the page, too.
    expect((await app.client.send("DELETE", "/api/cameras/van")).status).toBe(204);
    app.simulator.settings = configFiles(named("Truck-5F"), "dr970x");
    app.app.job.start("manual");
    await app.app.job.ended();
    await watched.open("/settings");
    expect(await page.locator(".note").getByText("Change the address").getAttribute("href")).toBe(
      "#connection-address",
    );
    expect((await watched.problems()).filter((problem) => !problem.startsWith("the page jumped"))).toEqual([]);
  });

  test("tell why a camera cannot be used, and take it away", async () => {
    const app = kept(await startApp(KEEP));
    await app.client.open("/");
    const folder = join(app.folder, "van");
    mkdirSync(join(folder, ".dashdock"), { recursive: true });
    writeFileSync(join(folder, ".dashdock", "format"), "999\n");
    await app.app.cameras.file.changeCameras((parts) => ({
      ...parts,
      more_cameras: [{ id: "van", name: "Van", destination: folder, connection: { address: "192.0.2.7" } }],
    }));
    await app.app.cameras.follow();
    const { watched, page } = await opened(app);
    const van = row(page, "van");
    expect(await said(van)).toContain("The camera cannot be used: ");
    expect(
      await van.locator("button, a").evaluateAll((all) => all.map((one) => one.getAttribute("data-action"))),
    ).toEqual(["away"]);
    // It has no pages: its chip leads to this list, also from the settings of another camera.
    await page.locator(".cam-nav").getByRole("link", { name: "Camera", exact: true }).click();
    await page.waitForURL("**/settings?camera=main");
    await page.locator(".cam-nav").getByRole("link", { name: "Van cannot be used" }).click();
    await page.waitForURL("**/settings?camera=all#cameras");
    await page.waitForFunction(() => document.querySelector("[data-island=settings_form][data-ready]"));
    expect([
      ...(await accessibilityProblems(page, ".cam-nav")),
      ...(await accessibilityProblems(page, "#cameras")),
    ]).toEqual([]);
    await van.locator("[data-action=away]").click();
    const dialog = page.locator("dialog[data-modal=away]");
    await dialog.getByText("All recordings in").waitFor();
    await dialog.getByRole("button", { name: "Take Van away" }).click();
    await alone(page);
    expect(app.app.cameras.refused).toEqual([]);
    expect((await watched.problems()).filter((problem) => !problem.includes("404"))).toEqual([]);
  });

  test("are in order at every width, with one and ten cameras and all of it open", async () => {
    const app = kept(await startApp(KEEP));
    await app.client.open("/");
    let last = 1;
    // The settings of one camera are looked at whole in the test of its folds, and the list of cameras above them in
    // that of the camera that cannot be used. Two cameras have nothing that does not stand there with ten, too.
    for (const [count, path, look] of [
      [1, "/settings", (watched: WatchedPage) => orderProblems(watched, "#add-camera")],
      [10, "/settings", (watched: WatchedPage) => orderProblems(watched, "#cameras")],
      [10, "/settings?camera=van-2", (watched: WatchedPage) => orderProblems(watched, ".cam-head")],
    ] as const) {
      for (; last < count; last++) {
        const name = last === 2 ? "A van with a name as long as it can b" : `Van ${last + 1}`;
        const added = await app.client.send("POST", "/api/cameras", { name, address: `192.0.2.${last + 1}` });
        expect(added.status).toBe(201);
      }
      const { watched, page } = await opened(app, path);
      await wakeAll(page);
      if (path === "/settings") {
        await page.locator("#add-camera summary").click();
        await page.locator("#add-name").fill("Truck");
        await page.locator("[data-action=add-camera]").click();
        await page.locator("#add-address-error").waitFor();
      }
      // The page does not move by itself from here on.
      await page.keyboard.press("Shift");
      expect([count, path, await look(watched)]).toEqual([count, path, []]);
    }
  });
});
