import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noFailures } from "../../../server/domain/runs/failure_reason.ts";
import type { Run } from "../../../server/domain/runs/run.ts";
import { initialSettings, type Settings } from "../../../server/domain/settings/settings.ts";
import { ZoneTime } from "../../../server/domain/text/zone_time.ts";
import { Job, type RunJob } from "../../../server/engine/run/job.ts";
import { Scheduler } from "../../../server/engine/run/scheduler.ts";
import { lastRun, nextScheduled } from "../../../server/engine/status/card_reads.ts";
import { progressTopic } from "../../../server/engine/transfer/progress_report.ts";
import { SyncCounts } from "../../../server/engine/transfer/sync_counts.ts";
import { Log } from "../../../server/log.ts";
import { RunHistory } from "../../../server/store/config/run_history.ts";
import { FakeClock } from "../../support/app/clock.ts";

const START = Date.parse("2026-06-07T10:15:00Z");

let folder: string;
let clock: FakeClock;
let log: Log;
let history: RunHistory;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "activity-"));
  clock = new FakeClock(START);
  log = new Log(clock);
  history = new RunHistory({ path: join(folder, "stats.db"), clock, log });
});
afterEach(() => {
  history.close();
  rmSync(folder, { recursive: true, force: true });
});

function runAt(ts: number, changes: Partial<Run> = {}): Run {
  return {
    ts,
    success: true,
    exitCode: 0,
    durationSeconds: 90,
    files: 4,
    bytes: 800_000,
    recordingsSeen: 4,
    recordingsSelected: 4,
    diskUsedRatio: 0.4,
    failedMarkers: 0,
    failures: noFailures(),
    dryRun: false,
    ...changes,
  };
}

describe("lastRun()", () => {
  /** A job whose run takes 90 s and is written to the history, as the service does it. */
  function openJob(): Job {
    const run: RunJob = async (_trigger, _report, signal) => {
      await clock.sleep(90_000, signal);
      const ended = runAt(clock.now() / 1000);
      history.append(ended);
      return {
        run: ended,
        failure: null,
        fileFailures: noFailures(),
        lastPullAt: null,
        counts: new SyncCounts({ now: () => 0 }),
      };
    };
    return new Job({ clock, log, topic: progressTopic("0".repeat(32)), run });
  }

  test("is nothing before the first run", () => {
    expect(lastRun({ clock, zone: new ZoneTime("UTC"), history, job: openJob() })).toEqual({ kind: "none" });
  });

  test("is the newest run of the history, with the time at which it began", () => {
    history.append(runAt(START / 1000 - 3600, { success: false }));
    history.append(runAt(START / 1000 - 600));
    expect(lastRun({ clock, zone: new ZoneTime("Europe/Rome"), history, job: openJob() })).toEqual({
      kind: "stored",
      run: runAt(START / 1000 - 600),
      started_at: START - 690_000,
      before: null,
      now: START,
      zone: new ZoneTime("Europe/Rome"),
    });
  });

  test("is the job while it runs and until ten seconds after its end", async () => {
    history.append(runAt(START / 1000 - 600));
    const job = openJob();
    const look = () => lastRun({ clock, zone: new ZoneTime("UTC"), history, job });
    const seen = () => {
      const last = look();
      return last.kind === "live" ? last.snapshot.state : last.kind;
    };
    const id = job.start("manual");
    expect(look()).toEqual({
      kind: "live",
      snapshot: expect.objectContaining({ job_id: id, state: "running" }),
      now: START,
      zone: new ZoneTime("UTC"),
    });
    // The run begins once the caller has the id.
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(89_999);
    expect(seen()).toBe("running");
    await clock.advance(1);
    await job.ended();
    expect(seen()).toBe("completed");
    await clock.advance(9_999);
    expect(seen()).toBe("completed");
    await clock.advance(1);
    expect(look()).toEqual({
      kind: "stored",
      run: runAt(START / 1000 + 90),
      started_at: START,
      before: null,
      now: START + 100_000,
      zone: new ZoneTime("UTC"),
    });
    await job.close();
  });
});

describe("nextScheduled()", () => {
  const arrival = { looks: () => null };

  test.each([
    ["here", false],
    ["away", true],
    ["unknown", true],
  ] as const)("a run may come sooner while the camera is %s: %p", (camera, sooner) => {
    const scheduler = new Scheduler({ clock, log, settings: { current: initialSettings(), onChange: () => () => {} } });
    const looks = () => ({ camera, seconds: 30, next_at: null });
    const zone = new ZoneTime("UTC");
    expect(nextScheduled({ clock, zone, scheduler, arrival: { looks } }).on_arrival).toBe(sooner);
    expect(nextScheduled({ clock, zone, scheduler, arrival }).on_arrival).toBe(false);
  });

  test("words the schedule anew when it changes, and for a reader with other hours", () => {
    const initial = initialSettings();
    const current = { ...initial, schedule: { ...initial.schedule, cron_expression: "0 14 * * *" } };
    const settings = { current, onChange: () => () => {} };
    const scheduler = new Scheduler({ clock, log, settings });
    const words = (hours: 12 | 24) =>
      nextScheduled({ clock, zone: new ZoneTime("UTC", { hours, order: "dmy" }), scheduler, arrival }).words;
    expect([words(24), words(24), words(12), words(24)]).toEqual([
      ...["Every day at 14:00", "Every day at 14:00", "Every day at 2:00\u00a0pm", "Every day at 14:00"],
    ]);
    settings.current = { ...current, schedule: { ...current.schedule, cron_expression: "0 3 * * 0" } };
    expect(words(24)).toBe("At 03:00, only on Sunday");
  });

  const rows: [name: string, schedule: Partial<Settings["schedule"]>, expected: Record<string, unknown>][] = [
    [
      "every quarter of an hour",
      {},
      {
        at: START + 900_000,
        paused: false,
        words: "Every 15 minutes",
        cron_expression: "*/15 * * * *",
        timezone: "UTC",
      },
    ],
    [
      "the zone of the expression, not of the server",
      { cron_expression: "0 14 * * *", timezone: "Europe/Rome" },
      { at: Date.parse("2026-06-07T12:00:00Z"), words: "Every day at 14:00", timezone: "Europe/Rome" },
    ],
    [
      "Sunday is 0",
      { cron_expression: "0 3 * * 0" },
      { at: Date.parse("2026-06-14T03:00:00Z"), words: "At 03:00, only on Sunday" },
    ],
    ["paused, it still says when", { paused: true }, { at: START + 900_000, paused: true }],
    [
      "a stored schedule that cannot be read gives way to the one in force",
      { cron_expression: "61 * * * *", timezone: "Europe/Rome" },
      { at: START + 900_000, cron_expression: "*/15 * * * *", timezone: "UTC", words: "Every 15 minutes" },
    ],
    ["a schedule that never fires", { cron_expression: "0 0 30 2 *" }, { at: null, cron_expression: "0 0 30 2 *" }],
  ];
  for (const [name, schedule, expected] of rows) {
    test(name, () => {
      const initial = initialSettings();
      const settings = {
        current: { ...initial, schedule: { ...initial.schedule, ...schedule } },
        onChange: () => () => {},
      };
      const scheduler = new Scheduler({ clock, log, settings });
      expect(nextScheduled({ clock, zone: new ZoneTime("Asia/Tokyo"), scheduler, arrival })).toMatchObject({
        ...expected,
        now: START,
        zone: new ZoneTime("Asia/Tokyo"),
      });
    });
  }
});
