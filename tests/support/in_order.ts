import { accessibilityProblems, contrastProblems } from "./axe.ts";
import type { WatchedPage } from "./browser.ts";

/** Where a page is searched for barriers, which takes a second: where all of its elements are drawn. */
const SEARCHED_WIDTH = 1440;

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
  if (page.viewportSize()?.width === SEARCHED_WIDTH) {
    await page.emulateMedia({ colorScheme: "light" });
    found.push(...(await accessibilityProblems(page)));
    await page.emulateMedia({ colorScheme: "dark" });
    found.push(...(await contrastProblems(page)));
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
