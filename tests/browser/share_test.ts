import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startApp } from "../support/app/app.ts";
import { gpsNorth } from "../support/app/sharing.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { putFootage } from "../support/camera/footage.ts";
import { brakedAt } from "../support/camera/gsensor_file.ts";

setDefaultTimeout(60_000);

const KEY = "20260607_101500_N";
const PASSWORD = "open sesame";

describeInBrowser("a link", (browser) => {
  test("with place shows speed and force, and its cameras as one likes", async () => {
    await using app = await startApp({
      mode: "none",
      settings: { share: { enabled: true }, schedule: { paused: true } },
    });
    const keys = [KEY, "20260607_101512_E", "20260607_101524_N"];
    const names = keys.flatMap((key) => [`${key}F.mp4`, `${key}R.mp4`]);
    await putFootage(app.destination, names, names);
    // 960 m in each: the one in the middle is far from both ends.
    for (const [at, key] of keys.entries()) {
      const north = Array.from({ length: 48 }, (_, fix) => 960 * at + 20 * fix);
      writeFileSync(join(app.destination, `${key}.gps`), gpsNorth(north));
      writeFileSync(join(app.destination, `${key}.3gf`), brakedAt(6));
    }
    await app.app.library.refreshIfOlder(0);
    await app.client.open("/");
    const answer = await app.client.send("POST", "/api/shares", { span: { trip: KEY }, place: true });
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    // The track comes when the page has been seen without it.
    await page.route("**/track.json", async (route) => {
      await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
      await route.continue();
    });
    await watched.open(new URL((await answer.json()).url).pathname);
    await page.locator(".sh-speed").waitFor();
    await page.getByLabel("Time", { exact: true }).fill("18.1");
    await page.waitForFunction(() => document.querySelector(".hud")?.textContent === "40 km/h0.75 g");
    expect(await accessibilityProblems(page)).toEqual([]);
    // Three seconds before its strongest moment; and again, as there is no other.
    await page.keyboard.press("e");
    expect(await page.textContent(".clock")).toStartWith("10:15:15");
    await page.keyboard.press("n");
    expect(await page.textContent(".clock")).toStartWith("10:15:24");
    await page.getByRole("button", { name: "Next event" }).click();
    expect(await page.textContent(".clock")).toStartWith("10:15:15");
    expect(await page.getAttribute(".tl .lane", "aria-label")).toBe("3\u00a0clips, 1\u00a0event at 10:15");
    // A press on the lanes, and keys that go on from there.
    const lanes = await page.locator(".tl-axis").boundingBox();
    await page.mouse.click((lanes?.x ?? 0) + (lanes?.width ?? 0) / 2, (lanes?.y ?? 0) - 20);
    await page.getByLabel("Time", { exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    const length = Number(await page.getAttribute("[type=range]", "max"));
    expect(Number(await page.inputValue("[type=range]"))).toBeCloseTo(length / 2 + 5, 0);
    /** Share of the stage's width that each camera has, in fifths. */
    const widths = () =>
      page.$$eval(".cam", (cams) => {
        const whole = document.querySelector(".sh-stage")?.clientWidth ?? 0;
        return cams.map((cam) => Math.round((5 * cam.clientWidth) / whole));
      });
    await page.getByRole("button", { name: "Picture in picture" }).click();
    expect(await widths()).toEqual([5, 1]);
    await page.locator(".cam:nth-child(2)").click();
    expect(await widths()).toEqual([1, 5]);
    // The reading goes with the large one.
    expect(await page.locator(".is-large .hud").count()).toBe(1);
    await page.keyboard.press("1");
    expect(await page.locator(".cam.is-large .cam-name").textContent()).toStartWith("Front");
    expect(await watched.problems()).toEqual([]);
  });

  test("plays on a phone that has nothing but the link, until it is revoked", async () => {
    await using app = await startApp({
      mode: "login",
      password: "correct horse battery",
      settings: { share: { enabled: true }, schedule: { paused: true } },
    });
    const names = [`${KEY}F.mp4`, `${KEY}R.mp4`, "20260607_101600_NF.mp4", "20260607_101600_NR.mp4"];
    await putFootage(app.destination, names, names);
    await app.client.signIn("admin", "correct horse battery");
    const session = app.client.cookie("dashdock_session");
    await using owner = await WatchedPage.open(browser(), { url: app.url, session });
    await owner.open(`/viewer?key=${KEY}`);
    await owner.page.getByRole("slider", { name: "Position in the trip" }).waitFor();
    await owner.page.keyboard.press("s");
    for (const name of ["Whole trip", "Others", "Share by a link…"])
      await owner.page.getByRole("button", { name, exact: true }).click();
    const dialog = owner.page.locator("dialog.share");
    await dialog.waitFor();
    expect(await accessibilityProblems(owner.page, "dialog.share")).toEqual([]);
    await dialog.getByLabel("Without the sound").click();
    await dialog.locator("[name=link-password]").fill(PASSWORD);
    await dialog.locator("[type=submit]").click();
    const url = (await dialog.locator("code").textContent()) ?? "";
    expect(url).toMatch(new RegExp(`^${app.url}/s/[\\w-]{32}$`));
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    const context = await browser().newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await using phone = await WatchedPage.open(browser(), { url: app.url, context });
    const { page } = phone;
    await page.goto(url);
    // The browser tells that the page asks for a password first.
    expect(await phone.problems()).toEqual([expect.stringContaining("401")]);
    await page.fill("[name=password]", PASSWORD);
    await page.click("[type=submit]");
    await phone.ready();
    expect(await page.textContent("h1")).toContain("Sun 7\u00a0Jun 2026, 10:15:00 to ");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.click("[aria-label=Play]");
    await page.waitForFunction(() => [...document.querySelectorAll("video")].every((one) => one.currentTime > 0.5));
    const apart = await page.evaluate(() => {
      const [one = 0, other = 0] = [...document.querySelectorAll("video")].map(({ currentTime }) => currentTime);
      return Math.abs(one - other);
    });
    expect(apart).toBeLessThan(0.4);
    await page.click("[aria-label=Pause]");
    await page.waitForFunction(() => [...document.querySelectorAll("video")].every((one) => one.paused));
    // Both go to a time that is chosen. Between the clips is a gap, which is in no film.
    await page.evaluate(() => {
      const slider = document.querySelector<HTMLInputElement>("[type=range]");
      if (!slider) throw new Error("no slider");
      slider.value = String(Number(slider.max) - 6);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await page.waitForFunction(() =>
      [...document.querySelectorAll("video")].every((one) => Math.abs(one.currentTime - one.duration + 6) < 0.3),
    );
    expect(await page.textContent(".clock")).toStartWith("10:16:06");
    expect(await phone.problems()).toEqual([]);
    // Its owner finds it in the list, and ends it.
    await owner.open("/links");
    expect(await owner.page.textContent(".links li")).toContain("1\u00a0view");
    expect(await accessibilityProblems(owner.page)).toEqual([]);
    await owner.page.click(".links button");
    await owner.page.click("dialog .b-danger");
    await owner.page.waitForSelector(".links .is-over");
    expect(await owner.problems()).toEqual([]);
    const gone = await page.goto(url);
    expect([gone?.status(), await page.textContent("h1")]).toEqual([404, "This link is not valid"]);
  });
});
