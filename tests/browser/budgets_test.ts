import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "../support/app.ts";

setDefaultTimeout(120_000);

const KB = 1024;
/** What each page may load in scripts, compressed. */
const SCRIPTS: readonly (readonly [path: string, kilobytes: number])[] = [
  ["/", 20],
  ["/logs", 20],
  ["/settings", 25],
  ["/stats", 45],
  ["/trash", 25],
  ["/viewer", 100],
];

/** Bytes as they travel. */
async function weight(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { "accept-encoding": "gzip" }, decompress: false });
  expect(answer.status).toBe(200);
  return (await answer.bytes()).length;
}

/** What these scripts load later, such as the viewer's map. What starts all pages loads islands of others. */
async function loadedLater(url: string, scripts: readonly string[]): Promise<string[]> {
  const named = async (from: readonly string[], pattern: RegExp) => {
    const texts = await Promise.all(from.map(async (script) => (await fetch(url + script)).text()));
    return texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => `/assets/${name}`));
  };
  const own = scripts.filter((script) => !script.includes("/boot-"));
  const later = await named(own, /import\("\.\/([^"]+)"\)/g);
  return [...later, ...(await named(later, /from"\.\/([^"]+)"/g))];
}

/** The addresses of what a page's HTML asks for. */
function linked(html: string, kind: "script" | "style"): string[] {
  const pattern =
    kind === "script"
      ? /<(?:script type="module" src|link rel="modulepreload" href)="([^"]+)"/g
      : /<link rel="stylesheet" href="([^"]+)"/g;
  return [...new Set([...html.matchAll(pattern)].map(([, address = ""]) => address))];
}

describe("the budget of", () => {
  for (const [path, kilobytes] of SCRIPTS)
    test(`scripts on ${path} is ${kilobytes} KB compressed`, async () => {
      await using app = await startApp();
      const html = await (await app.client.fetch(path)).text();
      const scripts = linked(html, "script");
      expect(scripts.length).toBeGreaterThan(0);
      const later = path === "/viewer" ? await loadedLater(app.url, scripts) : [];
      const all = [...new Set([...scripts, ...later])];
      const weights = await Promise.all(all.map((script) => weight(app.url + script)));
      expect(weights.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(kilobytes * KB);
    });

  test("style sheets is 24 KB compressed in all", async () => {
    await using app = await startApp();
    const sheets = new Set<string>();
    for (const [path] of SCRIPTS)
      for (const sheet of linked(await (await app.client.fetch(path)).text(), "style")) sheets.add(sheet);
    const weights = await Promise.all([...sheets].map((sheet) => weight(app.url + sheet)));
    expect(weights.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(24 * KB);
  });
});
