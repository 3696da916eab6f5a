import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { FakeClock } from "../support/app/clock.ts";
import { keysOf, putInTrash, trashFolder } from "../support/app/trash.ts";
import { accessibilityProblems } from "../support/browser/axe.ts";
import { describeInBrowser, WatchedPage, type Width } from "../support/browser/browser.ts";
import { Fingers } from "../support/browser/fingers.ts";
import { putFootage } from "../support/camera/footage.ts";
import { fitProblems, orderProblems } from "../support/camera/in_order.ts";

setDefaultTimeout(60_000);

const NOW = "2026-06-07T10:15:00Z";
const PARKING = ["20260523_233000_P", "20260523_101500_P", "20260523_040000_P", "20260523_020000_P"] as const;
const DRIVES = ["20260606_081700_N", "20260606_081600_E"] as const;
const AGE = { at: "2026-06-01T08:00:00Z" } as const;
const HAND = { at: "2026-06-06T19:12:00Z", cause: "hand", by: "anna" } as const;

const rows = (page: Page) => page.locator("[data-row]");
const row = (page: Page, key: string) => page.locator(`[data-row$="/${key}"]`);
const pick = (page: Page, key: string) => row(page, key).locator("input");
const restore = (page: Page, key: string) => row(page, key).locator(".restore");
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const bar = (page: Page) => page.locator(".savebar");
const dialog = (page: Page) => page.locator("dialog[open]");
/** Text of the place, with plain blanks. */
const said = async (place: Locator) => (await place.textContent())?.replace(/\s+/g, " ").trim();
const sentence = (page: Page) => said(page.locator(".sentence"));
const toast = async (page: Page, words: string) => {
  await page.locator(".toast", { hasText: new RegExp(words.replaceAll(" ", "\\s")) }).waitFor();
};
const keys = (page: Page) => rows(page).evaluateAll((all) => all.map(({ dataset }) => dataset["row"]?.slice(11)));
/** Resolves when this has the focus. */
const hasFocus = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector, { timeout: 5000 });

/** Presses it by keyboard: the focus is on it, and it is pressed. */
async function press(control: Locator): Promise<void> {
  await control.focus();
  await control.press("Enter");
}

describeInBrowser("the trash page", (browser) => {
  /** A service with four parked nights and two drives in the trash, and the page about them. */
  async function opened(width: Width = 1440, lay: (app: RunningApp) => unknown = () => {}) {
    const app = await startApp({ clock: new FakeClock(NOW), settings: { retention: { keep: "" } } });
    const put = (folder: string, all: readonly string[]) =>
      putFootage(
        folder,
        all.map((key) => `${key}F.mp4`),
      );
    await put(trashFolder(app.destination, AGE), PARKING);
    await put(trashFolder(app.destination, HAND), DRIVES);
    await lay(app);
    const watched = await WatchedPage.open(browser(), { url: app.url, width, theme: "dark" });
    await watched.open("/trash");
    const isHome = (key: string) => existsSync(join(app.destination, `${key}F.mp4`));
    return {
      app,
      watched,
      page: watched.page,
      isHome,
      async [Symbol.asyncDispose]() {
        await watched[Symbol.asyncDispose]();
        await app[Symbol.asyncDispose]();
      },
    };
  }

  test("is in order at every width, with rows chosen and a question open", async () => {
    await using it = await opened(390);
    const { page, watched } = it;
    expect(await sentence(page)).toMatch(/^6 recordings, .* wait in the trash\.$/);
    expect(await fitProblems(watched)).toEqual([]);
    await pick(page, PARKING[0]).check();
    await pick(page, DRIVES[0]).check();
    await page.evaluate(() => scrollTo(0, 0));
    expect(await orderProblems(watched)).toEqual([]);
    await button(page, "Empty the trash…").click();
    await dialog(page).waitFor();
    expect(await orderProblems(watched)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 320, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });

  test("is selected with a finger that rests on a row, and not with one that leaves at once", async () => {
    await using it = await opened(390);
    const { page } = it;
    const middle = async (key: string) => {
      const box = await row(page, key).boundingBox();
      return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    };
    const fingers = await Fingers.on(page);
    await row(page, PARKING[1]).evaluate((element) => element.scrollIntoView({ block: "center" }));
    await fingers.tap(await middle(PARKING[1]));
    expect(await bar(page).count()).toBe(0);
    const from = await middle(PARKING[0]);
    const to = await middle(PARKING[2]);
    await fingers.down(from);
    await page.getByText(/^1\s+clip selected$/).waitFor();
    await fingers.move([from, to]);
    await fingers.up();
    await page.getByText(/^3\s+clips selected$/).waitFor();
    // The system takes the finger: nothing more is selected.
    await fingers.down(to);
    await fingers.cancel();
    await page.getByText(/^3\s+clips selected$/).waitFor();
  });

  test("brings one back with a key, says so, and the focus goes to the next", async () => {
    await using it = await opened();
    const { page } = it;
    await press(restore(page, PARKING[1]));
    await toast(page, "1 recording is restored. .*");
    await hasFocus(page, `[data-row$="${PARKING[2]}"] .restore`);
    // The fourth comes in from below.
    expect(await keys(page)).toEqual([PARKING[0], PARKING[2], PARKING[3], ...DRIVES]);
    expect(await sentence(page)).toStartWith("5 recordings, ");
    expect(it.isHome(PARKING[1])).toBe(true);
    await page.reload();
    expect(await keys(page)).toEqual([PARKING[0], PARKING[2], PARKING[3], ...DRIVES]);
    // The last one of a day gives the focus to the one before.
    await it.watched.ready();
    await press(restore(page, DRIVES[1]));
    await hasFocus(page, `[data-row$="${DRIVES[0]}"] .restore`);
  });

  test("brings several back, chosen as a range; one that is here already says so in its row", async () => {
    await using it = await opened(768, ({ destination }) => {
      writeFileSync(join(destination, `${PARKING[2]}F.mp4`), "the one that is here");
    });
    const { page } = it;
    await pick(page, PARKING[0]).click();
    await pick(page, DRIVES[0]).click({ modifiers: ["Shift"] });
    expect(await said(bar(page).locator("b"))).toBe("4 clips selected");
    await pick(page, PARKING[1]).click();
    await press(button(page, "Restore 3\u00a0clips"));
    await bar(page).waitFor({ state: "detached" });
    await toast(
      page,
      "2 recordings are restored. Rules leave them alone for at least a week, and until you change them. 1 recording could not be restored.",
    );
    expect(await said(row(page, PARKING[2]).locator(".error"))).toBe(
      "It is here already, and nothing is written over.",
    );
    expect([PARKING[0], PARKING[1], DRIVES[0]].map(it.isHome)).toEqual([true, false, true]);
    await hasFocus(page, `[data-row$="${DRIVES[1]}"] input`);
    // The next attempt begins without the old reason.
    await press(restore(page, DRIVES[1]));
    await row(page, PARKING[2]).locator(".error").waitFor({ state: "detached" });
  });

  test("brings a whole day back by its heading, less what was let go", async () => {
    await using it = await opened();
    const { page } = it;
    const day = page.getByRole("checkbox", { name: /^Select all 4 clips of Mon 8 Jun, 08:00/ });
    await day.check();
    expect(await said(bar(page).locator("b"))).toBe("4 clips selected");
    await pick(page, PARKING[0]).uncheck();
    expect(await day.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
    await button(page, "Restore 3\u00a0clips").click();
    await toast(page, "3 recordings are restored. .*");
    // Also the one that had not been shown.
    expect(PARKING.map(it.isHome)).toEqual([false, true, true, true]);
    expect(await keys(page)).toEqual([PARKING[0], ...DRIVES]);
  });

  test("lets all go with None, and the focus stays in the list; shows each picture, and reads well without script", async () => {
    await using it = await opened();
    const { page } = it;
    await pick(page, PARKING[1]).check();
    await pick(page, DRIVES[0]).check();
    await press(button(page, "Clear"));
    await bar(page).waitFor({ state: "detached" });
    await hasFocus(page, `[data-row$="${PARKING[1]}"] input`);
    expect(await page.locator("[data-row] input:checked").count()).toBe(0);

    await page.waitForFunction(() => {
      const pictures = [...document.querySelectorAll<HTMLImageElement>(".shot img")];
      return pictures.length === 5 && pictures.every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
    });

    const context = await browser().newContext({ baseURL: it.app.url, javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto("/trash");
    expect(await sentence(plain)).toMatch(/^6 recordings/);
    expect(await rows(plain).count()).toBe(5);
    for (const dead of [".restore", ".pick", ".hero-do", ".list-more"])
      expect(await plain.locator(dead).filter({ visible: true }).count()).toBe(0);
    await context.close();
  });

  test("brings all back after a question", async () => {
    await using it = await opened(390);
    const { page } = it;
    await button(page, "Restore all…").click();
    await hasFocus(page, "dialog[data-modal=restore-all] button[value=no]");
    expect(await said(dialog(page).locator("h2"))).toBe("Restore 6 recordings?");
    await dialog(page).getByRole("button", { name: "Restore all" }).click();
    await toast(page, "6 recordings are restored. .*");
    await hasFocus(page, "#trash-head");
    expect(await sentence(page)).toBe("The trash is empty.");
    expect([...PARKING, ...DRIVES].map(it.isHome)).toEqual(Array(6).fill(true));
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await it.watched.problems()).toEqual([]);
  });

  test("deletes what is chosen for good only after a question", async () => {
    await using it = await opened();
    const { page } = it;
    const inTrash = () =>
      readdirSync(join(it.app.destination, ".dashdock", "trash"), { recursive: true })
        .map(String)
        .filter((path) => path.endsWith(".mp4"))
        .map((path) => path.slice(path.lastIndexOf("/") + 1, -5))
        .toSorted();
    await pick(page, PARKING[0]).check();
    await pick(page, DRIVES[1]).check();
    await press(button(page, "Delete for good…"));
    await hasFocus(page, "dialog[data-modal=delete-chosen] button[value=no]");
    expect(await said(dialog(page).locator("h2"))).toBe("Delete 2 clips for good?");
    await page.keyboard.press("Enter");
    await dialog(page).waitFor({ state: "detached" });
    await hasFocus(page, ".is-pick .b-danger");
    expect(inTrash()).toHaveLength(6);
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("button", { name: "Delete 2 clips" }).click();
    await toast(page, "2 recordings, .*, are deleted for good.");
    await hasFocus(page, `[data-row$="${DRIVES[0]}"] input`);
    expect(inTrash()).toEqual([...PARKING.slice(1), DRIVES[0]].toSorted());
    expect([PARKING[0], DRIVES[1]].map(it.isHome)).toEqual([false, false]);
  });

  test("is emptied only after a question that names how much it is, and says there why it cannot be", async () => {
    await using it = await opened();
    const { page } = it;
    await press(button(page, "Empty the trash…"));
    await hasFocus(page, "dialog[data-modal=empty-trash] button[value=no]");
    expect(await said(dialog(page).locator("p"))).toMatch(
      /^6 recordings, .*B, are deleted for good\. This cannot be undone\.$/,
    );
    await page.keyboard.press("Escape");
    await hasFocus(page, ".hero-do .b-danger");
    await page.keyboard.press("Enter");
    const error = "The trash folder cannot be used (EROFS).";
    await page.route("**/api/trash", (route) =>
      route.fulfill({ status: 503, json: { error, code: "TRASH_UNUSABLE" } }),
    );
    await dialog(page).getByRole("button", { name: "Delete 6 recordings" }).click();
    expect(await said(dialog(page).getByRole("alert"))).toBe(error);
    await page.unroute("**/api/trash");
    await dialog(page).getByRole("button", { name: "Delete 6 recordings" }).click();
    await toast(page, "6 recordings, .*, are deleted for good.");
    await hasFocus(page, "#trash-head");
    expect(await sentence(page)).toBe("The trash is empty.");
    await page.reload();
    expect(await sentence(page)).toBe("The trash is empty.");
  });

  test("says at the row, and in the bar, that the service does not answer, and keeps what was chosen", async () => {
    await using it = await opened();
    const { page } = it;
    await page.route("**/api/trash/restore", (route) => route.abort());
    await restore(page, DRIVES[0]).click();
    await row(page, DRIVES[0]).getByText("Dashdock does not answer.").waitFor();
    await pick(page, PARKING[0]).check();
    await button(page, "Restore 1\u00a0clip").click();
    await bar(page).getByRole("alert").waitFor();
    await page.unroute("**/api/trash/restore");
    await button(page, "Restore 1\u00a0clip").click();
    await toast(page, "1 recording is restored. .*");
    expect(it.isHome(PARKING[0])).toBe(true);
  });

  test("loads a large day in steps, from where one was", async () => {
    const all = keysOf(250);
    await using it = await opened(1440, ({ destination }) =>
      putInTrash(
        destination,
        { at: "2026-06-03T08:00:00Z" },
        all.map((key) => `${key}F.mp4`),
      ),
    );
    const { page } = it;
    const day = page.locator(".trash-day").nth(1);
    for (const [label, count, next] of [
      ["Show 200 more (247 left)", 203, 3],
      ["Show 47 more", 250, 203],
    ] as const) {
      await press(day.getByRole("button", { name: label }));
      await hasFocus(page, `[data-row$="${all[next]}"] input`);
      expect(await day.locator("[data-row]").count()).toBe(count);
    }
    expect(await day.locator(".list-more").count()).toBe(0);
    // Opened parts stay open when something else changes.
    await restore(page, all[7] ?? "").click();
    await toast(page, "1 recording is restored. .*");
    expect(await day.locator("[data-row]").count()).toBe(249);
  });

  test("shows what another tab has done as soon as the tab is shown again", async () => {
    await using it = await opened();
    const { page, app } = it;
    await app.client.open("/trash");
    const gone = [...PARKING.slice(0, 3), DRIVES[0]];
    expect((await app.client.send("POST", "/api/trash/restore", { keys: gone })).status).toBe(200);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await row(page, PARKING[0]).waitFor({ state: "detached" });
    expect(await keys(page)).toEqual([PARKING[3], DRIVES[1]]);
    expect(await sentence(page)).toStartWith("2 recordings, ");
  });
});
