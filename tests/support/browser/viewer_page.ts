import type { Page } from "playwright-core";

/** State of each player, in the order of the cameras. */
export function players(page: Page) {
  return page.locator("video.is-shown").evaluateAll((videos) =>
    (videos as HTMLVideoElement[]).map(({ currentTime, paused, muted, playbackRate, readyState }) => {
      return { time: currentTime, paused, muted, rate: playbackRate, isLoaded: readyState >= 1 };
    }),
  );
}

/** Resolves when all players are as wanted: they are looked at whenever the page draws. */
export async function until(page: Page, wanted: (now: Awaited<ReturnType<typeof players>>) => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; !wanted(await players(page)); ) {
    if (Date.now() > deadline) throw new Error(`Still ${JSON.stringify(await players(page))}`);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  }
}

/** Resolves when each player knows its video. */
export const loaded = (page: Page) => until(page, (all) => all.length > 0 && all.every(({ isLoaded }) => isLoaded));
/** A button by its name. */
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/** The key of the recording that the list marks. */
export const chosen = (page: Page) => page.locator(".trip[aria-current]").getAttribute("data-key");
/** A recording in the list. */
export const row = (page: Page, key: string) => page.locator(`.trip[data-key="${key}"]`);
