import { expect, test } from "bun:test";
import { contactsOf, type LossTimes, lossCauseOf, type RunFacts } from "../../../server/domain/coverage/loss_cause.ts";
import { lossInWords } from "../../../server/domain/coverage/loss_text.ts";
import { LOSS_CAUSES } from "../../../server/domain/coverage/recording_state.ts";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import { initialSettings } from "../../../server/domain/settings/settings.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Listed first at midnight, missing a day later. */
const LOSS = { firstSeen: 0, missingSince: 24 * HOUR, trouble: null };

function run(atHours: number, more: Partial<RunFacts> = {}): RunFacts {
  return { ts: atHours * 3600, durationSeconds: 60, success: true, failures: noFailures(), bytes: 1, ...more };
}

const AWAY = run(6, { success: false, failures: { ...noFailures(), network: 1 }, bytes: 0 });
const FAILED = run(6, { success: false, failures: { ...noFailures(), http: 1 }, cause: "http" });
const FULL = run(7, { success: false, failures: { ...noFailures(), disk: 1 }, cause: "disk-limit" });
const visit = (from: number, minutes: number) => ({ from: from * HOUR, to: from * HOUR + minutes * MINUTE });
const NOTHING: LossTimes = { runs: [], visits: [], pauses: [], usualStaySeconds: null };

test.each([
  ["nothing is known of the time", {}, {}, "unknown"],
  ["the camera was away all the time", { runs: [AWAY] }, {}, "away"],
  ["it left within a minute", { runs: [AWAY], visits: [visit(0, 0.5)] }, {}, "away"],
  ["it was there for six minutes", { runs: [AWAY], visits: [visit(0, 6)] }, {}, "short_visit"],
  ["visits before and after do not count", { runs: [AWAY], visits: [visit(-5, 60), visit(25, 60)] }, {}, "away"],
  ["it was there as long as usual", { visits: [visit(0, 6)], usualStaySeconds: 300 }, {}, "rate"],
  ["it was there for an hour in two visits", { visits: [visit(1, 30), visit(9, 30)] }, {}, "rate"],
  ["a visit goes on", { visits: [{ from: 22 * HOUR, to: null }] }, {}, "rate"],
  ["syncing was paused", { visits: [visit(0, 6)], pauses: [{ from: 12 * HOUR, to: null }] }, {}, "paused"],
  ["it was paused for a moment", { visits: [visit(0, 6)], pauses: [visit(3, 10)] }, {}, "short_visit"],
  ["it was paused before", { runs: [AWAY], pauses: [{ from: -9 * HOUR, to: -HOUR }] }, {}, "away"],
  ["the disk was full", { runs: [AWAY, FULL], visits: [visit(7, 6)], pauses: [visit(9, 90)] }, {}, "disk"],
  ["the disk had no room for this one", { runs: [run(1)], visits: [visit(1, 90)] }, { trouble: "disk" }, "disk"],
  ["the camera failed in each run", { runs: [AWAY, FAILED], visits: [visit(6, 90)] }, {}, "failing"],
  ["the camera failed in one run of two", { runs: [FAILED, run(8)], visits: [visit(6, 90)] }, {}, "rate"],
  ["the camera could not send this one", { runs: [run(1), FULL] }, { trouble: "failing" }, "failing"],
  ["runs before it was recorded do not count", { runs: [run(-3), { ...FULL, ts: -3600 }] }, {}, "unknown"],
] as const)("%s", (_, times, loss, cause) => {
  expect(lossCauseOf({ ...LOSS, ...loss }, { ...NOTHING, ...times })).toBe(cause);
});

test("a clock that was set back between two lists proves nothing", () => {
  const loss = { firstSeen: 24 * HOUR, missingSince: 0, trouble: null };
  expect(lossCauseOf(loss, { ...NOTHING, runs: [run(30)], visits: [visit(2, 60)], pauses: [visit(3, 60)] })).toBe(
    "unknown",
  );
});

test("runs that had the camera are its visits where none were kept", () => {
  expect(contactsOf([AWAY, run(6), FAILED])).toEqual([
    { from: 6 * HOUR - MINUTE, to: 6 * HOUR },
    { from: 6 * HOUR - MINUTE, to: 6 * HOUR },
  ]);
});

test("each cause says what happened and what helps, in sentences", () => {
  const settings = initialSettings();
  for (const cause of LOSS_CAUSES)
    for (const [staySeconds, saved] of [
      [null, 0],
      [360, 2],
    ] as const) {
      const { sentence, remedy, action } = lossInWords(cause, { lost: 3, saved, staySeconds, settings });
      for (const words of [sentence, remedy]) {
        expect(words).toMatch(/^[A-Z].*\.$/);
        for (const part of words.split(". ")) expect(part.split(" ").length).toBeLessThanOrEqual(20);
      }
      if (action !== null) expect(action.href).toMatch(/^\/(settings#|stats\/card$)/);
    }
  expect(lossInWords("short_visit", { lost: 3, saved: 0, staySeconds: 360, settings }).sentence).toBe(
    "The car was home for 6\u00a0min only.",
  );
});

test("what the camera could not deliver leads to the signs of a failing card", () => {
  const facts = { lost: 3, saved: 0, staySeconds: null, settings: initialSettings() };
  expect(lossInWords("failing", facts).action?.href).toBe("/stats/card");
});

test.each([
  [1, 1, "brought it home."],
  [3, 3, "brought all of them home."],
  [3, 2, "brought 2 of them home."],
])("of %d lost, %d that another order would have brought home are told", (lost, saved, end) => {
  const { sync, ...others } = initialSettings();
  const facts = { lost, saved, staySeconds: 360 };
  const { remedy, action } = lossInWords("short_visit", { ...facts, settings: { ...others, sync } });
  expect([remedy.slice(-end.length), action?.href]).toEqual([end, "/settings#sync-priority"]);
  const smart = { ...others, sync: { ...sync, priority: "smart" as const } };
  expect(lossInWords("short_visit", { ...facts, settings: smart }).action?.href).toBe("/settings#sync");
});
