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
    // Axe draws up a map of the page, to know what lies behind each text: only what is near the part is put on it.
    const walk = document.createTreeWalker;
    if (place instanceof Element) {
      const NEAR_PX = 250;
      const area = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
      for (const element of [place, ...place.querySelectorAll("*")]) {
        const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
        if (width === 0 || height === 0) continue;
        area.left = Math.min(area.left, left - NEAR_PX);
        area.top = Math.min(area.top, top - NEAR_PX);
        area.right = Math.max(area.right, right + NEAR_PX);
        area.bottom = Math.max(area.bottom, bottom + NEAR_PX);
      }
      const near = new Set<Node>();
      for (const element of document.querySelectorAll("*")) {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        if (right < area.left || left > area.right || bottom < area.top || top > area.bottom) continue;
        for (let one: Node | null = element; one !== null && !near.has(one); one = one.parentNode) near.add(one);
      }
      const acceptNode = (node: Node) => (near.has(node) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP);
      document.createTreeWalker = (root, shown) => walk.call(document, root, shown, { acceptNode });
    }
    const { violations: all } = await found.run(place, { runOnly: only, resultTypes: ["violations"] });
    document.createTreeWalker = walk;
    for (const [at, element] of sticking.entries()) {
      element.removeAttribute("style");
      element.style.cssText = before[at] ?? "";
    }
    return all.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary ?? ""}`),
    );
  }, asked);
}
