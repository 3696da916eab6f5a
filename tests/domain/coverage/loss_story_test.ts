import { expect, test } from "bun:test";
import { lossStory } from "../../../server/domain/coverage/loss_story.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const at = (time: string) => Date.parse(`${time}+11:00`);
const BASE = {
  date: "2026-11-10",
  now: at("2026-11-21T07:51"),
  zone: new ZoneTime("Australia/Sydney"),
  visits: [],
  missingSince: at("2026-11-12T19:20"),
};
const EVENING = { from: at("2026-11-10T18:04"), to: at("2026-11-10T18:10"), bytes: 4_400_000_000 };

/** Lost recordings of a minute each. */
function lost(...times: string[]) {
  return times.map((time) => ({ key: `20261110_${time}00_N`, state: "lost" as const, seconds: 60 }));
}
const plain = (text: string) => text.replaceAll("\u00a0", " ");

const cases: [what: string, facts: Parameters<typeof lossStory>[0], words: string][] = [
  [
    "one visit",
    { ...BASE, lost: lost("1740", "1741"), visits: [EVENING] },
    "On Tue 10 Nov, 18:04 to 18:10, 4.4 GB came home. By Thu 12 Nov, 19:20 the camera had recorded over 17:40 to 17:42.",
  ],
  [
    "a visit over midnight that brought nothing",
    { ...BASE, lost: lost("1740"), visits: [{ ...EVENING, to: at("2026-11-11T07:00"), bytes: 0 }] },
    "On Tue 10 Nov, 18:04 to Wed 11 Nov, 07:00, nothing came home. By Thu 12 Nov, 19:20 the camera had recorded over 17:40 to 17:41.",
  ],
  [
    "several visits",
    { ...BASE, lost: lost("1740"), visits: [EVENING, EVENING] },
    "In 2 visits 8.8 GB came home. By Thu 12 Nov, 19:20 the camera had recorded over 17:40 to 17:41.",
  ],
  [
    "no visit, and a list on the same day that lacks many",
    { ...BASE, lost: lost("0800", "0900", "1000", "1001", "1002"), missingSince: at("2026-11-10T20:15") },
    "By 20:15 the camera had recorded over 08:00 to 08:01, 10:00 to 10:03 and once more.",
  ],
];
for (const [what, facts, words] of cases)
  test(`a loss with ${what} is told`, () => {
    expect(plain(lossStory(facts))).toBe(words);
  });
