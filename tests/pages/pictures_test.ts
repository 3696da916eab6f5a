import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { simulatedCard } from "../../server/dashcam/simulator/simulated_card.ts";
import { demoFootage } from "../../server/dashcam/simulator/simulated_demo.ts";
import { type RunningApp, startApp } from "../support/app/app.ts";
import { NOTED, PICTURED, PICTURES, structureOf } from "../support/browser/page_structure.ts";

setDefaultTimeout(60_000);

const README = readFileSync(join(import.meta.dir, "../../README.md"), "utf8");
const noted = JSON.parse(readFileSync(NOTED, "utf8")) as Record<string, readonly string[]>;

describe("the README's pictures (bun run pictures)", () => {
  let app: RunningApp;
  /** Brings everything home, as the demo does. */
  beforeAll(async () => {
    const card = simulatedCard({ recordings: 12, now: Date.now(), footage: await demoFootage() });
    app = await startApp({ card });
    app.app.job.start("manual");
    await app.synced();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  for (const [name, path] of Object.entries(PICTURED)) {
    test(`${name}.jpg shows what ${path} is made of today`, async () => {
      const { text } = await app.client.open(path);
      expect(await structureOf(text)).toEqual([...(noted[name] ?? [])]);
    });

    test(`${name}.jpg is there, is small, and is shown`, () => {
      const path = join(PICTURES, `${name}.jpg`);
      expect(existsSync(path)).toBe(true);
      expect(statSync(path).size).toBeLessThan(200_000);
      expect(README.includes(`(assets/pictures/${name}.jpg)`)).toBe(true);
    });
  }
});
