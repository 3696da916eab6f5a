import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { startApp } from "../support/app/app.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { loaded, players, until } from "../support/browser/viewer_page.ts";
import { putFootage } from "../support/camera/footage.ts";

setDefaultTimeout(60_000);

const KEY = "20260607_101500_N";

describeInBrowser("kept pictures", (browser) => {
  test("are kept from the message of the picture key, shown, sought, removed and put back", async () => {
    await using app = await startApp({ settings: { retention: { keep: "" }, schedule: { paused: true } } });
    await putFootage(app.destination, [`${KEY}F.mp4`]);
    await app.app.library.refresh();
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    const stills = () => readdirSync(join(app.destination, ".dashdock", "stills"));
    const toast = (words: string) => page.locator(".toast", { hasText: words });
    await watched.open(`/viewer?key=${KEY}&t=12`);
    await loaded(page);
    await until(page, ([player]) => player?.time === 12);
    await page.waitForFunction(() => (document.querySelector("video.is-shown") as HTMLVideoElement).readyState >= 2);
    const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("x")]);
    expect(file.suggestedFilename()).toBe("20260607_101512_F.png");
    await page.getByRole("button", { name: "Keep with the recording" }).click();
    const picture = page.getByRole("link", { name: "Go to the picture of 10:15:12, Front" });
    await picture.waitFor();
    expect(stills()).toEqual([`${KEY}_F_00012000.png`]);
    await page.waitForFunction(() => (document.querySelector(".vw-stills img") as HTMLImageElement).naturalWidth > 0);
    expect(await accessibilityProblems(page, ".vw-stills")).toEqual([]);
    await page.keyboard.press("Home");
    await until(page, ([player]) => player?.time === 0);
    await picture.click();
    await until(page, ([player]) => player?.time === 12);
    await page.getByRole("button", { name: "Remove the picture of 10:15:12, Front" }).click();
    await picture.waitFor({ state: "detached" });
    expect(stills()).toEqual([]);
    await toast("is removed").getByRole("button", { name: "Undo" }).click();
    await picture.waitFor();
    expect(stills()).toEqual([`${KEY}_F_00012000.png`]);
    // A recording has as many as it can have: the service says so, and the page tells it.
    await page.route("**/stills?*", (route) =>
      route.fulfill({ status: 409, json: { error: "A recording can have 200 pictures.", code: "TOO_MANY_STILLS" } }),
    );
    await Promise.all([page.waitForEvent("download"), page.keyboard.press("x")]);
    await page.getByRole("button", { name: "Keep with the recording" }).click();
    await toast("A recording can have 200 pictures.").waitFor();
    expect((await players(page)).length).toBe(1);
  });
});
