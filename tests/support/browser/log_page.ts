import type { Locator, Page } from "playwright-core";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { type AppOptions, type RunningApp, startApp } from "../app/app.ts";

/** An app that has written something of every level; the zone of the machine must not matter. */
export async function openWithLog(options: AppOptions = {}): Promise<RunningApp> {
  const running = await startApp({ ...options, settings: { retention: { keep: "" }, ...options.settings } });
  Object.defineProperty(running.app, "zone", { value: new ZoneTime("Australia/Sydney"), configurable: true });
  const { log } = running.app;
  for (let number = 1; number <= 60; number++) log.info("sync", `message ${number} of a quiet day`);
  log.warning("download", "20261120_081403_NF.mp4: starting this file again from 0");
  log.error("sync", "disk use is 90.0 %, the limit is 90 %: stopped. Free space on /recordings or lower retention");
  return running;
}

/** The lines shown. */
export const lines = (page: Page): Locator => page.locator(".ln");
/** Text below the lines. */
export const foot = (page: Page): Locator => page.locator(".log-foot");
/** The way back to the end. */
export const pill = (page: Page): Locator => page.locator(".log-more");
/** A button by its whole name. */
export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });
/** A line by its whole message. */
export const message = (page: Page, text: string): Locator => page.locator(".ms").getByText(text, { exact: true });

/** The name of what has the focus. */
export const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label"));

/** Distance of the pane from its end, in pixels. */
export const toEnd = (page: Page): Promise<number> =>
  page.locator(".log-pane").evaluate((pane) => Math.round(pane.scrollHeight - pane.scrollTop - pane.clientHeight));

/** Top of a line on the screen. */
export async function placeOf(page: Page, text: string): Promise<number> {
  return (await message(page, text).boundingBox())?.y ?? Number.NaN;
}
