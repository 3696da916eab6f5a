import { accessibilityProblems } from "./axe.ts";
import type { WatchedPage } from "./browser.ts";

/**
 * In which theme a page is searched for barriers at which width. A search takes a second: the two ends of the layout,
 * each in another theme, see every element and every colour.
 */
const SEARCHED: Readonly<Record<number, "light" | "dark">> = { 390: "dark", 1440: "light" };

/**
 * Everything that is wrong with a page as it stands, a sentence each: barriers, errors on the console, breaches of the
 * content policy, jumps, whether it can be scrolled sideways, and what is cut off below.
 */
export async function orderProblems(watched: WatchedPage): Promise<string[]> {
  const { page } = watched;
  const found: string[] = [];
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
    found.push("the page is wider than the window");
  found.push(...(await page.evaluate(cutOff)));
  const theme = SEARCHED[page.viewportSize()?.width ?? 0];
  if (theme !== undefined) {
    await page.emulateMedia({ colorScheme: theme });
    found.push(...(await accessibilityProblems(page)));
  }
  return [...found, ...(await watched.problems())];
}

/** Boxes that hide a part of what is in them: nobody could scroll there, or the wheel would get stuck. Runs in the page. */
function cutOff(): string[] {
  return [...document.querySelectorAll("body *")].flatMap((box) => {
    const { overflowY, textOverflow, clipPath } = getComputedStyle(box);
    const isHiding = overflowY === "hidden" || overflowY === "clip";
    const isMeant = textOverflow === "ellipsis" || clipPath !== "none";
    if (!isHiding || isMeant || box.scrollHeight <= box.clientHeight + 1) return [];
    return [`${box.tagName.toLowerCase()}.${box.classList} hides ${box.scrollHeight - box.clientHeight} px`];
  });
}
