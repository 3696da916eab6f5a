import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { describeInBrowser, WatchedPage } from "../support/browser/browser.ts";
import { button } from "../support/browser/viewer_page.ts";

setDefaultTimeout(240_000);

const DAYS = Array.from({ length: 9 }, (_, at) => `2026-11-${String(at + 2).padStart(2, "0")}`);
/** Clips of each day, with two cameras: 18,000 recordings in all. */
const PER_DAY = 1000;
/** Milliseconds that a step with all of them may take on a busy machine. */
const WAIT_LIMITS = { timeout: 120_000 };
const SPACE = "[\\u00a0\\u202f ]";
const words = (text: string) => new RegExp(text.replaceAll(" ", SPACE));

describeInBrowser("18,000 recordings", (browser) => {
  let app: RunningApp;
  let destination: string;
  beforeAll(async () => {
    // Uses memory when possible: so many files would take a disk longer than the test.
    destination = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "dashdock-test-"));
    for (const day of DAYS) {
      mkdirSync(join(destination, day));
      for (let at = 0; at < PER_DAY; at++) {
        const clock = `${String(Math.floor(at / 60)).padStart(2, "0")}${String(at % 60).padStart(2, "0")}00`;
        for (const direction of "FR")
          writeFileSync(join(destination, day, `${day.replaceAll("-", "")}_${clock}_N${direction}.mp4`), "");
      }
    }
    app = await startApp({ destination, settings: { retention: { keep: "" }, schedule: { paused: true } } });
    await app.app.library.refresh();
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(destination, { recursive: true });
  });
  const home = () =>
    DAYS.map((day) => (existsSync(join(destination, day)) ? readdirSync(join(destination, day)).length : 0));

  test("are selected by their days and deleted, and Undo brings back all of them, from the first click", async () => {
    await using watched = await WatchedPage.open(browser(), { url: app.url });
    const { page } = watched;
    await watched.open("/viewer");
    await button(page, "Select").click();
    const box = (day: string) => page.getByRole("checkbox", { name: words(`^Select all of ${day}$`) });
    await box("Tue 10 Nov").click();
    await box("Mon 2 Nov").click({ modifiers: ["Shift"] });
    const bar = page.getByRole("region", { name: "Selected clips" });
    await bar.getByText(words("^9 000 clips selected$")).waitFor(WAIT_LIMITS);
    await bar.getByRole("button", { name: words("^Delete 9 000$") }).click();
    const said = page.locator(".toast", { hasText: words("9 000 clips are in the trash until") });
    await said.waitFor(WAIT_LIMITS);
    expect(home()).toEqual(DAYS.map(() => 0));
    await said.getByRole("button", { name: "Undo" }).click();
    await page
      .locator(".toast", { hasText: words("9 000 clips are restored. Rules leave them alone for at least a week") })
      .waitFor(WAIT_LIMITS);
    expect(home()).toEqual(DAYS.map(() => PER_DAY * 2));
    expect(await page.locator(".day").allTextContents()).toEqual(
      DAYS.map((day) => expect.stringMatching(words(`${Number(day.slice(8))} Nov1 000 clips$`))).toReversed(),
    );
    // The clip on show is deleted as well, perhaps while the page still asks for its trip.
    const meant = /^the page jumped|^Failed to load resource: .* 404 /;
    expect((await watched.problems()).filter((problem) => !meant.test(problem))).toEqual([]);
  });
});
