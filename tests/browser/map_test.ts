import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MapDrives } from "../../server/domain/places/places_schema.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";
import { orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

/** Three drives to the east along one road, the last of which turns back to the west. */
const [FIRST, SECOND, BACK] = ["20260605_081500_N", "20260606_081500_N", "20260607_101500_N"] as const;
/** Satellites' time of the first fix of each, which is that of their names. */
const BEGAN = { [FIRST]: "20260605", [SECOND]: "20260606", [BACK]: "20260607" } as const;

const SECONDS = 50;

/** A fix a second, from one minute of longitude to another, 36 knots fast. */
function gps(key: keyof typeof BEGAN, from: number, to: number): string {
  const [hours, minutes] = [Number(key.slice(9, 11)), Number(key.slice(11, 13))];
  const day = BEGAN[key];
  return Array.from({ length: SECONDS + 1 }, (_, second) => {
    const east = (30 + from + ((to - from) * second) / SECONDS).toFixed(4).padStart(7, "0");
    const clock = `${String(hours).padStart(2, "0")}${String(minutes).padStart(2, "0")}${String(second).padStart(2, "0")}`;
    const at = Date.UTC(+day.slice(0, 4), +day.slice(4, 6) - 1, +day.slice(6), hours, minutes, second);
    const date = `${day.slice(6)}${day.slice(4, 6)}${day.slice(2, 4)}`;
    return `[${at}]$GPRMC,${clock}.00,A,5000.0000,N,010${east},E,36,,${date},,,A*00\r\n`;
  }).join("");
}

const plain = (text: string) => text.replaceAll(/\s+/g, " ");

describeInBrowser("the map of all drives", (browser) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" } } });
    await putFootage(
      app.destination,
      [FIRST, SECOND, BACK].map((key) => `${key}F.mp4`),
    );
    writeFileSync(join(app.destination, `${FIRST}.gps`), gps(FIRST, 0, 1));
    writeFileSync(join(app.destination, `${SECOND}.gps`), gps(SECOND, 0, 1));
    writeFileSync(join(app.destination, `${BACK}.gps`), gps(BACK, 1, 0));
    const deadline = Date.now() + 30_000;
    for (let told: MapDrives | null = null; told?.indexing !== null || told.drives.length < 3; ) {
      const answer = await app.client.fetch("/api/map/drives?bbox=-180,-90,180,90");
      expect(answer.status).toBe(200);
      told = (await answer.json()) as MapDrives;
      if (Date.now() > deadline) throw new Error(`The tracks are still not read: ${JSON.stringify(told.indexing)}`);
    }
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("lists the passes through a box by pointer, by keys and by a tap, and each leads to its second", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/map");
    await page.locator(".filters-says").getByText("3 drives").waitFor();
    const ground = page.getByRole("application");
    const box = (await ground.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;

    // By the pointer.
    await page.keyboard.press("b");
    expect(await button(page, "Draw a box").getAttribute("aria-pressed")).toBe("true");
    await page.mouse.move(...at(0.4, 0.3));
    await page.mouse.down();
    await page.mouse.move(...at(0.6, 0.7), { steps: 4 });
    await page.mouse.up();
    await page.getByRole("heading", { name: "3 passes" }).waitFor();
    const [newest] = await page.locator(".pass").allInnerTexts();
    expect(plain(newest ?? "")).toMatch(/^10:15:1\d 67 km\/h .+ W/);
    expect((await page.locator(".list-says b").allInnerTexts()).map(plain)).toEqual([
      "Sun 7 Jun",
      "Sat 6 Jun",
      "Fri 5 Jun",
    ]);
    await page.waitForURL(/[?&]box=[-0-9.,]+/);
    await page.getByRole("button", { name: "East 2" }).click();
    expect(await page.locator(".pass .shot img").count()).toBe(2);
    expect(await orderProblems(watched)).toEqual([]);

    // The address has it all.
    await page.reload();
    await watched.ready();
    await page.getByRole("heading", { name: "3 passes" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Drive began between").waitFor();

    // By keys: a box in the middle, moved above the road, and down onto it again.
    await page.locator("body").press("b");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Place the box" }).waitFor();
    for (let press = 0; press < 12; press++) await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByText("No drive leads through this box.").waitFor();
    for (const key of ["Escape", "Enter", "Shift+ArrowRight", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("heading", { name: "3 passes" }).waitFor();
    const href = (await page.locator(".pass").first().getAttribute("href")) ?? "";
    expect(href).toMatch(new RegExp(`^/viewer\\?key=${BACK}&t=[0-9.]+$`));
    expect(await watched.problems()).toEqual([]);
    await page.locator(".pass").first().click();
    await page.waitForURL(`**${href}`);
    await watched.ready();
    await page.getByRole("link", { name: "Map", exact: true }).first().click();

    // By a tap beside a filter that leaves one of them.
    await page.locator(".filters-says").getByText("3 drives").waitFor();
    await button(page, "Mon to Fri").click();
    await page.locator(".filters-says").getByText("1 drive").waitFor();
    await page.mouse.click(...at(0.5, 0.5));
    await page.getByRole("heading", { name: /^1 pass\b/ }).waitFor();
    expect(await watched.problems()).toEqual([]);
  });
});
