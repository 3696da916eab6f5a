import { describe, expect, test } from "bun:test";
import type { TimeFormat } from "../../../server/domain/text/time_format.ts";
import { type SideText, sideText, timeLeft } from "../../../server/domain/viewer/side_text.ts";

const WALL = Date.UTC(2026, 10, 20, 8, 23, 46) / 1000;
const clock = { wallAt: (time: number) => WALL + time };
const at = (speed: number | null) => ({ at: () => ({ hasFix: speed !== null, speed, force: null }) });

describe("sideText()", () => {
  const american: TimeFormat = { hours: 12, order: "mdy" };
  const rows: readonly (readonly [
    what: string,
    asked: Pick<Parameters<typeof sideText>[0], "figures" | "unit" | "format">,
    text: SideText,
  ])[] = [
    [
      "the camera's time and speed",
      { figures: at(22.14), unit: "kmh" },
      { day: "Fri 20\u00a0Nov 2026", clock: "08:23:47", speed: "41", unit: "km/h" },
    ],
    [
      "as the reader reads them",
      { figures: at(22.14), unit: "mph", format: american },
      { day: "Fri Nov\u00a020, 2026", clock: "8:23:47\u00a0am", speed: "25", unit: "mph" },
    ],
    [
      "a speed that is not known is no speed of 0",
      { figures: at(null), unit: "kmh" },
      { day: "Fri 20\u00a0Nov 2026", clock: "08:23:47", speed: "–", unit: "km/h" },
    ],
    [
      "nothing of speed where it is not wanted",
      { figures: null, unit: "kmh" },
      { day: "Fri 20\u00a0Nov 2026", clock: "08:23:47", speed: null, unit: "km/h" },
    ],
  ];
  for (const [what, asked, text] of rows)
    test(what, () => {
      expect(sideText({ clock, ...asked }, 1.99)).toEqual(text);
    });
});

describe("timeLeft()", () => {
  const rows: readonly (readonly [done: number, seconds: number, took: number, words: string])[] = [
    [0, 60, 10, ""],
    [30, 60, 1, ""],
    [30, 60, 30, "about 30\u00a0s left"],
    [20, 60, 10, "about 20\u00a0s left"],
    [58, 60, 60, "a few seconds left"],
    [10, 60, 30, "about 3\u00a0min left"],
    [60, 3600, 100, "about 1\u00a0h 39\u00a0min left"],
    [0, 0, 10, ""],
  ];
  for (const [done, seconds, took, words] of rows)
    test(`${done} of ${seconds} s in ${took} s: ${words || "nothing yet"}`, () => {
      expect(timeLeft({ done, seconds, bytes: 0 }, took)).toBe(words);
    });
});
