import { readFileSync } from "node:fs";
import type { RunOnly } from "axe-core";
import type { Page } from "playwright-core";

/** Its short form: a page reads the long one three times as long. */
const SOURCE = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");

const TAGS: readonly string[] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Findings of axe against WCAG 2.2 AA and its own good practice, a sentence for each place; empty for a good page.
 * @param part a selector of what is new on a page that is looked at whole elsewhere
 */
export async function accessibilityProblems(page: Page, part?: string): Promise<string[]> {
  return await violations(page, { type: "tag", values: [...TAGS] }, part);
}

/** Only what another theme can change. */
export async function contrastProblems(page: Page, part?: string): Promise<string[]> {
  return await violations(page, { type: "rule", values: ["color-contrast"] }, part);
}

async function violations(page: Page, runOnly: RunOnly, part?: string): Promise<string[]> {
  // Through the debugger: the content policy of the page lets in no script of others.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE);
  if (part !== undefined) await page.locator(part).first().waitFor();
  const asked = { only: runOnly, part: part ?? null };
  return await page.evaluate(async ({ only, part }) => {
    const { axe: found } = window as unknown as { axe: typeof import("axe-core") };
    // Parts below an open question were looked at before it, and cannot be reached now.
    const place = document.querySelector(part ?? "dialog:modal") ?? document;
    // Parts that stick to an edge of the window hide other parts, which can be scrolled out from under them.
    const sticking = [...document.querySelectorAll<HTMLElement>("*")].filter(
      (element) => getComputedStyle(element).position === "sticky",
    );
    const before = sticking.map((element) => element.getAttribute("style"));
    for (const { style } of sticking) Object.assign(style, { position: "relative", inset: "auto" });
    const { violations: all } = await found.run(place, { runOnly: only, resultTypes: ["violations"] });
    for (const [at, element] of sticking.entries()) {
      element.removeAttribute("style");
      element.style.cssText = before[at] ?? "";
    }
    return all.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary ?? ""}`),
    );
  }, asked);
}
