import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Run, RunningRun } from "../../../server/domain/runs/run.ts";
import { Log } from "../../../server/log.ts";
import { RunHistory } from "../../../server/store/config/run_history.ts";
import { FakeClock } from "../../support/app/clock.ts";
import { runAt } from "../../support/app/history.ts";

const START = "2026-06-07T10:15:00Z";
const NOW = Date.parse(START) / 1000;
const LATER_MS = 10_000;

let folder: string;
let path: string;
let clock: FakeClock;
let log: Log;
let opened: RunHistory[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "history-"));
  path = join(folder, "stats.db");
  clock = new FakeClock(START);
  log = new Log(clock);
  opened = [];
});
afterEach(() => {
  for (const history of opened) history.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): RunHistory {
  const history = new RunHistory({ path, clock, log });
  opened.push(history);
  return history;
}

/** Another program that is writing into the file until this is disposed of. */
function locked(): Disposable {
  const other = new Database(path);
  other.run("begin immediate");
  return { [Symbol.dispose]: () => other.close() };
}

const running = (changes: Partial<RunningRun> = {}): RunningRun => {
  return { ts: NOW - 5, durationSeconds: 40, files: 3, bytes: 9000, dryRun: false, address: "10.0.0.5", ...changes };
};
const endsOf = (runs: readonly { ts: number }[]) => runs.map(({ ts }) => ts);
const told = () =>
  log.lines.map(({ level, message }) => [level, message.replace(folder, "").replaceAll(/[\u00a0\u202f]/g, " ")]);

describe("runs that the disk does not take", () => {
  test("are read as if they were in the file, in every way, and are in it when it takes them", async () => {
    const history = open();
    const stored = [runAt(NOW - 400), runAt(NOW - 200)];
    for (const run of stored) history.append(run);
    const waiting = [runAt(NOW - 300, { success: false, message: "it broke" }), runAt(NOW - 100, { files: 9 })];
    const all = [stored[0], waiting[0], stored[1], waiting[1]] as Run[];
    {
      using _ = locked();
      for (const run of waiting) history.append(run);
      expect(history.unwritable).toBe("refused");
      expect(history.latest()).toEqual(waiting[1] as Run);
      expect(history.latestReached()).toEqual(waiting[1] as Run);
      expect(history.since(0)).toEqual(all);
      expect(history.page(NOW - 300, 2)).toEqual([all[3], all[2]] as Run[]);
      expect([...history.slices(NOW - 300)].flat()).toEqual(all.slice(1));
      expect(endsOf([...history.samples(0)].flat())).toEqual(endsOf(all));
      expect(history.extent(NOW - 300, 2)).toEqual({ runs: 2, firstTs: NOW - 300, lastTs: NOW - 100 });
      expect(history.count()).toBe(4);
      await clock.advance(LATER_MS);
      expect(history.unwritable).toBe("refused");
    }
    await clock.advance(LATER_MS);
    expect(history.unwritable).toBeNull();
    expect(history.since(0)).toEqual(all);
    history.close();
    expect(open().since(0)).toEqual(all);
    expect(told()).toEqual([
      ["WARNING", expect.stringMatching(/^\/stats\.db cannot be written \(SQLITE_BUSY\); runs are kept in memory/)],
      ["INFO", "The run history can be written again: 2 runs added"],
    ]);
  });

  test("come along with the next one, and at the latest when the service ends", () => {
    const history = open();
    const late = (ts: number) => {
      using _ = locked();
      history.append(runAt(ts));
    };
    late(100);
    history.append(runAt(200));
    late(300);
    history.close();
    expect(endsOf(open().since(0))).toEqual([100, 200, 300]);
    expect(clock.sleeping).toBe(0);
  });

  test("are lost when the service ends before, and it says how many", () => {
    const history = open();
    {
      using _ = locked();
      history.append(runAt(100));
      history.close();
    }
    expect(told().at(-1)).toEqual(["ERROR", "1 run could not be written into the history"]);
    expect(open().count()).toBe(0);
  });
});

describe("a run that is cut off by the end of its process", () => {
  /** History after a start, when the killed process had left this. */
  function afterKill(noted: RunningRun[]): { run: Run | null; all: Run[] } {
    const killed = open();
    for (const [at, run] of noted.entries()) at === 0 ? killed.begin(run) : killed.refresh(run);
    // Its file is opened again as it is, as after kill -9.
    const next = open();
    const { interrupted: run } = next;
    expect(open().interrupted).toBeNull();
    return { run, all: next.since(0) };
  }

  test("is in the history of the next start, with what was noted last", () => {
    const { run, all } = afterKill([running({ files: 0, bytes: 0 }), running()]);
    expect(all).toEqual([
      {
        ts: NOW - 5,
        success: false,
        exitCode: 1,
        durationSeconds: 40,
        files: 3,
        bytes: 9000,
        recordingsSeen: 0,
        recordingsSelected: 0,
        diskUsedRatio: null,
        failedMarkers: 0,
        dryRun: false,
        failures: { http: 0, network: 0, timeout: 0, disk: 0, unknown: 1 },
        message: "interrupted",
        cause: "interrupted",
        address: "10.0.0.5",
      },
    ]);
    expect(run).toEqual(all[0] as Run);
    expect(told()).toEqual([["WARNING", expect.stringMatching(/^The last sync was cut off .*\(3 files, 9.*kB\)/)]]);
  });

  test("never lies in the future, whatever the clock says after a power cut", () => {
    expect(afterKill([running({ ts: NOW + 86_400 })]).run?.ts).toBe(NOW);
  });

  test("has reached the camera only when it brought something", () => {
    const { all } = afterKill([running({ bytes: 0 })]);
    const history = open();
    expect([all.length, history.latestReached("10.0.0.5")]).toEqual([1, null]);
    history.append(runAt(NOW - 900, { address: "10.0.0.5" }));
    expect(history.latestReached("10.0.0.5")?.ts).toBe(NOW - 900);
    const { all: more } = afterKill([running({ ts: NOW - 1 })]);
    expect(more.length).toBe(3);
    expect(open().latestReached("10.0.0.5")?.ts).toBe(NOW - 1);
  });

  test("is none when the run's own end was kept", () => {
    const history = open();
    history.begin(running());
    history.append(runAt(NOW));
    expect(open().interrupted).toBeNull();
    expect(open().since(0)).toEqual([runAt(NOW)]);
  });

  test("is still known when runs from before were written late", async () => {
    const history = open();
    {
      using _ = locked();
      history.append(runAt(NOW - 900));
      history.begin(running({ bytes: 0 }));
      expect(history.unwritable).toBe("refused");
    }
    history.refresh(running());
    await clock.advance(LATER_MS);
    expect(endsOf(open().since(0))).toEqual([NOW - 900, NOW - 5]);
  });

  test("whose notes cannot be written goes on, and nothing is said of a file that is locked for a moment", () => {
    const history = open();
    history.begin(running());
    {
      using _ = locked();
      history.refresh(running({ files: 4 }));
    }
    expect([history.unwritable, told()]).toEqual([null, []]);
    history.refresh(running({ files: 5 }));
    expect(open().interrupted?.files).toBe(5);
  });
});
