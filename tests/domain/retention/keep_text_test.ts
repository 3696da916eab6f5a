import { describe, expect, test } from "bun:test";
import { keepInWords, usualAge } from "../../../server/domain/retention/keep_text.ts";
import type { KeepSettings } from "../../../server/domain/retention/keep_times.ts";
import { daySpan } from "../../../server/domain/text/day_span.ts";

const plain = (text: string | null) => text?.replaceAll("\u00a0", " ") ?? null;

describe("how long recordings are kept, in words", () => {
  const rows: [settings: Partial<KeepSettings>, words: string, age: string | null][] = [
    [{}, "2 weeks kept", "2 weeks"],
    [{ keep: "" }, "kept for ever", null],
    [{ keep: "always" }, "kept for ever", null],
    [{ keep_event: "2w" }, "2 weeks kept", "2 weeks"],
    [{ keep_event: "always" }, "2 weeks kept, events for ever", "2 weeks"],
    [{ keep_event: "always", keep_manual: "always" }, "2 weeks kept, events and manual ones for ever", "2 weeks"],
    [
      { keep_event: "always", keep_parking: "3d", keep_manual: "1y" },
      "2 weeks kept, parking 3 days, manual ones 1 year, events for ever",
      null,
    ],
    [{ keep: "", keep_parking: "3d" }, "kept for ever, parking 3 days", "3 days"],
    [{ keep: "a while" }, "a while kept", "a while"],
  ];
  for (const [settings, words, age] of rows)
    test(words, () => {
      const all = { keep: "2w", keep_event: "", keep_parking: "", keep_manual: "", ...settings };
      expect([keepInWords(all), usualAge(all)]).toEqual([words, age]);
    });
});

describe("days from the first to the last", () => {
  const now = Date.parse("2026-11-20T20:51:00Z");
  const rows: [oldest: string, newest: string, words: string][] = [
    ["2026-11-08", "2026-11-08", "8 Nov"],
    ["2026-11-06", "2026-11-08", "6 to 8 Nov"],
    ["2026-10-28", "2026-11-03", "28 Oct to 3 Nov"],
    ["2024-01-03", "2026-11-08", "3 Jan 2024 to 8 Nov 2026"],
    ["2025-12-30", "2025-12-31", "30 to 31 Dec 2025"],
    ["2025-12-30", "2025-12-30", "30 Dec 2025"],
  ];
  for (const [oldest, newest, words] of rows)
    test(words, () => expect(plain(daySpan(oldest, newest, now))).toBe(words));
});
