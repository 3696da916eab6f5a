import axe from "axe-core";
import type { Page } from "playwright-core";

const TAGS: readonly string[] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds against WCAG 2.2 AA and its own good practice, a sentence for each place; empty for a good page. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Through the debugger: the content policy of the page lets in no script of others.
  await page.evaluate(axe.source);
  return await page.evaluate(
    async (tags) => {
      const { axe: found } = window as unknown as { axe: typeof import("axe-core") };
      const { violations } = await found.run(document, {
        runOnly: { type: "tag", values: tags },
        resultTypes: ["violations"],
      });
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary ?? ""}`),
      );
    },
    [...TAGS],
  );
}
