import { afterAll, beforeAll } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Settings } from "../../../server/domain/settings/settings.ts";
import { type AppOptions, type RunningApp, startApp } from "../app/app.ts";
import { Client } from "../app/client.ts";
import { describeInBrowser, WatchedPage, type Width } from "./browser.ts";

export const PASSWORD = "correct horse battery staple";
/** Options of a service that keeps everything. */
export const KEEP_ALL = { settings: { retention: { keep: "" } } } as const;

/** The control of a setting, by section and name. */
export const field = (page: Page, path: string) => {
  const [section, name] = path.split(".");
  return page.locator(`[data-section=${section}] [name=${name}]`);
};
/** Opens the part of the page in which a setting is folded away, as a hand does: what moves then is no jump. */
export async function unfold(page: Page, path: string): Promise<void> {
  await field(page, path).evaluate((control) => {
    control.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    for (let fold = control.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
      fold.open = true;
  });
}
/** Chooses what shows the field of a setting, where a menu stands in its place. */
export async function uncover(page: Page, path: string): Promise<void> {
  if (await field(page, path).isVisible()) return;
  const choice = page.locator(`#${path.replace(".", "-")}-choice`);
  await choice.selectOption(path === "schedule.cron_expression" ? "own" : { index: 0 });
}
/** Types as a hand does, in place of what is there. */
export async function type(page: Page, path: string, text: string): Promise<void> {
  await unfold(page, path);
  await uncover(page, path);
  await field(page, path).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.type(text);
}
/** Bar with the number of unsaved changes and the buttons for them. */
export const bar = (page: Page) => page.locator(".savebar");
/** Text of the place, with plain blanks. */
export const said = async (place: Locator) => (await place.textContent())?.replace(/\s+/g, " ").trim();
export const toast = (page: Page) => page.locator(".toast").last();
/** Settings in force. */
export const settings = ({ app }: RunningApp) => app.settings.current;

/** Wakes all parts of the page, as the search does. */
export async function wakeAll(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector("[data-island][data-ready]"));
  await page.locator("#find").dispatchEvent("focusin");
  await page.waitForFunction(() => !document.querySelector("[data-later]:not([data-awake])"));
}

/** A browser that has signed in. */
export async function signedIn({ url }: RunningApp): Promise<Client> {
  const client = new Client(url);
  await client.signIn("admin", PASSWORD);
  return client;
}

/** A service and its settings page: the one that tests share, with the settings of its start, where no other is asked for. */
type OpenSettings = (
  options?: AppOptions,
  width?: Width,
) => Promise<{ app: RunningApp; watched: WatchedPage; page: Page } & AsyncDisposable>;

/** Tests of the settings page in a real browser, most of them with one service. */
export function describeSettingsPage(tests: (opened: OpenSettings) => void): void {
  describeInBrowser("the settings page", (browser) => {
    let shared: RunningApp;
    let initial: Settings;
    beforeAll(async () => {
      shared = await startApp(KEEP_ALL);
      initial = settings(shared);
    });
    afterAll(() => shared[Symbol.asyncDispose]());

    const opened: OpenSettings = async (options, width = 1440) => {
      const app = options ? await startApp(options) : shared;
      if (!options) await app.app.settings.update(() => initial);
      const session = options?.mode === "login" ? await signedIn(app) : undefined;
      const watched = await WatchedPage.open(browser(), {
        url: app.url,
        width,
        session: session?.cookie("dashdock_session"),
      });
      await watched.open("/settings");
      const { page } = watched;
      await wakeAll(page);
      return {
        app,
        watched,
        page,
        async [Symbol.asyncDispose]() {
          await watched[Symbol.asyncDispose]();
          if (options) await app[Symbol.asyncDispose]();
        },
      };
    };

    tests(opened);
  });
}
