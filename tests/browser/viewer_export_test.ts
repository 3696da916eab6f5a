import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { atEveryWidth, describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { clipFile } from "../support/camera/film_clip.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(60_000);

const KEYS = ["20260607_101500_N", "20260607_101600_E", "20260607_101700_N"] as const;
const [FIRST, EVENT] = KEYS;

describeInBrowser("what can be saved", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
    await putFootage(
      app.destination,
      KEYS.flatMap((key) => [`${key}F.mp4`, `${key}R.mp4`]),
    );
    const fix = "[1000]$GNRMC,081500.00,A,3348.10000,S,15101.10000,E,9.0,,070626,,,A*00\r\n";
    writeFileSync(join(app.destination, `${FIRST}.gps`), fix);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("says of a pack for the police where a film ends before its time", async () => {
    const keys = ["20260608_101500_N", "20260608_101512_N"] as const;
    await putFootage(app.destination, [`${keys[0]}F.mp4`]);
    const pictures = Array.from({ length: 60 }, (_, at) => ({ size: 500, lasts: 1000, isKey: at % 15 === 0 }));
    writeFileSync(join(app.destination, `${keys[1]}F.mp4`), clipFile({ seed: 1, pictures }));
    await app.app.library.refreshIfOlder(0);
    await using watched = await WatchedPage.open(browser(), { url: app.url, width: 390 });
    const { page } = watched;
    await watched.open(`/viewer?key=${keys[0]}`);
    await page.getByRole("slider", { name: "Position in the trip" }).waitFor();
    await page.keyboard.press("s");
    const panel = page.getByRole("region", { name: "Save this" });
    await panel.getByRole("button", { name: "Police", exact: true }).click();
    await panel.getByText(/^Front: The recording at 10:15:12 has .* The film ends before it\.$/).waitFor();
    expect(await panel.evaluate((place) => place.scrollWidth - place.clientWidth)).toBe(0);
  });

  test("is a panel that the key S opens: films of the size that is told, a pack for the police, and originals", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open(`/viewer?key=${EVENT}`);
    await page.getByRole("slider", { name: "Position in the trip" }).waitFor();
    const panel = page.getByRole("region", { name: "Save this" });
    const chip = (name: string) => panel.getByRole("button", { name, exact: true });
    const span = panel.locator(".big");
    await page.keyboard.press("s");
    await panel.waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("save-h");
    expect(await chip("Event ± 1 min").getAttribute("aria-pressed")).toBe("true");
    const front = panel.getByRole("link", { name: /^Save Front, / });
    await front.waitFor();
    expect(await accessibilityProblems(page, ".save")).toEqual([]);
    expect(await panel.evaluate((place) => place.scrollWidth - place.clientWidth)).toBe(0);

    // From the play head on by I, to five seconds later by O.
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector(".clock")?.textContent?.startsWith("10:15:05"));
    await page.keyboard.press("i");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector(".clock")?.textContent?.startsWith("10:15:10"));
    await page.keyboard.press("o");
    await span.filter({ hasText: "10:15:05 to 10:15:10" }).waitFor();

    // The film that is told is the one that comes.
    const link = panel.getByRole("link", { name: /^Save Front, / });
    await link.waitFor();
    const href = (await link.getAttribute("href")) ?? "";
    expect(href).toBe(`/film/F.mp4?from=${FIRST}&to=${FIRST}&from_seconds=5&to_seconds=10&plain=true&download=1`);
    const [film] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const bytes = readFileSync(await film.path());
    expect(bytes.toString("latin1", 4, 8)).toBe("ftyp");
    const facts = `/api/viewer/film?from=${FIRST}&to=${FIRST}&from_seconds=5&to_seconds=10&plain=true`;
    const told = await page.evaluate(async (path) => (await fetch(path)).json(), facts);
    expect(bytes.length).toBe(told.cameras[0].bytes);
    const both: string[] = [];
    page.on("download", (file) => both.push(file.suggestedFilename()));
    await panel.getByRole("button", { name: /^Save both, / }).click();
    while (both.length < 2) await page.waitForEvent("download");
    expect(both.map((name) => name.slice(-6)).sort()).toEqual(["_F.mp4", "_R.mp4"]);

    // Originals of one clip, as they are.
    await chip("This clip").click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      panel.getByRole("link", { name: "Rear", exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/R\.mp4$/);
    await chip("Whole trip").click();
    expect(await panel.getByRole("link", { name: "Track (GPX)" }).getAttribute("href")).toBe(
      `/api/viewer/export/track.gpx?trip=${FIRST}`,
    );

    // For the police: one minute more at both ends, the days that are left, and the trip is kept.
    await chip("This clip").click();
    await chip("Police").click();
    const pack = panel.getByRole("link", { name: /^Save the pack, about / });
    await pack.waitFor();
    expect(await pack.getAttribute("href")).toContain("&for=police");
    expect(await panel.textContent()).toContain("It covers 10:14:00 to 10:16:12.");
    expect(await panel.textContent()).toMatch(/The last day was Sun\s14\sJun/);
    await chip("Rear").click();
    await pack.and(page.locator("[href*='directions=F&']")).waitFor();
    const [report] = await Promise.all([
      page.waitForEvent("popup"),
      panel.getByRole("link", { name: "See the report" }).click(),
    ]);
    await report.waitForLoadState();
    expect(await report.locator("main").evaluate((main) => getComputedStyle(main).maxWidth)).toBe("960px");
    const widths = await report
      .locator("img")
      .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth > 0));
    expect(widths).toEqual([true]);
    await report.close();
    expect(await accessibilityProblems(page, ".save")).toEqual([]);
    const outside = await atEveryWidth(page, async (width) => {
      const box = await panel.boundingBox();
      const wide = await panel.evaluate((place) => place.scrollWidth - place.clientWidth);
      const isInside = box !== null && box.x >= 0 && box.x + box.width <= width && box.y >= 0;
      return isInside && wide === 0 ? [] : [[width, box, wide]];
    });
    expect(outside).toEqual([]);
    const [zip] = await Promise.all([page.waitForEvent("download"), pack.click()]);
    expect(zip.suggestedFilename()).toBe("2026-06-07_101400-101612_pack.zip");
    const toast = page.locator(".toast", { hasText: "The whole trip is kept: 3" });
    await toast.waitFor();
    const kept = app.app.retention.kept;
    expect((await kept.shown()).size).toBe(3);
    // Undo leaves what somebody wrote a note on since.
    await app.client.open("/");
    expect((await app.client.send("PUT", `/api/recordings/${EVENT}/keep`, { note: "Crash" })).status).toBe(200);
    const [undone] = await Promise.all([
      page.waitForResponse(
        (answer) => answer.url().endsWith(`${KEYS[2]}/keep`) && answer.request().method() === "DELETE",
      ),
      toast.getByRole("button", { name: "Undo" }).click(),
    ]);
    expect(undone.status()).toBe(200);
    expect([...(await kept.shown()).values()]).toMatchObject([{ key: EVENT, kept: { note: "Crash" } }]);

    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    // Other tests ask if the page stays still while it comes.
    expect((await watched.problems()).filter((problem) => !problem.startsWith("the page jumped"))).toEqual([]);
  });
});
