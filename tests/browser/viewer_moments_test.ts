import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Moments } from "../../server/domain/places/places_schema.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";
import { stagedDrive } from "../support/camera/staged_drives.ts";
import { gpsText, gsensorBytes } from "../support/camera/written_telemetry.ts";

setDefaultTimeout(60_000);

/** Videos of the tests are shorter than a minute: what is felt ends with them. */
const VIDEO_SECONDS = 11;
const UTC = Date.UTC(2026, 10, 20, 8);
/** The camera's clock is ahead of the satellites by so much. */
const AHEAD_MS = 2.5 * 3_600_000;
const keyOf = (minute: number) => `20261120_08${String(minute).padStart(2, "0")}00_N`;

describeInBrowser("the viewer's moments", (browser) => {
  let app: RunningApp;
  let told: Moments;
  const ask = async (query = ""): Promise<Moments> =>
    (await (await app.client.fetch(`/api/viewer/moments?${query}`)).json()) as Moments;
  beforeAll(async () => {
    app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true, timezone: "UTC" } } });
    const { clips } = stagedDrive(9);
    const drive = clips.map((clip, minute) => ({ ...clip, minute }));
    await putFootage(
      app.destination,
      drive.map(({ minute }) => `${keyOf(minute)}F.mp4`),
    );
    for (const { fixes, forces, minute } of drive) {
      writeFileSync(join(app.destination, `${keyOf(minute)}.gps`), gpsText(fixes, UTC + minute * 60_000 - AHEAD_MS));
      writeFileSync(join(app.destination, `${keyOf(minute)}.3gf`), gsensorBytes(forces.slice(0, VIDEO_SECONDS * 10)));
    }
    await app.app.library.refresh();
    const deadline = Date.now() + 30_000;
    do told = await ask();
    while ((told.indexing !== null || told.moments.length === 0) && Date.now() < deadline);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("are listed, narrowed, opened at their second, marked on the time line, and stepped through", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/viewer");
    await page.getByRole("link", { name: "Moments" }).click();
    const rows = page.locator("a[data-moment]");
    await page.getByRole("status").getByText(`${told.moments.length} moments`).waitFor();
    expect(await rows.count()).toBe(told.moments.length);
    expect(new URL(page.url()).searchParams.get("list")).toBe("moments");

    // The marks of the trip on the time line are those of the list.
    const marks = page.locator("[data-lane=moments] [data-kind]");
    await marks.first().waitFor();
    const kinds = await marks.evaluateAll((all) => all.map((one) => one.getAttribute("data-kind")));
    expect(kinds).toEqual(told.moments.map(({ kind }) => kind).toReversed());

    const [second] = told.moments.slice(1, 2);
    await rows.nth(1).click();
    await page.waitForURL((address) => address.searchParams.get("key") === second?.key);
    const head = page.locator(".vw-head p").first();
    await head.getByText(`2 of ${told.moments.length}`).waitFor();
    expect(await head.textContent()).toContain(`${second?.strength.toFixed(2)}\u00a0g`);
    await page.locator("a[data-moment][aria-current]").waitFor();

    // The clock of the camera is wrong: both times can be seen.
    const error = page.locator("[data-clock-error]");
    expect(await error.textContent()).toContain("2\u00a0h 30\u00a0min ahead of GPS");
    await page.locator(".clock").getByText("8:06:").first().waitFor();
    await button(page, "Show GPS time").click();
    await page.locator(".clock").getByText("5:36:").first().waitFor();
    await button(page, "Show camera time").click();
    await page.locator(".clock").getByText("8:06:").first().waitFor();

    // The list begins with the last: the step leads there, and back.
    await page.keyboard.press("e");
    await head.getByText(`${told.moments.length} of ${told.moments.length}`).waitFor();
    await page.keyboard.press("Shift+E");
    await head.getByText(`2 of ${told.moments.length}`).waitFor();
    await button(page, "Next moment").click();
    await head.getByText(`${told.moments.length} of ${told.moments.length}`).waitFor();

    const [kind] = told.moments.map((moment) => moment.kind);
    await page.locator(`.chip[data-kind=${kind}]`).click();
    const left = told.moments.filter((moment) => moment.kind !== kind).length;
    await page.getByRole("status").getByText(`${left} moments`).waitFor();
    expect(await rows.count()).toBe(left);
    await page.locator("#mo-to").fill("2026-11-19");
    await page.getByText("No moment matches what you chose.").waitFor();
    await button(page, "Show all moments").click();
    await page.getByRole("status").getByText(`${told.moments.length} moments`).waitFor();
    await button(page, "Strongest first").click();
    await button(page, "Newest first").waitFor();
    const strongest = Math.max(...told.moments.map(({ strength }) => strength)).toFixed(2);
    await rows.first().getByText(strongest).waitFor();
    expect(await watched.problems()).toEqual([]);

    await page.reload();
    await rows.first().waitFor();
    await page.getByRole("link", { name: "Trips" }).click();
    await page.locator(".trip[data-trip]").first().waitFor();
    expect(new URL(page.url()).searchParams.has("list")).toBe(false);
  });
});
