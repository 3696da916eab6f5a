import { describe, expect, test } from "bun:test";
import {
  backlogSentence,
  type PlanSentenceFacts,
  planSentence,
  slowWifiSentence,
} from "../../../server/domain/plan/plan_text.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";

const ZONE = new ZoneTime("Europe/Berlin");
/** Saturday, 18:06 in Berlin. */
const NOW = Date.parse("2026-11-21T17:06:00Z");
const HOUR = 3_600_000;
const GB = 1e9;

const plain = (text: string) => text.replaceAll(/\s/g, " ");
const FACTS: PlanSentenceFacts = {
  verdict: "in_time",
  camera: "away",
  waiting: { recordings: 94, bytes: 28 * GB },
  needsSeconds: 2280,
  overwrittenFrom: NOW + 60 * HOUR,
  atRisk: { recordings: 0, bytes: 0, seconds: 0 },
  tooLate: { recordings: 0, bytes: 0 },
  visitsKnown: 5,
  isTurnoverKnown: true,
  damaged: 0,
  isListed: true,
  now: NOW,
};
const RISKY = { recordings: 18, bytes: 1.8 * GB, seconds: 360 };
const LATE = { recordings: 46, bytes: 4 * GB };

describe("the sentence of a plan", () => {
  test.each<[string, Partial<PlanSentenceFacts>]>([
    ["94 recordings wait, and all comes home in time.", {}],
    ["1 recording waits, and all comes home in time.", { waiting: { recordings: 1, bytes: GB } }],
    ["6 min until everything at risk is home.", { camera: "here", atRisk: RISKY }],
    ["All at risk is safe: you may switch off.", { camera: "here" }],
    ["All at risk is safe: you may switch off.", { camera: "here", verdict: "tight" }],
    [
      "Nothing is overwritten before the next visit. About 46 recordings may be later: the longer the camera stays, the fewer.",
      { camera: "here", verdict: "too_late", tooLate: LATE },
    ],
    [
      "All is home, but 1 file is damaged and comes again with the next sync.",
      { camera: "here", verdict: "safe", damaged: 1 },
    ],
    [
      "All is home, but 2 files are damaged and come again with the next sync.",
      { camera: "here", verdict: "safe", damaged: 2 },
    ],
    ["All is home: you may switch off.", { camera: "here", verdict: "safe", waiting: { recordings: 0, bytes: 0 } }],
    ["Nothing waits on the camera.", { verdict: "safe", waiting: { recordings: 0, bytes: 0 } }],
    ["The camera is here, and its list has not come yet.", { camera: "here", isListed: false }],
    [
      "94 recordings wait and need 38 min of Wi-Fi: most of what is left before the first is overwritten, about Tue 24 Nov, 06:06.",
      { verdict: "tight" },
    ],
    [
      "About 46 recordings may be overwritten before they come home, the first about Tue 24 Nov, 06:06.",
      { verdict: "too_late", tooLate: LATE },
    ],
    [
      "About 46 recordings may be overwritten before they come home; the first may be gone already.",
      { verdict: "too_late", tooLate: LATE, overwrittenFrom: NOW - HOUR },
    ],
    [
      "94 recordings wait and need 38 min of Wi-Fi: more than is left before the first is overwritten, about Tue 24 Nov, 06:06.",
      { verdict: "too_late" },
    ],
    [
      "Not known yet: the camera has not been listed.",
      { verdict: "unknown", waiting: { recordings: null, bytes: null } },
    ],
    [
      "Not known yet: 3 of 5 visits have been seen that this is learned from.",
      { verdict: "unknown", visitsKnown: 3, atRisk: null },
    ],
    [
      "Not known yet: the camera has not been seen to overwrite anything.",
      { verdict: "unknown", isTurnoverKnown: false, atRisk: null },
    ],
    ["Not known yet: no video has come that shows the rate.", { verdict: "unknown", needsSeconds: null }],
    ["Not known yet: no visit is expected in the next week.", { verdict: "unknown", atRisk: null }],
  ])("%s", (sentence, facts) => {
    expect(plain(planSentence({ ...FACTS, ...facts }, ZONE))).toBe(sentence);
  });
});

test("a slow Wi-Fi is told with what helps", () => {
  const slow = { rate: 5.2e6, bestRate: 12.3e6, bestAt: NOW - 8 * 24 * HOUR };
  expect(plain(slowWifiSentence(slow, NOW, ZONE))).toBe(
    "The Wi-Fi looks like 2.4 GHz: 5.2 MB/s now, 12.3 MB/s on Fri 13 Nov. Give the camera a Wi-Fi name that exists on 5 GHz only.",
  );
});

test.each([
  [
    5.5,
    "Leaving parking out ends that: 5.5 GB of parking a day do not come home. With parking last, 5 GB of it a day are lost, and nothing else.",
  ],
  [2, "Even without parking, 3 GB a day would not come home."],
  [0, "Only a faster Wi-Fi or longer visits end that."],
])("a backlog with %p GB of parking a day is told with its remedies and their cost", (parking, remedy) => {
  const backlog = { recordedPerDay: 14 * GB, homePerDay: 9 * GB, parkingPerDay: parking * GB };
  expect(plain(backlogSentence(backlog))).toBe(
    `The camera records 14 GB a day, and visits have time for 9 GB. ${remedy}`,
  );
});
