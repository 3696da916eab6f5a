import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { startApp } from "../support/app/app.ts";

setDefaultTimeout(30_000);

describe("the pages of the help", () => {
  test("are the changes and the licences", async () => {
    await using app = await startApp();
    const read = async (path: string) => (await app.client.open(path)).text;
    expect(await read("/help/changes")).toMatch(/<h3 id="[^"]*">\[?1\.0\.0/);
    expect(await read("/help/licences")).toContain("preact-render-to-string");
  });

  test("are reached from the end of the settings, which tells the version and what is new", async () => {
    await using app = await startApp();
    const { text } = await app.client.open("/settings");
    const about = text.slice(text.indexOf('id="about"'));
    expect(about).toMatch(/version \d+\.\d+\.\d+/);
    for (const path of ["/help", "/help/changes", "/help/licences"]) expect(about).toContain(`href="${path}"`);
    expect(about.match(/<li>/g)?.length).toBeGreaterThan(1);
  });
});
