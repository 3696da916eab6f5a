import type { HeldDeletion, RetentionState } from "../../../server/domain/retention/deletion.ts";
import type { OverviewFacts } from "../../../server/domain/status/overview.ts";
import { nothingDeleted } from "../../support/app/deletion.ts";
import { describeSummary, KEEP, NOW, OFFLINE, run, SAFE, waiting } from "../../support/app/overview.ts";

const DUE = { recordings: 16_911, bytes: 1.4e12, oldest: "2024-01-03", newest: "2026-11-06" } as const;

function held(changes: Partial<HeldDeletion> = {}): Partial<OverviewFacts> {
  const deletion: HeldDeletion = { reason: "adopted", ...DUE, since: "2026-11-20T17:00:00Z", ...changes };
  return { retention: { ...nothingDeleted(), held: deletion } };
}

function retention(changes: Partial<RetentionState>): Partial<OverviewFacts> {
  return { retention: { ...nothingDeleted(), ...changes } };
}

const QUESTION =
  "16 911 recordings here are older than 2 weeks. Keep them? 1.4 TB, from 3 Jan 2024 to 6 Nov 2026. They were here before Dashdock, and you have not said how long to keep recordings; until you do, nothing is deleted.";

const GOING =
  "16 911 recordings go to the trash with the next run, 08:00. 1.4 TB, from 3 Jan 2024 to 6 Nov 2026. They can be restored from there for 7 days.";

describeSummary([
  ["recordings were here before, and all is safe", held(), "attention", QUESTION],
  ["recordings were here before, and no sync has run", { ...held(), last_run: null }, "attention", QUESTION],
  [
    "recordings were here before, and the camera is away with files",
    { ...held(), last_run: OFFLINE, last_reached: run(), counts: waiting(3), reachable: false },
    "attention",
    QUESTION,
  ],
  [
    "recordings were here before, while the schedule is paused",
    { ...held(), paused: true },
    "attention",
    QUESTION.replace("Keep them?", "Keep them? Paused."),
  ],
  [
    "recordings were here before, and the last run failed",
    { ...held(), last_run: run({ success: false, message: "the list broke off" }, { http: 1 }) },
    "failed",
    "Sync failed: the list broke off. The next run looks again at 08:00.",
  ],
  [
    "recordings were here before, and files are missing",
    { ...held(), last_run: run({}, { http: 2 }), counts: waiting(2) },
    "attention",
    "2 recordings could not be brought home yet. The camera answered with an error; they are tried again. The camera is at home.",
  ],
  [
    "recordings were here before, and there is no camera yet",
    { ...held(), address: "", last_run: null, last_reached: null },
    "waiting",
    "No camera yet. Tell Dashdock where it is. The camera must be on the same Wi-Fi as this machine. Nothing on the camera is changed.",
  ],
  [
    "one recording was here before, and nobody knows its size",
    held({ recordings: 1, bytes: null, newest: "2024-01-03" }),
    "attention",
    "1 recording here is older than 2 weeks. Keep it? Of 3 Jan 2024. It was here before Dashdock, and you have not said how long to keep recordings; until you do, nothing is deleted.",
  ],
  [
    "recordings were here before, and kinds are kept for different times",
    { ...held(), keep: { ...KEEP, keep_event: "1y" } },
    "attention",
    QUESTION.replace(
      "16 911 recordings here are older than 2 weeks.",
      "The next run would delete 16 911 recordings here.",
    ),
  ],
  [
    "recordings were here before, and a limit may be what they are over",
    { ...held(), keep: { ...KEEP, max_gb: 400 } },
    "attention",
    QUESTION.replace(
      "16 911 recordings here are older than 2 weeks.",
      "The next run would delete 16 911 recordings here.",
    ),
  ],
  [
    "the clock jumped",
    held({ reason: "clock", recordings: 12, bytes: 1.3e9, oldest: "2026-10-28", newest: "2026-11-03" }),
    "attention",
    "Nothing is deleted: the clock of this machine may be wrong. It went to an implausible time; now it says 21 Nov 2026, 07:51 AEDT. If that is right, the next run would delete 12 recordings, 1.3 GB, from 28 Oct to 3 Nov. Deletion is waiting for your approval.",
  ],
  [
    "unusually many would go",
    {
      ...held({ reason: "many", recordings: 60, bytes: 9.1e9, oldest: "2026-11-06", newest: "2026-11-08" }),
      recordings: 210,
    },
    "attention",
    "The next run would delete 60 of 210 recordings, more than usual. 9.1 GB, from 6 to 8 Nov. Deletion is waiting for your approval.",
  ],
  ["somebody has said that they may go", retention({ confirmed: DUE }), "waiting", GOING],
  [
    "they may go tomorrow, for good",
    {
      ...retention({ confirmed: { ...DUE, recordings: 1 }, trash: { recordings: 0, bytes: 0, days: 0 } }),
      next_at: NOW + 86_400_000,
    },
    "waiting",
    "1 recording is deleted for good with the next run, tomorrow 07:51. 1.4 TB, from 3 Jan 2024 to 6 Nov 2026. There is no trash to restore it from.",
  ],
  [
    "they may go, and the schedule is paused",
    { ...retention({ confirmed: DUE }), paused: true },
    "attention",
    GOING.replace("next run, 08:00.", "next scheduled run. Paused."),
  ],
  [
    "they may go, while files wait for the camera",
    {
      ...retention({ confirmed: DUE }),
      last_run: OFFLINE,
      last_reached: null,
      counts: waiting(1),
      last_seen_at: null,
      reachable: false,
    },
    "waiting",
    GOING,
  ],
  [
    "something keeps recordings from being deleted",
    retention({ problem: "The list of kept recordings cannot be read" }),
    "attention",
    `The list of kept recordings cannot be read. ${SAFE}`,
  ],
  [
    "something keeps recordings from being deleted that wait for an answer",
    {
      retention: {
        ...nothingDeleted(),
        ...held().retention,
        problem: "Nothing is deleted: the trash cannot be made.",
      },
    },
    "attention",
    `Nothing is deleted: the trash cannot be made. ${SAFE}`,
  ],
]);
