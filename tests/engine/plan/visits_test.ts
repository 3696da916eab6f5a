import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Visits } from "../../../server/engine/plan/visits.ts";
import { Log } from "../../../server/log.ts";
import { RunHistory } from "../../../server/store/config/run_history.ts";
import { FakeClock } from "../../support/app/clock.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-11-21T18:06:00Z");

let folder: string;
let clock: FakeClock;
let history: RunHistory;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "visits-"));
  clock = new FakeClock(START);
  history = opened();
});
afterEach(() => {
  history.close();
  rmSync(folder, { recursive: true, force: true });
});

function opened(): RunHistory {
  return new RunHistory({ path: join(folder, "stats.db"), clock, log: new Log(clock, []) });
}

const visitsOf = () => new Visits({ clock, records: history.visits });

/** A contact each minute. */
async function stays(visits: Visits, minutes: number): Promise<void> {
  visits.contact();
  for (let minute = 0; minute < minutes; minute++) {
    await clock.advance(MINUTE);
    visits.contact();
  }
}

describe("visits", () => {
  test("end with the last contact, and are there after a restart, newest first", async () => {
    const visits = visitsOf();
    await stays(visits, 8);
    visits.came(500, [5e6, 7e6, 6e6]);
    expect(visits.all(0)).toEqual([{ from: START, to: null, seconds: 480, bytes: 500, rate: 6e6 }]);
    await clock.advance(2 * MINUTE);
    visits.gone();
    await clock.advance(60 * MINUTE);
    await stays(visits, 1);
    visits.close();
    history.close();
    history = opened();
    expect(visitsOf().all(0)).toEqual([
      { from: START + 70 * MINUTE, to: START + 71 * MINUTE, seconds: 60, bytes: 0, rate: null },
      { from: START, to: START + 8 * MINUTE, seconds: 480, bytes: 500, rate: 6e6 },
    ]);
  });

  test("that a killed process did not end have ended with the contact that was noted last", async () => {
    await stays(visitsOf(), 3);
    await clock.advance(60 * MINUTE);
    expect(visitsOf().all(0)).toEqual([{ from: START, to: START + 3 * MINUTE, seconds: 180, bytes: 0, rate: null }]);
  });

  test("are two when there was no contact for more than an hour, also when the machine slept", async () => {
    const visits = visitsOf();
    await stays(visits, 1);
    clock.suspend(61 * MINUTE);
    visits.contact();
    expect(visits.all(0)).toMatchObject([
      { from: START + 62 * MINUTE, to: null },
      { from: START, to: START + MINUTE },
    ]);
  });

  test("that no contact has prolonged for more than an hour are over, though none has ended them", async () => {
    const visits = visitsOf();
    await stays(visits, 2);
    await clock.advance(60 * MINUTE);
    expect(visits.current).not.toBeNull();
    const { version } = visits;
    await clock.advance(MINUTE);
    expect(visits.version).not.toBe(version);
    expect(visits.current).toBeNull();
    expect(visits.all(0)).toEqual([{ from: START, to: START + 2 * MINUTE, seconds: 120, bytes: 0, rate: null }]);
  });

  test("are written seldom while nothing comes, so that a disk can sleep, and at once when something does", async () => {
    const put = spyOn(history.visits, "put");
    const visits = visitsOf();
    await stays(visits, 12 * 60);
    expect(put.mock.calls.length).toBeLessThan(60);
    // A tenth of it is lost at most when the process is killed now.
    expect(visitsOf().all(0)[0]?.seconds).toBeGreaterThan(0.9 * 12 * 3600 - 60);
    const before = put.mock.calls.length;
    for (let minute = 0; minute < 10; minute++) {
      await clock.advance(MINUTE);
      visits.came(1, []);
    }
    expect(put).toHaveBeenCalledTimes(before + 10);
  });

  test("over midnight are one, of the day on which it began", async () => {
    clock.jump(Date.parse("2026-11-21T23:58:00Z") - START);
    const visits = visitsOf();
    await stays(visits, 5);
    visits.gone();
    expect(visits.all(0)).toMatchObject([{ from: Date.parse("2026-11-21T23:58:00Z"), seconds: 300 }]);
  });

  test("keep their length when the clock is set", async () => {
    const visits = visitsOf();
    await stays(visits, 5);
    clock.jump(-90 * MINUTE);
    await stays(visits, 1);
    visits.gone();
    expect(visits.all(0)).toEqual([
      { from: START - 90 * MINUTE, to: START - 84 * MINUTE, seconds: 360, bytes: 0, rate: null },
    ]);
  });

  test("are forgotten after two years, and asked for by their last contact", async () => {
    const visits = visitsOf();
    await stays(visits, 5);
    visits.gone();
    expect([visits.all(START + 5 * MINUTE).length, visits.all(START + 5 * MINUTE + 1).length]).toEqual([1, 0]);
    clock.jump(733 * 24 * 60 * MINUTE);
    // The clock may be wrong.
    expect(visitsOf().all(0)).toHaveLength(1);
    const later = visitsOf();
    await stays(later, 1);
    later.gone();
    expect(visitsOf().all(0)).toMatchObject([{ seconds: 60 }]);
  });
});
