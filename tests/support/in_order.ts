import { accessibilityProblems } from "./axe.ts";
import type { WatchedPage } from "./browser.ts";

/**
 * In which theme a page is searched for barriers at which width. A search takes a second: the two ends of the layout,
 * each in another theme, see every element and every colour.
 */
const SEARCHED: Readonly<Record<number, "light" | "dark">> = { 390: "dark", 1440: "light" };

/**
 * Everything that is wrong with a page as it stands, a sentence each: barriers, errors on the console, breaches of the
 * content policy, jumps, and whether it can be scrolled sideways.
 */
export async function orderProblems(watched: WatchedPage): Promise<string[]> {
  const { page } = watched;
  const found: string[] = [];
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
    found.push("the page is wider than the window");
  const theme = SEARCHED[page.viewportSize()?.width ?? 0];
  if (theme !== undefined) {
    await page.emulateMedia({ colorScheme: theme });
    found.push(...(await accessibilityProblems(page)));
  }
  return [...found, ...(await watched.problems())];
}
