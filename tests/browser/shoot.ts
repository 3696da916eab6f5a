import { mkdirSync } from "node:fs";
import { openBrowser, WatchedPage, WIDTHS } from "../support/browser/browser.ts";

/**
 * Takes pictures of pages for people to judge: `bun tests/browser/shoot.ts <url> <folder> <path> [more paths]`, at every
 * width, dark and light, the whole page.
 */
const [url = "", folder = "", ...paths] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await openBrowser();
for (const theme of ["dark", "light"] as const)
  for (const width of WIDTHS) {
    await using watched = await WatchedPage.open(browser, { url, width, theme });
    for (const path of paths) {
      await watched.open(path);
      await watched.page.waitForTimeout(300);
      const name = path.replace(/\W+/g, "-").replace(/^-|-$/g, "") || "dashboard";
      await watched.page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png`, fullPage: true });
      const problems = await watched.problems();
      if (problems.length > 0) console.log(`${path} ${width} ${theme}: ${problems.join("; ")}`);
    }
  }
await browser.close();
