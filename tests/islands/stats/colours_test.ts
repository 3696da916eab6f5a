import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Colours, TOKENS } from "../../../islands/stats/colours.ts";
import { REASON_COLOURS } from "../../../islands/stats/plot_options.ts";

const SHEET = readFileSync(join(import.meta.dir, "../../../assets/stats.css"), "utf8");

/** Fill of a key in the style sheet. */
const fillOf = (key: string) => new RegExp(`\\.key-${key} \\{\\s*fill: ([^;]+);`).exec(SHEET)?.[1];

describe("the key of the failed runs", () => {
  const drawn: [key: string, colour: keyof Colours][] = [...Object.entries(REASON_COLOURS), ["away", "c3"]];
  for (const [key, colour] of drawn)
    test(`has the colour of the bars for ${key}`, () => expect(fillOf(key)).toBe(TOKENS[colour]));
});
