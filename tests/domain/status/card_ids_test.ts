import { describe, expect, test } from "bun:test";
import { initialSettings, type Settings } from "../../../server/domain/settings/settings.ts";
import {
  CARD_IDS,
  type CardId,
  cardsOfFiles,
  cardsOfProgress,
  cardsOfSettings,
} from "../../../server/domain/status/card_ids.ts";
import { idleSnapshot, type Snapshot } from "../../../server/domain/sync/job_progress.ts";

const IDLE = idleSnapshot("boot");
const ASKING: Snapshot = { ...IDLE, job_id: "a", state: "running", phase: "listing" };
const BRINGING: Snapshot = { ...ASKING, phase: "downloading", files_total: 4 };
const DONE: Snapshot = { ...BRINGING, state: "completed", phase: null, files_completed: 4 };

describe("cardsOfProgress()", () => {
  const rows: [what: string, before: Snapshot, now: Snapshot, cards: readonly CardId[]][] = [
    ["nothing but bytes", BRINGING, { ...BRINGING, seq: 9, bytes_downloaded_total: 5 }, []],
    ["the begin of a job", IDLE, ASKING, ["status-card", "last-run-card", "next-scheduled-card", "dashcam-card"]],
    ["the camera's answer", ASKING, BRINGING, ["status-card", "plan-card", "last-run-card", "dashcam-card"]],
    ["a file", BRINGING, { ...BRINGING, files_completed: 1 }, []],
    ["a file that failed", BRINGING, { ...BRINGING, files_failed: 1 }, []],
    ["a file that the camera does not have", BRINGING, { ...BRINGING, files_total: 3 }, ["last-run-card"]],
    ["the end", BRINGING, DONE, CARD_IDS],
    ["a failed end", ASKING, { ...ASKING, state: "failed", phase: null }, CARD_IDS],
    ["its fading", DONE, IDLE, ["status-card", "last-run-card"]],
    [
      "the begin of the next job right after the end",
      DONE,
      { ...ASKING, job_id: "b" },
      ["status-card", "last-run-card", "next-scheduled-card", "dashcam-card"],
    ],
  ];
  for (const [what, before, now, cards] of rows)
    test(`names what ${what} changes`, () => expect(cardsOfProgress(before, now)).toEqual(cards));
});

describe("cardsOfFiles()", () => {
  test("names what looks at the folder, while files come", () => {
    expect(cardsOfFiles(BRINGING, { ...BRINGING, bytes_downloaded_total: 5 })).toEqual([]);
    expect(cardsOfFiles(BRINGING, { ...BRINGING, files_completed: 1 })).toEqual([
      "status-card",
      "plan-card",
      "storage-card",
      "recent-activity-card",
    ]);
    // The end changes them anyway.
    expect(cardsOfFiles(BRINGING, DONE)).toEqual([]);
  });
});

describe("cardsOfSettings()", () => {
  const before = initialSettings();
  const rows: [what: string, changes: Partial<Settings>, cards: readonly CardId[]][] = [
    [
      "a pause",
      { schedule: { ...before.schedule, paused: true } },
      ["status-card", "next-scheduled-card", "hints-card"],
    ],
    [
      "another schedule",
      { schedule: { ...before.schedule, cron_expression: "0 3 * * *" } },
      ["status-card", "next-scheduled-card", "hints-card"],
    ],
    ["another time zone", { schedule: { ...before.schedule, timezone: "Asia/Tokyo" } }, CARD_IDS],
    ["another address", { connection: { ...before.connection, address: "10.0.0.9" } }, CARD_IDS],
  ];
  for (const [what, changes, cards] of rows)
    test(`names what ${what} changes`, () => expect(cardsOfSettings(before, { ...before, ...changes })).toEqual(cards));
});
