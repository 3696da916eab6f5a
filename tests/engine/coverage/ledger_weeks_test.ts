import { expect, test } from "bun:test";
import { ledgerAgainst, tapeWeeks } from "../../support/camera/taped_weeks.ts";

test.each([
  ["weekend", "oldest"],
  ["weekday", "quotas"],
] as const)(
  "four weeks of %s, overwriting by %s: lost is what was lost and nothing else, with lists that are cut short",
  async (life, overwriting) => {
    const car = { life, seed: "one", weeks: 4, band: "2.4", overwriting, capacity: 64e9 } as const;
    const { lost, ...wrong } = await ledgerAgainst(tapeWeeks({ ...car, generation: "legacy" }, "date"));
    expect(wrong).toEqual({ tooMany: [], tooFew: [], notHome: [] });
    expect(lost).toBeGreaterThan(100);
  },
);
