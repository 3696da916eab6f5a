import type { Page } from "playwright-core";
import { accessibilityProblems, contrastProblems } from "../browser/axe.ts";
import { atEveryWidth, type WatchedPage } from "../browser/browser.ts";

/**
 * Everything that is wrong with a page as it stands, a sentence each: errors on the console, breaches of the content
 * policy, jumps; at every width whether it can be scrolled sideways, and what is cut off below; barriers at the largest,
 * where all of its elements are drawn, and the contrast in both themes. The page is left as it was.
 * @param part a selector of what is new on a page whose other barriers are looked at elsewhere
 */
export async function orderProblems(watched: WatchedPage, part?: string): Promise<string[]> {
  return await problemsOf(watched, async (page) => {
    await page.emulateMedia({ colorScheme: "light" });
    const barriers = await accessibilityProblems(page, part);
    await page.emulateMedia({ colorScheme: "dark" });
    return [...barriers, ...(await contrastProblems(page, part))];
  });
}

/**
 * The same without barriers and contrast, which take the most time: for a page whose elements all stand on another one
 * that is looked at whole.
 */
export async function fitProblems(watched: WatchedPage): Promise<string[]> {
  return await problemsOf(watched, async () => []);
}

/** @param barriers of the page at its largest */
async function problemsOf(watched: WatchedPage, barriers: (page: Page) => Promise<string[]>): Promise<string[]> {
  const { page } = watched;
  // Changes made from here on are not the page's doing.
  const found = await watched.problems();
  found.push(
    ...(await atEveryWidth(page, async (width) => {
      const layout = (await page.evaluate(layoutProblems)).map((problem) => `${problem} at ${width} px`);
      return width === 1440 ? [...layout, ...(await barriers(page))] : layout;
    })),
  );
  return [...found, ...(await watched.problems())];
}

/**
 * Finds a page that is too wide or goes on where nothing is, and boxes that hide a part of their content. Runs in the
 * page, once it is drawn anew.
 */
async function layoutProblems(): Promise<string[]> {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const wide = document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the window"] : [];
  const height = document.documentElement.scrollHeight;
  const end = document.body.getBoundingClientRect().bottom + scrollY;
  const empty = height > innerHeight && height > end + 1 ? [`the page goes on for ${Math.round(height - end)} px`] : [];
  const cut = [...document.querySelectorAll("body *")].flatMap((box) => {
    const { overflowY, textOverflow, clipPath } = getComputedStyle(box);
    const isHiding = overflowY === "hidden" || overflowY === "clip";
    const isMeant = textOverflow === "ellipsis" || clipPath !== "none";
    if (!isHiding || isMeant || box.scrollHeight <= box.clientHeight + 1) return [];
    return [`${box.tagName.toLowerCase()}.${box.classList} hides ${box.scrollHeight - box.clientHeight} px`];
  });
  return [...wide, ...empty, ...cut];
}
