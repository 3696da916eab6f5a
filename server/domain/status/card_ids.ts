import type { Settings } from "../settings/settings.ts";
import type { Snapshot } from "../sync/job_progress.ts";

/** The cards of the dashboard, by the ids of their elements. */
export const CARD_IDS = [
  "status-card",
  "folder-card",
  "last-run-card",
  "next-scheduled-card",
  "storage-card",
  "dashcam-card",
  "plan-card",
  "day-of-runs-card",
  "recent-activity-card",
  "receipts-card",
  "hints-card",
] as const;
export type CardId = (typeof CARD_IDS)[number];

const STARTED: readonly CardId[] = ["status-card", "last-run-card", "next-scheduled-card", "dashcam-card"];
const WENT_IDLE: readonly CardId[] = ["status-card", "last-run-card"];
const NEXT_PHASE: readonly CardId[] = ["status-card", "plan-card", "last-run-card", "dashcam-card"];
/** It shows how many files there are, one less when the camera turns out not to have one. */
const FILE_ABSENT: readonly CardId[] = ["last-run-card"];
/** These read the recordings folder, or tell how much waits. */
const FILES_ENDED: readonly CardId[] = ["status-card", "plan-card", "storage-card", "recent-activity-card"];

/** The cards that change when the job goes from one snapshot to another. */
export function cardsOfProgress(before: Snapshot, now: Snapshot): readonly CardId[] {
  if (now.job_id !== before.job_id || now.state !== before.state) {
    if (now.state === "running") return STARTED;
    return now.state === "idle" ? WENT_IDLE : CARD_IDS;
  }
  if (now.phase !== before.phase) return NEXT_PHASE;
  return now.files_total === before.files_total ? [] : FILE_ABSENT;
}

/** The cards that read the recordings folder, when a file has ended between two snapshots of a running job; else none. */
export function cardsOfFiles(before: Snapshot, now: Snapshot): readonly CardId[] {
  return now.state === "running" && hasEnded(before, now) ? FILES_ENDED : [];
}

function hasEnded(before: Snapshot, now: Snapshot): boolean {
  return now.files_completed !== before.files_completed || now.files_failed !== before.files_failed;
}

/** Cards that change when recordings were deleted, came back, or left the trash. */
export const CARDS_OF_DELETING: readonly CardId[] = [
  "status-card",
  "plan-card",
  "storage-card",
  "recent-activity-card",
  "receipts-card",
];
/** Cards that change when another recordings folder is used, or the same one is looked at again. */
export const CARDS_OF_FOLDER: readonly CardId[] = [
  "status-card",
  "plan-card",
  "folder-card",
  "storage-card",
  "recent-activity-card",
];
/** Cards that change when the next run comes at another time, or the schedule is paused or goes on. */
export const CARDS_OF_SCHEDULE: readonly CardId[] = ["status-card", "next-scheduled-card", "hints-card"];
/** Cards that change when the camera comes or goes. */
export const CARDS_OF_CAMERA: readonly CardId[] = ["status-card", "plan-card", "dashcam-card"];

/** The cards that change with the settings: all, but for a change of the schedule alone. */
export function cardsOfSettings(before: Settings, now: Settings): readonly CardId[] {
  const rest = (settings: Settings) =>
    JSON.stringify({ ...settings, schedule: { ...settings.schedule, paused: null, cron_expression: null } });
  return rest(before) === rest(now) ? CARDS_OF_SCHEDULE : CARD_IDS;
}
