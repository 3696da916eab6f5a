import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Moments } from "../../server/domain/places/places_schema.ts";
import { viewerPath } from "../../server/domain/viewer/viewer_address.ts";
import { startCommand } from "../support/app/process.ts";
import { LISTENING } from "../support/app/service.ts";
import { openBrowser, WatchedPage } from "../support/browser/browser.ts";
import { NOTED, PICTURED, PICTURES, structureOf } from "../support/browser/page_structure.ts";

/**
 * Takes the README's pictures from the demo, once everything is home: `bun run pictures`. Look at them before they are
 * committed. The structure of their pages is noted beside them; a test tells when that has changed.
 */
const root = join(import.meta.dir, "../..");
const demo = ["server/main.ts", "demo", "--port", "0", "--rate", "1000000000"];
await using running = startCommand([process.execPath, ...demo], { cwd: root });
await running.says(/^Compared /m);
const url = LISTENING.exec(running.out)?.[1] ?? "";
const browser = await openBrowser();
const noted: Record<string, readonly string[]> = {};
mkdirSync(PICTURES, { recursive: true });
const taken = { ...PICTURED, viewer: await brakedByDay() };
for (const [name, path] of Object.entries(PICTURED)) {
  await using watched = await WatchedPage.open(browser, { url, width: 1440, theme: "dark" });
  await watched.open(taken[name as keyof typeof taken]);
  // Pictures of clips and frames of videos come after the page.
  await watched.page.waitForLoadState("networkidle");
  await watched.page.waitForTimeout(1500);
  await watched.page.screenshot({ path: join(PICTURES, `${name}.jpg`), type: "jpeg", quality: 75 });
  const problems = await watched.problems();
  if (problems.length > 0) throw new Error(`${path} is not fit for a picture: ${problems.join("; ")}`);
  noted[name] = await structureOf(await (await fetch(url + path)).text());
}
writeFileSync(NOTED, `${JSON.stringify(noted, null, 2)}\n`);
await browser.close();
running.signal("SIGINT");
await running.ended;

/** The address of the newest hard braking between morning and evening, once all recordings are read. */
async function brakedByDay(): Promise<string> {
  for (;;) {
    const { indexing, moments } = (await (await fetch(`${url}/api/viewer/moments?kind=brake`)).json()) as Moments;
    if (indexing !== null) continue;
    const found = moments.find(({ key, thumb }) => thumb !== null && key.slice(9) > "07" && key.slice(9) < "18");
    if (found === undefined) throw new Error("The demo has no hard braking by day: begin at another time");
    return viewerPath(found.key, Math.round(found.seconds));
  }
}
